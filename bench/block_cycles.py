#!/usr/bin/env python3
# block_cycles.py - are cycles of blocks in place right: beside direct timing, by itself, and out of memory
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of block_cycles.c, each loop one machine block, and prints three figures for each: cycles of an iteration
by direct timing (without samples: time-stamp counter, and a chain of additions for the core's clock), in place as
`reticle report --blocks` says, and by itself.

  in place           within max(3 sigma, 5 %) of the direct one
  lines, mix, chase  fit in the first cache: in place within 5 % of isolated
  lines_dram, chase_dram  the same loops over 256 MB: the gap
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

import common

KERNELS = ("lines", "lines_dram", "multiply", "divide", "add", "mix", "chase", "chase_dram", "store")


def direct(binary, kernel, seconds, directory):
    out = common_run([binary, kernel, str(seconds)], f"report=0:loop=0:out={directory}/direct.prof").split()
    iterations, ticks, chain = (int(word) for word in out[1:])
    return ticks / iterations * (1 << 20) / chain


def common_run(command, options):
    return subprocess.run(command, env=dict(os.environ, RETICLE_OPTIONS=options), stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def in_place(binary, kernel, seconds, directory, hz):
    """The block with most samples in the kernel's function."""
    profile = os.path.join(directory, kernel + ".prof")
    if os.path.exists(profile):
        os.unlink(profile)
    common_run([binary, kernel, str(seconds)], f"report=0:sample=1:sample_hz={hz}:blocks=20:out={profile}")
    reticle = os.path.join(common.reticle_bin(), "reticle")
    text = subprocess.run([reticle, "report", "--json", profile], stdout=subprocess.PIPE, text=True, check=True).stdout
    function = kernel.split("_")[0]
    blocks = [b for b in json.loads(text)["blocks"] if b["function"] == function and b["samples"]]
    return max(blocks, key=lambda b: b["samples"]) if blocks else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3, help="of each run (default 3)")
    parser.add_argument("--hz", type=int, default=499, help="samples a second (default 499)")
    parser.add_argument("--rounds", type=int, default=2, help="direct timings, before and behind (default 2)")
    args = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory() as directory:
        binary = os.path.join(directory, "block_cycles")
        subprocess.run([os.path.join(common.reticle_bin(), "reticle-clang"), "-O2", "-g",
                        "-fplugin-arg-reticle-features=loop,block", os.path.join(common.BENCH, "block_cycles.c"),
                        "-o", binary], check=True)
        print("| kernel | direct | in place | 95 % | off | isolated | gap | samples | confidence |")
        print("|---|---:|---:|---|---:|---:|---:|---:|---|")
        for kernel in KERNELS:
            times = [direct(binary, kernel, args.seconds / 2, directory) for _ in range(args.rounds)]
            block = in_place(binary, kernel, args.seconds, directory, args.hz)
            times += [direct(binary, kernel, args.seconds / 2, directory) for _ in range(args.rounds)]
            truth = statistics.median(times)
            value = block and block["in_situ"]["value"]
            if value is None:
                print(f"| {kernel} | {truth:.2f} | {block['in_situ'] if block else 'no block'} |")
                missed.append(kernel)
                continue
            off, sigma = value / truth - 1, (block["in_situ"]["high"] / value - 1) / 1.96
            gap, alone = block["gap"]["value"], block["isolated"]["value"]
            print(f"| {kernel} | {truth:.2f} | {value:.2f} | {block['in_situ']['low']:.2f} to {block['in_situ']['high']:.2f} "
                  f"| {100 * off:+.1f} % | {alone if alone is None else round(alone, 2)} "
                  f"| {'' if gap is None else f'{gap:.2f}'} | {block['samples']} | {block['confidence']} |", flush=True)
            if abs(off) > max(3 * sigma, 0.05):
                missed.append(kernel)
            if kernel in ("lines", "mix", "chase") and (gap is None or abs(gap - 1) > 0.05):
                missed.append(kernel + " (gap)")
    print("\nmissed: " + (", ".join(missed) or "none"))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
