#!/bin/sh
# suites.sh - build the four real programs plain and instrumented, and run their own test suites
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: suites.sh [DIR] [PROGRAM...]
# DIR (default build/programs) holds sources and builds. Prints a markdown table: each part of each
# suite with its result plain and instrumented. Exits 1 if an instrumented part fails that passes plain.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-$here/../build/programs}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- lz4 zstd sqlite3 lua5.4
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

for program in "$@"; do
  "$here/programs/fetch.sh" "$program" "$dir/src" >&2
  for variant in plain reticle; do
    if [ ! -f "$dir/$variant/$program/binary" ] || [ $variant = reticle ]; then
      echo "suites.sh: building $program ($variant)" >&2
      "$here/programs/build.sh" "$program" "$variant" "$dir/src/$program" "$dir/$variant/$program" >&2
    fi
    echo "suites.sh: testing $program ($variant)" >&2
    "$here/programs/suite.sh" "$program" "$dir/$variant/$program" >"$dir/$variant/$program/suite.txt" || :
    cat "$dir/$variant/$program/suite.txt" >&2
  done
done

# One line per part: PROGRAM NAME VERDICT SECONDS s DETAIL.
echo "| suite | plain | instrumented | last line of the instrumented log |"
echo "|---|---|---|---|"
for program in "$@"; do
  awk '
    { key = $1 " " $2; detail = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ s */, "", detail); gsub(/\|/, "/", detail) }
    FNR == NR { plain[key] = $3; next }
    { printf "| %s | %s | %s | %s |\n", key, plain[key], $3, detail
      if ($3 != "ok" && plain[key] == "ok") worse = 1 }
    END { exit worse }' "$dir/plain/$program/suite.txt" "$dir/reticle/$program/suite.txt" || worse=1
done
exit ${worse:-0}
