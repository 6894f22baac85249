#!/usr/bin/env python3
# sample_diff.py - does `reticle diff --samples` find the one of 50 functions that is slower, and no other?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of 50 functions with equal work, called in turn, is built twice: as it is, and with one function's work made 20 %
more. Runs of both in turn (A B A B ...) are compared in sets of N; the sides of A's own runs as well, which are equal.

first   the planted function is in the first row
found   it is called slower
others  comparisons that call any other function slower or faster
total   comparisons that call the whole program slower or faster (it is, by 0.4 %: less than the minimum detectable change)

Profiles stay below --dir and are used again; --fresh throws them away.
"""
import argparse
import json
import os
import shutil
import subprocess

import common

FUNCTIONS, PLANTED = 50, 17
SOURCE = r"""
#include <stdint.h>
#include <stdlib.h>
#define WORK(N, MORE) __attribute__((noinline)) uint64_t work##N(uint64_t x) { \
  for (long i = 0; i < 10000 + (MORE); i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; x += N; } return x; }
FUNCTIONS
uint64_t (*const all[])(uint64_t) = {NAMES};
uint64_t sink;
int main(int argc, char **argv) {
  for (long r = atol(argv[argc - 1]); r > 0; r--)
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) sink += all[i](r);
  return 0;
}
"""


def build(args, name, more):
    folder = os.path.join(args.dir, name)
    os.makedirs(folder, exist_ok=True)
    functions = " ".join(f"WORK({i}, {more if i == PLANTED else 0})" for i in range(FUNCTIONS))
    names = ", ".join(f"work{i}" for i in range(FUNCTIONS))
    source = os.path.join(folder, "fifty.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE.replace("FUNCTIONS", functions, 1).replace("NAMES", names))
    subprocess.run([os.path.join(common.reticle_bin(), "reticle-clang"), "-O2", "-g", "fifty.c", "-o", "fifty", "-Wl,--build-id"],
                   cwd=folder, check=True)
    return os.path.join(folder, "fifty")


def run(args, binary, profile):
    if os.path.exists(profile):
        return
    options = f"report=0:loop=0:sample=1:sample_hz={args.hz}:out={profile}"
    usage = common.measure([binary, str(args.work)], common.environment(options))
    if usage.status or not os.path.exists(profile):
        common.die(f"{binary} ended with status {usage.status} or left no profile")


def diff(a, b):
    command = [os.path.join(common.reticle_bin(), "reticle"), "diff", "--samples", "--json", *a, "--", *b]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode not in (0, 1):
        common.die(f"{' '.join(command)}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def tally(name, pairs, planted):
    first = found = others = total = 0
    changes, tells = [], []
    for a, b in pairs:
        report = diff(a, b)
        rows = [r for r in report["functions"] if r["ratio"]["value"] is not None]
        changed = {r["function"] for r in rows if r["verdict"] in ("slower", "faster")}
        first += rows[0]["function"] == planted
        found += planted in changed
        others += bool(changed - {planted})
        total += report["total"]["verdict"] in ("slower", "faster")
        changes += [r["ratio"]["value"] for r in rows if r["function"] == f"work{PLANTED}"]
        tells += [r["tells"]["value"] for r in rows if (r["function"] or "").startswith("work")]
    cells = [name, str(len(pairs)), f"{first}" if planted else "", f"{found}" if planted else "", str(others), str(total),
             f"{100 * (common.median(changes) - 1):+.1f} %", f"{100 * common.median(tells):.0f} %"]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "sample_diff"), help="builds and profiles")
    parser.add_argument("--runs", type=int, default=20, help="a side")
    parser.add_argument("--work", type=int, default=2000, help="rounds of all functions in a run")
    parser.add_argument("--hz", type=int, default=3989)
    parser.add_argument("--sets", default="3,5,10", help="runs a side of one comparison")
    parser.add_argument("--fresh", action="store_true")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    if args.fresh:
        shutil.rmtree(args.dir, ignore_errors=True)
    plain, slower = build(args, "a", 0), build(args, "b", 2000)
    a = [os.path.join(args.dir, f"a{i:03d}.prof") for i in range(args.runs)]
    b = [os.path.join(args.dir, f"b{i:03d}.prof") for i in range(args.runs)]
    machine = common.machine()
    for i in range(args.runs):
        run(args, plain, a[i])
        run(args, slower, b[i])
    one = common.report([a[0]], "--all")
    print(f"{machine}. {args.hz} Hz; {one['sampling']['samples']} samples a run.\n")
    print("| comparisons | number | first | found | others | total | change of the planted one | minimum detectable change, median |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    for n in [int(text) for text in args.sets.split(",")]:
        pairs = [(a[i:i + n], b[i:i + n]) for i in range(0, args.runs - n + 1, n)]
        tally(f"one of 50 20 % slower, {n} runs a side", pairs, f"work{PLANTED}")
        pairs = [(a[i:i + 2 * n:2], a[i + 1:i + 2 * n:2]) for i in range(0, args.runs - 2 * n + 1, 2 * n)]
        if pairs:
            tally(f"equal, {n} runs a side", pairs, None)


main()
