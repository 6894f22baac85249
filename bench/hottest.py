#!/usr/bin/env python3
# hottest.py - are the report's hottest loops the ones that perf names too?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program's workload twice, the plain build under `perf record -e cpu-clock` with call graphs and
the instrumented build with Reticle, and sets both views side by side.

What is compared: a loop's share in the report counts everything done inside the loop, calls included;
perf knows functions, not loops. So a function's loop share is that of its hottest loop, and perf's figure
is the share of samples with the function on the stack. A function can spend more time than its loops
(perf higher), but its loop can't take more than the function (perf lower means that one is wrong).
Left out on perf's side are functions without a probed loop, such as main and memcpy.

Two lists per program: the ten functions with the hottest loops, and perf's ten by time on the stack. They
agree where a function stands in both; a loop more than --tolerance points above perf's figure is marked.
"""
import argparse
import os
import re
import shutil
import subprocess
import tempfile

import common

TOP = 10


def perf_listing(data):
    """One perf.data file: (its weight in ns, {function: (percent on the stack, percent on top)})."""
    listing = subprocess.run(["perf", "report", "-i", data, "--children", "--no-inline", "-g", "none", "--stdio", "-t", ";",
                              "-F", "overhead_children,overhead,sym"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    weight = re.search(r"^# Event count \(approx\.\): (\d+)", listing, re.M)
    shares = {}
    for line in listing.splitlines():
        match = re.match(r"\s*([\d.]+)%\s*;\s*([\d.]+)%\s*;\s*\[.\] (\S+)", line)
        if match:
            name = re.sub(r"\.(constprop|part|isra|cold|llvm)\b.*", "", match.group(3))
            before = shares.get(name, (0.0, 0.0))
            shares[name] = (before[0] + float(match.group(1)), before[1] + float(match.group(2)))
    return int(weight.group(1)) if weight else 0, shares


def perf_shares(args, program, directory):
    """{function: (percent on the stack, percent on top)}, over all processes of the workload.

    perf starts each process itself, through a wrapper: recorded from the workload's shell, perf 6.1
    can't unwind out of libc.
    """
    wrapper = os.path.join(directory, "wrapper")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec perf record -q -e cpu-clock:u -F {args.hz} --call-graph dwarf,{args.stack} "
                   f"-o '{directory}/'$$.data -- '{common.binary(args.dir, program, args.perf_build)}' \"$@\"\n")
    os.chmod(wrapper, 0o755)
    run = subprocess.run([os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program, wrapper,
                          os.path.join(args.dir, "work", program)],
                         env=common.environment("report=0:loop=0:out=/dev/null"), stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode:
        common.die(f"perf record failed: {run.stderr.strip()}; needs the package linux-perf, and without root "
                   "kernel.perf_event_paranoid of at most 2 (sysctl -w kernel.perf_event_paranoid=2)")
    parts = [perf_listing(os.path.join(directory, name)) for name in os.listdir(directory) if name.endswith(".data")]
    total = sum(weight for weight, _ in parts)
    shares = {}
    for weight, part in parts:
        for name, values in part.items():
            before = shares.get(name, (0.0, 0.0))
            shares[name] = tuple(b + v * weight / total for b, v in zip(before, values))
    if not shares:
        common.die(f"perf report names no function of {program}; try perf record by hand on {wrapper}")
    return shares


def reticle_shares(args, program):
    """{function: (percent of its hottest loop, id, file:line)}"""
    prof = os.path.join(args.dir, "work", program, "prof")
    shutil.rmtree(prof, ignore_errors=True)
    os.makedirs(prof)
    command = [os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program,
               common.binary(args.dir, program, "reticle"), os.path.join(args.dir, "work", program)]
    run = common.measure(command, common.environment(f"report=0:out={prof}/%e.%p.prof"))
    if run.status:
        common.die(f"{program} instrumented ended with status {run.status}")
    shares = {}
    for loop in common.report(common.profiles(prof))["loops"]:
        share = common.percent(loop["share"])
        if share is not None and share >= shares.get(loop["function"], (-1.0,))[0]:
            place = f"{os.path.basename(loop['file'])}:{loop['line']}"
            shares[loop["function"]] = (share, str(loop["id"]), place)
    return shares


def compare(args, program):
    with tempfile.TemporaryDirectory(prefix="reticle-hottest-") as directory:
        perf = perf_shares(args, program, directory)
    loops = reticle_shares(args, program)
    ours = sorted(loops, key=lambda f: -loops[f][0])[:TOP]
    theirs = sorted((f for f in perf if f in loops), key=lambda f: -perf[f][0])[:TOP]
    rows, above = [], 0
    for function in ours:
        share, name, place = loops[function]
        on_stack = perf.get(function, (0.0, 0.0))[0]
        mark = ""
        if share > on_stack + args.tolerance:
            mark, above = "above perf", above + 1
        rows.append([f"`{function}` {place}", f"{share:.1f}", f"{on_stack:.1f}", f"{theirs.index(function) + 1}"
                     if function in theirs else "–", mark])
    print(f"### {program}\n")
    print(common.table(["Reticle: function of the loop", "loop, %", "perf: on stack, %", "perf's rank", ""], rows) + "\n")
    rows = [[f"`{f}`", f"{perf[f][0]:.1f}", f"{perf[f][1]:.1f}", f"{loops[f][0]:.1f}",
             f"{ours.index(f) + 1}" if f in ours else "–"] for f in theirs]
    print(common.table(["perf: functions with a probed loop", "on stack, %", "on top, %", "loop, %", "Reticle's rank"], rows) + "\n")
    hottest = sorted(perf, key=lambda f: -perf[f][1])[:TOP]
    bare = [f"`{f}` {perf[f][1]:.1f} %" for f in hottest if f not in loops]
    both = len(set(ours) & set(theirs))
    print(f"In both lists: {both} of {min(TOP, len(ours), len(theirs))}; loops above perf's figure by more than "
          f"{args.tolerance:g} points: {above}. Of perf's ten by time on top, without a loop in the report: "
          f"{', '.join(bare) or 'none'}.\n")
    return both, min(TOP, len(ours), len(theirs)), above


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=list(common.PROGRAMS), help="all four by default")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources, builds, work files")
    parser.add_argument("--perf-build", default="plain", choices=("plain", "reticle"), help="build that perf looks at")
    parser.add_argument("--hz", type=int, default=499)
    parser.add_argument("--stack", type=int, default=16384, help="bytes of stack that perf copies (default 16384)")
    parser.add_argument("--tolerance", type=float, default=3.0, help="points (default 3)")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    if not set(args.programs) <= set(common.PROGRAMS):
        parser.error("programs: choose from " + ", ".join(common.PROGRAMS))
    if not shutil.which("perf"):
        common.die("perf: not found; install it: apt-get install linux-perf")
    os.makedirs(os.path.join(args.dir, "work"), exist_ok=True)
    print(f"{common.machine()}.\n")
    for program in args.programs:
        compare(args, program)


main()
