#!/usr/bin/env python3
# short_loops.py - what a short loop is said to take, timed alone, beside what it takes among others.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: short_loops.py BUILD [--rounds N] [--turns N]
#
# bench/short_loops.c, five kinds of loops: with and without the calls in turns, not instrumented, medians of N rounds each;
# then the mean and the share of the loop as `reticle report` tells them.
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

KINDS = (("sum", "0", []), ("lookup in L1 and L2", "1", []), ("lookup in memory", "1", ["1000000"]), ("compare", "2", []),
         ("search", "3", []), ("chain", "4", []))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=20000000)
    args = parser.parse_args()
    source, binaries = pathlib.Path(__file__).with_name("short_loops.c"), args.build / "bin"
    with tempfile.TemporaryDirectory() as folder:
        plain, probed, profile = (os.path.join(folder, n) for n in ("plain", "probed", "app.prof"))
        subprocess.run(["clang-19", "-O2", source, "-o", plain], check=True)
        subprocess.run([binaries / "reticle-clang", "-O2", "-g", source, "-o", probed], check=True)
        for name, kind, rest in KINDS:
            took = {"1": [], "0": []}
            for _ in range(args.rounds):
                for which, values in took.items():
                    command = [plain, kind, str(args.turns), which, *rest]
                    values.append(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
            with_ns, without_ns = (statistics.median(took[w]) for w in "10")
            env = dict(os.environ, RETICLE_OPTIONS=f"report=0:verbosity=0:out={profile}")
            subprocess.run([probed, kind, str(args.turns), "1", *rest], check=True, env=env, capture_output=True)
            told = subprocess.run([binaries / "reticle", "report", "--json", "--all", profile], check=True, capture_output=True, text=True)
            loop = next(l for l in json.loads(told.stdout)["loops"] if l["function"] == name.split()[0])
            share, mean = loop["share"], loop["mean"]
            words = (f"timed alone {mean['value']:.1f} ns, share {100 * share['low']:.0f} to {100 * share['high']:.0f} %"
                     if share["status"] == "ok" else f"share n/a: {share['reason']}")
            print(f"{name:20} takes {with_ns - without_ns:5.1f} ns, {100 * (1 - without_ns / with_ns):3.0f} % of the run; {words}")


main()
