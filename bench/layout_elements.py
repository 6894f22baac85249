#!/usr/bin/env python3
# layout_elements.py - is the advice for elements right: advised first, and how much the change made by hand gains
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: layout_elements.py [--pairs N] [--cpu N] [--cases NAME,...] [--out FILE]
# Each program of bench/layout is profiled (features loop, field, shadow), `reticle layout` asked, and the program as written
# and with the change made by hand (-DCHANGED) run in turn. Exit status 1: another kind is advised first than the one that
# the change is, or the gain isn't within the estimate's interval. About five minutes.
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import common

# name: (struct, kinds that the change by hand is, arguments for the profile)
CASES = {
    "search": ("point", ("array",), "120 11303 2000"),
    "table": ("slot", ("array",), "20 1000000"),
    "particles": ("particle", ("array", "soa"), "1000000 2"),
    "health": ("patient", ("order", "split"), "500000 3"),
    "list": ("node", ("none",), "2000000 2000000"),
    "domain": ("domain", ("none",), "1000 4000"),
    "small": ("entry", ("none",), "100 10000000"),
}
TIES = 0.03  # a gain below is none; the interval's ends are as uncertain


def advice(source, struct, arguments):
    """The first advice of `reticle layout`."""
    compiler = os.path.join(common.reticle_bin(), "reticle-clang")
    subprocess.run([compiler, "-O2", "-fplugin-arg-reticle-features=loop,field,shadow", source, "-o", "counted"], check=True)
    subprocess.run(["./counted", *arguments.split()], check=True, stdout=subprocess.DEVNULL,
                   env=common.environment("report=0:out=counted.prof"))
    run = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "layout", struct, "counted.prof", "--json"],
                         check=True, stdout=subprocess.PIPE, text=True, env=common.environment())
    return json.loads(run.stdout)["advice"][0]


def gain(source, pairs, cpu):
    """(median, lowest, highest) of time as written over time with the change, pair by pair."""
    for name, flags in (("written", ()), ("changed", ("-DCHANGED",))):
        subprocess.run(["clang-19", "-O2", *flags, source, "-o", name], check=True)
    ratios = []
    for pair in range(pairs + 1):
        times = {}
        for name in (("written", "changed"), ("changed", "written"))[pair % 2]:
            times[name] = common.measure(["./" + name], common.environment(), cpu).cpu
        if pair:  # the first warms up
            ratios.append(times["written"] / times["changed"])
    return statistics.median(ratios), min(ratios), max(ratios)


def main():
    parser = argparse.ArgumentParser(usage="layout_elements.py [--pairs N] [--cpu N] [--cases NAME,...] [--out FILE]")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--out")
    options = parser.parse_args()
    if not set(options.cases.split(",")) <= set(CASES):
        parser.error("choose from cases " + ", ".join(CASES))
    start, rows, wrong = os.getcwd(), [], []
    work = tempfile.mkdtemp(prefix="reticle-layout.")
    os.chdir(work)
    try:
        for name in options.cases.split(","):
            struct, kinds, arguments = CASES[name]
            source = os.path.join(common.BENCH, "layout", name + ".c")
            first = advice(source, struct, arguments)
            low, high = first["gain"]["low"], first["gain"]["high"]
            value, least, most = gain(source, options.pairs, options.cpu)
            what = first["kind"] + (" {" + " ".join(first["fields"]) + "}" if first["kind"] not in ("none", "order") else "")
            rows.append((name, what if first["kind"] != "none" else "none: " + first["reason"], f"{low:.2f} to {high:.2f}",
                         f"{value:.2f} ({least:.2f} to {most:.2f})"))
            common.note(": ".join(rows[-1]))
            if first["kind"] not in kinds:
                wrong.append(f"{name}: {first['kind']} is advised, not {' or '.join(kinds)}")
            if not low - TIES <= value <= high + TIES and first["kind"] != "none":
                wrong.append(f"{name}: gains {value:.2f}, not {low:.2f} to {high:.2f}")
            if first["kind"] == "none" and value > 1 + 2 * TIES:
                wrong.append(f"{name}: gains {value:.2f} where none is expected")
    finally:
        os.chdir(start)
        shutil.rmtree(work)
    text = common.machine() + "\n\n" + common.table(("program", "advised first", "estimate", "measured gain by hand"), rows) + "\n"
    return common.conclude(text, options.out, wrong)


if __name__ == "__main__":
    sys.exit(main())
