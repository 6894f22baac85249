#!/bin/sh
# bootstrap.sh - from a bare machine to a report, or to all tests run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bootstrap.sh demo [PROGRAM]   build Reticle, measure the example with it, show the report;
#                                      PROGRAM: lz4, zstd, sqlite3 or lua5.4 instead of the example
#        bootstrap.sh build            build Reticle: build/release/bin/reticle-clang, .../reticle
#        bootstrap.sh check            build with warnings as errors; unit tests, and behaviour tests
#                                      with LLVM 19 and 22; suites of programs from outside, where
#                                      their sources can be had; ends with "N passed, N failed"
#        bootstrap.sh help             this text
#
# Missing packages are listed, then installed with apt-get (through sudo where not root). What is
# there already is left alone; with everything there, no network is needed.
#
#   RETICLE_INSTALL=no    install nothing: name the missing packages and stop
#   RETICLE_BUILD=DIR     where to build; default: build beside this script
#   RETICLE_JOBS=N        parallel jobs; default: one per processor
#   RETICLE_TESTS=DIR     check: only the tests below lit/DIR, as in RETICLE_TESTS=driver
#   RETICLE_WORLD=no      check: without programs from outside (bench/world/ci.sh: minutes, and the network)
#   RETICLE_MINUTES=N     check: names what wasn't run after N minutes, and ends; default: 80
set -eu

root=$(cd "$(dirname "$0")" && pwd)
build=${RETICLE_BUILD:-$root/build}
jobs=${RETICLE_JOBS:-$(nproc 2>/dev/null || echo 2)}
summary_due=no

say() { printf '%s\n' "bootstrap.sh: $*"; }

die() {
  printf '%s\n' "bootstrap.sh: error: $*" >&2
  exit 3
}

usage() { sed -n '/^# usage:/,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$root/bootstrap.sh"; }

# Whoever runs `check` reads its last line, so it is there however the run ends.
finish() {
  status=$?
  [ "$summary_due" = no ] || printf '%s\n' "0 passed, 1 failed"
  exit "$status"
}
trap finish EXIT

# --- packages -------------------------------------------------------------------------------------

llvm=/usr/lib/llvm # Debian's layout; LLVM elsewhere: put clang-19 into PATH and set RETICLE_LLVM_MAJORS

# The system's own first: that is where packages put their modules. CMake chooses alike.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

has_module() { pkg-config --exists "$1" 2>/dev/null; }

# Whether what package $1 is needed for is there, from whatever source.
is_there() {
  case $1 in
  clang-*) command -v "$1" >/dev/null ;;
  llvm-*-dev) major=${1#llvm-} && [ -f "$llvm-${major%-dev}/include/llvm/Passes/PassBuilder.h" ] ;;
  libclang-rt-*-dev) major=${1#libclang-rt-} && major=${major%-dev} &&
    [ -n "$(find "$llvm-$major/lib/clang/$major/lib/linux" -name '*asan*' 2>/dev/null)" ] ;;
  libclang-*-dev) major=${1#libclang-} &&
    [ -f "$llvm-${major%-dev}/include/clang/Frontend/FrontendPluginRegistry.h" ] ;;
  llvm-*-tools) major=${1#llvm-} && [ -x "$llvm-${major%-tools}/bin/FileCheck" ] ;;
  lld-*) [ -x "$llvm-${1#lld-}/bin/ld.lld" ] ;;
  ninja-build) command -v ninja >/dev/null ;;
  libdw-dev | libelf-dev) module=${1%-dev} && has_module "$module" ;;
  libjansson-dev) has_module jansson ;;
  libprotobuf-c-dev) has_module libprotobuf-c ;;
  protobuf-c-compiler) command -v protoc-c >/dev/null ;;
  zlib1g-dev) has_module zlib ;;
  libsqlite3-dev) has_module sqlite3 ;;
  libpq-dev) has_module libpq ;;
  postgresql) [ -n "$(find /usr/lib/postgresql/*/bin -name initdb 2>/dev/null)" ] ;;
  libzydis-dev) echo '#include <Zydis/Zydis.h>' | clang-19 -x c -fsyntax-only - 2>/dev/null ;;
  python3-*) "$python" -c "import ${1#python3-}" 2>/dev/null ;;
  g++-aarch64-linux-gnu) command -v aarch64-linux-gnu-g++ >/dev/null ;;
  libc6-dev-arm64-cross) [ -f /usr/aarch64-linux-gnu/lib/crt1.o ] ;;
  qemu-user) command -v qemu-aarch64 >/dev/null ;;
  openmpi-bin) command -v mpirun.openmpi >/dev/null ;;
  libopenmpi-dev) command -v mpicc.openmpi >/dev/null ;;
  mpich) command -v mpirun.mpich >/dev/null ;;
  libmpich-dev) command -v mpicc.mpich >/dev/null ;;
  libomp-*-dev) major=${1#libomp-} && [ -f "$llvm-${major%-dev}/lib/libomp.so" ] ;;
  libjemalloc-dev) [ -f /usr/include/jemalloc/jemalloc.h ] ;;
  automake) command -v aclocal >/dev/null ;;
  tcl | dpkg-dev | tcl-dev | libevent-dev | libpcre2-dev) dpkg -s "$1" >/dev/null 2>&1 ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

