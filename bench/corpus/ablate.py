#!/usr/bin/env python3
# ablate.py - what each threshold of the verdict on loops earns on the corpus: off, halved, doubled.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: ablate.py [--build DIR] [--only NAME,...] [--without MACHINE]

Builds the tool once with thresholds that the environment sets (option RETICLE_TUNE, in DIR: build/tune; the user's
tool has none of it), and judges the corpus with every threshold of tools/analysis/loop/loop_thresholds.h switched off,
halved and doubled. Prints what changes, as markdown: false alarms; constant loops that are called steady; planted
ones found, by size. Some minutes. Sizes of arrays (VOTES): build with -DRETICLE_TUNE_DEFINES=VOTES=4, and judge.py.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402
import judge  # noqa: E402

HEADER = os.path.join(common.ROOT, "tools", "analysis", "loop_thresholds.h")


def thresholds():
    """{name: (value, off or None)} in the header's order."""
    with open(HEADER, encoding="utf-8") as file:
        rows = re.findall(r"^#define (\w+) THRESHOLD\(\1, ([^,]+), ([^)]+)\)", file.read(), re.M)
    return {name: (float(value), None if off == "NO_OFF" else float(off)) for name, value, off in rows}


def build(directory):
    for command in (["cmake", "--preset", "release", "-B", directory, "-DRETICLE_BUILD_PASS=OFF",
                     "-DRETICLE_BUILD_TESTS=OFF", "-DRETICLE_TUNE=ON"],
                    ["cmake", "--build", directory, "--target", "reticle"]):
        subprocess.run(command, check=True, cwd=common.ROOT, stdout=subprocess.DEVNULL)
    return os.path.join(directory, "bin")


def totals(bin_, corpus, setting):
    """[false alarms, steady ones of the constant, found below 2 %, to 10 %, from 10 % on]"""
    counts = judge.count(corpus, {"": bin_}, dict(os.environ, RETICLE_TUNE=setting) if setting else None)

    def of(what, is_kind):
        return sum(n for (_, kind, _, verdict), n in counts.items() if verdict == what and is_kind(kind))

    def is_constant(kind):
        return kind.startswith("constant")

    return [of("unsteady", is_constant), of("steady", is_constant),
            *(of("right", lambda kind, name=name: kind.endswith(name)) for _, name in judge.SIZES)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(common.ROOT, "build", "tune"))
    parser.add_argument("--only")
    parser.add_argument("--without")
    args = parser.parse_args()
    bin_ = build(args.build)
    wanted = thresholds()
    if args.only:
        wanted = {name: wanted[name] for name in args.only.split(",")}
    with judge.Corpus(args.without) as corpus:
        before = totals(bin_, corpus, None)
        jobs = {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, (value, off) in wanted.items():
                for title, other in ("off", off), ("half", value / 2), ("double", value * 2):
                    if other is not None:
                        jobs[name, title] = pool.submit(totals, bin_, corpus, f"{name}={other:g}")
    rows = []
    for name, (value, _) in wanted.items():
        cells = []
        for title in "off", "half", "double":
            job = jobs.get((name, title))
            change = [a - b for a, b in zip(job.result(), before)] if job else None
            cells.append("" if change is None else " ".join(f"{c:+d}" if c else "0" for c in change) if any(change) else "=")
        rows.append([f"`{name}`", f"{value:g}", *cells])
    print(f"As it is: {before[0]} false alarms, {before[1]} constant ones steady, found {before[2]} + {before[3]} + "
          f"{before[4]} (below 2 %, 2 to 10 %, 10 % and more). Changes in that order; `=`: none.\n")
    print(common.table(["threshold", "value", "off", "half", "double"], rows))


if __name__ == "__main__":
    main()
