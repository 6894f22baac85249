#!/usr/bin/env python3
# topdown.py - estimates of planted loops, and the example's two steps
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts (all, or those named by --part):

  planted  six loops, each bound by one known thing (topdown_loops.c): is the largest level-2 bucket of the
           estimate the right one?
  example  examples/prefetch: memory first, its line found, and what a prefetch changes

Prints tables for docs/method/topdown.md. Exit status 1 where fewer than five of six are right.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLANTED = {"dram_scan": "memory", "dram_chase": "memory", "random_branch": "mispredicts", "divide_chain": "core",
           "port_adds": "core", "code_over_l1i": "frontend_latency"}
LEVEL_2 = ("memory", "core", "mispredicts", "frontend_latency")


def compile_(args, source, output, *flags):
    subprocess.run([args.cc, "-O2", "-g", "-fplugin-arg-reticle-features=loop,block", *flags, source, "-o", output],
                   check=True)


def topdown(args, directory, program, *arguments, tries=4):
    """JSON of `reticle topdown --json`, again where the run could not find out where samples lie."""
    for _ in range(tries):
        out = subprocess.run([args.reticle, "topdown", "--json", "--top", "20", "-o", f"{directory}/last.prof", program,
                              *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
        report = json.loads(out)["topdown"]
        if any(loop["buckets"] for loop in report["loops"]):
            break
    names = {f"L{i + 1}": None for i in range(99)}
    loops = json.loads(subprocess.run([args.reticle, "report", "--json", f"{directory}/last.prof"], check=True,
                                      stdout=subprocess.PIPE, text=True).stdout)["loops"]
    for loop in loops:
        names[loop["id"]] = loop
    return [(names[tree["id"]], tree) for tree in report["loops"]]


def shares(tree):
    return {bucket["name"]: bucket["share"] for bucket in tree["buckets"]}


def say(share):
    return f"{100 * share['low']:.0f} to {100 * share['high']:.0f} %"


def planted(args, directory):
    compile_(args, f"{ROOT}/bench/topdown_loops.c", f"{directory}/loops")
    right = {}
    for run in range(args.runs):
        for loop, tree in topdown(args, directory, f"{directory}/loops", "4"):
            if loop["function"] not in PLANTED or not tree["buckets"]:
                continue
            of = shares(tree)
            largest = max(LEVEL_2, key=lambda name: of[name]["value"])
            right.setdefault(loop["function"], []).append((largest, of[largest]))
    print("| loop | planted | largest by estimate | its share | right |\n|---|---|---|---|---|")
    hits = 0
    for name, truth in PLANTED.items():
        found = right.get(name, [])
        good = sum(largest == truth for largest, _ in found)
        hits += good > args.runs / 2
        last = found[-1] if found else ("none", None)
        print(f"| `{name}` | {truth} | {last[0]} | {say(last[1]) if last[1] else ''} | {good} of {args.runs} runs |")
    print(f"\n{hits} of {len(PLANTED)} right in most runs")
    return hits >= 5


def example(args, directory):
    print("| | time of the loop | memory | retiring | bound by | line |\n|---|---|---|---|---|---|")
    fine = True
    for flags, name in (((), "as written"), (("-DPREFETCH",), "with the prefetch")):
        compile_(args, f"{ROOT}/examples/prefetch/prefetch.c", f"{directory}/prefetch", *flags)
        for loop, tree in topdown(args, directory, f"{directory}/prefetch"):
            if loop["function"] != "look_up" or not tree["buckets"]:
                continue
            of = shares(tree)
            print(f"| {name} | {loop['total']['value'] / 1e9:.2f} s | {say(of['memory'])} | {say(of['retiring'])} | "
                  f"{tree['bound_by']} | {tree['line']} |")
            fine &= (tree["bound_by"] == "memory") == (not flags)
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", default="build/release/bin/reticle-clang")
    parser.add_argument("--reticle", default="build/release/bin/reticle")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--part", action="append", choices=("planted", "example"))
    args = parser.parse_args()
    fine = True
    with tempfile.TemporaryDirectory() as directory:
        for part in (planted, example):
            if not args.part or part.__name__ in args.part:
                fine &= part(args, directory)
                print()
    sys.exit(not fine)


if __name__ == "__main__":
    main()
