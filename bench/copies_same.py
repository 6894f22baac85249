#!/usr/bin/env python3
# copies_same.py - how often is one copy of a loop said to be faster than its like, drawn in the same runs?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/copies_same.py BIN STUDIES

Studies copies_same.c so often; BIN is a folder with reticle. Each of its loops that stands several times does so once more as it is; that copy is judged as a form
would be (docs/decisions/0061), with the floor of the study before. A line for each that is said to be faster or slower, then how many there were. Worth a load beside it.
"""
import math
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STUDENT = {3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365}  # 95 %, two-sided, by degrees of freedom


def saved(db, change):
    """Part of the loop's time that the copy saves, with its 95 % interval, by run."""
    runs = db.execute("SELECT sum(work * plain_ns), sum(work * changed_ns) FROM copies WHERE change=? GROUP BY run", (change,)).fetchall()
    logs = [math.log(changed / plain) for plain, changed in runs]
    if len(logs) < 4:
        return None
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    half = STUDENT[len(logs) - 1] * spread
    return 1 - math.exp(mean), 1 - math.exp(mean + half), 1 - math.exp(mean - half)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    reticle = pathlib.Path(sys.argv[1]).resolve() / "reticle"
    count = faster = slower = 0
    widths, floors = [], {}
    for study in range(int(sys.argv[2])):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([reticle, "study", "--only", "plain,timing", "--time", "20s", "--build",
                                   f"$CC -O2 -g {HERE}/copies_same.c -o same", "--", "./same"],
                                  cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode > 1:
                sys.exit(done.stderr)
            db = sqlite3.connect(folder + "/same.reticle")
            for change, loop in db.execute("SELECT id, loop FROM changes WHERE form='same' AND loop<>''"):
                one = saved(db, change)
                if not one:
                    continue
                floor = floors.get(loop)
                floors[loop] = max(abs(one[1]), abs(one[2]))
                widths.append(one[2] - one[1])
                if floor is None:
                    continue
                count += 1
                is_faster, is_slower = one[1] > 0 and one[0] > floor, one[2] < 0 and -one[0] > floor
                faster += is_faster
                slower += is_slower
                if is_faster or is_slower:
                    print(f"study {study + 1}, loop {loop}: {100 * one[0]:.2f} % ({100 * one[1]:.2f} to {100 * one[2]:.2f}), floor {100 * floor:.2f} %")
    widths.sort()
    if count:
        print(f"{count} copies: {faster} said to be faster, {slower} slower; intervals are {100 * widths[count // 2]:.2f} points wide (median)")


main()
