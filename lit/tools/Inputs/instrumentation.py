# instrumentation.py - checks a report and an annotated function of a program with all features.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: instrumentation.py REPORT FUNCTION"""
import json
import re
import sys

OWN = re.compile(r"\bgs:|0x7FFF80", re.IGNORECASE)

report, annotated = (json.load(open(path)) for path in sys.argv[1:3])
assert report["stalls"], report["stalls_reason"]
for stall in report["stalls"]:
    assert not OWN.search(stall["instruction"]), stall
    assert not stall["function"].startswith(("rrt_", "__reticle_")), stall
tally = report["tally"]
assert abs(tally["total"] - 1) < 1e-9, tally
assert 0 < tally["instrumentation"] < 1, tally
others = {other["name"]: other["share"] for other in tally["others"]}
assert others["instrumentation"] == tally["instrumentation"], tally
for function in report["functions"]:
    name = function["linkage_name"] or ""
    assert function["instrumentation"] == name.startswith(("rrt_", "__reticle_")), function

instructions = annotated["functions"][0]["instructions"]
own = [i for i in instructions if OWN.search(i["text"])]
assert own and all(i["instrumentation"] for i in own), own
assert any(not i["instrumentation"] for i in instructions)
assert all(not i["stall_cycles"] for i in instructions if i["instrumentation"])
