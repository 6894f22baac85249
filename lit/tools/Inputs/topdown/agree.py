# agree.py - is level 1 of the estimate within 10 points of what was counted?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys


def level_1(path, state):
    topdown = json.load(open(path))["topdown"]
    if topdown["estimate"] != state:
        sys.exit(f"agree.py: {path}: {topdown['text']}")
    loop = next(loop for loop in topdown["loops"] if loop["buckets"])
    return {b["name"]: b["share"]["value"] for b in loop["buckets"] if b["parent"] is None}


counted, estimated = level_1(sys.argv[1], False), level_1(sys.argv[2], True)
if abs(sum(counted.values()) - 1) > 0.03:
    sys.exit(f"agree.py: level 1 adds up to {sum(counted.values())}")
for name, share in estimated.items():
    if abs(share - counted[name]) > 0.1:
        sys.exit(f"agree.py: {name}: counted {counted[name]}, estimated {share}")
