# stall_causes.py - runs kernels with planted stalls and asks which stall cause is named first; tallies have to make 100 %.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: stall_causes.py RETICLE PLANTED DIRECTORY [MILLISECONDS [MEGABYTES]]

A kernel may be run again, twice, and for longer: beside other programs the core's clock is found late, and nothing is
named then. At most one of the eleven may be wrong.
"""
import json
import os
import subprocess
import sys

EXPECTED = {
    "divide": "divider", "chase": "D-cache miss", "chase_operand": "D-cache miss", "multiply": "multiplier",
    "float_divide": "divider", "store": "write buffer", "mispredicted": "branch mispredict", "always_taken": "none",
    "last_divide": "divider", "cheap": "none", "denormal": "denormals",
}


def ask(reticle, command, profile):
    out = subprocess.run([reticle, *command, profile], stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(out)


def look(reticle, planted, directory, kernel, milliseconds, megabytes):
    """The name, the first two with their ranges, and by how much the tallies miss 1."""
    profile = os.path.join(directory, kernel + ".prof")
    if os.path.exists(profile):
        os.unlink(profile)
    options = f"report=0:sample=1:sample_hz=1997:blocks=6:out={profile}"
    subprocess.run([planted, kernel, milliseconds, megabytes], env=dict(os.environ, RETICLE_OPTIONS=options),
                   stderr=subprocess.DEVNULL, check=True)
    function = ask(reticle, ["annotate", "--json", kernel], profile)["functions"][0]
    report = ask(reticle, ["report", "--json"], profile)
    if "tally" not in function:
        return None, f"no tally: {report['stalls_reason']}", 0, []
    tally = function["tally"]
    first = ", ".join(f"{c['reason']} {100 * c['low']:.0f} to {100 * c['high']:.0f} %" for c in tally["culprits"][:2])
    miss = max(abs(tally["total"] - 1), abs(report["tally"]["total"] - 1))
    return tally["culprit"], first, miss, [c["reason"] for c in tally["culprits"]]


def main():
    reticle, planted, directory = sys.argv[1:4]
    milliseconds = sys.argv[4] if len(sys.argv) > 4 else "500"
    megabytes = sys.argv[5] if len(sys.argv) > 5 else "256"
    right, worst, memory, wrongly = 0, 0, False, []
    for kernel in (*EXPECTED, "scan", "grid"):
        for factor in (1, 3, 6):
            time = str(factor * int(milliseconds))
            named, first, miss, suspects = look(reticle, planted, directory, kernel, time, megabytes)
            worst = max(worst, miss)
            if kernel != "denormal" and "denormals" in suspects:
                wrongly.append(kernel)
            if named == EXPECTED.get(kernel, "D-cache miss") or (kernel == "grid" and named):
                break
        print(f"{kernel:14s} {named} ({first})")
        if kernel == "scan":
            memory = named in ("D-cache miss", "DTLB miss")
        elif kernel != "grid":
            right += named == EXPECTED[kernel]
    print(f"named first: {right} of {len(EXPECTED)}; scan is memory: {memory}; tally off by {100 * worst:.2f} % at most")
    print(f"denormals suspected where there are none: {', '.join(wrongly) or 'nowhere'}")
    print("fine" if right >= 10 and memory and worst <= 0.005 and not wrongly else "missed")


main()
