# epochs.py - holds the files of a run with epochs against each other.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   epochs.py RETICLE STEM    of STEM.prof and STEM.eN.prof in this folder
import glob
import json
import subprocess
import sys

RETICLE, STEM = sys.argv[1:]


def report(*files):
    run = subprocess.run([RETICLE, "report", "--json", "--all", *files], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def number(path):
    return int(path.split(".e")[-1].split(".")[0])


def sums(r):
    return r["sampling"]["samples"], r["sampling"]["time_ns"], r["sampling"]["cpu_time_ns"]


own, closed = STEM + ".prof", sorted(glob.glob(STEM + ".e*.prof"), key=number)
assert [number(path) for path in closed] == list(range(1, len(closed) + 1)), closed
print(f"closed epochs: {len(closed)}, in their order")
each = [report(path) for path in closed + [own]]
everything = report(*closed, own)
assert sums(everything) == tuple(sum(s) for s in zip(*map(sums, each))), "samples were lost or counted twice"
assert everything["functions"] == report(own, *reversed(closed))["functions"]
subprocess.run([RETICLE, "merge", "-o", "some.prof", *closed], check=True)
assert everything["functions"] == report(own, "some.prof")["functions"], "merged in two steps"
assert everything["functions"] == report(own, *closed, closed[0])["functions"], "one of them twice"
print("samples: each once, in any order of the files")
assert all(not r["loops"] for r in each[:-1]) and each[-1]["loops"]
assert [(l["function"], l["executions"]) for l in everything["loops"]] == [(l["function"], l["executions"]) for l in each[-1]["loops"]]
apart, together = (r["env"]["elapsed"]["value"] for r in (each[-1], everything))
assert abs(together / apart - 1) < 0.01, "the run's time counts once"
print(f"loops: in {own} alone")
(ended,) = {r["health"]["ended_by"] for r in each[:-1]}
print(f"ended: {ended}, together {everything['health']['ended_by']}")
_, time_ns, cpu_ns = sums(everything)
if abs(time_ns - cpu_ns) < 0.1 * cpu_ns:
    print("most of the CPU time is sampled")
