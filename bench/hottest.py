#!/usr/bin/env python3
# hottest.py - are the report's hottest loops the ones that perf names too?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program's workload twice, the plain build under `perf record -e cpu-clock` with call graphs and
the instrumented build with Reticle, and sets both views side by side.

A loop's share in the report counts everything done inside the loop, calls included; perf knows functions,
not loops. So loops are looked up by the function that holds their machine code, and a function's loop
share is that of its hottest loop. Two lists per program:

* the report's ten hottest functions. perf names one too if it is on the stack of at least 1 % of the
  samples.
* perf's ten hottest by time on top of the stack, less those of less than 1 % and of other libraries. The
  report names one too if it has a loop that it gives at least half of that time, or says why it
  can't tell ("below_floor": all of the loop's work is about as short as the probe).

The report's own shares are of the threads' lives; here a loop's total time is divided by the CPU time of
the process, as perf does. The total is by the wall clock: on a busy machine, and for loops that wait for
another thread, it comes out too high.
"""
import argparse
import os
import re
import shutil
import subprocess
import tempfile

import common

TOP = 10
LEAST = 1.0  # percent; below that, a list of ten is noise


def symbol_name(linkage_name):
    """Without what a compiler appends to the copies that it makes of a function."""
    return re.sub(r"\.(constprop|part|isra|cold|llvm|specialized|__uniq)\b.*", "", linkage_name)


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
            name = symbol_name(match.group(3))
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
                          os.path.join(args.dir, "runs", program)],
                         env=common.environment(f"report=0:loop=0:out={directory}/%p.prof"), stdout=subprocess.DEVNULL,
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
    """{symbol: (percent of its hottest loop or None, status, source function and place)}

    A loop belongs to the symbol that holds its machine code, as perf sees it: with inlining, that isn't
    the function of its source.
    """
    prof = os.path.join(args.dir, "runs", program, "prof")
    shutil.rmtree(prof, ignore_errors=True)
    os.makedirs(prof)
    command = [os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program,
               common.binary(args.dir, program, "reticle"), os.path.join(args.dir, "runs", program)]
    run = common.measure(command, common.environment(f"report=0:out={prof}/%e.%p.prof"))
    if run.status:
        common.die(f"{program} instrumented ended with status {run.status}")
    shares = {}
    report = common.report(common.profiles(prof))
    for loop in report["loops"]:
        share, symbol = loop["total"]["value"], symbol_name(loop["linkage_name"])
        share = None if share is None else 100 * share / report["env"]["cpu_time"]["value"]
        if symbol not in shares or (share or 0) > (shares[symbol][0] or 0):
            place = f"{loop['function']} {os.path.basename(loop['file'])}:{loop['line']}"
            shares[symbol] = (share, loop["total"]["status"], place)
    return shares


def compare(args, program):
    with tempfile.TemporaryDirectory(prefix="reticle-hottest-") as directory:
        perf = perf_shares(args, program, directory)
    loops = reticle_shares(args, program)
    ours = sorted((f for f in loops if loops[f][0]), key=lambda f: -loops[f][0])[:TOP]
    theirs = sorted((f for f in perf if f in args.known[program] and perf[f][1] >= LEAST), key=lambda f: -perf[f][1])[:TOP]
    print(f"### {program}\n")
    rows, by_perf, by_us = [], 0, 0
    for function in ours:
        share, _, place = loops[function]
        on_stack, on_top = perf.get(function, (0.0, 0.0))
        by_perf += on_stack >= LEAST
        rows.append([f"`{function}`", place, f"{share:.1f}", f"{on_stack:.1f}", f"{on_top:.1f}",
                     "yes" if on_stack >= LEAST else "no"])
    print(common.table(["the report's hottest", "loop", "loop, %", "perf: on stack, %", "on top, %", "perf too"], rows) + "\n")
    rows = []
    for function in theirs:
        share, status, place = loops.get(function, (None, "no probed loop", ""))
        named = status in ("below_floor", "too_noisy") or (share or 0) >= perf[function][1] / 2
        by_us += named
        rows.append([f"`{function}`", place, f"{perf[function][1]:.1f}", f"{perf[function][0]:.1f}",
                     f"{share:.1f}" if share is not None else status, "yes" if named else "no"])
    print(common.table(["perf's hottest", "loop", "perf: on top, %", "on stack, %", "loop, %", "report too"], rows) + "\n")
    print(f"Of the report's {len(ours)} hottest, perf names {by_perf}; of perf's {len(theirs)}, the report names {by_us}.\n")


def functions_of(path):
    """Names of the functions that an executable, and a library of its own beside it, define."""
    beside = os.path.join(os.path.dirname(path), ".libs")  # what libtool's wrapper script runs
    files = [path] if not os.path.isdir(beside) else [
        os.path.join(beside, name) for name in os.listdir(beside)
        if name == os.path.basename(path) or name.endswith(".so")]
    names = set()
    for file in files:
        listing = subprocess.run(["nm", "--defined-only", file], stdout=subprocess.PIPE, text=True, check=True).stdout
        names.update(symbol_name(line.split()[2]) for line in listing.splitlines() if line.split()[-2] in "tT")
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=list(common.PROGRAMS), help="all four by default")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources, builds, work files")
    parser.add_argument("--perf-build", default="plain", choices=("plain", "reticle"), help="build that perf looks at")
    parser.add_argument("--hz", type=int, default=251)
    parser.add_argument("--stack", type=int, default=16384, help="bytes of stack that perf copies (default 16384)")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    if not set(args.programs) <= set(common.PROGRAMS):
        parser.error("programs: choose from " + ", ".join(common.PROGRAMS))
    if not shutil.which("perf"):
        common.die("perf: not found; install it: apt-get install linux-perf")
    os.makedirs(os.path.join(args.dir, "runs"), exist_ok=True)
    print(f"{common.machine()}.\n")
    args.known = {p: functions_of(common.binary(args.dir, p, args.perf_build)) for p in args.programs}
    for program in args.programs:
        compare(args, program)


if __name__ == "__main__":
    main()
