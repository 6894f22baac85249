#!/usr/bin/env python3
# work_classes.py - of which loops the work is known: classes F, P and C of real programs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: work_classes.py PROFILE...

Counts the probed loops of each profile (all descriptors, executed or not), and the share of the loops'
executions. "P, work known": one path, trip count read behind the loop; "P, trip count": several paths, trip
count known, paths not; "P, unknown": no trip count is read.
"""
import collections
import os
import subprocess
import sys

import common

HAS_TRIP_COUNT, ONE_PATH = 1, 16
KINDS = ("F", "P, work known", "P, trip count", "P, unknown", "C")


def kind(work_class, flags):
    if work_class != 2:
        return {1: "F", 3: "C"}[work_class]
    if not flags & HAS_TRIP_COUNT:
        return "P, unknown"
    return "P, work known" if flags & ONE_PATH else "P, trip count"


def count(profile):
    """{kind: (loops, executions)}"""
    text = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "dump", "--text", profile],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    found, chunk, fields = collections.defaultdict(lambda: [0, 0]), None, {}
    for line in [*text.splitlines(), "[end]"]:
        words = line.split(" # ")[0].split()
        if line.startswith("["):
            if chunk == "[loops]":
                entry = found[kind(int(fields["work_class"]), int(fields["flags"]))]
                entry[0] += 1
                entry[1] += int(fields["executions"])
            chunk, fields = words[0], {}
        elif len(words) == 2:
            fields[words[0]] = words[1]
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rows = []
    for profile in sys.argv[1:]:
        found = count(profile)
        totals = [sum(entry[i] for entry in found.values()) or 1 for i in (0, 1)]
        rows.append([os.path.basename(profile), str(totals[0])] + [
            f"{found[k][0]} ({100 * found[k][0] / totals[0]:.0f} %, {100 * found[k][1] / totals[1]:.0f} %)" for k in KINDS])
    print(common.table(["profile", "loops", *(k + " (of loops, of executions)" for k in KINDS)], rows))


main()
