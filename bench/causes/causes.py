#!/usr/bin/env python3
# causes.py - how often a planted cause of slow executions is the first of the table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench/causes/causes.py BUILD [RUNS]             compiles planted.c, records, judges
#        bench/causes/causes.py record PLANTED RUNS FOLDER [CAUSE...]  runs it, where Reticle need not be
#        bench/causes/causes.py judge BUILD FOLDER          the profiles that `record` left
#
# Runs each cause RUNS times (20), causes in turn. Prints a line for each: in how many runs the cause was named first, in how
# many another one, and the middle share of the lost time. The machine should be calm: what others do to it is told as well.
# `stop` has no cause by design; its line says what part of the stopped time the account has.
import collections
import datetime
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common

PLANTED = {"nothing": None, "faults": "page-faults", "neighbour": "waits-for-cpu", "stop": None, "work": "iterations",
           "migration": "migration", "lock": "blocked", "quota": "waits-for-cpu"}


def quota(mine):
    return common.quota_group(f"reticle-causes-{mine}", 0.5)


def execute(planted, profile, cause, executions):
    command = [planted, "nothing" if cause == "quota" else cause, executions]
    if cause == "quota":
        command = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', quota(os.getpid())] + command
    return subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, "RETICLE_OPTIONS": f"report=0:verbosity=0:out={profile}"}).stdout


def record(planted, runs, folder, *chosen):
    """Leaves CAUSE-RUN.prof in the folder, and what the program printed beside it."""
    causes = list(chosen) or [cause for cause in [*PLANTED, "slowest"] if cause != "quota" or quota(os.getpid())]
    for i in range(int(runs)):
        for cause in causes:
            profile = os.path.join(folder, f"{cause}-{os.getpid()}-{i}.prof")
            printed = execute(planted, profile, cause, "1000" if cause == "slowest" else "4000")
            with open(profile + ".out", "w", encoding="ascii") as f:
                f.write(printed)


def event_of(reticle, profile):
    report = json.loads(subprocess.run([reticle, "report", "--json", profile], check=True, capture_output=True,
                                       text=True).stdout)
    return next(x for x in report["loops"] if x["function"] == "event"), report["account"]


def named_first(reticle, profile):
    loop, account = event_of(reticle, profile)
    first = loop["causes"][0] if loop["causes"] else None
    named = first["cause"] if first and first["share"]["low"] > 0.2 else "none"
    return named, {c["cause"]: c["share"]["value"] for c in loop["causes"]}, account


def has_slowest(reticle, profile):
    """Whether the five planted executions are the five slowest, each to 1 ms of its time of day."""
    loop, _ = event_of(reticle, profile)
    found = sorted(1e3 * datetime.datetime.fromisoformat(x["at"].replace("Z", "+00:00")).timestamp() for x in loop["slowest"])
    with open(profile + ".out", encoding="ascii") as f:
        planted = [float(line) for line in f]
    return len(found) == len(planted) == 5 and all(abs(a - b) <= 1 for a, b in zip(found, planted))


def truth_of(profile):
    """The share of the lost time that the program itself gives to what was planted, or None."""
    with open(profile + ".out", encoding="ascii") as f:
        return float(f.read() or "nan")


def judge(build, folder):
    reticle = os.path.join(build, "bin", "reticle")
    results = collections.defaultdict(list)
    for profile in sorted(glob.glob(os.path.join(folder, "*.prof"))):
        cause = os.path.basename(profile).partition("-")[0]
        results[cause].append((has_slowest if cause == "slowest" else named_first)(reticle, profile))
    found = results.pop("slowest", [])
    print(f"slowest: all five found, to 1 ms of their time of day, in {sum(found)} of {len(found)}\n")
    print("| planted | named first | of | others named | middle share of the lost time | waited for a CPU, of all time |")
    print("|---|---|---|---|---|---|")
    for cause, got in ((cause, results[cause]) for cause in PLANTED if cause in results):
        expected = PLANTED[cause]
        right = sum(named == (expected or "none") for named, _, _ in got)
        others = collections.Counter(named for named, _, _ in got if named != (expected or "none"))
        shares = [s.get(expected, 0) for _, s, _ in got if s] if expected else []
        share = f"{100 * statistics.median(shares):.0f} %" if shares else ""
        waited = statistics.median(a["runnable"]["value"] / a["threads_wall"]["value"] for _, _, a in got)
        if cause == "migration":
            truths = [truth_of(p) for p in sorted(glob.glob(os.path.join(folder, "migration-*.prof")))]
            near = sum(abs(s.get(expected, 0) - truth) <= 0.1 for (_, s, _), truth in zip(got, truths))
            share += f" (the program itself {100 * statistics.median(truths):.0f} %; within 10 points {near})"
        print(f"| {cause} | {right} | {len(got)} | {dict(others) or ''} | {share} | {100 * waited:.0f} % |")


def main(build, runs="20"):
    with tempfile.TemporaryDirectory() as folder:
        planted = os.path.join(folder, "planted")
        subprocess.run([os.path.join(build, "bin", "reticle-clang"), "-O2", "-g", os.path.join(HERE, "planted.c"), "-o",
                        planted, "-lpthread"], check=True)
        record(planted, runs, folder)
        judge(build, folder)


if sys.argv[1] == "record":
    record(*sys.argv[2:])
elif sys.argv[1] == "judge":
    judge(*sys.argv[2:])
else:
    main(*sys.argv[1:])
