#!/usr/bin/env python3
# layout_wins.py - programs from elsewhere: is the change that experts made advised first, and its gain within what was said
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: layout_wins.py [--cases FILE]... [--only NAME,...] [--pairs N] [--cpu N] [--out FILE]
# Cases are JSON files (default: bench/layout/wins.json; outside.json beside it wants clones of klib and rebound, named by
# KLIB and REBOUND; below, what a case has). Each program is put into a study without trials,
# `reticle layout` asked; then it is built with clang-19 as written and with the change made by hand (a patch), and both run in turn
# on one processor, half of the pairs before and half behind the replay of the counting build's visits. Of cases without a patch
# nothing but what is advised matters: it must be `none`.
# Exit status 1: another change is advised first, or the gain lies outside of the replayed interval.
import argparse
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

import common

# A case: `folder`, relative to the file, or `debian`, a program of bench/programs; `prepare`, a shell command in a copy of it; `build`
# with $CC, $CXX, and `run`; `struct`; what the change is in words, and as a `patch` (-p1) or an `edit`, a shell command; `kinds` and
# `fields` of the advice that is the same, `others`: all the rest, of which an array is the same, too; `same`: an expression for the
# lines of output that must not differ.

TIES = 0.03  # an interval's ends, and a gain, are uncertain by as much


def shell(command, folder, compiler):
    """Runs a build command with $CC and $CXX; its output is shown where it fails."""
    environment = common.environment()
    environment["CC"], environment["CXX"] = compiler, re.sub(r"clang(?=[^/]*$)", "clang++", compiler)
    environment["BENCH"] = common.BENCH
    run = subprocess.run(["sh", "-ec", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        common.die(f"{command}: exit status {run.returncode}\n{run.stdout[-2000:]}")


def reticle(folder, *arguments, status=(0,)):
    """What the tool prints, of JSON: parsed; None where it ends with another status."""
    run = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), *arguments], cwd=folder, env=common.environment(),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in status:
        common.note(f"reticle {' '.join(arguments[:3])} ...: exit status {run.returncode}: {run.stderr.strip()[-600:]}")
        return None
    return json.loads(run.stdout) if "--json" in arguments else run.stdout


