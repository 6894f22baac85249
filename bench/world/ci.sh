#!/bin/sh
# ci.sh - the short part of bench/world: a daemon with workers, threads, OpenMP, and a server that forks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: ci.sh DIR RESULT.json
#        ci.sh --packages
# Builds, tests and compares below DIR in the widest feature set (six minutes of CPU time, most of it
# clang's), and writes what lit/support/summary.py reads: one test for each
# program and set. What can't be had (no network, no package) is skipped with its reason, not passed. Ends
# in "N passed, N failed". WORLD_TOTAL_S: seconds after which nothing new begins (900). --packages prints the Debian packages that it needs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
programs="hydro nginx memcached redis-libc"

if [ "${1:-}" = --packages ]; then
  for program in $programs; do "$here/step.sh" packages "$program"; done | tr ' ' '\n' | LC_ALL=C sort -u | tr '\n' ' '
  exit 0
fi
[ $# -eq 2 ] || {
  sed -n '/^# usage:/,/^set /{/^set /d;s/^# \{0,1\}//p;}' "$here/ci.sh" >&2
  exit 2
}
export QUICK=1
# shellcheck disable=SC2086
set -- "$1" "$2" $programs
dir=$1 result=$2
shift 2

# Build systems of others split paths at blanks, servers become users who must be able to read, and their
# sockets' names may have 107 bytes.
usable() {
  [ ${#1} -le 50 ] || return 1
  case $1 in *[!A-Za-z0-9/._+-]*) return 1 ;; esac
  [ "$(id -u)" -ne 0 ] || setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$1"
}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
if ! usable "$dir"; then
  dir=$(mktemp -d "${TMPDIR:-/tmp}/reticle-world.XXXXXX")
  chmod 755 "$dir"
  trap 'rm -rf "$dir"' EXIT
  echo "ci.sh: building in $dir, as others' build systems need a short path without blanks that all may enter"
fi
rm -rf "$dir/results"
"$here/world.py" run "$@" --dir "$dir" --sets all --llvm "${LLVM:-19}" --limit 300 --total "${WORLD_TOTAL_S:-900}" --remove
"$here/world.py" check "$@" --dir "$dir" --sets all --llvm "${LLVM:-19}" --result "$result"
