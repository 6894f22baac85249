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
instrumented program as it comes; sample, the same with samples of the program counter; block, with counters of
blocks, too; card, with both; frames, on with frame pointers (stacks=1); frames-sample, that with samples of single
addresses; stacks, with samples and their call stacks. Reports at exit are off in all: they run after the program.
"""
import argparse
import sys

import common
import rounds

VARIANTS = {v.name: v for v in (
    rounds.Variant("plain", "plain", None),
    rounds.Variant("again", "plain", None),
    rounds.Variant("off", "reticle", "loop=0"),
    rounds.Variant("on", "reticle", ""),
    rounds.Variant("sample", "reticle", "sample=1"),
    rounds.Variant("frames", "stacks", ""),
    rounds.Variant("frames-sample", "stacks", "sample=1:stacks=0"),
    rounds.Variant("stacks", "stacks", "sample=1"),
    rounds.Variant("block", "block", ""),
    rounds.Variant("card", "block", "sample=1"),
)}


def probe_share(args, program):
    """Percent of the last instrumented run that its own probes took, by its own count, or None."""
    directory = rounds.profile_directory(args, program)
    files = common.profiles(directory)
    if not files:
        common.die(f"{program}: the instrumented run left no profile in {directory}")
    return common.percent(common.report(files)["env"]["probe_share"])


def measure_program(args, program, variants):
    result = rounds.measure_program(args, program, variants)
    if VARIANTS["on"] in variants:
        rounds.run(args, program, VARIANTS["on"])
        result["probe_share_percent"] = probe_share(args, program)
    return result


def markdown(args, machine, results, variants):
    others = variants[1:]
    head = ["program", f"{variants[0].name}, s CPU"] + [f"{v.name}: CPU" for v in others] + [f"{v.name}: wall" for v in others]
    head += ["probe share"]
    rows = []
    for result in results:
        entry = result["variants"]
        row = [result["program"], f"{entry[variants[0].name]['cpu']['median']:.2f}"]
        row += [rounds.cell(entry[v.name][what]) for what in ("cpu", "wall") for v in others]
        share = result.get("probe_share_percent")
        row.append(f"{share:.2f} %" if share is not None else "not measured")
        rows.append(row)
    lines = [f"{machine}.", "", rounds.about(args, variants[0].name), "", common.table(head, rows), ""]
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
    rounds.add_arguments(parser, common.PROGRAMS)
    parser.add_argument("--variants", default="plain,again,off,on", help="comma-separated; the first is the reference")
    args = rounds.read_arguments(parser, common.PROGRAMS, VARIANTS)
    machine = common.machine()  # the load that others make, before ours
    results = []
    for program in args.programs:
        rounds.build_all(args, program, args.variants)
        results.append(measure_program(args, program, args.variants))
    rounds.save(args, machine, results)
    sys.stdout.write(markdown(args, machine, results, args.variants))


main()
