#!/usr/bin/env python3
# copies_same.py - how often is one copy of a loop said to be faster than its like, drawn in the same runs?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/copies_same.py BIN TIMES

BIN is a folder with reticle and reticle-clang. So often: builds copies_same.c at four placements, with its six loops in forms that the compiler refuses, so that each copy
is the loop as it is, and runs each build twice. Each such copy is judged as a form would be (docs/decisions/0061): faster where the interval over the builds lies above 0 and
its middle above what the loop differs by from itself once more. A line for each that is, then how many there were. Worth a load beside it.
"""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FORMS = ["prefetch-4", "prefetch-16", "prefetch-64"]
BUILDS, RUNS, TRIMMED, LEAST = 4, 2, 0.1, 20  # tools/run/study/study_copies.c, tools/analysis/trial/copy_times.[ch]
STUDENT = 3.182  # 95 %, two-sided, of four values


def copy_id(loop, name):
    """include/reticle/form.h"""
    value = loop ^ 0x9E3779B97F4A7C15
    for c in name.encode():
        value = (value ^ c) * 0x100000001B3 & (1 << 64) - 1
    return value


def loops(text):
    """id -> [(ticks, work)]"""
    found = {}
    for part in text.split("[loops]\n")[1:]:
        raw = re.search(r"^raw .*\n((?:\d+ .*\n)*)", part, re.M)
        lines = [line.split() for line in raw.group(1).splitlines()] if raw else []
        found[int(re.search(r"^id (\d+)", part, re.M).group(1))] = [(int(x[0]), int(x[1])) for x in lines]
    return found


def bins(samples):
    found = {}
    for ticks, work in samples:
        found.setdefault(work.bit_length(), []).append((ticks / work, ticks, work))
    out = {}
    for key, items in found.items():
        items.sort()
        cut = int(TRIMMED * len(items))
        kept = items[cut:len(items) - cut]
        if len(items) >= LEAST:
            out[key] = sum(i[1] for i in kept) / sum(i[2] for i in kept), sum(i[2] for i in items)
    return out


def saved(builds, plain, other):
    logs = []
    for runs in builds:
        sums = [0, 0]
        for run in runs:
            a, b = bins(run.get(plain, [])), bins(run.get(other, []))
            for key in a.keys() & b.keys():
                sums[0] += a[key][0] * a[key][1]
                sums[1] += b[key][0] * a[key][1]
        if sums[0]:
            logs.append(math.log(sums[1] / sums[0]))
    if len(logs) < BUILDS:
        return None
    mean = sum(logs) / len(logs)
    half = STUDENT * math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    return 1 - math.exp(mean), 1 - math.exp(mean + half), 1 - math.exp(mean - half)


def run(folder, tools):
    profile = pathlib.Path(folder) / "a.prof"
    profile.unlink(missing_ok=True)
    subprocess.run(["./same"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, RETICLE_OPTIONS="report=0:verbosity=0:out=a.prof:probe_budget=3:facts=0:chain=0"))
    return loops(subprocess.run([tools / "reticle", "dump", "a.prof"], cwd=folder, check=True, capture_output=True, text=True).stdout)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tools = pathlib.Path(sys.argv[1]).resolve()
    count = faster = slower = 0
    widths = []
    with tempfile.TemporaryDirectory() as folder:
        listed = pathlib.Path(folder) / "list"
        listed.write_text("loop:*=copies-0\n" + "".join(f"loop:*={form}\n" for form in FORMS))
        for time in range(int(sys.argv[2])):
            copied, refused, builds = set(), set(), []
            for build in range(BUILDS):
                made = pathlib.Path(folder) / "list.made"
                made.unlink(missing_ok=True)
                subprocess.run([tools / "reticle-clang", "-O2", "-g", HERE / "copies_same.c", "-o", "same"], cwd=folder, check=True,
                               env=dict(os.environ, RETICLE_FORMS=str(listed), RETICLE_PLACEMENT=str(time * BUILDS + build)))
                lines = made.read_text().splitlines()
                copied |= {int(line.split()[0], 16) for line in lines if " copies-0 done" in line}
                refused |= {(int(line.split()[0], 16), line.split()[1]) for line in lines if " prefetch-" in line and " done" not in line}
                builds.append([run(folder, tools) for _ in range(RUNS)])
            for loop in copied:
                again = saved(builds, copy_id(loop, "same"), copy_id(loop, "again"))
                for form in FORMS:
                    one = saved(builds, copy_id(loop, "same"), copy_id(loop, form))
                    if not one or not again or (loop, form) not in refused:
                        continue
                    floor = max(abs(again[1]), abs(again[2]))
                    is_faster, is_slower = one[1] > 0 and one[0] > floor, one[2] < 0 and -one[0] > floor
                    count += 1
                    faster += is_faster
                    slower += is_slower
                    widths.append(one[2] - one[1])
                    if is_faster or is_slower:
                        print(f"time {time + 1}, loop {loop:016x}, {form}: {100 * one[0]:.2f} % ({100 * one[1]:.2f} to {100 * one[2]:.2f}), "
                              f"floor {100 * floor:.2f} %", flush=True)
    widths.sort()
    if count:
        print(f"{count} copies: {faster} said to be faster, {slower} slower; intervals are {100 * widths[count // 2]:.2f} points wide (median)")


main()
