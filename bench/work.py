#!/usr/bin/env python3
# work.py - is the variance of a loop's time put down to its work and to the processor as planted?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: work.py [--runs N] [--rounds N] [--reticle-cc CC] [--reticle TOOL] [--dir DIR] [--off SHARE]

Compiles bench/work.c with reticle-clang and runs it N times (default 5). The program times each execution
itself, and prints what share of the variance goes with the trip count: what was planted, and what the host
made of it; `reticle report --json` tells the shares of the same executions. Prints medians over the
runs as markdown. Exit status 1 if a loop that varies by the processor or by its work alone is not put down
to it by 90 %, if one that varies by both is more than SHARE off (default: 0.1), or if one is not split in half of the runs.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

import common

ALONE, OFF, LOOPS = 0.9, 0.1, 6


def run(command, **environment):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ, **environment), check=False)
    if done.returncode:
        common.die(f"{' '.join(command)} ended with status {done.returncode}")
    return done.stdout


def measure(options, directory):
    """{loop: (class, [(truth, work, processor) a run that was split])}."""
    found = {}
    source, binary = os.path.join(common.BENCH, "work.c"), os.path.join(directory, "work")
    profile = os.path.join(directory, "work.prof")
    run([*shlex.split(options.reticle_cc), "-fplugin-arg-reticle-trip_counts=1", "-O2", "-o", binary, source])
    for _ in range(options.runs):
        own = run([binary, str(options.rounds)], RETICLE_OPTIONS=f"report=0:out={profile}")
        loops = {loop["function"]: loop
                 for loop in json.loads(run([options.reticle, "report", "--json", profile]))["loops"]}
        for name, share in (line.split() for line in own.splitlines()):
            work, processor = (loops[name]["variance_" + part] for part in ("work", "processor"))
            kind, rows = found.setdefault(name, (loops[name]["work_class"], []))
            if work["value"] is None or processor["value"] is None:
                common.note(f"{name} is not split: {work.get('reason') or processor.get('reason')}")
            else:
                rows.append((float(share), work["value"], processor["value"]))
    return found


def medians(found, runs_least):
    return {name: (kind, *(common.median(list(column)) for column in zip(*rows)))
            for name, (kind, rows) in found.items() if len(rows) >= runs_least}


def holds(name, truth, work, processor, off):
    if name.endswith("_processor"):
        return processor >= ALONE
    if name.endswith("_work"):
        return work >= ALONE
    return abs(work - truth) <= off


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("\n")[0].partition(": ")[2])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=20000)
    parser.add_argument("--off", type=float, default=OFF)
    parser.add_argument("--reticle-cc")
    parser.add_argument("--reticle")
    parser.add_argument("--dir")
    options = parser.parse_args()
    options.reticle_cc = options.reticle_cc or os.path.join(common.reticle_bin(), "reticle-clang")
    options.reticle = options.reticle or os.path.join(common.reticle_bin(), "reticle")
    with tempfile.TemporaryDirectory(prefix="reticle-work-") as own:
        results = medians(measure(options, options.dir or own), options.runs // 2 + 1)
    rows = [[name, kind, f"{100 * truth:.1f}", f"{100 * work:.1f}", f"{100 * processor:.1f}",
             "yes" if holds(name, truth, work, processor, options.off) else "NO"]
            for name, (kind, truth, work, processor) in results.items()]
    print(common.table(["loop", "class", "work as planted, %", "work, %", "processor, %", "holds"], rows))
    sys.exit(len(rows) < LOOPS or any(row[-1] == "NO" for row in rows))


main()