missing_of() {
  missing=
  for package in "$@"; do
    is_there "$package" || missing="$missing $package"
  done
  printf '%s\n' "${missing# }"
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "not root, and no sudo; run as root: apt-get install $missing"
  fi
}

# Makes sure that what the packages $@ are for is there.
need() {
  missing=$(missing_of "$@")
  [ -n "$missing" ] || return 0
  [ "${RETICLE_INSTALL:-yes}" != no ] ||
    die "missing, and RETICLE_INSTALL=no; install: apt-get install $missing"
  command -v apt-get >/dev/null ||
    die "missing, and no apt-get here to install it; install what your system calls: $missing"
  say "will install: $missing"
  as_root apt-get -qq update ||
    die "apt-get update failed (above); check the network, or install by other means: $missing"
  for package in $missing; do
    has_candidate "$package" || die "package $package: not in this system's archives; $(hint_for "$package")"
  done
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes \
    apt-get -qq install -y --no-install-recommends $missing >/dev/null ||
    die "apt-get install failed (above); after mending it, run this again"
  missing=$(missing_of "$@")
  [ -z "$missing" ] || die "installed, but still not usable: $missing; look at apt-get install --reinstall $missing"
}

has_candidate() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

hint_for() {
  case $1 in
  *-19 | *-19-*) echo "Debian 12 has it since 12.6, in main; add: deb http://deb.debian.org/debian bookworm main" ;;
  *-22 | *-22-*) echo "Debian 12 has it in: deb http://security.debian.org/debian-security bookworm-security main" ;;
  *) echo "look into /etc/apt/sources.list" ;;
  esac
}

build_packages="clang-19 llvm-19-dev libclang-19-dev cmake ninja-build pkg-config libdw-dev libelf-dev libjansson-dev libpq-dev libsqlite3-dev libzydis-dev libprotobuf-c-dev protobuf-c-compiler zlib1g-dev"
check_packages="llvm-19-tools lld-19 libclang-rt-19-dev python3 python3-jsonschema python3-psutil python3-yaml"
# For another machine's runtime and its tests; Debian has them on this one alone.
aarch64_packages="g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
# A few tests need these, and are skipped without: the page in a browser, another allocator, manual pages,
# other shells, the documentation as a site, Rust, two implementations of MPI, OpenMP, a database.
extra_packages="postgresql chromium libjemalloc-dev mandoc zsh fish mkdocs rustc openmpi-bin libopenmpi-dev mpich libmpich-dev libomp-19-dev"
fortran_packages="flang-22" # apart: the others are to be had where it is not
llvm22_packages="clang-22 llvm-22-dev libclang-22-dev llvm-22-tools lld-22 libclang-rt-22-dev"

# --- building -------------------------------------------------------------------------------------

# Configures and builds preset $1; the rest are arguments for cmake.
build_preset() {
  preset=$1
  shift
  say "building Reticle in $build/$preset"
  { mkdir -p "$build" && [ -w "$build" ]; } 2>/dev/null ||
    die "$build: can't be written; set RETICLE_BUILD to a directory that can"
  log=$build/$preset.log
  if ! (cd "$root" && cmake --preset "$preset" -B "$build/$preset" "$@" &&
    cmake --build "$build/$preset" -j "$jobs") >"$log" 2>&1; then
    grep -E -A 12 'error:|Error at|FAILED:' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
    die "the build failed; the whole log is $log"
  fi
}

build_release() {
  # shellcheck disable=SC2086
  need $build_packages
  build_preset release -DRETICLE_BUILD_TESTS=OFF
}

# Shows a command as one would type it, then runs it.
show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

# --- commands -------------------------------------------------------------------------------------

