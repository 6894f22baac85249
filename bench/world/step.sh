#!/bin/sh
# step.sh - one step of one program from outside: its packages, source, build, suite, results, workload
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: step.sh list
#        step.sh packages|measured PROGRAM
#        step.sh fetch PROGRAM DIR
#        step.sh build PROGRAM SET LLVM DIR OUT
#        step.sh suite|workload|results PROGRAM OUT
# PROGRAM is a file of programs/; bench/world/README.md says how one is written. DIR keeps what was
# downloaded (DIR/download) and the unpacked source (DIR/PROGRAM); OUT is a build. LLVM is 19 or 22. SET:
#   plain    clang without Reticle
#   loop     reticle-clang, as it comes
#   field    features=loop,field
#   shadow   features=loop,shadow
#   detail   features=loop,shadow shadow=detail
#   duty     features=loop,shadow shadow=bursts
#   block    features=loop,block
#   all      features=loop,field,shadow,block
#   sample   as loop, and sample=1 at run time
# OUT/bin/cc and OUT/bin/c++ are the compilers of that build, so that every build system can use them.
# $RETICLE_BIN, $JOBS as in bench/programs/build.sh. $QUICK=1: the short suite, where the program has one.
set -eu
me=step.sh
world=$(cd "$(dirname "$0")" && pwd)
here=$world/../programs # where common.sh looks for the root from
. "$here/common.sh"
. "$here/apt.sh"
here=$world # whose head usage() prints

