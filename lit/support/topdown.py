# topdown.py - what visits of loops counted, all parts of a group together: one line for each loop and group.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   topdown.py RETICLE PROFILE...
#   FUNCTION EVENTS visits N dropped N clock N parts NAME...   (of each profile by itself)
#   threads missed N, then: files N
import sys

from loops import records

DROPPED = ("not_scheduled", "not_readable", "restless", "partly", "backwards", "switched", "coarse")


def print_profile(reticle, path):
    names, sums, missed = {}, {}, 0
    for chunk, record, _ in records(reticle, path):
        if chunk == "loops":
            names[record["id"]] = record["function"]
        if chunk != "topdown":
            continue
        group, _, part = record["events"].partition("@")
        if record["loop"] == "0":
            missed += int(record["threads_missed"])
            continue
        total = sums.setdefault((names[record["loop"]], group), {"visits": 0, "dropped": 0, "clock": 0, "parts": set()})
        total["visits"] += int(record["visits"])
        total["clock"] += int(record["count0"])
        total["dropped"] += sum(int(record[reason]) for reason in DROPPED)
        total["parts"].add(part or "whole")
    for (function, group), total in sorted(sums.items()):
        print(f"{function} {group} visits {total['visits']} dropped {total['dropped']} clock {total['clock']} "
              f"parts {' '.join(sorted(total['parts']))}")
    print("threads missed", missed)


for path in sys.argv[2:]:
    print_profile(sys.argv[1], path)
print("files", len(sys.argv) - 2)
