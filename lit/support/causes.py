# causes.py - plants causes of slow executions, and whether the table names them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   causes.py RETICLE PROGRAM
# PROGRAM is bench/causes/planted.c. The machine may be busy: what it adds (waiting for a processor, gaps) is left out
# where it isn't what is planted.
import json
import os
import re
import subprocess
import sys

reticle, program = sys.argv[1:]


def run(cause, options=""):
    if os.path.exists("app.prof"):
        os.remove("app.prof")
    subprocess.run([program, cause, "160"], check=True,
                   env={**os.environ, "RETICLE_OPTIONS": f"report=0:out=app.prof:chain=0:period=1:verbosity=0{options}"})
    done = subprocess.run([reticle, "report", "--json", "app.prof"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def event(report):
    return next(x for x in report["loops"] if x["function"] == "event")


def shares(loop):
    found = {x["cause"]: x["share"]["value"] for x in loop["causes"]}
    assert not found or abs(sum(found.values()) - 1) < 1e-6, found
    return found


MACHINE = ("waits-for-cpu", "gap", "unexplained")
for planted, named in (("faults", "page-faults"), ("work", "iterations"), ("lock", "blocked")):
    loop = event(run(planted))
    found = shares(loop)
    print(planted, {k: round(v, 3) for k, v in found.items()}, loop["causes_reason"])
    own = {k: v for k, v in found.items() if k not in MACHINE}
    assert max(own, key=own.get) == named, (planted, loop["causes"], loop["slowest"])
loop = event(run("neighbour"))
found = shares(loop)
print("neighbour", {k: round(v, 3) for k, v in found.items()})
assert max(found, key=found.get) == "waits-for-cpu", loop["causes"]

report = run("faults")
loop = event(report)
assert len(loop["slowest"]) == 5, loop["slowest"]
for slow in loop["slowest"]:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", slow["at"]), slow
    assert slow["facts"]["runnable"]["value"] is not None, slow
assert any(slow["facts"]["minor_faults"] >= 2048 for slow in loop["slowest"]), loop["slowest"]
card = subprocess.run([reticle, "show", "event", "app.prof"], check=True, capture_output=True, text=True).stdout
assert "why slow" in card and "slowest" in card and "page faults" in card, card

off = event(run("faults", ":facts=0"))
assert not off["causes"] and off["causes_reason"] == "option facts=0" and not off["slowest"], off["causes_reason"]
print("fine")
