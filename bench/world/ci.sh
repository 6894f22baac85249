#!/bin/sh
# ci.sh - the short part of bench/world: a daemon, threads, OpenMP and a shared library, in the widest feature set
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: ci.sh DIR RESULT.json
#        ci.sh --packages
# Builds, tests and compares below DIR, and writes what lit/support/summary.py reads: one test for each
# program and set. What can't be had (no network, no package) is skipped with its reason, not passed. Ends
# in "N passed, N failed". --packages prints the Debian packages that it needs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
programs="nginx memcached hydro xz"

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
rm -rf "$dir/results"
"$here/world.py" run "$@" --dir "$dir" --sets all --llvm "${LLVM:-19}" --limit 300 --total 900 --remove
"$here/world.py" check "$@" --dir "$dir" --sets all --llvm "${LLVM:-19}" --result "$result"
