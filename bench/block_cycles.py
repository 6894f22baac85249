#!/usr/bin/env python3
# block_cycles.py - are cycles of blocks in place right: beside direct timing, by itself, and out of memory
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of block_cycles.c, each loop one machine block, and prints three figures for each: cycles of an iteration
by direct timing (without samples: time-stamp counter, and a chain of additions for the core's clock), in place as
`reticle report --blocks` says, and by itself.

  in place           within max(3 sigma, 5 %) of the direct one
  lines, mix, chase  fit in the first cache: in place within 5 % of isolated
  lines_dram, chase_dram  the same loops over 256 MB: the gap

With --once each kernel's loop runs once, for the whole of a run, and a `reticle study` says the cycles: counts come from
another build than samples, and nothing of the loop's but its beginning and end is timed. The direct figure is that of the
study's timing build with measuring off: the plain build's code lies elsewhere, which makes `lines` twice as fast on a Zen 4.
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


ONCE = ("lines", "multiply", "divide", "add", "mix", "chase")


def once(seconds, directory):
    """Returns the kernels that are off by more than 5 %."""
    missed = []
    source = os.path.join(common.BENCH, "block_cycles.c")
    # Not elsewhere: paths are part of the code.
    subprocess.run(["reticle-clang", "-O2", "-g", "-fplugin-arg-reticle-features=loop,label", source, "-o", "timing"],
                   cwd=directory, check=True, env=dict(os.environ, PATH=common.reticle_bin() + ":" + os.environ["PATH"]))
    print("| kernel | iterations | direct | in place | 95 % | off | samples |\n|---|---:|---:|---:|---|---:|---:|")
    for kernel in ONCE:
        timing = [os.path.join(directory, "timing"), kernel, str(seconds)]
        off = f"report=0:loop=0:out={directory}/direct.prof"
        iterations = common_run(timing, off).split()[1]
        count = int(int(iterations) // 1e6 * 1e6)
        study = os.path.join(directory, kernel + ".reticle")
        reticle = os.path.join(common.reticle_bin(), "reticle")
        times = []

        def time_directly():
            _, done, ticks, chain = common_run(timing + [str(count)], off).split()
            times.append(int(ticks) / int(done) * (1 << 20) / int(chain))

        for _ in range(4):
            time_directly()
        subprocess.run([reticle, "study", "--no-try", "-o", study, "--build", f"$CC -O2 -g {source} -o study", "--", "./study",
                        kernel, str(seconds), str(count)], cwd=directory, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(3):
            time_directly()
        truth = statistics.median(times)
        blocks = json.loads(subprocess.run([reticle, "report", "--json", study], stdout=subprocess.PIPE, text=True,
                                           check=True).stdout)["blocks"]
        block = max((b for b in blocks if b["function"] == kernel), key=lambda b: b["samples"], default=None)
        value = block and block["in_situ"]["value"]
        if value is None:
            print(f"| {kernel} | {count} | {truth:.2f} | {block['in_situ'] if block else 'no block'} |", flush=True)
            missed.append(kernel)
            continue
        miss = value / truth - 1
        print(f"| {kernel} | {count:.3g} | {truth:.2f} | {value:.2f} | {block['in_situ']['low']:.2f} to "
              f"{block['in_situ']['high']:.2f} | {100 * miss:+.1f} % | {block['samples']} |", flush=True)
        if abs(miss) > 0.05:
            missed.append(kernel)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3, help="of each run (default 3)")
    parser.add_argument("--hz", type=int, default=499, help="samples a second (default 499)")
    parser.add_argument("--rounds", type=int, default=2, help="direct timings, before and behind (default 2)")
    parser.add_argument("--once", action="store_true", help="loops that run once, by a study")
    args = parser.parse_args()
    missed = []
    if args.once:
        with tempfile.TemporaryDirectory() as directory:
            missed = once(args.seconds, directory)
        print("\nmissed: " + (", ".join(missed) or "none"))
        return 1 if missed else 0
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
