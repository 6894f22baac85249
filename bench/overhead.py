#!/usr/bin/env python3
# overhead.py - what instrumentation costs four real programs: interleaved runs, medians, ratios
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what Reticle costs lz4, zstd, sqlite3 and lua5.4.

Each round runs the workload of bench/programs/run.sh once per variant, in rotating order, so that
drift of the machine meets all variants alike. A ratio is formed within a round; the table shows the
median of the rounds and the quartiles. The ratio of the fastest runs stands beside it: where others use
the machine, it is the steadier of the two. One more round at the start warms caches and isn't counted.

Variants: plain, the reference; again, the plain program a second time (what the machine's noise alone
makes of a ratio); off, the instrumented program with RETICLE_OPTIONS=loop=0 (gates, no probes); on, the
instrumented program as it comes; sample, the same with samples of the program counter. Reports at exit are off in all: they run after the program.
"""
import argparse
import json
import os
import shutil
import sys

import common


class Variant:
    def __init__(self, name, build, options):
        self.name = name
        self.build = build      # VARIANT of build.sh
        self.options = options  # beside out= and report=0; None: not instrumented


VARIANTS = {v.name: v for v in (
    Variant("plain", "plain", None),
    Variant("again", "plain", None),
    Variant("off", "reticle", "loop=0"),
    Variant("on", "reticle", ""),
    Variant("sample", "reticle", "sample=1"),
)}


def run(args, program, variant, checked=False):
    """One run of the workload. Returns (Usage, what it printed)."""
    work = os.path.join(args.dir, "runs", program)
    prof = os.path.join(work, "prof")
    options = ""
    if variant.options is not None:
        shutil.rmtree(prof, ignore_errors=True)
        os.makedirs(prof)
        options = f"report=0:out={prof}/%e.%p.prof" + (":" + variant.options if variant.options else "")
        options += ":" + args.options if args.options else ""
    command = [os.path.join(common.BENCH, "programs", "run.sh")] + ([] if checked else ["--quiet"])
    command += [program, common.binary(args.dir, program, variant.build), work]
    printed = os.path.join(args.dir, "runs", program + ".out")
    with open(printed, "wb") as out:
        usage = common.measure(command, common.environment(options), args.cpu, out)
    if usage.status:
        common.die(f"{program} ({variant.name}) ended with status {usage.status}: {' '.join(command)}")
    with open(printed, encoding="utf-8", errors="replace") as file:
        return usage, file.read()


def compare_output(args, program, variants):
    """Every variant must do the same work; the checksums of what they write say so."""
    expected = None
    for variant in variants:
        _, sums = run(args, program, variant, checked=True)
        expected = expected or sums
        if sums != expected:
            common.die(f"{program} ({variant.name}) wrote other output than {variants[0].name}:\n{expected}---\n{sums}")


def probe_share(args, program):
    """Percent of the last instrumented run that its own probes took, by its own count, or None."""
    files = common.profiles(os.path.join(args.dir, "runs", program, "prof"))
    if not files:
        common.die(f"{program}: the instrumented run left no profile in {args.dir}/runs/{program}/prof")
    return common.percent(common.report(files)["env"]["probe_share"])


def measure_program(args, program, variants):
    compare_output(args, program, variants)
    runs = {variant.name: [] for variant in variants}
    for number in range(args.rounds + 1):
        turn = number % len(variants)
        for variant in variants[turn:] + variants[:turn]:
            usage, _ = run(args, program, variant)
            if number:
                runs[variant.name].append(usage)
        common.note(f"{program}: round {number} of {args.rounds}: " + ", ".join(
            f"{name} {values[-1].cpu:.3f} s" for name, values in runs.items() if values))
    result = {"program": program, "rounds": args.rounds, "variants": {}}
    for variant in variants:
        mine, reference = runs[variant.name], runs[variants[0].name]
        entry = {}
        for what in ("cpu", "wall"):
            seconds = [getattr(usage, what) for usage in mine]
            ratios = [a / getattr(b, what) for a, b in zip(seconds, reference)]
            entry[what] = {"seconds": seconds, "median": common.median(seconds), "ratio": common.median(ratios),
                           "ratio_fastest": min(seconds) / min(getattr(b, what) for b in reference),
                           "ratio_q1": common.quantile(ratios, 0.25), "ratio_q3": common.quantile(ratios, 0.75)}
        result["variants"][variant.name] = entry
    if VARIANTS["on"] in variants:
        run(args, program, VARIANTS["on"])
        result["probe_share_percent"] = probe_share(args, program)
    return result


def markdown(args, machine, results, variants):
    def cell(entry):
        return f"{entry['ratio']:.3f} ({entry['ratio_q1']:.3f}–{entry['ratio_q3']:.3f})"

    others = variants[1:]
    head = ["program", f"{variants[0].name}, s CPU"] + [f"{v.name}: CPU" for v in others] + [f"{v.name}: wall" for v in others]
    head += ["probe share"]
    rows = []
    for result in results:
        entry = result["variants"]
        row = [result["program"], f"{entry[variants[0].name]['cpu']['median']:.2f}"]
        row += [cell(entry[v.name][what]) for what in ("cpu", "wall") for v in others]
        share = result.get("probe_share_percent")
        row.append(f"{share:.2f} %" if share is not None else "not measured")
        rows.append(row)
    lines = [f"{machine}.", "",
             f"Ratios to {variants[0].name}, median of {args.rounds} interleaved rounds (quartiles); user and system time "
             f"of all processes of the workload" + (", pinned to one processor" if args.cpu is not None else "") + ".",
             "", common.table(head, rows), ""]
    head = ["CPU time of all programs", "middle", "worst", "middle of the fastest runs", "worst of the fastest runs"]
    rows = []
    for variant in others:
        row = [variant.name]
        for what in ("ratio", "ratio_fastest"):
            ratios = [r["variants"][variant.name]["cpu"][what] for r in results]
            row += [f"{common.median(ratios):.3f}", f"{max(ratios):.3f}"]
        rows.append(row)
    lines.append(common.table(head, rows))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(common.PROGRAMS), help="comma-separated; all four by default")
    parser.add_argument("--variants", default="plain,again,off,on", help="comma-separated; the first is the reference")
    parser.add_argument("--rounds", type=int, default=11, help="rounds that count (default 11)")
    parser.add_argument("--cpu", default="last", help="processor to pin to, `last` or `none` (default last)")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources, builds, work files")
    parser.add_argument("--options", default="", help="more RETICLE_OPTIONS for the instrumented variants")
    parser.add_argument("--json", help="file for every single run")
    args = parser.parse_args()
    try:
        variants = [VARIANTS[name] for name in args.variants.split(",")]
        if not set(args.programs.split(",")) <= set(common.PROGRAMS) or args.rounds < 1:
            raise KeyError(args.programs)
        allowed = os.sched_getaffinity(0)
        args.cpu = {"last": max(allowed), "none": None}[args.cpu] if not args.cpu.isdigit() else int(args.cpu)
    except KeyError as wrong:
        parser.error(f"{wrong}: choose from programs {', '.join(common.PROGRAMS)}, variants {', '.join(VARIANTS)}, "
                     "rounds of at least 1, a processor's number")
    args.dir = os.path.abspath(args.dir)
    os.makedirs(os.path.join(args.dir, "runs"), exist_ok=True)
    machine = common.machine()  # the load that others make, before ours
    results = []
    for program in args.programs.split(","):
        if any(variant.options is not None for variant in variants):
            common.build_age_warning(args.dir, program)
        for variant in variants:
            common.binary(args.dir, program, variant.build)
        results.append(measure_program(args, program, variants))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "results": results}, file, indent=1)
    sys.stdout.write(markdown(args, machine, results, variants))


main()
