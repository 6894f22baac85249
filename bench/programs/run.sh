#!/bin/sh
# run.sh - the workload of one of the four real programs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: run.sh [--quiet] PROGRAM BINARY WORKDIR
# Input is made in WORKDIR once, output goes below WORKDIR/out. Prints one line "CHECKSUM NAME" per
# output: two builds of a program that work alike print the same. --quiet leaves the checksums out, so
# that a benchmark measures BINARY and not sha256sum.
#
#   lz4      256 MiB compressed at level 1, 64 MiB at level 9, 64 MiB unpacked, 1 GiB tested
#   zstd     256 MiB compressed at level 3, 64 MiB at level 9, 64 MiB unpacked, 1 GiB tested
#   sqlite3  workload.sql: inserts, indexes, joins, aggregates, updates in a database file
#   lua5.4   workload.lua: tables, strings, closures, sorting, patterns
#   chase    4 million steps through a list of 190 MB in random order
set -eu
me=run.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

quiet=0
if [ "${1:-}" = --quiet ]; then
  quiet=1
  shift
fi
[ $# -eq 3 ] || usage
program=$1 binary=$2
check_program "$program"
[ -x "$binary" ] || die "$binary: not an executable file; build it with build.sh $program"
mkdir -p "$3"
work=$(cd "$3" && pwd)
binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")

# Four names for 64 MiB of this machine's files. lz4 and zstd write beside their input.
make_corpus() {
  command -v python3 >/dev/null || die "python3: not found; install it: apt-get install python3"
  [ -f "$work/corpus" ] || python3 "$here/corpus.py" "$work/corpus" 64
  for i in 1 2 3 4; do
    [ -f "$work/out/$i" ] || ln "$work/corpus" "$work/out/$i"
  done
}

rm -rf "$work/out"
mkdir -p "$work/out"
case $program in
lz4)
  make_corpus
  cd "$work/out"
  "$binary" -q -1 -m 1 2 3 4
  "$binary" -q -9 1 nine.lz4
  "$binary" -q -d nine.lz4 nine
  "$binary" -q -t -m 1.lz4 2.lz4 3.lz4 4.lz4 1.lz4 2.lz4 3.lz4 4.lz4 \
    1.lz4 2.lz4 3.lz4 4.lz4 1.lz4 2.lz4 3.lz4 4.lz4
  outputs="1.lz4 4.lz4 nine.lz4 nine ../corpus"
  ;;
zstd)
  make_corpus
  cd "$work/out"
  "$binary" -q -3 1 2 3 4
  "$binary" -q -9 1 -o nine.zst
  "$binary" -q -d nine.zst -o nine
  "$binary" -q -t 1.zst 2.zst 3.zst 4.zst 1.zst 2.zst 3.zst 4.zst \
    1.zst 2.zst 3.zst 4.zst 1.zst 2.zst 3.zst 4.zst
  outputs="1.zst 4.zst nine.zst nine ../corpus"
  ;;
sqlite3)
  cd "$work/out"
  "$binary" -batch -init /dev/null database <"$here/workload.sql" >stdout
  outputs="stdout database"
  ;;
chase)
  cd "$work/out"
  "$binary" >stdout
  outputs=stdout
  ;;
lua5.4)
  cd "$work/out"
  "$binary" "$here/workload.lua" >stdout
  outputs=stdout
  ;;
esac
[ "$quiet" -eq 1 ] && exit 0
# shellcheck disable=SC2086
sha256sum $outputs | sed 's|  \.\./|  |; s|  | |'
