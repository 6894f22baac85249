#!/usr/bin/env python3
# replay_orders.py - does a replay of an order gain what `reticle try` measures of the compiled program?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: replay_orders.py [--seed N] [--programs N,...] [--kinds KIND,...] [--seconds S] [--pairs N] [--placements N] [--cpu N] [--keep DIR [--again]] [--out FILE]
# Twenty programs (replay_programs.py), each with a struct of 2 to 40 fields and one to three loops. Of each: a profile
# with counters and samples (features loop, field, shadow, block); an order, for every other program the one that `reticle layout` advises,
# for the others (and where none is advised) fields that are used put together, apart, or anyhow; `reticle try` of it,
# and `reticle try --replay` with the program compiled without Reticle behind --. Differences are points of the program's
# time. Exit status 1: the sign agrees in fewer than 19 of 20 where the order moves more than 3 % of the time, or the
# median difference is 4 points or more. All of it on one processor. About 12 minutes.
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import common
import replay_programs

MOVES = 3.0  # points of the program's time, from which on the sign counts
AGREES, MEDIAN = 19 / 20, 4.0
FLAGS = ("-O2", "-g")


def tool(*arguments, status=(0, 1), options=""):
    """What the tool prints, None if its status is another."""
    run = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), *arguments], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, env=common.environment(options))
    if run.returncode in status:
        return run.stdout
    common.note(f"reticle {' '.join(arguments[:3])}: status {run.returncode}: {(run.stderr.strip().splitlines() or [''])[-1]}")
    return None


def rounds_for(seconds):
    """Rounds that take about so long without Reticle."""
    rounds = 1
    while True:
        spent = common.measure(["./plain", str(rounds)], common.environment()).cpu
        if spent > seconds / 3:
            return max(2, round(rounds * seconds / spent))
        rounds *= 3


def build(name):
    compiler = os.path.join(common.reticle_bin(), "reticle-clang")
    subprocess.run(["clang-19", *FLAGS, name, "-o", "plain"], check=True)
    subprocess.run([compiler, *FLAGS, "-fplugin-arg-reticle-features=loop,field,shadow,block", name, "-o", "counted"], check=True)


def choose_order(program, name, is_advised):
    """Writes the layout file. Returns what the order is."""
    if is_advised and tool("layout", "rec", "counted.prof", "--write", "rec.layout", status=(0,)) is not None and \
            os.path.exists("rec.layout"):
        return "advised"
    how, fields = program.other_order()
    with open("rec.layout", "w", encoding="utf-8") as file:
        file.write(program.layout(name, fields))
    return how


def saved(quantity, end="value"):
    """Points of the time that a gain saves."""
    return 100 * (1 - 1 / quantity[end])


def show(quantity):
    if quantity["value"] is None:
        return "none: " + quantity["reason"]
    return f"{quantity['value']:.3f} ({quantity['low']:.3f} to {quantity['high']:.3f})"


def replay(one):
    """Runs the replay, and adds its result."""
    text = tool("try", "rec", "counted.prof", "--replay", "--json", "--layout", "rec.layout", "--", "./plain", one["rounds"])
    if text is None:
        return None
    one["replayed"] = json.loads(text)
    guess = one["replayed"]["gain"]
    one["replay_saved"] = saved(guess) if guess["value"] is not None else 0.0
    return one


def measure_program(program, is_advised, options):
    """Everything of one program, as a dictionary; None where a trial failed."""
    name = f"rec{len(program.fields)}.c"
    if options.again:
        with open("result.json", encoding="utf-8") as file:
            return replay(json.load(file))
    with open(name, "w", encoding="utf-8") as file:
        file.write(program.source())
    build(name)
    rounds = str(rounds_for(options.seconds))
    subprocess.run(["./counted", rounds], check=True, stdout=subprocess.DEVNULL, env=common.environment("report=0:sample=1:out=counted.prof"))
    order = choose_order(program, name, is_advised)
    compiler = os.path.join(common.reticle_bin(), "reticle-clang")
    compiled = tool("try", "rec", "--json", "--pairs", str(options.pairs), "--placements", str(options.placements), "--layout",
                    "rec.layout", "--build", f"{compiler} {' '.join(FLAGS)} {name} -o tried", "--", "./tried", rounds)
    if compiled is None:
        return None
    compiled = json.loads(compiled)
    return replay({"fields": len(program.fields), "bytes": program.bytes, "size": program.size, "kinds": program.kinds(), "order": order,
                   "is_array": program.is_array, "work": [loop.work for loop in program.loops], "rounds": rounds,
                   "compiled": compiled, "saved": saved(compiled["gain"])})


