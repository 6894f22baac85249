#!/usr/bin/env python3
# shadow.py - what the feature `shadow` costs: time and memory of real programs, beside MemProf
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what marking and sampling touched memory costs: marks, samples and sites, with the feature `shadow` alone.

sqlite3, zstd, lua5.4 and chase (a list of 190 MB in random order) run plain, with `shadow`, with
`shadow_stores=always`, and with clang's MemProf (-fmemory-profile), in interleaved rounds as bench/overhead.py
has them; the outputs of all variants must be the same. `again` is the plain program a second time.

Also: the geometric mean of the programs' ratios, the greatest, the share of MemProf's extra time, and the greatest
resident memory of each variant.
"""
import argparse
import math
import os
import sys

import common
import rounds

PROGRAMS = ("sqlite3", "zstd", "lua5.4", "chase")
VARIANTS = [rounds.Variant("plain", "plain", None), rounds.Variant("again", "plain", None),
            rounds.Variant("shadow", "shadow", ""), rounds.Variant("always", "shadow-always", ""),
            rounds.Variant("memprof", "memprof", None)]
TARGETS = {"shadow": (1.75, 1.60), "always": (1.60, 1.45)}


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def verdict(met):
    return "met" if met else "missed"


def ratio(result, variant, what="ratio"):
    return result["variants"][variant]["cpu"][what]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    rounds.add_arguments(parser, PROGRAMS)
    args = rounds.read_arguments(parser, PROGRAMS, None)
    # MemProf writes its profile where it stands.
    os.environ["MEMPROF_OPTIONS"] = f"log_path={os.path.join(args.dir, 'runs', 'memprof')}"
    results = []
    for program in args.programs:
        rounds.build_all(args, program, VARIANTS)
        results.append(rounds.measure_program(args, program, VARIANTS))
    machine = common.machine()
    rounds.save(args, machine, results)
    names = [v.name for v in VARIANTS[1:]]
    rows = [[r["program"], f"{r['variants']['plain']['cpu']['median']:.2f}",
             *(rounds.cell(r["variants"][name]["cpu"]) for name in names)] for r in results]
    lines = [f"{machine}.", "", rounds.about(args), "", common.table(["program", "plain, s CPU", *names], rows), ""]
    for name, (each, together) in TARGETS.items():
        values = [ratio(r, name) for r in results]
        mean, worst = geometric_mean(values), max(values)
        lines.append(f"{name}: geometric mean {mean:.3f} (target {together}: {verdict(mean <= together)}), greatest {worst:.3f} "
                     f"(target {each}: {verdict(worst <= each)}), faster than MemProf on "
                     f"{sum(ratio(r, name) < ratio(r, 'memprof') for r in results)} of {len(results)}.  ")
    extra = geometric_mean([ratio(r, "memprof") for r in results]) - 1
    share = (geometric_mean([ratio(r, "shadow") for r in results]) - 1) / extra if extra > 0 else math.nan
    lines.append(f"Extra time of shadow against MemProf's, of the geometric means: {share:.2f} (target 0.5: {verdict(share <= 0.5)}).")
    sys.stdout.write("\n".join(lines) + "\n")


main()
