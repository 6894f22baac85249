#!/usr/bin/env python3
# shadow.py - what the feature `shadow` costs: time and memory of real programs, beside MemProf, and the compiler's time
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what marking and sampling touched memory costs: marks, samples and sites, with the feature `shadow` alone.

run: sqlite3, zstd, lua5.4 and chase (a list of 190 MB in random order) run plain, with `shadow`, with
`shadow=always`, and with clang's MemProf (-fmemory-profile), in interleaved rounds as bench/overhead.py
has them; the outputs of all variants must be the same. `again` is the plain program a second time, `off` the
program of `shadow` with `shadow=0` at run time. Memory is the resident memory of the workload's largest process at
its peak.

`duty` is compiled with shadow=bursts and runs with duty=5%; `rest` is the same program with the shortest bursts and the longest
rests that there are, duty=0.1%: what the plain copy, the questions and the sites cost without any marks.

compile: the programs' source files, `-O2 -g -c`, with clang and with reticle-clang in turn; CPU time.

sites: bench/shadow_sites.py

A full run takes long. It can be made in parts: each with --json, then `--table FILE...` puts them together, rounds
of the same program too.
"""
import argparse
import json
import os
import sys

import common
import compiling
import rounds
import shadow_sites

PROGRAMS = ("sqlite3", "zstd", "lua5.4", "chase")
PARTS = ("run", "compile", "sites")
PLAIN, SHADOW = rounds.Variant("plain", "plain", None), rounds.Variant("shadow", "shadow", "")
VARIANTS = {v.name: v for v in (
    PLAIN, rounds.Variant("again", "plain", None), SHADOW, rounds.Variant("always", "shadow-always", ""),
    rounds.Variant("off", "shadow", "shadow=0"),
    rounds.Variant("duty", "shadow-duty", "duty=5%"), rounds.Variant("rest", "shadow-duty", "duty=0.1%:shadow_hz=1000"),
    rounds.Variant("memprof", "memprof", None))}
# variant: at most so much each, and in the geometric mean; None: no target
TARGETS = {"shadow": (1.75, 1.60), "always": (1.60, 1.45), "off": (None, None), "duty": (1.15, None), "rest": (None, None)}
TARGET_SHARE, TARGET_MEMORY, TARGET_COMPILE = 0.5, 1.30, 1.6
LARGE_HEAP_BYTES = 50e6


def verdict(value, target):
    return "" if target is None else f" (target {target}: {'met' if value <= target else 'missed'})"


# --- run -----------------------------------------------------------------------------------------


def measure_run(args):
    # MemProf writes its profile where it stands.
    os.environ["MEMPROF_OPTIONS"] = f"log_path={os.path.join(args.dir, 'runs', 'memprof')}"
    results = []
    for program in args.programs:
        rounds.build_all(args, program, args.variants)
        results.append(rounds.measure_program(args, program, args.variants))
    return results


def show_run(results):
    names = [name for name in results[0]["variants"] if name != "plain"]

    def ratios(name, what="cpu"):
        return [r["variants"][name][what]["ratio"] for r in results]

    lines = [common.table(["time", "rounds", "plain, s CPU", *names], [
        [r["program"], str(r["rounds"]), f"{r['variants']['plain']['cpu']['median']:.2f}",
         *(rounds.cell(r["variants"][name]["cpu"]) for name in names)] for r in results]), ""]
    for name, (each, together) in TARGETS.items():
        if name not in names:
            continue
        mean, worst = common.geometric_mean(ratios(name)), max(ratios(name))
        line = f"{name}: geometric mean {mean:.3f}{verdict(mean, together)}, greatest {worst:.3f}{verdict(worst, each)}"
        if "memprof" in names:
            faster = sum(mine < other for mine, other in zip(ratios(name), ratios("memprof")))
            share = (mean - 1) / (common.geometric_mean(ratios("memprof")) - 1)
            line += f", faster than MemProf on {faster} of {len(results)}, share of its extra time {share:.2f}"
            line += verdict(share, TARGET_SHARE) if name == "shadow" else ""
        lines.append(line + ".  ")
    lines += ["", common.table(["memory", "plain, MB", *names], [
        [r["program"], f"{r['variants']['plain']['memory']['median'] / 1e6:.0f}",
         *(f"{r['variants'][name]['memory']['ratio']:.2f}" for name in names)] for r in results]), ""]
    large = [r["variants"]["shadow"]["memory"]["ratio"] for r in results
             if "shadow" in names and r["variants"]["plain"]["memory"]["median"] > LARGE_HEAP_BYTES]
    if large:
        lines += [f"Of the programs over 50 MB: greatest {max(large):.2f}{verdict(max(large), TARGET_MEMORY)}.", ""]
    return lines


# --- compile -------------------------------------------------------------------------------------


def measure_compile(args):
    results = []
    for program in args.programs:
        common.binary(args.dir, program, "plain")
        variants = (PLAIN, SHADOW, VARIANTS["duty"])
        features = {"plain": None, "shadow": "shadow", "duty": "shadow -fplugin-arg-reticle-shadow=bursts"}
        runs = rounds.interleave(f"compiling {program}", args.compile_rounds, variants, lambda variant, program=program: (
            compiling.compile_all(args, program, features[variant.name])))
        results.append({"program": program, "rounds": args.compile_rounds, "variants": rounds.ratios(runs, variants)})
    return results


def show_compile(results):
    rows = [[r["program"], str(r["rounds"]), f"{r['variants']['plain']['cpu']['median']:.2f}",
             *(rounds.cell(r["variants"][name]["cpu"]) for name in ("shadow", "duty"))] for r in results]
    worst = {name: max(r["variants"][name]["cpu"]["ratio"] for r in results) for name in ("shadow", "duty")}
    return [common.table(["compiling", "rounds", "plain, s CPU", "shadow", "duty"], rows), "",
            "Greatest " + ", ".join(f"{name} {ratio:.2f}{verdict(ratio, TARGET_COMPILE)}" for name, ratio in worst.items()) + ".", ""]


# --- parts of a run that come together -----------------------------------------------------------


def read_parts(names):
    """(machines, results by part) of files that --json has written."""
    machines, found = [], {}
    for name in names:
        with open(name, encoding="utf-8") as file:
            read = json.load(file)
        machines.append(read["machine"])
        for part, results in read["results"].items():
            for result in results:
                found.setdefault(part, {}).setdefault(result["program"], []).append(result)
    results = {}
    for part, programs in found.items():
        results[part] = []
        for program in sorted(programs, key=PROGRAMS.index):
            if part == "sites":
                results[part].append({"program": program, "runs": [run for one in programs[program] for run in one["runs"]]})
                continue
            order = [VARIANTS[name] for name in VARIANTS if name in programs[program][0]["variants"]]
            results[part].append(rounds.combine(programs[program], order))
    return machines, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    rounds.add_arguments(parser, PROGRAMS)
    parser.add_argument("--variants", default=",".join(VARIANTS), help="comma-separated, plain first; all by default")
    parser.add_argument("--parts", default=",".join(PARTS), help="comma-separated; all by default")
    parser.add_argument("--compile-rounds", type=int, default=3, help="rounds of the part compile (default 3)")
    parser.add_argument("--sites-rounds", type=int, default=3, help="rounds of the part sites (default 3)")
    parser.add_argument("--sites-runs", type=int, default=1, help="runs whose profiles a round of the part sites merges (default 1)")
    parser.add_argument("--table", nargs="+", metavar="FILE", help="measures nothing: shows what --json has written to these files")
    args = rounds.read_arguments(parser, PROGRAMS, VARIANTS)
    parts = args.parts.split(",")
    if not set(parts) <= set(PARTS) or min(args.compile_rounds, args.sites_rounds, args.sites_runs) < 1 or args.variants[0] is not PLAIN:
        parser.error(f"choose from parts {', '.join(PARTS)}, compile rounds of at least 1, plain as the first variant")
    if args.table:
        machines, results = read_parts(args.table)
    else:
        machines = [common.machine()]
        results = {part: {"run": measure_run, "compile": measure_compile, "sites": shadow_sites.measure}[part](args) for part in parts}
        rounds.save(args, machines[0], results)
    lines = [f"{machine}.  " for machine in dict.fromkeys(machines)]
    lines += ["", "Ratios to plain, median of the interleaved rounds (quartiles); user and system time of all processes of "
              "the workload.", ""]
    for part, found in results.items():
        lines += {"run": show_run, "compile": show_compile, "sites": shadow_sites.show}[part](found)
    sys.stdout.write("\n".join(lines).rstrip() + "\n")


main()
