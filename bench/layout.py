#!/usr/bin/env python3
# layout.py - does the advice on structs hold: its order over four cases, and what `reticle try` measures
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: layout.py [--pairs N] [--cases NAME,...] [--out FILE]
# Four uses of structs (layout_cases.c): a scan in cache range, independent random accesses in DRAM, a
# chain of pointers in DRAM that touches one line at each step, a struct of one line; beside them chains that touch
# three lines, and the order book of the documentation, as it is and beyond the last cache. Each is measured, `reticle layout` asked, and an order tried by
# `reticle try`: the one advised, or one that puts the used fields together. Exit status 1: a row of docs/method/fields.md
# does not hold. About four minutes; --cases takes some alone, without the comparisons between them.
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import common

# name: (struct, arguments: elements (192 bytes each), use, visits; order to try where none is advised)
CASES = {
    "scan": ("scan in cache range", "obj", "2000 scan 200000000", None),
    "random": ("random in DRAM", "obj", "500000 random 20000000", None),
    "hop": ("chain in DRAM, one line a step", "hop", "500000 hop 16000000", "8 8 key, 0 8 next, 16 176 cold"),
    "one": ("struct of one line", "small", "20000 one 100000000", None),
    "list": ("list in DRAM, three lines a step", "node", "500000 list 16000000", None),
    "chain": ("chain through three lines in DRAM", "obj", "500000 chain 16000000", None),
}


def layout_file(source, struct, order):
    """A layout of 192 bytes for the compiler, by hand; its name."""
    with open(source, encoding="utf-8") as code:
        line = 1 + code.read().split(f"struct {struct} {{")[0].count("\n")
    fields = "".join(f"field {field.strip()}\n" for field in order.split(","))
    with open(struct + ".layout", "w", encoding="utf-8") as file:
        file.write(f"reticle-layout 1\nstruct {struct}\nplace layout_cases.c:{line}\nsize 192\n{fields}")
    return struct + ".layout"


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


def measure_case(source, name, pairs):
    """{kind, upper, trial or None, row}"""
    title, struct, arguments, order = CASES[name]
    prof = profile(source, arguments, name)
    kind, upper = expectation(json.loads(reticle("layout", struct, prof, "--json")))
    trial = None
    if kind == "order":
        reticle("layout", struct, prof, "--write", struct + ".layout")
    if kind == "order" or order:
        file = layout_file(source, struct, order) if order else struct + ".layout"
        trial = measured(struct, file, source, arguments, pairs)
    result = show(trial) if trial else ("", "no order to try")
    common.note(f"{title}: {kind}, up to {upper:.2f}; {result[0]} {result[1]}")
    return {"kind": kind, "upper": upper, "trial": trial, "row": (title, f"{kind}, up to {upper:.2f}", *result)}


ORDER_BYTES = 152  # of struct order
BOOKS = {"book": "order book, 61 MB", "memory": "order book, beyond the last cache"}


def book_arguments(name):
    """Orders and rounds: as the program has them, or a book of twice the last cache."""
    if name == "book":
        return "400000 60"
    cache_bytes = int(subprocess.run(["getconf", "LEVEL3_CACHE_SIZE"], stdout=subprocess.PIPE, check=True).stdout)
    orders = max(400000, 2 * cache_bytes // ORDER_BYTES)
    return f"{orders} {max(2, 24000000 // orders)}"


def measure_book(name, pairs):
    book, arguments = os.path.join(common.ROOT, "examples", "book", "book.c"), book_arguments(name)
    prof = profile(book, arguments, name)
    layout = json.loads(reticle("layout", "order", prof, "--json"))
    first = layout["advice"][0]
    reticle("layout", "order", prof, "--write", "book.layout")
    trial = measured("order", "book.layout", book, arguments, pairs)
    kind, upper = expectation(layout)
    row = (BOOKS[name], f"{first['kind']}, up to {first['gain']['high']:.1f}; {kind}, up to {upper:.1f}", *show(trial))
    common.note(": ".join(row))
    return {"kind": kind, "upper": upper, "trial": trial, "row": row, "first": first["kind"]}


def judge(done):
    """What does not hold, as texts."""
    wrong = []
    if {"scan", "random", "hop", "one", "list", "chain"} <= set(done):
        uppers = [done[name]["upper"] for name in ("scan", "random", "hop", "one")]
        if not uppers[0] > uppers[1] > uppers[2] == uppers[3] == 1:
            wrong.append(f"the cases are not in their order: {uppers}")
        if not uppers[1] > max(done["list"]["upper"], done["chain"]["upper"]):
            wrong.append("chains through three lines are not between random accesses and none")
    for name, one in done.items():
        trial = one["trial"]
        if trial and trial["gain"]["low"] > one["upper"]:
            wrong.append(f"{name}: gains {trial['gain']['value']:.2f}, more than the {one['upper']:.2f} expected")
    for name in {"scan", "random", "list", "chain"} & set(done):
        if done[name]["kind"] != "order":
            wrong.append(f"{name}: no order is advised")
    if "scan" in done and done["scan"]["trial"]["gain"]["value"] < 1.6:
        wrong.append("the scan in cache range gains less than 1.6")
    for name in {"hop", *BOOKS} & set(done):
        if done[name]["trial"]["verdict"] != "no_measurable_gain":
            wrong.append(f"{name}: {done[name]['trial']['verdict']}, not no_measurable_gain")
    for name in {"hop", "one"} & set(done):
        if done[name]["kind"] != "none":
            wrong.append(f"{name}: a gain is expected where none is")
    for name in set(BOOKS) & set(done):
        if done[name]["first"] not in ("split", "array"):
            wrong.append(f"{BOOKS[name]}: no split or array comes first")
    return wrong


def main():
    parser = argparse.ArgumentParser(usage="layout.py [--pairs N] [--cases NAME,...] [--out FILE]")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--cases", default=",".join((*CASES, *BOOKS)), help="comma-separated; all by default")
    parser.add_argument("--out")
    options = parser.parse_args()
    names = options.cases.split(",")
    if not set(names) <= {*CASES, *BOOKS}:
        parser.error("choose from cases " + ", ".join((*CASES, *BOOKS)))
    source = os.path.join(common.BENCH, "layout_cases.c")
    start, done = os.getcwd(), {}
    work = tempfile.mkdtemp(prefix="reticle-layout.")
    os.chdir(work)
    try:
        machine = common.machine()
        for name in names:
            done[name] = measure_book(name, options.pairs) if name in BOOKS else measure_case(source, name, options.pairs)
    finally:
        os.chdir(start)
        shutil.rmtree(work)
    rows = [one["row"] for one in done.values()]
    wrong = judge(done)
    text = machine + "\n\n" + common.table(("case", "expected", "measured gain", "verdict of `try`"), rows) + "\n"
    return common.conclude(text, options.out, wrong)


if __name__ == "__main__":
    sys.exit(main())
