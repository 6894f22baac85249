#!/bin/sh
# fetch.sh - get the Debian source package of one of the four real programs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: fetch.sh PROGRAM DIR       PROGRAM: lz4, zstd, sqlite3, lua5.4 or chase
#        fetch.sh --packages PROGRAM
# chase is a program of this directory. The unpacked source ends up in DIR/PROGRAM, where build.sh looks for it; what is there already is
# kept. With --packages, prints the Debian packages that fetch.sh and build.sh need, and stops.
#
# Nothing of the system is changed and root isn't needed: apt's own lists stay as they are, as the
# package index of the sources is kept under DIR/apt. That needs the deb lines which the machine has
# anyway; they are read as deb-src lines.
set -eu
me=fetch.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/apt.sh"

[ $# -eq 2 ] || usage
if [ "$1" = --packages ]; then
  check_program "$2"
  # shellcheck disable=SC2046
  echo dpkg-dev $(build_packages "$2")
  exit 0
fi
check_program "$1"
program=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)

if [ -f "$dir/$program/.fetched" ]; then
  echo "$me: $program: already in $dir/$program ($(cat "$dir/$program/.fetched"))"
  exit 0
fi
if [ "$program" = chase ]; then
  mkdir -p "$dir/chase"
  cp "$here/chase.c" "$dir/chase/chase.c"
  exit 0
fi
command -v apt-get >/dev/null ||
  die "apt-get: not found; put the source of $program into $dir/$program by hand and create the file .fetched there"
command -v dpkg-source >/dev/null || die "dpkg-source: not found; install it: apt-get install dpkg-dev"

mkdir -p "$dir/download"
package=$(source_package "$program")

# A source package that was downloaded before is unpacked again without asking the archive.
dsc=$(find "$dir/download" -maxdepth 1 -name "${package}_*.dsc" | LC_ALL=C sort | tail -n 1)
if [ -z "$dsc" ]; then
  read_index
  echo "$me: downloading source package $package into $dir/download"
  (cd "$dir/download" && apt --download-only source "$package") >"$dir/apt/log" 2>&1 || {
    cat "$dir/apt/log" >&2
    die "apt-get source $package failed (above)"
  }
  dsc=$(find "$dir/download" -maxdepth 1 -name "${package}_*.dsc" | LC_ALL=C sort | tail -n 1)
  [ -n "$dsc" ] || die "apt-get source $package left no .dsc in $dir/download"
fi

# lua5.4: Debian's patches replace upstream's makefile with one that needs libtool; we build
# upstream's own, as released.
case $program in
lua5.4) options=--skip-patches ;;
*) options= ;;
esac
echo "$me: unpacking $(basename "$dsc") into $dir/$program"
rm -rf "$dir/$program"
# shellcheck disable=SC2086
dpkg-source --no-check --no-copy $options -x "$dsc" "$dir/$program" >"$dir/apt/log" 2>&1 || {
  cat "$dir/apt/log" >&2
  die "dpkg-source -x $dsc failed (above); remove $dir/download and try again"
}
basename "$dsc" .dsc >"$dir/$program/.fetched"
