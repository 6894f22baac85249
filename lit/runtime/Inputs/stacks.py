# stacks.py - what the report of stacks.c must say, as words; ratios alone, as a test asserts no time.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: stacks.py DEPTH < report   DEPTH: calls of one stack that the engine notes
import json
import sys

report = json.load(sys.stdin)
sampling, calls = report["sampling"], report["calls"]
depth = int(sys.argv[1])


def path(i):
    names = []
    while i is not None:
        names.insert(0, calls[i]["function"])
        i = calls[i]["caller"]
    return names


paths = [path(i) for i in range(len(calls))]


def samples(*wanted):
    return sum(c["samples"] for c, p in zip(calls, paths) if p == list(wanted))


if sampling["stacks"] == sampling["samples"] > 100 and sum(c["self_samples"] for c in calls) == sampling["stacks"]:
    print("all samples have a stack")
else:
    print("stacks:", sampling)

by_left, by_right = samples("main", "left", "work"), samples("main", "right", "work")
print("left and right called work, left twice as often" if 1.5 < by_left / max(1, by_right) < 2.7 else (by_left, by_right))
print("work is half of neither" if samples("main", "work") == 0 else "a caller is lost")
inlined = [c for c, p in zip(calls, paths) if p == ["main", "left", "small"]]
print("small is inlined into left" if inlined and inlined[0]["inlined"] and inlined[0]["self_samples"] > 5 else inlined)
complete = [p for p in paths if p[0] == "main" and p[1:2] == ["fold"] and p[-1] == "work"]
print("fold counts once" if [p.count("fold") for p in complete] == [21] else complete)
print("thread begins its stack" if samples("thread", "work") > 5 else [p for p in paths if "thread" in p])
deep = [p for p in paths if p[0] == "[deeper]" and p[-1] == "work"]
cut = samples(*deep[0]) if deep else 0
# The runtime's own thread is seen, too, and its buffers are larger than perf's copy of a stack.
print("deep stacks are cut" if len(deep) == 1 and deep[0].count("fold") == depth - 1
      and sampling["stacks_cut"] > 5 and sampling["stacks_cut"] - 5 <= cut <= sampling["stacks_cut"]
      else (sampling["stacks_cut"], cut, [(c["self_samples"], p[:2], p[-2:], len(p)) for c, p in zip(calls, paths)
                                          if p[0] == "[deeper]" and c["self_samples"]]))
hops = [c for c, p in zip(calls, paths) if p == ["main", "hop"]]
known = hops and samples("main", "hop", "work") > 5 and hops[0]["recovered"] == hops[0]["samples"]
print("hop is known again" if known else hops)
