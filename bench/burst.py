#!/usr/bin/env python3
# burst.py - how often slow runs of a short loop are seen, with single readings and with burst=1
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: burst.py [--trials N] [--base NS] [--extra NS] [--share PERMILLE] [--calm NS]
#
# One trial runs a loop of which a share of the executions takes longer, and the same without, twice,
# each 2,000 samples; all kinds of a trial run in turn. Seen: the share of samples outside of the
# window that holds most of them is larger than in the steady run, by the rule of docs/method/burst.md.
# The two steady runs against each other give the false alarms. "coarse" is the runtime on a counter
# cut to steps of 26 ticks, as many virtual machines have it. --calm: a trial counts only if steady runs on
# the fine counter, in front of it and behind it, have 95 % of their samples within so many ns, and
# medians within 2 %; on a machine that others share this asks for an hour in which they leave it alone.
import argparse
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import common

SAMPLES, PERIOD, BLOCKS = 2000, 20, 20
NOISE_NS = 1000  # further above the median is the system's


def build(folder):
    source = os.path.join(common.BENCH, "burst_loop.c")
    programs = {}
    for name in ("fine", "coarse"):
        programs[name] = os.path.join(folder, name)
        subprocess.run([*common.compile_with(source, coarse=name == "coarse"), "-fplugin-arg-reticle-loops=timed",
                        "-o", programs[name]], check=True)
    return programs


def run(program, arguments, burst, profile):
    """Samples in ns in order of time, and (tick ns, pair ns) of one run."""
    options = f"report=0:out={profile}:period={PERIOD}:burst={burst}"
    subprocess.run([program, *map(str, arguments)], check=True,
                   env={**os.environ, "RETICLE_OPTIONS": options})
    text = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "dump", "--text", profile],
                          check=True, text=True, capture_output=True).stdout
    value = {key: int(re.search(rf"^ *{key} (\d+)", text, re.M)[1])
             for key in ("timer_hz", "step_ticks", "pair_ticks")}
    ns = 1e9 / value["timer_hz"]
    rows = re.search(r"^raw duration_ticks.*\n((?: *\d.*\n)*)", text, re.M)[1].splitlines()
    samples = sorted(([int(x) for x in row.split()[:3:2]] for row in rows), key=lambda row: row[1])
    pair = value["pair_ticks"] / 256 * ns
    return [row[0] * ns - pair for row in samples], value["step_ticks"] * ns, pair


def without_noise(samples):
    limit = statistics.median(samples) + NOISE_NS
    return [x for x in samples if x <= limit]


def narrowest(samples, share):
    """Width of the narrowest window that holds the share."""
    ordered = sorted(samples)
    count = max(1, int(share * len(ordered)))
    return min(b - a for a, b in zip(ordered, ordered[count - 1:]))


def above_densest(samples, width):
    """Share of samples above the window of that width that holds most of them."""
    ordered = sorted(samples)
    best, top, end = 0, 0, 0
    for start, low in enumerate(ordered):
        while end < len(ordered) and ordered[end] <= low + width:
            end += 1
        if end - start > best:
            best, top = end - start, end
    return (len(ordered) - top) / len(ordered)


