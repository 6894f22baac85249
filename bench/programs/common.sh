# common.sh - what the four programs are called and where things lie; sourced by the scripts beside it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The sourcing script sets `me` (its own name, for messages) and `here` (this directory).

root=$(cd "$here/../.." && pwd)
PROGRAMS="lz4 zstd sqlite3 lua5.4 chase"

die() {
  printf '%s: error: %s\n' "$me" "$*" >&2
  exit 3
}

usage() {
  sed -n '/^# usage:/,/^$/s/^# \{0,1\}//p' "$here/$me" >&2
  exit 2
}

check_program() {
  case " $PROGRAMS " in
  *" $1 "*) ;;
  *)
    printf '%s: error: %s: not a program of the benchmark; choose one of: %s\n' \
      "$me" "$1" "$PROGRAMS" >&2
    exit 2
    ;;
  esac
}

# The name of Debian's source package of program $1.
source_package() {
  case $1 in
  zstd) echo libzstd ;;
  *) echo "$1" ;;
  esac
}

# Debian packages that build.sh needs for program $1, beyond the compiler.
build_packages() {
  case $1 in
  chase) ;;
  sqlite3) echo make tcl ;; # the amalgamation is put together by a Tcl script
  *) echo make ;;
  esac
}

# Debian packages that suite.sh needs for program $1, beyond those of build_packages.
suite_packages() {
  case $1 in
  zstd) echo file python3 ;;
  sqlite3) echo tcl-dev zlib1g-dev ;;
  *) echo ;;
  esac
}

# An absolute path for $1, which need not exist.
absolute() {
  case $1 in
  /*) printf '%s\n' "$1" ;;
  *) printf '%s/%s\n' "$(pwd)" "$1" ;;
  esac
}

# The directory with reticle-clang and reticle: $RETICLE_BIN, or a build tree of this checkout.
reticle_bin() {
  if [ -n "${RETICLE_BIN:-}" ]; then
    [ -x "$RETICLE_BIN/reticle-clang" ] ||
      die "RETICLE_BIN=$RETICLE_BIN: no reticle-clang there; build Reticle or correct RETICLE_BIN"
    (cd "$RETICLE_BIN" && pwd)
    return
  fi
  for reticle_build in bench release dev; do
    if [ -x "$root/build/$reticle_build/bin/reticle-clang" ]; then
      echo "$root/build/$reticle_build/bin"
      return
    fi
  done
  die "no reticle-clang under build/*/bin: build it (cmake --preset release && cmake --build --preset release) or set RETICLE_BIN"
}
