#!/usr/bin/env python3
# stacks.py - are call stacks right: the hottest stacks beside those of perf, on one and the same run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ten stacks that `perf record -g -e cpu-clock:u` finds hottest in lz4, sqlite3 and lua5.4, with Reticle's share of
the same run: of usual builds beside `--call-graph dwarf`, with --frame-pointers of such builds beside `fp`. z is the difference in standard errors of both. Stacks are of machine functions,
from main inwards; what perf has outside of main is left out, and what Reticle has of functions without a frame.

perf needs package linux-perf. What stacks cost: bench/overhead.py --variants sample,stacks (see there).
"""
import argparse
import collections
import math
import os
import re
import shutil
import subprocess

import common

PERIOD_NS = 1000000000 // 251  # of the default rate


def plain(name):
    """libc's functions have several names at one address, and versions."""
    if name.startswith("__vdso_"):
        return "[unknown]"  # ours: in no file
    return name.split("@")[0].replace("memmove", "memcpy").replace("cfree", "free")


def perf_stacks(data, comm):
    """{stack from the outside in: samples}"""
    run = subprocess.run(["perf", "script", "-i", data, "--no-inline", "-F", "comm,ip,sym"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, check=True)
    stacks, names, ours = collections.Counter(), [], False
    for line in run.stdout.splitlines() + [""]:
        if not line.strip():
            if names and ours:
                names = names[:names.index("main") + 1] if "main" in names else names
                stacks[tuple(reversed(names))] += 1
            names = []
        elif not line[0].isspace():
            ours = line.split()[0] == comm[:15]
        else:
            names.append(plain(re.sub(r"\+0x[0-9a-f]+$", "", line.split(None, 1)[1].strip())))
    return stacks


def own_stacks(report):
    """The same from the call tree; inlined copies are their function's."""
    calls, paths, stacks = report["calls"], [], collections.Counter()
    for call in calls:  # callers first
        above = paths[call["caller"]] if call["caller"] is not None else ()
        name = "[unknown]" if call["function"].startswith("[") else plain(call["function"])
        recovered = call["recovered"] == call["samples"]  # has no frame: perf can't know it
        paths.append(above if call["inlined"] or recovered else above + (name,))
        stacks[paths[-1]] += call["self_samples"]
    return stacks


def trimmed(stack):
    """Without what neither knows the caller of."""
    while stack and stack[0] == "[unknown]":
        stack = stack[1:]
    return stack


def compare(program, args):
    binary = common.binary(args.dir, program, "stacks" if args.frame_pointers else "reticle")
    work = os.path.join(args.dir, "runs", program)
    prof = os.path.join(work, "prof")
    shutil.rmtree(prof, ignore_errors=True)
    os.makedirs(prof)
    data = os.path.join(args.dir, "runs", program + ".perf")
    command = ["perf", "record", "-q", "-e", "cpu-clock:u", "--call-graph", "fp" if args.frame_pointers else "dwarf,16384", "-c", str(PERIOD_NS), "-o", data, "--",
               os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program, binary, work]
    usage = common.measure(command, common.environment(f"report=0:sample=1:out={prof}/%e.%p.prof"))
    if usage.status:
        common.die(f"{' '.join(command)}: status {usage.status}")
    report = common.report(common.profiles(prof), "--all")
    ours, theirs = collections.Counter(), collections.Counter()
    for stack, count in own_stacks(report).items():
        ours[trimmed(stack)] += count
    broken = 0
    for stack, count in perf_stacks(data, os.path.basename(binary)).items():
        if stack[0] not in ("main", "start_thread") and not args.frame_pointers:
            broken += count  # of perf's own unwinding
        else:
            theirs[trimmed(stack)] += count
    all_ours, all_theirs = sum(ours.values()), sum(theirs.values())
    rows = []
    for stack, count in theirs.most_common(10):
        p, q = ours[stack] / all_ours, count / (all_theirs + broken)
        both = (ours[stack] + count) / (all_ours + all_theirs + broken)
        z = (p - q) / math.sqrt(both * (1 - both) * (1 / all_ours + 1 / (all_theirs + broken)))
        rows.append([program, ";".join(stack), f"{100 * q:.2f} %", f"{100 * p:.2f} %", f"{z:+.1f}"])
    s = report["sampling"]
    size = sum(os.path.getsize(path) for path in common.profiles(prof))
    return rows, [program, str(all_ours), str(all_theirs + broken), str(broken), f"{100 * s['stacks_complete'] / max(1, s['stacks']):.1f} %",
                  str(s["stacks_cut"]), str(s["stacks_no_room"]), str(len(report["calls"])), str(size)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default="lz4,sqlite3,lua5.4")
    parser.add_argument("--frame-pointers", action="store_true", help="in builds with stacks=1")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources, builds, work files")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    os.makedirs(os.path.join(args.dir, "runs"), exist_ok=True)
    if not shutil.which("perf"):
        common.die("perf: not found; install it: apt-get install linux-perf")
    print(common.machine() + ".\n")
    rows, sums = [], []
    for program in args.programs.split(","):
        found, summed = compare(program, args)
        rows += found
        sums.append(summed)
    print(common.table(["program", "samples", "perf's", "of these without main", "complete", "cut", "no room", "nodes", "bytes of profiles"], sums))
    print()
    print(common.table(["program", "stack", "perf", "Reticle", "z"], rows))
    print(f"\n{sum(abs(float(row[-1])) <= 1.96 for row in rows)} of {len(rows)} within the 95 % interval")


main()
