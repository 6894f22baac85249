#!/usr/bin/env python3
# stall_causes.py - what four real programs wait for, and whether the tally of their CPU time makes 100 %
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds lz4, zstd, sqlite3 and lua5.4 with features=loop,block, runs their workloads with samples, and with the blocks
of the hottest loops measured in isolation, and prints how the CPU time of each is made up:

  tally     the sum of all parts, those included that aren't explained, not counted, in no file or lost: 99.5 to 100.5 %
  samples   of the program's own file whose block has a count
"""
import argparse
import os
import shutil

import common

PARTS = ("execution", "static_stall", "dynamic_stall", "mixed_stall", "unexplained_gain", "uncounted")


def look(program, args):
    binary = common.binary(args.dir, program, "block")
    work = os.path.join(args.dir, "runs", program)
    prof = os.path.join(work, "prof")
    shutil.rmtree(prof, ignore_errors=True)
    os.makedirs(prof)
    options = f"report=0:sample=1:sample_hz={args.hz}:blocks={args.blocks}:out={prof}/%e.%p.prof"
    usage = common.measure([os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program, binary, work],
                           common.environment(options))
    if usage.status:
        common.die(f"{program}: status {usage.status}")
    report = common.report(common.profiles(prof), "--all")
    if not report["tally"]:
        common.die(f"{program}: {report['stalls_reason']}")
    return report["sampling"]["samples"], report["tally"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "bench-programs"),
                        help="sources, builds and runs")
    parser.add_argument("--programs", default="lz4,zstd,sqlite3,lua5.4")
    parser.add_argument("--hz", type=int, default=251)
    parser.add_argument("--blocks", type=int, default=60)
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    rows, missed = [], []
    for program in args.programs.split(","):
        samples, tally = look(program, args)
        first = ", ".join(f"{c['reason']} {100 * c['low']:.0f} to {100 * c['high']:.0f} %" for c in tally["culprits"][:3])
        others = sum(other["share"] for other in tally["others"])
        rows.append([program, str(samples), *(f"{100 * tally[part]:.1f}" for part in PARTS), f"{100 * others:.1f}",
                     f"{100 * tally['unexplained_stall']:.1f}", f"{100 * tally['total']:.2f} %", first])
        if abs(tally["total"] - 1) > 0.005:
            missed.append(program)
    print(common.table(["program", "samples", "execution", "static", "dynamic", "of both kinds", "gain", "no cycles", "elsewhere",
                        "unexplained", "tally", "first reasons"], rows))
    print("\nmissed: " + (", ".join(missed) or "none"))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
