# epoch_twice.py - makes the own file claim that it has the last closed epoch's samples, as when the process was killed in between.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   epoch_twice.py RETICLE    of a.prof and a.eN.prof in this folder
import glob
import json
import re
import subprocess
import sys

RETICLE = sys.argv[1]


def report(*files):
    run = subprocess.run([RETICLE, "report", "--json", "--all", *files], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


closed = sorted(glob.glob("a.e*.prof"), key=lambda p: int(p.split(".e")[-1].split(".")[0]))
text = subprocess.run([RETICLE, "dump", "--text", "a.prof"], capture_output=True, text=True, check=True).stdout
changed, count = re.subn(rf"^number {len(closed) + 1}\b", f"number {len(closed)}", text, flags=re.M)
assert count == 1, f"{count} times"
with open("twice.txt", "w", encoding="utf-8") as file:
    file.write(changed)
subprocess.run([RETICLE, "dump", "--binary", "-o", "twice.prof", "twice.txt"], check=True)
expected = sum(report(path)["sampling"]["samples"] for path in closed)
for files in ([*closed, "twice.prof"], ["twice.prof", *closed]):
    merged = report(*files)
    assert merged["sampling"]["samples"] == expected, (merged["sampling"]["samples"], expected)
    assert merged["loops"]
print("the epoch counts once, with the loops")