def row(one):
    guess = one["replayed"]
    share = f"{100 * guess['memory_share']:.0f}" if guess["memory_share"] is not None else "?"
    return (f"{one['fields']}", f"{one['size']} B, {one['bytes'] / 1e6:.0f} MB {'array' if one['is_array'] else 'heap'}", one["kinds"],
            one["order"], show(one["compiled"]["gain"]), show(guess["gain"]), f"{one['replay_saved'] - one['saved']:+.1f}",
            f"{guess['as_written_ns']:.1f} to {guess['changed_ns']:.1f} ns, {share} %")


def judge(done):
    """(summary, what does not hold)"""
    moved = [one for one in done if abs(one["saved"]) > MOVES]
    same = [one for one in moved if one["saved"] * one["replay_saved"] > 0]
    differences = [abs(one["saved"] - one["replay_saved"]) for one in done]
    median = common.median(differences)
    summary = (f"{len(done)} programs; same sign in {len(same)} of {len(moved)} where the order moves more than {MOVES:.0f} % of the time; "
               f"median difference {median:.1f} points, largest {max(differences):.1f}\n")
    wrong = []
    if len(same) < AGREES * len(moved):
        wrong.append(f"the sign agrees in {len(same)} of {len(moved)} only")
    if median >= MEDIAN:
        wrong.append(f"median difference {median:.1f} points")
    return summary, wrong


def main():
    parser = argparse.ArgumentParser(usage="replay_orders.py [--seed N] [--programs N,...] [--kinds KIND,...] [--seconds S] [--pairs N] "
                                           "[--placements N] [--cpu N] [--keep DIR [--again]] [--out FILE]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", help="numbers of fields, with commas; all by default")
    parser.add_argument("--kinds", help="loops of these kinds alone: " + ", ".join(replay_programs.KINDS))
    parser.add_argument("--seconds", type=float, default=0.7, help="that a program runs")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--placements", type=int, default=10)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--keep", help="folder for programs, profiles and results")
    parser.add_argument("--again", action="store_true", help="only the replays, of what is in --keep")
    parser.add_argument("--out")
    options = parser.parse_args()
    counts = [int(n) for n in options.programs.split(",")] if options.programs else list(replay_programs.COUNTS)
    kinds = options.kinds.split(",") if options.kinds else None
    if kinds and not set(kinds) <= set(replay_programs.KINDS):
        parser.error("--kinds: choose from " + ", ".join(replay_programs.KINDS))
    os.sched_setaffinity(0, {options.cpu})
    os.environ["CCACHE_DISABLE"] = "1"
    machine, start, done, failed = common.machine(), os.getcwd(), [], []
    work = os.path.abspath(options.keep) if options.keep else tempfile.mkdtemp(prefix="reticle-orders.")
    try:
        for count in counts:
            program = replay_programs.Program(options.seed, count, kinds)
            folder = os.path.join(work, str(count))
            os.makedirs(folder, exist_ok=True)
            os.chdir(folder)
            is_advised = count not in replay_programs.COUNTS or replay_programs.COUNTS.index(count) % 2 == 0
            one = measure_program(program, is_advised, options)
            if one is None:
                failed.append(f"{count} fields: not measured")
                continue
            done.append(one)
            with open("result.json", "w", encoding="utf-8") as file:
                json.dump(one, file, indent=1)
            common.note(" | ".join(row(one)))
    finally:
        os.chdir(start)
        if not options.keep:
            shutil.rmtree(work)
    if not done:
        common.die("no program was measured")
    summary, wrong = judge(done)
    head = ("fields", "struct", "loops", "order", "compiled gain", "replayed gain", "points", "a visit, share")
    text = machine + "\n\n" + common.table(head, [row(one) for one in done]) + "\n\n" + summary
    return common.conclude(text, options.out, wrong + failed)


if __name__ == "__main__":
    sys.exit(main())
