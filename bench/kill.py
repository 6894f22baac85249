#!/usr/bin/env python3
# kill.py - kill a program 200 times by SIGKILL: is there a readable profile, and how old is it?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench/kill.c instrumented and kills it at a random moment, again and again.

A run passes if `reticle report --json` reads its profile and the profile holds at least the loop
executions that the program had behind it 1 s (and a margin for writing the file) before it died, by the
program's own log, and no more than it ever had. Exits 1 if one fails.
"""
import argparse
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import common

HEADER_BYTES = 16  # count, last_ns
SLOT_MS = 1        # one slot of the log


def build(directory):
    program = os.path.join(directory, "kill")
    subprocess.run([os.path.join(common.reticle_bin(), "reticle-clang"), "-O2",
                    os.path.join(common.BENCH, "kill.c"), "-o", program], check=True)
    return program


def read_log(path):
    """(executions at death, ms at death, executions by ms)"""
    with open(path, "rb") as file:
        data = file.read()
    count, last_ns = struct.unpack_from("<QQ", data)
    slots = struct.unpack_from(f"<{(len(data) - HEADER_BYTES) // 8}Q", data, HEADER_BYTES)
    return count, last_ns / 1e6, slots[:int(last_ns / 1e6 / SLOT_MS) + 1]


class Run:
    def __init__(self, program, directory, number, life_s):
        self.log = os.path.join(directory, f"{number}.log")
        self.profile = os.path.join(directory, f"{number}.prof")
        env = common.environment(f"report=0:out={self.profile}")
        self.child = subprocess.Popen([program, self.log], env=env, stdin=subprocess.DEVNULL)
        self.dies_at = time.monotonic() + life_s
        self.number = number

    def kill(self):
        os.kill(self.child.pid, signal.SIGKILL)
        if self.child.wait() != -signal.SIGKILL:
            common.die(f"run {self.number} ended by itself with status {self.child.returncode}")

    def age_ms(self):
        """Age of the newest execution in the profile at death, or a text that says what is wrong."""
        if not os.path.exists(self.profile):
            return "no profile"
        run = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "report", "--json", self.profile],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if run.returncode not in (0, 1):
            return f"unreadable (exit {run.returncode}): {run.stderr.strip()}"
        loops = [l for l in common.json.loads(run.stdout)["loops"] if l["function"] == "counted"]
        if len(loops) != 1:
            return f"{len(loops)} loops named counted in the report, need 1"
        executions = loops[0]["executions"]
        count, died_ms, by_ms = read_log(self.log)
        if executions > count + 1:  # the last one may not be in the log yet
            return f"{executions} executions in the profile, but there were {count}"
        newest = max((ms for ms, n in enumerate(by_ms) if n <= executions), default=0)
        return died_ms - newest * SLOT_MS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (default 2)")
    parser.add_argument("--shortest", type=float, default=1.2, help="seconds a run lives at least (default 1.2)")
    parser.add_argument("--longest", type=float, default=4.0, help="seconds a run lives at most (default 4)")
    parser.add_argument("--margin", type=float, default=0.25, help="seconds granted beyond 1 s, for writing the file "
                        "and waiting for a processor (default 0.25)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random.seed(args.seed)
    directory = tempfile.mkdtemp(prefix="reticle-kill-")
    program = build(directory)
    ages, wrong, running, number = [], [], [], 0
    while number < args.runs or running:
        while number < args.runs and len(running) < args.jobs:
            running.append(Run(program, directory, number, random.uniform(args.shortest, args.longest)))
            number += 1
        first = min(running, key=lambda r: r.dies_at)
        time.sleep(max(0.0, first.dies_at - time.monotonic()))
        first.kill()
        running.remove(first)
        age = first.age_ms()
        if isinstance(age, str):
            wrong.append(f"run {first.number}: {age}")
        else:
            ages.append(age)
            if age > 1000 * (1 + args.margin):
                wrong.append(f"run {first.number}: profile {age:.0f} ms old at death")
    good = args.runs - len(wrong)
    print(f"{common.machine()}.\n")
    print(f"{args.runs} runs killed after {args.shortest} to {args.longest} s: {good} readable profiles as young as they must be.")
    if ages:
        print(f"Age of the newest execution in the profile at death: median {common.median(ages):.0f} ms, "
              f"95th percentile {common.quantile(ages, 0.95):.0f} ms, oldest {max(ages):.0f} ms.")
    for line in wrong[:20]:
        print("* " + line)
    if wrong:
        print(f"* kept for a look: {directory}")
        sys.exit(1)
    shutil.rmtree(directory)


main()
