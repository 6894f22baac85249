#!/usr/bin/env python3
# judge.py - how the verdict on loops does on the corpus: false alarms and what it finds, machine by machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: judge.py [NAME=BIN ...] [--without MACHINE] [--raw FILE]

Judges every profile of bench/corpus with `reticle report` of each BIN (a folder; default: RETICLE_BIN, else
build/dev/bin), without running anything else: the same profiles give the same figures on each machine. A loop in
which nothing was planted and that is called unsteady is a false alarm; one in which slow executions were planted is
found if it is called unsteady and slower by half to twice of what was planted: else it is called so for another
reason, as a false alarm is. Planted loops are counted by how much slower the slow executions are. Prints markdown.

--without  leaves one archive out: what constants from the others would be judged by
--raw      each loop as a line of JSON, for fitting
"""
import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

SIZES = ((0.02, "below 2 %"), (0.1, "2 to 10 %"), (float("inf"), "10 % and more"))


def size_of(extra, base):
    return next(f"slower by {name}" for limit, name in SIZES if extra / base < limit)


def is_right(loop, planted):
    by = loop["slow_by"].get("value")
    return loop["verdict"] == "unsteady" and by is not None and planted[1] / 2 <= by <= planted[1] * 2


class Corpus:
    """The archives, unpacked for as long as it is open: {machine: its folder}."""

    def __init__(self, without=None):
        self.names = sorted(os.path.basename(p)[:-len(".tar.xz")] for p in glob.glob(os.path.join(HERE, "*.tar.xz")))
        self.names = [name for name in self.names if name != without]
        if not self.names:
            common.die("the corpus is empty: bench/corpus/collect.py adds this machine")

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        for name in self.names:
            with tarfile.open(os.path.join(HERE, name + ".tar.xz")) as file:
                file.extractall(self.folder.name, filter="data")
        return {name: os.path.join(self.folder.name, name) for name in self.names}

    def __exit__(self, *_):
        self.folder.cleanup()


def report(bin_, profile, environment):
    run = subprocess.run([os.path.join(bin_, "reticle"), "report", "--json", "--all", profile], capture_output=True,
                         text=True, check=False, env=environment)
    if run.returncode:
        common.die(f"{profile}: exit {run.returncode}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def loops_of(root, bin_, environment):
    """(run, loop of the report, [base, extra, share] or None) of each loop that is part of the experiment."""
    with open(os.path.join(root, "truth.json"), encoding="utf-8") as file:
        truth = json.load(file)
    for run in truth["runs"]:
        for loop in report(bin_, os.path.join(root, run["profile"]), environment)["loops"]:
            if run["kind"] == "constant" and loop["function"].startswith("constant_"):
                yield run, loop, None
            elif run["kind"] == "injected" and loop["function"] in run["planted"]:
                base, extra, share = run["planted"][loop["function"]]
                yield run, loop, (base, extra, share) if share else None


def count(corpus, builds, environment=None, raw=None):
    """{(machine, kind of loop, build, verdict, "all" or "right"): loops}"""
    counts = collections.Counter()
    for machine, root in corpus.items():
        for name, bin_ in builds.items():
            for run, loop, planted in loops_of(root, bin_, environment):
                kind = (size_of(planted[1], planted[0]) if planted
                        else f"constant, {run['beside'].replace('_', ' ')}" if run["kind"] == "constant"
                        else "constant, of the planted kind")
                counts[machine, kind, name, "all"] += 1
                counts[machine, kind, name, loop["verdict"]] += 1
                counts[machine, kind, name, "right"] += bool(planted) and is_right(loop, planted)
                if raw:
                    raw.write(json.dumps({"machine": machine, "build": name, "run": run["profile"], "planted": planted,
                                          "loop": loop}) + "\n")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs="*", metavar="NAME=BIN")
    parser.add_argument("--without")
    parser.add_argument("--raw")
    args = parser.parse_args()
    builds = dict(b.partition("=")[::2] for b in args.builds) or {"now": common.reticle_bin()}
    raw = open(args.raw, "w", encoding="utf-8") if args.raw else None
    with Corpus(args.without) as corpus:
        counts = count(corpus, builds, raw=raw)
        archives = list(corpus)
    kinds = sorted({k[1] for k in counts if k[1].startswith("constant")}) + [f"slower by {name}" for _, name in SIZES]
    rows = []
    for archive in [*archives, "all"]:
        for kind in kinds:
            def of(name, verdict, archive=archive, kind=kind):
                return sum(n for (a, k, b, v), n in counts.items()
                           if (archive in ("all", a)) and k == kind and b == name and v == verdict)
            if any(of(name, "all") for name in builds):
                row = [archive, kind]
                for name in builds:
                    found = "" if kind.startswith("constant") else f"{of(name, 'right')} found, "
                    row.append(f"{found}{of(name, 'unsteady')} unsteady, {of(name, 'inconclusive')} inconclusive"
                               f" of {of(name, 'all')}")
                rows.append(row)
    print(common.table(["corpus", "loops", *builds], rows))


if __name__ == "__main__":
    main()
