#!/usr/bin/env python3
# epochs.py - does continuous use keep its bounds on memory and disk?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lua5.4 on its workload over and over with RETICLE_OPTIONS=sample=1:epoch=..., looks every minute at the process's
resident memory and at the files it has written, and at the end at what reports make of them:

* the sum of all epochs' samples is what the merged report has, and stands for the CPU time in user mode;
* the runtime's own memory (its count) is under 4 MB;
* disk: bytes of an epoch, and how long the epochs that keep_bytes (12 MB by default) leaves reach back.

lua5.4 is one busy thread; more threads add samples to the same instructions, not files.
"""
import argparse
import glob
import os
import shutil
import signal
import subprocess
import time

import common

LUA = "local last = os.time() + %d while os.time() < last do dofile(%r) end"


def resident_kb(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def total(paths):
    return sum(os.path.getsize(path) for path in paths)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources, builds, work files")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--epoch", type=int, default=60, help="s")
    parser.add_argument("--every", type=int, default=60, help="s between looks")
    parser.add_argument("--duty", type=float, default=1, help="share of the time that the program runs; it is stopped the rest")
    parser.add_argument("--options", default="", help="more of RETICLE_OPTIONS")
    args = parser.parse_args()
    binary = common.binary(os.path.abspath(args.dir), "lua5.4", "reticle")
    folder = os.path.join(os.path.abspath(args.dir), "runs", "epochs")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    own = os.path.join(folder, "lua.prof")
    options = f"report=0:sample=1:epoch={args.epoch}s:out={own}" + (":" + args.options if args.options else "")
    workload = os.path.join(common.BENCH, "programs", "workload.lua")
    print(common.machine() + f". epoch={args.epoch}s, {args.seconds} s, running {100 * args.duty:.0f} % of the time.\n")
    with open(os.devnull, "wb") as null:
        run = subprocess.Popen([binary, "-e", LUA % (args.seconds, workload)], stdout=null, cwd=folder,
                               env=common.environment(options))
    start, rows, part = time.monotonic(), [], 0
    while run.poll() is None:
        # In between, a file may be half done under another name; never under its own.
        if time.monotonic() - start >= args.every * (len(rows) + 1):
            closed = glob.glob(os.path.join(folder, "lua.e*.prof"))
            rows.append([f"{time.monotonic() - start:.0f}", str(resident_kb(run.pid)), str(len(closed)), str(total(closed)),
                         str(os.path.getsize(own))])
        part = max(part, len(glob.glob(os.path.join(folder, "*.part"))))
        if args.duty < 1:  # leaves the machine to others
            run.send_signal(signal.SIGSTOP)
            time.sleep(2 * (1 - args.duty))
            run.send_signal(signal.SIGCONT)
        time.sleep(2 * args.duty if args.duty < 1 else 0.2)
    if run.returncode:
        common.die(f"lua5.4 ended with status {run.returncode}")
    print(common.table(["after, s", "resident, KB", "closed epochs", "their bytes", "own file, bytes"], rows) + "\n")
    closed = sorted(glob.glob(os.path.join(folder, "lua.e*.prof")), key=lambda p: int(p.split(".e")[-1].split(".")[0]))
    each = [common.report([path], "--all")["sampling"] for path in closed + [own]]
    merged = common.report(closed + [own], "--all")
    reported, health = merged["sampling"], merged["health"]
    apart = sum(e["samples"] for e in each)
    print(f"{len(closed)} closed epochs and the run's own file: {apart} samples apart, {reported['samples']} merged; "
          f"they stand for {100 * reported['time_ns'] / reported['cpu_time_ns']:.1f} % of the CPU time in user mode; lost {reported['lost']}.")
    print(f"The runtime's own memory: {health['memory_bytes'] / 1e6:.2f} MB.")
    largest = max(os.path.getsize(path) for path in closed)
    middle = common.median([os.path.getsize(path) for path in closed])
    kept = 12 * 2**20 / middle
    print(f"An epoch: {middle:.0f} bytes in the middle, {largest} at most; 12 MB hold {kept:.0f} of them: "
          f"{kept * 600 / 86400:.1f} days of 10 minutes, {kept * 3600 / 86400:.0f} days of an hour.")
    if apart != reported["samples"]:
        common.die("samples were lost or counted twice")


main()