demo_example() {
  build_release
  release=$build/release
  mkdir -p "$build/demo"
  cd "$build/demo"
  show clang-19 -O2 -g -fplugin="$release/lib/reticle/reticle.so" -c "$root/examples/book/book.c" -o book.o
  show "$release/bin/reticle-clang" book.o -o book
  show ./book
  cp "$root/examples/book/book.c" .
  printf 'book: book.c\n\t$(CC) -O2 -g -o $@ book.c\n' >Makefile
  PATH=$release/bin:$PATH
  show reticle study --html book.html --build 'make -B book' -- ./book
  printf '\nOther programs: %s\n' "$release/bin/reticle-clang -O2 app.c -o app && ./app"
}

demo_program() {
  program=$1
  programs=$root/bench/programs
  # shellcheck disable=SC2046
  need $("$programs/fetch.sh" --packages "$program")
  build_release
  work=$build/demo/$program
  mkdir -p "$work"
  "$programs/fetch.sh" "$program" "$build/demo/source"
  say "building $program with reticle-clang"
  binary=$(RETICLE_BIN=$build/release/bin JOBS=$jobs \
    "$programs/build.sh" "$program" reticle "$build/demo/source/$program" "$work/built" | tail -n 1)
  say "running its workload"
  rm -f "$work"/*.prof
  RETICLE_OPTIONS=report=0:out=$work/%e.%p.prof \
    "$programs/run.sh" --quiet "$program" "$binary" "$work/run"
  show "$build/release/bin/reticle" report "$work"/*.prof
}

# The file lit.py, or a program lit.
find_lit() {
  for lit in $llvm-19/build/utils/lit/lit.py $llvm-22/bin/lit; do
    [ -f "$lit" ] && echo "$lit" && return
  done
  command -v lit || die "lit: not found; install llvm-19-tools"
}

# What is left of the time for `check`, in seconds, at least 1.
left_s() {
  left=$((started + 60 * ${RETICLE_MINUTES:-80} - $(date +%s)))
  if [ "$left" -gt 0 ]; then echo "$left"; else echo 1; fi
}

# Runs the behaviour tests with LLVM $1, $2 at a time; how each ends is added to the file $3 at once; the rest are
# directories of the suite. A test that hangs ends after 15 minutes, many times what the longest takes, and fails; when the
# time of all is up, what wasn't run is left out and named in the end.
run_lit() {
  major=$1 at_once=$2 results=$3
  shift 3
  say "behaviour tests with LLVM $major, $at_once at a time"
  lit_status=0
  "$python" "$(find_lit)" -q -j "$at_once" --max-time "$(left_s)" --timeout 900 --param "llvm=$major" --param "record=$results" "$@" ||
    lit_status=$?
  # 1: tests failed, which their records say. Else it is lit itself that did.
  [ "$lit_status" -le 1 ] || printf '{"name": "lit with LLVM %s", "code": "UNRESOLVED", "output": "exit status %s"}\n' "$major" "$lit_status" >>"$results"
}

# What of the suite is run with LLVM $1: its exact or its timed tests ($2). With the newer compiler all that looks at what it
# emits; of the tools' tests those that tell the plug-in what to emit, as unit tests, rules and what a tool makes of a profile
# are the same whichever clang is under test.
suites_of() {
  case $1:$2 in
  19:exact) (cd "$root/lit" && find . -mindepth 2 -maxdepth 2 -type f | cut -d/ -f2 | sort -u | grep -vxE 'timed|support') ;;
  19:timed) echo timed ;;
  *:exact)
    printf '%s\n' pass driver runtime aarch64
    (cd "$root/lit" && grep -lF fplugin-arg tools/*.test)
    ;;
  *:timed) (cd "$root/lit" && grep -lF fplugin-arg timed/*.*) ;;
  esac
}

# Whether LLVM 22 is installed, or can be. The newer of two compilers is worth a test, but not having
# it is no failure.
llvm22_available() {
  # shellcheck disable=SC2086
  [ -n "$(missing_of $llvm22_packages)" ] || return 0
  [ "${RETICLE_INSTALL:-yes}" != no ] && command -v apt-get >/dev/null || return 1
  has_candidate clang-22 && return 0
  missing=$llvm22_packages
  as_root apt-get -qq update && has_candidate clang-22
}

# Whether what AArch64 programs are made and run with here is installed, or can be.
aarch64_available() {
  # shellcheck disable=SC2086
  [ -n "$(missing_of $aarch64_packages)" ] || return 0
  [ "$(uname -m)" = x86_64 ] && [ "${RETICLE_INSTALL:-yes}" != no ] && command -v apt-get >/dev/null || return 1
  has_candidate g++-aarch64-linux-gnu && return 0
  missing=$aarch64_packages
  as_root apt-get -qq update && has_candidate g++-aarch64-linux-gnu
}

# Installs what of the packages $@ can be had.
want() {
  # shellcheck disable=SC2046
  set -- $(missing_of "$@")
  [ $# -gt 0 ] && [ "${RETICLE_INSTALL:-yes}" != no ] && command -v apt-get >/dev/null || return 0
  say "will install: $*"
  missing=$*
  (as_root apt-get -qq update && as_root env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes \
    apt-get -qq install -y --no-install-recommends "$@" >/dev/null) ||
    say "could not be installed, so tests that need them are skipped: $*"
}

# The checker of pages is in no package of Debian's.
want_axe() {
  [ ! -e "$build/npm/node_modules/axe-core" ] && [ "${RETICLE_INSTALL:-yes}" != no ] && command -v npm >/dev/null || return 0
  timeout 120 npm install --silent --no-audit --no-fund --prefix "$build/npm" axe-core@4 >/dev/null 2>&1 ||
    say "axe-core can't be had from npm, so pages aren't checked with it"
}

# The short part of bench/world, with results in the file $1. Whatever it lacks counts as skipped: the archive is not ours.
# It begins nothing new after 15 minutes; what it has begun may take 5 more.
check_world() {
  left=$(left_s)
  printf '{"found": "programs from outside"}\n' >"$1"
  [ "$left" -ge 600 ] || return 0
  say "programs from outside"
  # shellcheck disable=SC2046
  want dpkg-dev $("$root/bench/world/ci.sh" --packages)
  RETICLE_BIN=$build/dev/bin JOBS=$jobs WORLD_TOTAL_S=$((left > 1200 ? 900 : left - 300)) \
    timeout "$left" "$root/bench/world/ci.sh" "$build/world" "$1" || true
}

check() {
  summary_due=yes
  started=$(date +%s)
  # shellcheck disable=SC2086
  need $build_packages $check_packages
  if aarch64_available; then
    # shellcheck disable=SC2086
    need $aarch64_packages
  else
    say "nothing is tested on AArch64; for that: apt-get install $aarch64_packages"
  fi
  majors=19
  if llvm22_available; then
    # shellcheck disable=SC2086
    need $llvm22_packages
    majors="19 22"
  else
    say "LLVM 22 is not here, so nothing is tested with it; $(hint_for clang-22), then: apt-get install $llvm22_packages"
  fi
  # shellcheck disable=SC2086
  want $extra_packages
  want $fortran_packages
  want_axe
  build_preset dev
  suite=$build/dev/lit
  rm -f "$build"/dev/lit-*.jsonl
  set -- # the files of results, in a build folder of any name
  # What is exact decides, and comes first; then what needs the machine for itself.
  for part in exact timed; do
    for major in $majors; do
      results=$build/dev/lit-$major-$part.jsonl
      if [ -n "${RETICLE_TESTS:-}" ]; then
        [ "$part" = exact ] || continue
        run_lit "$major" "$jobs" "$results" "$suite/$RETICLE_TESTS"
      else
        at_once=$jobs
        [ "$part" = exact ] || at_once=1
        # shellcheck disable=SC2046
        run_lit "$major" "$at_once" "$results" $(suites_of "$major" "$part" | sed "s|^|$suite/|")
      fi
      set -- "$@" "$results"
    done
  done
  if [ -z "${RETICLE_TESTS:-}" ] && [ "${RETICLE_WORLD:-yes}" != no ]; then
    set -- "$@" "$build/dev/lit-world.jsonl"
    check_world "$build/dev/lit-world.jsonl"
  fi
  summary_due=no
  "$python" "$root/lit/support/summary.py" "$@"
}

case ${1:-help} in
demo)
  [ $# -le 2 ] || die "demo takes one program at most; see bootstrap.sh help"
  case ${2:-} in
  '') demo_example ;;
  lz4 | zstd | sqlite3 | lua5.4) demo_program "$2" ;;
  *) die "demo: unknown program $2; choose one of: lz4 zstd sqlite3 lua5.4" ;;
  esac
  ;;
build) build_release && say "done: $build/release/bin/reticle-clang, $build/release/bin/reticle" ;;
check) check ;;
help | -h | --help) usage ;;
*)
  usage >&2
  die "unknown command $1"
  ;;
esac
