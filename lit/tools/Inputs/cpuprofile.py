# cpuprofile.py - is a .cpuprofile what readers of Chrome's format need, with the sums of the report?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   cpuprofile.py FILE REPORT.json
import json
import sys

profile, report = (json.load(open(path)) for path in sys.argv[1:])
nodes = {node["id"]: node for node in profile["nodes"]}
children = [child for node in nodes.values() for child in node["children"]]
assert sorted(children + [1]) == sorted(nodes), "each node but the root is a child once"
assert len(profile["samples"]) == len(profile["timeDeltas"]) and all(s in nodes for s in profile["samples"])
assert profile["endTime"] - profile["startTime"] == sum(profile["timeDeltas"])
assert sum(node["hitCount"] for node in nodes.values()) == report["sampling"]["samples"]
inner = [node for node in nodes.values() if node["callFrame"]["functionName"] == "inner" and node["hitCount"]]
outer = next(node for node in nodes.values() if node["callFrame"]["functionName"] == "outer")
assert inner and inner[0]["id"] in outer["children"], "what was inlined stands below"
assert sum(node["hitCount"] for node in inner) == report["functions"][0]["inlined"][0]["samples"]
assert all(sum(t["ticks"] for t in node["positionTicks"]) == node["hitCount"] for node in inner)
assert inner[0]["callFrame"]["url"].endswith("sampled.c") and inner[0]["callFrame"]["lineNumber"] >= 0
print("fine")
