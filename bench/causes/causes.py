#!/usr/bin/env python3
# causes.py - how often a planted cause of slow executions is the first of the table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/causes/causes.py BUILD [RUNS]
#
# Compiles planted.c and runs each cause RUNS times (20), causes in turn. Prints a line for each: in how many runs the cause
# was named first, in how many another one, and the middle share of the lost time. The machine should be calm: what
# others do to it is told as well. `stop` has no cause by design; its line says what part of the stopped time the account has.
import collections
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLANTED = {"nothing": None, "faults": "page-faults", "neighbour": "waits-for-cpu", "stop": None, "work": "iterations",
           "migration": "migration", "lock": "blocked", "quota": "waits-for-cpu"}


def quota():
    """A new control group of version 1 with half a processor; None where none can be made."""
    group = "/sys/fs/cgroup/cpu/reticle-causes"
    try:
        os.makedirs(group, exist_ok=True)
        with open(os.path.join(group, "cpu.cfs_quota_us"), "w", encoding="ascii") as f:
            f.write("50000")
    except OSError:
        return None
    return group


def run(reticle, folder, cause):
    profile = os.path.join(folder, "app.prof")
    if os.path.exists(profile):
        os.remove(profile)
    command = [os.path.join(folder, "planted"), "nothing" if cause == "quota" else cause, "4000"]
    if cause == "quota":
        command = ["sh", "-c", 'echo $$ > "$0/cgroup.procs"; exec "$@"', quota()] + command
    subprocess.run(command, check=True,
                   env={**os.environ, "RETICLE_OPTIONS": f"report=0:verbosity=0:out={profile}"})
    report = json.loads(subprocess.run([reticle, "report", "--json", profile], check=True, capture_output=True,
                                       text=True).stdout)
    loop = next(x for x in report["loops"] if x["function"] == "event")
    first = loop["causes"][0] if loop["causes"] else None
    named = first["cause"] if first and first["share"]["low"] > 0.2 else "none"
    shares = {c["cause"]: c["share"]["value"] for c in loop["causes"]}
    return named, shares, report["account"]


def slowest(reticle, folder):
    """Whether the five planted executions are the five slowest, each to 1 ms of its time of day."""
    profile = os.path.join(folder, "slowest.prof")
    made = subprocess.run([os.path.join(folder, "planted"), "slowest", "1000"], check=True, capture_output=True, text=True,
                          env={**os.environ, "RETICLE_OPTIONS": f"report=0:verbosity=0:out={profile}"})
    report = json.loads(subprocess.run([reticle, "report", "--json", profile], check=True, capture_output=True,
                                       text=True).stdout)
    os.remove(profile)
    loop = next(x for x in report["loops"] if x["function"] == "event")
    found = sorted(1e3 * datetime.datetime.fromisoformat(x["at"].replace("Z", "+00:00")).timestamp() for x in loop["slowest"])
    planted = [float(line) for line in made.stdout.split()]
    return len(found) == len(planted) == 5 and all(abs(a - b) <= 1 for a, b in zip(found, planted))


def main(build, runs="20"):
    if not quota():
        del PLANTED["quota"]
    reticle = os.path.join(build, "bin", "reticle")
    results = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(build, "bin", "reticle-clang"), "-O2", "-g", os.path.join(HERE, "planted.c"), "-o",
                        os.path.join(folder, "planted"), "-lpthread"], check=True)
        for _ in range(int(runs)):
            for cause in PLANTED:
                results[cause].append(run(reticle, folder, cause))
        found = sum(slowest(reticle, folder) for _ in range(int(runs)))
    print(f"slowest: all five found, to 1 ms of their time of day, in {found} of {runs}\n")
    print("| planted | named first | of | others named | middle share of the lost time | waited for a CPU, of all time |")
    print("|---|---|---|---|---|---|")
    for cause, expected in PLANTED.items():
        got = results[cause]
        right = sum(named == (expected or "none") for named, _, _ in got)
        others = collections.Counter(named for named, _, _ in got if named != (expected or "none"))
        shares = [s.get(expected, 0) for _, s, _ in got if s] if expected else []
        share = f"{100 * statistics.median(shares):.0f} %" if shares else ""
        waited = statistics.median(a["runnable"]["value"] / a["threads_wall"]["value"] for _, _, a in got)
        print(f"| {cause} | {right} | {len(got)} | {dict(others) or ''} | {share} | {100 * waited:.0f} % |")


main(*sys.argv[1:])