action=${1:-}
case $action:$# in
list:1)
  for file in "$world"/programs/*.sh; do basename "$file" .sh; done
  exit 0
  ;;
packages:2 | measured:2 | fetch:3 | build:6 | suite:3 | workload:3 | results:3) ;;
*) usage ;;
esac
program=$2
[ -f "$world/programs/$program.sh" ] ||
  die "$program: not a program of bench/world; choose one of: $("$0" list | tr '\n' ' ')"
JOBS=${JOBS:-$(nproc)}

# What a recipe may leave out.
packages='' measured='' unprivileged=''
# shellcheck source=/dev/null
. "$world/programs/$program.sh"

# --- source ---------------------------------------------------------------------------------------

# The newest release tarball of Debian's source package $1 that the archive can give: a mirror that is a
# little behind has the index of a version, but not its files.
fetch_source() {
  tarball=$(find "$dir/download" -maxdepth 1 -name "$1_*.orig.tar.*" ! -name '*.asc' | LC_ALL=C sort | tail -n 1)
  if [ -z "$tarball" ]; then
    [ -n "$(find "$dir/apt/lists" -name '*Sources*' 2>/dev/null)" ] || read_index
    for version in $(apt_cache showsrc "$1" | sed -n 's/^Version: //p' | LC_ALL=C sort -ru); do
      (cd "$dir/download" && apt --download-only source "$1=$version") >"$dir/apt/log" 2>&1 || :
      tarball=$(find "$dir/download" -maxdepth 1 -name "$1_*.orig.tar.*" ! -name '*.asc' | LC_ALL=C sort | tail -n 1)
      [ -z "$tarball" ] || break
    done
    [ -n "$tarball" ] || {
      cat "$dir/apt/log" >&2
      die "apt-get source $1 failed (above)"
    }
  fi
  rm -rf "${dir:?}/$program"
  mkdir -p "$dir/$program"
  tar -xf "$tarball" -C "$dir/$program" --strip-components=1
  basename "$tarball" >"$dir/$program/.fetched"
}

# Debian packages $@, unpacked below $dir/debs instead of being installed: some can't be beside others.
fetch_debs() {
  mkdir -p "$dir/download/debs" "$dir/debs"
  cd "$dir/download/debs"
  # The system's index may be missing or old; then one of our own is read.
  apt-get -q -o APT::Sandbox::User= download "$@" >"$dir/download/log" 2>&1 || {
    dir=$dir/debs
    read_index
    sed -i 's/^Types: deb-src/Types: deb/' "$dir/apt/reticle.sources"
    apt update >&2 && apt download "$@" >&2 || die "apt-get download $* failed (above)"
    dir=${dir%/debs}
  }
  for deb in "$dir"/download/debs/*.deb; do dpkg -x "$deb" "$dir/debs"; done
}

# --- build ----------------------------------------------------------------------------------------

wrapper() { # FILE COMMAND [ARGUMENTS]
  file=$1
  printf "#!/bin/sh\nexec '%s' %s \"\$@\"\n" "$2" "${3:-}" >"$file"
  chmod +x "$file"
}

make_compilers() {
  p=-fplugin-arg-reticle
  case $1 in
  plain | loop | sample) flags= ;;
  field) flags="$p-features=loop,field" ;;
  shadow) flags="$p-features=loop,shadow" ;;
  detail) flags="$p-features=loop,shadow $p-shadow=detail" ;;
  duty) flags="$p-features=loop,shadow $p-shadow=bursts" ;;
  block) flags="$p-features=loop,block" ;;
  all) flags="$p-features=loop,field,shadow,block" ;;
  *) die "set $1: unknown; choose one of: plain loop field shadow detail duty block all sample" ;;
  esac
  command -v "clang-$2" >/dev/null || die "clang-$2: not found; install it: apt-get install clang-$2"
  if [ "$1" = plain ]; then
    wrapper "$out/bin/cc" "clang-$2"
    wrapper "$out/bin/c++" "clang++-$2"
  else
    wrapper "$out/bin/cc" "$(reticle_bin)/reticle-clang" "--reticle-cc=clang-$2 $flags"
    wrapper "$out/bin/c++" "$(reticle_bin)/reticle-clang++" "--reticle-cc=clang++-$2 $flags"
  fi
}

# --- what runs ------------------------------------------------------------------------------------

# Suites compare what programs print and which files they leave, so profiles and messages have a place
# of their own, into which a daemon that has become another user can write.
environment() {
  mkdir -p "$out/prof"
  chmod 1777 "$out/prof"
  RETICLE_OPTIONS=report=0:out=$out/prof/%e.%p.prof:log_path=$out/prof/messages
  [ "$(cat "$out/set")" != sample ] || RETICLE_OPTIONS=$RETICLE_OPTIONS:sample=1
  [ -z "${MORE_OPTIONS:-}" ] || RETICLE_OPTIONS=$RETICLE_OPTIONS:$MORE_OPTIONS
  export RETICLE_OPTIONS
  CC=$out/bin/cc CXX=$out/bin/c++
  export CC CXX JOBS
  # Make's own variables must not come from a make that calls us.
  unset MAKEFLAGS MFLAGS CFLAGS CPPFLAGS CXXFLAGS LDFLAGS
  export LC_ALL=C.UTF-8
}

# The command, as an ordinary user where we are root: for programs that refuse to run as root.
as_user() {
  if [ "$(id -u)" -ne 0 ]; then
    "$@"
    return
  fi
  command -v setpriv >/dev/null || die "setpriv: not found; install util-linux, or run as an ordinary user"
  HOME=$out setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# Waits until the command succeeds, for 30 seconds at most.
wait_for() {
  for _ in $(seq 150); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  echo "$me: gave up waiting for: $*" >&2
  return 1
}

case $action in
packages) echo "$packages" ;;
measured) echo "${measured:-$program}" ;;
fetch)
  mkdir -p "$3/download"
  dir=$(cd "$3" && pwd)
  [ ! -f "$dir/$program/.fetched" ] || exit 0
  fetch
  ;;
build)
  dir=$(cd "$5" && pwd) out=$(absolute "$6")
  [ -f "$dir/$program/.fetched" ] || die "$dir/$program: no source there; get it with step.sh fetch $program $5"
  rm -rf "$out"
  mkdir -p "$out/bin"
  echo "$3" >"$out/set"
  make_compilers "$3" "$4"
  environment
  cp -R "$dir/$program" "$out/tree"
  cd "$out/tree"
  build
  ;;
suite)
  out=$(cd "$3" && pwd)
  environment
  if [ "$(id -u)" -eq 0 ] && [ -n "$unprivileged" ]; then chown -R 65534:65534 "$out/tree"; fi
  cd "$out/tree"
  suite
  ;;
workload)
  out=$(cd "$3" && pwd)
  environment
  rm -rf "$out/work"
  mkdir -p "$out/work"
  chmod 1777 "$out/work"
  cd "$out/work"
  export tree="$out/tree"
  workload
  ;;
results) results <"$3" ;;
esac
