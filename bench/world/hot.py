#!/usr/bin/env python3
# hot.py - hottest functions of the programs' workloads against perf, and what instrumentation costs them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Needs builds that world.py left (run it without --remove). For each program:

* the workload's servers and tools on the plain build under `perf record -e cpu-clock:u`, the program's own
  functions by time on top of the stack; beside each the share that `reticle report --samples` gives it on
  the build `loop` with sample=1. "named" means that the report has at least half of perf's share.
* the workload's CPU time on each build, by turns (A B C A B C), median over the plain build's.
* the checksum that a workload prints: another one than plain's is told, and counts as a failure.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

import steps
from world import programs

sys.path.insert(0, os.path.dirname(steps.HERE))
import common  # noqa: E402
import hottest  # noqa: E402

LEAST = 2.0  # percent: less is noise in a few hundred samples
TOP = 8


def build_of(args, program, which):
    out = os.path.join(args.dir, "builds", f"{program}.{which}.{args.llvm}")
    return out if os.path.isdir(os.path.join(out, "tree")) else None


def workload(args, program, which, **environment):
    """(CPU seconds, what the workload printed) of one run; stops the program's part where it fails."""
    out = build_of(args, program, which)
    log = os.path.join(args.dir, "logs", f"{program}.{which}.{args.llvm}.workload.log")
    run = steps.run(["workload", program, out], log, args.limit, **{"RUN": "", **environment})
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if run.status:
        raise RuntimeError(f"the workload of {which} ended with {run.status}: see {log}")
    sums = re.findall(r"\b[0-9a-f]{64}\b", text)
    return run.cpu_seconds, sums[-1] if sums else None


def perf_shares(args, program):
    """{function: percent on top of the stack} of the plain build's own code."""
    data = os.path.join(args.dir, "builds", f"{program}.plain.{args.llvm}", "perf")
    shutil.rmtree(data, ignore_errors=True)
    os.makedirs(data)
    os.chmod(data, 0o1777)
    # $RUN is split at blanks, so a script names the file: several programs may run at a time.
    wrapper = os.path.join(data, "perf-record")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec perf record -q -e cpu-clock:u -F {args.hz} -o '{data}/'$$.data -- \"$@\"\n")
    os.chmod(wrapper, 0o755)
    workload(args, program, "plain", RUN=wrapper)
    counts, total = {}, 0
    own = {name for _, _, names in os.walk(os.path.join(args.dir, "builds", f"{program}.plain.{args.llvm}", "tree")) for name in names}
    for name in os.listdir(data):
        if not name.endswith(".data"):
            continue
        listing = subprocess.run(["perf", "report", "-i", os.path.join(data, name), "--no-inline", "-g", "none", "--stdio", "-t", ";",
                                  "-n", "-F", "sample,dso,sym"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        for line in listing.stdout.splitlines():
            match = re.match(r"\s*(\d+)\s*;\s*(\S+)\s*;\s*\[.\] (.+?)\s*$", line)
            if not match:
                continue
            total += int(match.group(1))
            if match.group(2) in own:
                function = hottest.symbol_name(match.group(3))
                counts[function] = counts.get(function, 0) + int(match.group(1))
    if not total:
        raise RuntimeError(f"perf gave no samples: try {wrapper} by hand")
    return {name: 100 * count / total for name, count in counts.items()}, total


def report_shares(args, program):
    """The same by Reticle's samples: {function: percent}, and how many samples there were."""
    out = build_of(args, program, "loop")
    shutil.rmtree(os.path.join(out, "prof"), ignore_errors=True)
    workload(args, program, "loop", MORE_OPTIONS="sample=1")
    counts = {}
    main = [file for file in steps.profiles(out) if any(name in os.path.basename(file) for name in args.names[program])]
    for file in main:
        run = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "report", "--samples", "--json", file],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        for function in json.loads(run.stdout)["functions"]:
            name = hottest.symbol_name(function["linkage_name"] or function["function"] or "?")
            # perf prints names that aren't mangled.
            for key in {name, function["function"] or name}:
                counts[key] = counts.get(key, 0) + function["samples"]
            counts[None] = counts.get(None, 0) + function["samples"]
    shutil.rmtree(os.path.join(out, "prof"), ignore_errors=True)
    total = counts.pop(None, 0)
    if not total:
        raise RuntimeError("Reticle's profiles hold no samples")
    return {name: 100 * count / total for name, count in counts.items()}, total


def compare(args, program):
    perf, perf_count = perf_shares(args, program)
    ours, our_count = report_shares(args, program)
    bare = {re.sub(r"\(.*", "", name): share for name, share in ours.items()}
    rows, named = [], 0
    top = sorted((name for name in perf if perf[name] >= LEAST), key=lambda name: -perf[name])[:TOP]
    for name in top:
        share = ours.get(name, bare.get(re.sub(r"\(.*", "", name), 0.0))
        named += share >= perf[name] / 2
        rows.append([f"`{name[:60]}`", f"{perf[name]:.1f}", f"{share:.1f}", "yes" if share >= perf[name] / 2 else "no"])
    print(f"\n### {program}\n\n{perf_count} samples of perf, {our_count} of Reticle; {named} of perf's {len(top)} hottest are named.\n")
    print(common.table(["function", "perf, %", "Reticle, %", "named"], rows), flush=True)


def overhead(args, program):
    """One row: median CPU time of each build over the plain one's."""
    builds = ["plain"] + [which for which in args.sets if build_of(args, program, which)]
    times, sums = {which: [] for which in builds}, {}
    for number in range(args.rounds):
        for which in builds if number % 2 == 0 else builds[::-1]:
            seconds, digest = workload(args, program, which)
            times[which].append(seconds)
            sums[which] = digest
            shutil.rmtree(os.path.join(build_of(args, program, which), "prof"), ignore_errors=True)
    base = common.median(times["plain"])
    wrong = [which for which in builds if sums[which] != sums["plain"]]
    return [program, f"{base:.1f} s", *(f"{common.median(times[which]) / base:.2f}" if which in times else "" for which in args.sets),
            "other output: " + ", ".join(wrong) if wrong else "same"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="all that have builds by default")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "world"), help="as of world.py")
    parser.add_argument("--llvm", default=19, type=int)
    parser.add_argument("--sets", default="loop,all", help="builds whose cost is measured (default loop,all)")
    parser.add_argument("--rounds", type=int, default=3, help="0: no cost")
    parser.add_argument("--no-perf", action="store_true", help="cost alone")
    parser.add_argument("--hz", type=int, default=499)
    parser.add_argument("--limit", type=int, default=900, help="seconds that one workload may take")
    args = parser.parse_args()
    args.dir, args.sets = os.path.abspath(args.dir), args.sets.split(",")
    steps.adopt_orphans()
    chosen = [p for p in args.programs or programs() if build_of(args, p, "plain") and build_of(args, p, "loop")]
    args.names = {p: subprocess.run([steps.STEP, "measured", p], stdout=subprocess.PIPE, text=True, check=True).stdout.split() for p in chosen}
    print(f"{common.machine()}.")
    failed, rows = 0, []
    for program in chosen:
        try:
            if not args.no_perf:
                compare(args, program)
            if args.rounds:
                rows.append(overhead(args, program))
                failed += rows[-1][-1] != "same"
        except RuntimeError as error:
            print(f"\n{program}: {error}", flush=True)
            failed += 1
    if rows:
        print("\n" + common.table(["program", "plain, CPU time", *(f"`{which}`" for which in args.sets), "output"], rows))
    sys.exit(1 if failed else 0)


main()
