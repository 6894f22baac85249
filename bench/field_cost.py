#!/usr/bin/env python3
# field_cost.py - what the feature `field` costs: time of real programs, of threads, of the compiler
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what counting accesses to struct fields costs, with the feature `field` alone.

run: lz4, zstd, sqlite3, lua5.4 and chase (a list of 190 MB in random order), plain against instrumented, in
interleaved rounds as bench/overhead.py has them. `again` is the plain program a second time.

threads: chase on a list that stays in the cache, so that counters are a large part of it, with one thread and
with two, on one list and on one each, not pinned; time from start to end. Threads that disturbed each other's counters
would show as a ratio above that of one thread.

visits: the same programs with the features field and shadow, without and with visits, which a replay needs; each against the
one without.

compile: the programs' source files, `-O2 -g -c`, with clang and with reticle-clang in turn; CPU time.

Also: the geometric mean of the programs' ratios, and the greatest.
"""
import argparse
import os
import sys

import common
import compiling
import rounds

PROGRAMS = (*common.PROGRAMS, "chase")
PARTS = ("run", "threads", "visits", "compile")
VARIANTS = [rounds.Variant("plain", "plain", None), rounds.Variant("again", "plain", None),
            rounds.Variant("field", "field", "")]
VISITS = [rounds.Variant("plain", "counts", ""), rounds.Variant("again", "counts", ""), rounds.Variant("visits", "visits", "")]
# Some 2 ns each step: making the list is nothing of it.
CHASE_IN_CACHE = ["200", "400000000"]
THREADS = (("one thread", ["1"]), ("two threads, one list", ["2", "shared"]), ("two threads, a list each", ["2", "separate"]))
TARGET_EACH, TARGET_MEAN, TARGET_COMPILE, TARGET_THREADS, TARGET_VISITS = 1.15, 1.08, 1.3, 0.05, 1.2


def verdict(met):
    return "met" if met else "missed"


# --- run -----------------------------------------------------------------------------------------


def measure_programs(args, variants):
    results = []
    for program in args.programs:
        rounds.build_all(args, program, variants)
        results.append(rounds.measure_program(args, program, variants))
    return results


def measure_run(args):
    return measure_programs(args, VARIANTS)


def markdown_run(args, results):
    head = ["program", "plain, s CPU", "again", "field", "field, fastest runs"]
    rows = [[r["program"], f"{r['variants']['plain']['cpu']['median']:.2f}", rounds.cell(r["variants"]["again"]["cpu"]),
             rounds.cell(r["variants"]["field"]["cpu"]), f"{r['variants']['field']['cpu']['ratio_fastest']:.3f}"] for r in results]
    lines = [rounds.about(args), "", common.table(head, rows), ""]
    for what, text in (("ratio", "medians"), ("ratio_fastest", "fastest runs")):
        values = [r["variants"]["field"]["cpu"][what] for r in results]
        mean, worst = common.geometric_mean(values), max(values)
        lines.append(f"By the {text}: geometric mean {mean:.3f} (target {TARGET_MEAN}: {verdict(mean <= TARGET_MEAN)}), "
                     f"greatest {worst:.3f} (target {TARGET_EACH}: {verdict(worst <= TARGET_EACH)}).  ")
    return lines + [""]


# --- threads -------------------------------------------------------------------------------------


def measure_threads(args):
    variants = [v for v in VARIANTS if v.name != "again"]
    rounds.build_all(args, "chase", variants)
    results = []
    for name, arguments in THREADS:
        def run_one(variant, arguments=arguments):
            options = f"report=0:out={os.path.join(args.dir, 'runs', 'threads.prof')}" if variant.options is not None else ""
            command = [common.binary(args.dir, "chase", variant.build), *CHASE_IN_CACHE, *arguments]
            usage = common.measure(command, common.environment(options))
            if usage.status:
                common.die(f"chase ended with status {usage.status}: {' '.join(command)}")
            return usage
        runs = rounds.interleave(name, args.rounds, variants, run_one)
        results.append({"program": name, "variants": rounds.ratios(runs, variants)})
    return results


def markdown_threads(args, results):
    one = results[0]["variants"]["field"]["wall"]
    rows = []
    for r in results:
        wall = r["variants"]["field"]["wall"]
        against = wall["ratio"] / one["ratio"]
        rows.append([r["program"], f"{r['variants']['plain']['wall']['median']:.2f}", rounds.cell(wall),
                     f"{wall['ratio_fastest']:.3f}", f"{against:.3f}"
                     + ("" if r is results[0] else f" ({verdict(against <= 1 + TARGET_THREADS)})")])
    head = ["chase in the cache", "plain, s", "field", "field, fastest runs", "against one thread (target 1.05)"]
    return [f"Time from start to end, median of {args.rounds} interleaved rounds, not pinned.", "", common.table(head, rows), ""]


# --- visits --------------------------------------------------------------------------------------


def measure_visits(args):
    return measure_programs(args, VISITS)


def markdown_visits(args, results):
    head = ["program", "without visits, s CPU", "again", f"with (target {TARGET_VISITS})", "fastest runs"]
    rows = [[r["program"], f"{r['variants']['plain']['cpu']['median']:.2f}", rounds.cell(r["variants"]["again"]["cpu"]),
             rounds.cell(r["variants"]["visits"]["cpu"]) + f" ({verdict(r['variants']['visits']['cpu']['ratio'] <= TARGET_VISITS)})",
             f"{r['variants']['visits']['cpu']['ratio_fastest']:.3f}"] for r in results]
    return [rounds.about(args), "", common.table(head, rows), ""]


# --- compile -------------------------------------------------------------------------------------


def measure_compile(args):
    variants = [v for v in VARIANTS if v.name != "again"]
    results = []
    for program in args.programs:
        common.binary(args.dir, program, "plain")
        runs = rounds.interleave(f"compiling {program}", args.compile_rounds, variants,
                                 lambda variant, program=program: compiling.compile_all(
                                     args, program, "field" if variant.options is not None else None))
        results.append({"program": program, "variants": rounds.ratios(runs, variants)})
    return results


def markdown_compile(args, results):
    rows = [[r["program"], f"{r['variants']['plain']['cpu']['median']:.2f}", rounds.cell(r["variants"]["field"]["cpu"]),
             verdict(r["variants"]["field"]["cpu"]["ratio"] <= TARGET_COMPILE)] for r in results]
    return [f"CPU time of `clang-19 -O2 -g -c` on all files, median of {args.compile_rounds} interleaved rounds.", "",
            common.table(["compiling", "plain, s CPU", "field", f"target {TARGET_COMPILE}"], rows), ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    rounds.add_arguments(parser, PROGRAMS)
    parser.add_argument("--parts", default=",".join(PARTS), help="comma-separated; all by default")
    parser.add_argument("--compile-rounds", type=int, default=3, help="rounds of the part compile (default 3)")
    args = rounds.read_arguments(parser, PROGRAMS, None)
    parts = args.parts.split(",")
    if not set(parts) <= set(PARTS) or args.compile_rounds < 1:
        parser.error(f"choose from parts {', '.join(PARTS)}, compile rounds of at least 1")
    machine = common.machine()
    lines, results = [f"{machine}.", ""], {}
    for part in parts:
        measure, show = {"run": (measure_run, markdown_run), "threads": (measure_threads, markdown_threads),
                         "visits": (measure_visits, markdown_visits), "compile": (measure_compile, markdown_compile)}[part]
        results[part] = measure(args)
        lines += show(args, results[part])
    rounds.save(args, machine, results)
    sys.stdout.write("\n".join(lines).rstrip() + "\n")


main()
