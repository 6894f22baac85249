# short_loops.py - what a report says of the loops of short_loops.c with and without the list.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys


def loops(report):
    return {loop["region"] or loop["function"]: loop["executions"] for loop in report["loops"] if loop["unit"] == "execution"}


before, after = (json.load(open(name)) for name in sys.argv[1:])
assert loops(before) == {"first_blank": 20000000, "words": 20, "turn": 20, "main": 1}, loops(before)
assert loops(after) == {"words": 20, "turn": 20, "main": 1}, loops(after)
left_out = [report["coverage"]["loops_ignored"] for report in (before, after)]
assert left_out == [0, 1], left_out
