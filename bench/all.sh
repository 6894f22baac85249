#!/bin/sh
# all.sh - every measurement of the features `loop` and `field`, in one command, for a quiet machine
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: all.sh OUT [ROUNDS]
# Writes OUT/overhead.md, field_cost.md, field_named.md, timing.md, suites.md, hottest.md, kill.md,
# report5000.md, diff.md, detector.md (and .log, .json beside
# them); takes about two hours, most of it the test suites. $PARTS selects parts by these names.
# bench/page.py puts the results into docs/method.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  sed -n '/^# usage:/,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
rounds=${2:-11}
failed=

# part NAME COMMAND...: stdout to OUT/NAME.md, stderr to OUT/NAME.log; a failure doesn't stop the rest.
part() {
  name=$1
  shift
  case " ${PARTS:-$name} " in *" $name "*) ;; *) return 0 ;; esac
  echo "all.sh: $name" >&2
  "$@" >"$out/$name.md" 2>"$out/$name.log" || {
    failed="$failed $name"
    tail -n 5 "$out/$name.log" >&2
  }
}

part timing "$here/timing.py"
part overhead "$here/overhead.py" --rounds "$rounds" --json "$out/overhead.json"
part field_cost "$here/field_cost.py" --rounds "$rounds" --json "$out/field_cost.json"
part field_named "$here/field_named.py"
part detector "$here/detector.py"
part hottest "$here/hottest.py"
part kill "$here/kill.py"
part report5000 "$here/report5000.py"
part diff "$here/diff.py"
part suites "$here/suites.sh"
[ -z "$failed" ] || {
  echo "all.sh: failed:$failed; the reasons are in $out/*.log and *.md" >&2
  exit 1
}
