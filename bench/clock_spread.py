#!/usr/bin/env python3
# clock_spread.py - how much of a short duration's spread is the core's clock, which is swept on purpose
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: clock_spread.py [--runs N] [--timings N]

Clocks of processors are swept over half a per cent some 30,000 times a second, so that what they radiate is
spread over frequencies (spread spectrum); the time stamp counter's is not. Times chains of dependent additions
one after the other, drops what is over 2 % off the median (interrupts), and prints, as markdown, the width of
what is left and the share of its variance that is a wave of one frequency, with the frequency. Medians of N
runs (default 5).
"""
import argparse
import math
import os
import subprocess
import tempfile

import common

CHAINS = (256, 512, 1024, 2048, 4096, 8192)
FREQUENCIES_KHZ = [20 + 0.25 * i for i in range(121)]  # 20 to 50


def timings(program, adds, count):
    out = subprocess.run([program, str(adds), str(count)], check=True, text=True, capture_output=True).stdout
    (ticks, ns), *rows = [tuple(map(int, line.split())) for line in out.splitlines()]
    rows = [(t * ns / ticks, d * ns / ticks) for t, d in rows]
    middle = common.median([d for _, d in rows])
    return [(t, d) for t, d in rows if abs(d - middle) <= 0.02 * middle], middle


def wave(rows):
    """(kHz, share of the variance) of the strongest wave."""
    mean = sum(d for _, d in rows) / len(rows)
    values = [(1e-6 * t * 2 * math.pi, d - mean) for t, d in rows]
    variance = sum(x * x for _, x in values)
    best = (0, 0)
    for khz in FREQUENCIES_KHZ:
        a = sum(x * math.cos(khz * t) for t, x in values)
        b = sum(x * math.sin(khz * t) for t, x in values)
        best = max(best, (2 * (a * a + b * b) / len(values) / variance if variance else 0, khz))
    return best[1], best[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--timings", type=int, default=4000)
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    top = os.path.dirname(here)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "clock_spread")
        subprocess.run(["clang-19", "-O2", "-I", top, "-o", program, os.path.join(here, "clock_spread.c"),
                        os.path.join(top, "runtime", "harness", "chain.c")], check=True)
        table = []
        for adds in CHAINS:
            lines = []
            for _ in range(options.runs):
                rows, middle = timings(program, adds, options.timings)
                ordered = sorted(d for _, d in rows)
                width = ordered[len(ordered) * 95 // 100] - ordered[len(ordered) * 5 // 100]
                lines.append((middle, width, *wave(rows)))
            middle, width, khz, share = (common.median([line[i] for line in lines]) for i in range(4))
            table.append((f"{adds}", f"{middle:.1f}", f"{width:.2f}", f"{100 * width / middle:.2f} %", f"{khz:.2f}",
                          f"{100 * share:.0f} %"))
    print(f"{common.machine()}; {options.runs} runs of {options.timings} timings.\n")
    print(common.table(("additions", "median, ns", "p5 to p95, ns", "of the median", "strongest wave, kHz",
                        "its share of the variance"), table))


if __name__ == "__main__":
    main()