def seen(loop, control, resolution):
    loop, control = without_noise(loop), without_noise(control)
    width = max(narrowest(control, 0.95), 2 * resolution)
    parts = [[x[i * len(x) // BLOCKS:(i + 1) * len(x) // BLOCKS] for i in range(BLOCKS)]
             for x in (loop, control)]
    excess = [above_densest(a, width) - above_densest(b, width) for a, b in zip(*parts)]
    trimmed = sorted(excess)[2:-2]
    error = statistics.stdev(trimmed) / len(trimmed) ** 0.5
    return statistics.median(excess) > 0.03 and statistics.mean(trimmed) > 4 * error


def is_calm(programs, steady, seed, folder, limit):
    """Whether the machine leaves a steady loop alone, and its median, ns."""
    samples = without_noise(run(programs["fine"], [*steady, SAMPLES * PERIOD, seed], 0, os.path.join(folder, "p"))[0])
    return narrowest(samples, 0.95) <= limit, statistics.median(samples)


def calm_trial(programs, loads, seed, folder, limit):
    """{(clock, burst): result} of one trial, or None when the machine was disturbed."""
    calm, before = is_calm(programs, loads[1], seed, folder, limit)
    if not calm:
        time.sleep(1)
        return None
    results = {}
    trial(programs, loads, seed, folder, results)
    calm, after = is_calm(programs, loads[1], seed, folder, limit)
    return results if calm and abs(after / before - 1) < 0.02 else None


def add(results, more):
    for key, one in more.items():
        result = results.setdefault(key, {"seen": 0, "false": 0, "rows": []})
        for name, value in one.items():
            result[name] += value


def trial(programs, loads, seed, folder, results):
    planted, steady = loads
    for clock, program in programs.items():
        for burst in (0, 1):
            runs = [run(program, [*load, SAMPLES * PERIOD, seed], burst, os.path.join(folder, "p"))
                    for load in (steady, planted, steady)]
            (first, tick, pair), (loop, _, _), (second, _, _) = runs
            result = results.setdefault((clock, burst), {"seen": 0, "false": 0, "rows": []})
            resolution = tick / (4 if burst else 1)
            result["seen"] += seen(loop, first, resolution)
            result["false"] += seen(second, first, resolution)
            quiet = without_noise(first)
            result["rows"].append((tick, pair, statistics.median(quiet), statistics.pstdev(quiet),
                                   narrowest(quiet, 0.95)))


def load_for(program, options, profile):
    """Arguments of a loop of options.base ns, slow runs of which take options.extra ns longer."""
    def median(load, executions):
        return statistics.median(run(program, [*load, executions, 1], 0, profile)[0])
    cycle = (median([64000, 0, 0], 2000) - median([32000, 0, 0], 2000)) / 32000
    cycles = round(options.base / cycle)
    def extra(slow):  # middle of the slow tenth; a mispredicted branch is a part of it
        samples = sorted(without_noise(run(program, [cycles, slow, 100, SAMPLES * PERIOD, 1], 0,
                                           profile)[0]))
        return samples[len(samples) * 94 // 100] - statistics.median(samples)
    counts = range(0, round(2 * options.extra / cycle), 2)
    slow, planted = min(((n, statistics.median(extra(n) for _ in range(5))) for n in counts),
                        key=lambda pair: abs(pair[1] - options.extra))
    return cycles, slow, planted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--base", type=float, default=200, metavar="NS")
    parser.add_argument("--extra", type=float, default=10, metavar="NS")
    parser.add_argument("--share", type=int, default=100, metavar="PERMILLE")
    parser.add_argument("--calm", type=float, default=math.inf, metavar="NS", help="leave out trials in which a steady loop spreads more")
    parser.add_argument("--minutes", type=float, default=10, help="end after so long, however many trials are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = build(folder)
        cycles, slow, planted = load_for(programs["fine"], options, os.path.join(folder, "p"))
        loads = ([cycles, slow, options.share], [cycles, 0, 0])
        results, seed, kept, deadline = {}, 0, 0, time.monotonic() + options.minutes * 60
        while kept < options.trials and time.monotonic() < deadline:
            seed += 1
            more = calm_trial(programs, loads, seed, folder, options.calm)
            if more:
                add(results, more)
                kept += 1
    if not kept:
        common.die(f"none of {seed} trials found the machine calm; --calm says how calm it must be")
    print(f"{common.machine()}\n\n{seed - kept} of {seed} trials left out: disturbed.\n" if options.calm < math.inf else common.machine() + "\n")
    print(f"loop of {options.base:g} ns, +{planted:.1f} ns in {options.share / 10:g} % of runs, "
          f"{kept} trials of {SAMPLES} samples\n")
    print("| counter | burst | tick, ns | empty pair, ns | median, ns | deviation, ns | 95 % in, ns "
          "| seen | false alarms |\n|---|---|---|---|---|---|---|---|---|")
    for (clock, burst), result in results.items():
        tick, pair, median, deviation, width = map(statistics.median, zip(*result["rows"]))
        print(f"| {clock} | {burst} | {tick:.1f} | {pair:.1f} | {median:.1f} | {deviation:.1f} | "
              f"{width:.1f} | {result['seen'] / kept:.0%} | "
              f"{result['false'] / kept:.0%} |")
    return 0


sys.exit(main())