def copies(case, base, work):
    """Folders with the program as written and, with the case's patch, changed (or None)."""
    if "debian" in case:
        common.script("fetch.sh", case["debian"], os.path.join(work, "src"))
        source = os.path.join(work, "src", case["debian"])
    else:
        source = os.path.join(base, case["folder"])
    written, changed = os.path.join(work, "written"), os.path.join(work, "changed") if {"patch", "edit"} & set(case) else None
    shutil.copytree(source, written, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    if "prepare" in case:
        shell(case["prepare"], written, "clang-19")
    if changed:
        shutil.copytree(written, changed, symlinks=True)
        if "edit" in case:
            shell(case["edit"], changed, "clang-19")
        else:
            with open(os.path.join(base, case["patch"]), "rb") as patch:
                subprocess.run(["patch", "-s", "-p1"], cwd=changed, stdin=patch, check=True)
    return written, changed


def told(advice):
    """An advice in few words."""
    if advice["kind"] == "none":
        return "none: " + advice["reason"]
    kind = "copy" if advice.get("copy") else advice["kind"]
    return kind + (" {" + " ".join(advice["fields"]) + "}" if kind != "order" else "")


def printed(command, folder, case):
    """The lines that must not differ."""
    run = subprocess.run(command, cwd=folder, env=common.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, errors="replace")
    return [line for line in run.stdout.splitlines() if re.search(case.get("same", ""), line)]


def gains(command, written, changed, pairs, cpu):
    """Times as written over times with the change, pair by pair."""
    ratios, start = [], os.getcwd()
    for pair in range(pairs + 1):
        times = {}
        for folder in ((written, changed), (changed, written))[pair % 2]:
            os.chdir(folder)
            times[folder] = common.measure(command, common.environment(), cpu).cpu
        if pair:  # the first warms up
            ratios.append(times[written] / times[changed])
    os.chdir(start)
    return ratios


def is_known(case, advice):
    """Whether the advice is the change that was made by hand: its kind, and the fields that make it up."""
    fields = set(advice["fields"])
    return advice["kind"] in case["kinds"] and (advice["kind"] in ("order", "soa") or set(case["fields"]) <= fields or
                                                set(case.get("others", ["-"])) == fields)


def win(case, folders, options):
    """A row of the table, and what doesn't hold."""
    written, changed = folders
    command, wrong = shlex.split(case["run"]), []
    if reticle(written, "study", "--no-try", "--output", "case.reticle", "--build", case["build"], "--", *command, status=(0, 1)) is None:
        return None, [f"{case['name']}: no study"]
    first = reticle(written, "layout", case["struct"], "case.reticle", "--json")["advice"][0]
    for folder in folders:
        shell(case["build"], folder, "clang-19")
    if printed(command, written, case) != printed(command, changed, case):
        wrong.append(f"{case['name']}: prints something else with the change")
    # The replay between the pairs: what else the machine does differs by the minute.
    ratios, replay = gains(command, written, changed, options.pairs // 2, options.cpu), None
    if first["kind"] != "none":
        replay = reticle(written, "try", "--replay", case["struct"], "case.reticle", "--json", "--", *command, status=(0, 1))
    ratios += gains(command, written, changed, options.pairs - options.pairs // 2, options.cpu)
    gain = replay["gain"] if replay and replay["gain"]["value"] is not None else None
    value = statistics.median(ratios)
    inside = gain is not None and gain["low"] - TIES <= value <= gain["high"] + TIES
    if not is_known(case, first):
        wrong.append(f"{case['name']}: advised first is {told(first)}")
    elif not inside:
        wrong.append(f"{case['name']}: {value:.2f} isn't within what the replay says")
    estimate = f"{first['gain']['low']:.2f} to {first['gain']['high']:.2f}"
    replayed = f"{gain['value']:.2f} ({gain['low']:.2f} to {gain['high']:.2f})" if gain else "not known"
    return (case["name"], case["struct"], case["change"], told(first), estimate, replayed,
            f"{value:.2f} ({min(ratios):.2f} to {max(ratios):.2f})", "yes" if inside else "no"), wrong


def no_win(case, folders):
    """The same of a program in which no layout is expected to gain."""
    written, command = folders[0], shlex.split(case["run"])
    os.environ["RETICLE_FEATURES"] = "loop,field,shadow"
    shell(case["build"], written, os.path.join(common.reticle_bin(), "reticle-clang"))
    subprocess.run(command, cwd=written, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=common.environment("report=0:out=" + os.path.join(written, "case.prof")))
    layout = reticle(written, "layout", case["struct"], "case.prof", "--json")
    if layout is None:
        return None, [f"{case['name']}: no advice"]
    first = layout["advice"][0]
    wrong = [] if first["kind"] == "none" else [f"{case['name']}: {told(first)} is advised, up to {first['gain']['high']:.2f}"]
    return (case["name"], case["struct"], case["change"], told(first)), wrong


def main():
    parser = argparse.ArgumentParser(usage="layout_wins.py [--cases FILE]... [--only NAME,...] [--pairs N] [--cpu N] [--out FILE]")
    parser.add_argument("--cases", action="append")
    parser.add_argument("--only")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--out")
    options = parser.parse_args()
    wins, others, wrong = [], [], []
    for path in options.cases or [os.path.join(common.BENCH, "layout", "wins.json")]:
        with open(path, encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        for case in cases:
            if options.only and case["name"] not in options.only.split(","):
                continue
            work = tempfile.mkdtemp(prefix="reticle-wins.")
            try:
                folders = copies(case, os.path.dirname(os.path.abspath(path)), work)
                row, doubts = win(case, folders, options) if folders[1] else no_win(case, folders)
            finally:
                shutil.rmtree(work)
            wrong += doubts
            if row:
                (wins if folders[1] else others).append(row)
                common.note(" | ".join(row))
    text = common.machine() + "\n"
    if wins:
        text += "\n" + common.table(("program", "struct", "change by hand", "advised first", "estimate", "replayed",
                                     "measured gain", "inside"), wins) + "\n"
    if others:
        text += "\n" + common.table(("program", "struct", "why none", "advised first"), others) + "\n"
    return common.conclude(text, options.out, wrong)


if __name__ == "__main__":
    sys.exit(main())
