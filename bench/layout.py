#!/usr/bin/env python3
# layout.py - does the advice on structs hold: its order over four cases, and what `reticle try` measures
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: layout.py [--pairs N] [--out FILE]
# Four uses of structs (layout_cases.c): a scan in cache range, independent random accesses in DRAM, a
# linked list in DRAM, a struct of one line; a chain through all fields beside them; then the order book of the documentation. Each is
# measured, `reticle layout` asked, and the order tried by `reticle try`, where none is advised
# that of the scan. Exit status 1: a row of docs/method/fields.md does not hold. About four minutes.
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import common

# name, arguments: elements (192 bytes each), use, visits
CASES = (("scan in cache range", "2000 scan 200000000"), ("random in DRAM", "500000 random 20000000"),
         ("list in DRAM", "500000 list 16000000"), ("struct of one line", "20000 one 100000000"),
         ("chain through all fields in DRAM", "500000 chain 16000000"))
STRUCTS = {"one": "small", "list": "node"}
# The order that is tried where none is advised: the used fields together.
NODE = """reticle-layout 1
struct node
place layout_cases.c:%d
size 192
field 0 8 next
field 64 8 a
field 128 4 b
field 8 56 c1
field 72 56 c2
field 132 60 c3
"""


def reticle(*arguments, status=(0,)):
    """What the tool prints; stops where it fails."""
    run = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), *arguments], stdout=subprocess.PIPE, text=True,
                         env=common.environment())
    if run.returncode not in status:
        common.die(f"reticle {' '.join(arguments)}: exit status {run.returncode}")
    return run.stdout


def profile(source, arguments, name):
    """A profile of the program with counters of fields."""
    compiler = os.path.join(common.reticle_bin(), "reticle-clang")
    subprocess.run([compiler, "-O2", "-fplugin-arg-reticle-features=loop,field", source, "-o", "counted"], check=True)
    subprocess.run(["./counted", *arguments.split()], check=True, stdout=subprocess.DEVNULL,
                   env=common.environment(f"report=0:out={name}.prof"))
    return name + ".prof"


def expectation(layout):
    """(kind, upper end of the gain) of the best order."""
    for advice in layout["advice"]:
        if advice["kind"] in ("order", "none"):
            return advice["kind"], advice["gain"]["high"]
    return "none", 1.0


def measured(struct, layout, source, arguments, pairs):
    """The verdict of `reticle try`."""
    compiler = os.path.join(common.reticle_bin(), "reticle-clang")
    return json.loads(reticle("try", struct, "--json", "--pairs", str(pairs), "--layout", layout, "--build",
                              f"{compiler} -O2 {source} -o tried", "--", "./tried", *arguments.split(), status=(0, 1)))


def show(trial):
    gain = trial["gain"]
    return f"{gain['value']:.2f} ({gain['low']:.2f} to {gain['high']:.2f})", trial["verdict"].replace("_", " ")


def main():
    parser = argparse.ArgumentParser(usage="layout.py [--pairs N] [--out FILE]")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--out")
    options = parser.parse_args()
    source = os.path.join(common.BENCH, "layout_cases.c")
    book = os.path.join(common.ROOT, "examples", "book", "book.c")
    rows, wrong, uppers, kinds, trials = [], [], [], [], {}
    start = os.getcwd()
    work = tempfile.mkdtemp(prefix="reticle-layout.")
    os.chdir(work)
    try:
        machine = common.machine()
        with open(source, encoding="utf-8") as code, open("node.layout", "w", encoding="utf-8") as file:
            file.write(NODE % (1 + code.read().split("struct node {")[0].count("\n")))
        for name, arguments in CASES:
            struct = STRUCTS.get(arguments.split()[1], "obj")
            prof = profile(source, arguments, "case%d" % len(rows))
            layout = json.loads(reticle("layout", struct, prof, "--json"))
            kind, upper = expectation(layout)
            uppers.append(upper)
            kinds.append(kind)
            if " scan " in arguments:
                reticle("layout", struct, prof, "--write", "obj.layout")
            result = ("", "no order to try") if struct == "small" else None
            if not result:
                trials[name] = measured(struct, struct + ".layout", source, arguments, options.pairs)
                result = show(trials[name])
            common.note(f"{name}: {result[1]}")
            rows.append((name, f"{kind}, up to {upper:.2f}", *result))
        prof = profile(book, "400000 60", "book")
        layout = json.loads(reticle("layout", "order", prof, "--json"))
        first = layout["advice"][0]
        reticle("layout", "order", prof, "--write", "book.layout")
        trials["book"] = measured("order", "book.layout", book, "400000 60", options.pairs)
        kind, upper = expectation(layout)
        rows.append(("order book", f"{first['kind']}, up to {first['gain']['high']:.1f}; {kind}, up to {upper:.1f}",
                     *show(trials["book"])))
    finally:
        os.chdir(start)
        shutil.rmtree(work)
    if not uppers[0] > uppers[1] > uppers[2] == uppers[4] > uppers[3] == 1:
        wrong.append(f"the cases are not in their order: {uppers}")
    if kinds != ["order", "order", "none", "none", "none"]:
        wrong.append(f"gains are expected where none are, or the reverse: {kinds}")
    if trials[CASES[0][0]]["gain"]["value"] < 1.6:
        wrong.append("the scan in cache range gains less than 1.6")
    for name in (CASES[2][0], CASES[4][0], "book"):
        if trials[name]["verdict"] != "no_measurable_gain":
            wrong.append(f"{name}: {trials[name]['verdict']}, not no_measurable_gain")
    if first["kind"] != "split":
        wrong.append("the split of the order book does not come first")
    text = machine + "\n\n" + common.table(("case", "expected", "measured gain", "verdict of `try`"), rows) + "\n"
    print(text)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text)
    for line in wrong:
        common.note("does not hold: " + line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
