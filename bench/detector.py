#!/usr/bin/env python3
# detector.py - is a slow mode found, and is a loop that does always the same left alone?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: detector.py [--runs N] [--trials N] [--seconds S] [--cpu N] [--dir DIR] [--keep DIR]
                   [--only constant|injected] [--coarse] [--options OPTIONS]

Builds bench/detector.c with the plug-in. Constant: 50 loops of 100 ns to 20 us, N runs alone, N beside
arithmetic and N beside `cat | cat` on the other processor; how many are called unsteady. Injected: in each of N trials, loops of
which some runs are slower by a known time; how many trials find that, how near amplitude and share come,
and how many of the same loops without it are called unsteady. The known time is measured before and after each trial,
in the same loops and turns, by a plain fenced clock: the mean counts, as the core's clock drifts. Prints markdown.
"""
import argparse
import os
import re
import signal
import subprocess
import sys

import common


def build(directory, coarse):
    os.makedirs(directory, exist_ok=True)
    out = os.path.join(directory, "detector")
    source = os.path.join(common.BENCH, "detector.c")
    subprocess.run([*common.compile_with(source, coarse), "-o", out], check=True)
    return out


def known(text):
    """{name: (base ns, extra ns, share)} of the injected loops in a plan."""
    rows = [line.split() for line in text.splitlines()]
    return {name: (float(base), float(extra), float(share)) for name, base, extra, share, *_ in rows
            if name != "turn"}


def plan(program, *arguments, text=None):
    """What `detector plan` or `detector truth` prints, without probes; pinned as the runs are."""
    profile = os.path.join(os.path.dirname(program), "plan.prof")
    return subprocess.run([program, *arguments], env=common.environment(f"loop=0:report=0:out={profile}"), check=True, text=True,
                          stdout=subprocess.PIPE, input=text, preexec_fn=pin).stdout


processor = min(os.sched_getaffinity(0))  # that the measured programs run on


def pin():
    os.sched_setaffinity(0, {processor})


def place(args, name):
    """Where a run's profile goes."""
    return os.path.join(args.keep or args.dir, name if args.keep else name.split("-")[0]) + ".prof"


def run(program, what, seconds, seed, text, profile, options=""):
    """The loops of one run, pinned."""
    subprocess.run([program, what, str(seconds), str(seed)], input=text, text=True, check=True,
                   env=common.environment(f"report=0:out={profile}{options}"),
                   preexec_fn=pin)
    report = common.report([profile], "--all")
    wanted = "constant_" if what == "constant" else "base_"
    return {l["function"]: l for l in report["loops"] if l["function"].startswith(wanted)}, report["env"]["tick_ns"]


ARITHMETIC = [sys.executable, "-c", "x = 1\nwhile True: x = x * 3 % 1000003"]
PIPES = ["sh", "-c", "cat /dev/zero | cat > /dev/null"]  # system calls all the time


class Busy:
    """Processes that keep another processor busy while the block runs."""

    def __init__(self, command):
        self.command = command

    def __enter__(self):
        others = os.sched_getaffinity(0) - {processor}
        if not others:
            common.die("one processor only: there is no other to keep busy")
        self.process = subprocess.Popen(self.command, start_new_session=True,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {min(others)}))

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def counts(loops):
    names = ("steady", "inconclusive", "unsteady")
    verdicts = [l["verdict"] for l in loops]
    return [str(sum(v == n for v in verdicts)) for n in names] + [str(sum(v not in names for v in verdicts))]


def constant(args, program, text):
    rows = []

    def measure(title):
        for i in range(args.runs):
            profile = place(args, f"constant-{re.sub(r'[^a-z]+', '_', title)}-{i}")
            loops, _ = run(program, "constant", args.seconds, i, text, profile, args.options)
            rows.append([f"{title}, run {i + 1}"] + counts(loops.values()))
            for loop in loops.values():
                if loop["verdict"] == "unsteady":
                    common.note(f"{title}: {loop['function']} p50 {loop['p50']['value']:.0f} ns: {loop['reason']}")

    measure("alone")
    for title, command in ("arithmetic beside", ARITHMETIC), ("cat | cat beside", PIPES):
        with Busy(command):
            measure(title)
    print(common.table(["50 constant loops", "steady", "inconclusive", "unsteady", "other"], rows))


TRUTH_S = 1.5


def injected(args, program, text):
    found = {name: [] for name in known(text)}
    tick = None
    for i in range(args.trials):
        text = plan(program, "plan")  # the core's clock may have changed since
        profile = place(args, f"injected-{i}")
        truth = plan(program, "truth", str(TRUTH_S), str(i), text=text)
        before = known(truth)
        loops, tick = run(program, "injected", args.seconds, i, text, profile, args.options)
        if args.keep:
            with open(profile + ".plan", "w", encoding="utf-8") as file:
                file.write(truth)
        after = known(plan(program, "truth", str(TRUTH_S), str(i), text=text))
        for name, (base, extra, share) in before.items():
            planted = base, (extra + after[name][1]) / 2, share
            loop = loops[name]
            found[name].append((loop, planted))
            if not planted[2] and loop["verdict"] == "unsteady":
                common.note(f"trial {i + 1}: {name}: {loop['reason']}; by {loop['slow_by']['value']:.0f} ns")
        if i % 10 == 9:
            common.note(f"{i + 1} of {args.trials} trials")
    rows, alarms, constants = [], 0, 0
    for trials in found.values():
        loops = [loop for loop, _ in trials]
        flagged = [(l, planted) for l, planted in trials if l["verdict"] == "unsteady"]
        base, _, share = trials[0][1]
        extra = common.median([planted[1] for _, planted in trials])
        if not share:
            alarms += len(flagged)
            constants += len(loops)
        off = [l["slow_by"]["value"] - planted[1] for l, planted in flagged if l["slow_by"]["value"] is not None]
        shares = [100 * (l["slow_share"]["value"] - share) for l, _ in flagged if l["slow_share"]["value"] is not None]

        def spread(values, digits):
            return "" if not values or not share else " … ".join(
                f"{common.quantile(values, q):+.{digits}f}" for q in (0.05, 0.5, 0.95))

        rows.append([f"{base:.0f} ns" + (f", {100 * share:.0f} % of runs {extra:+.1f} ns" if share else ""),
                     f"{len(flagged)} of {len(loops)}",
                     str(sum(l["verdict"] == "inconclusive" for l in loops)), spread(off, 1), spread(shares, 1),
                     f"{common.median([l['samples'] for l in loops]):.0f}"])
    print(common.table(["loop", "unsteady", "inconclusive", "amplitude less planted, ns", "share less planted, points",
                        "samples"], rows))
    print(f"\nAmplitude and share: 5 %, 50 % and 95 % over the trials that called it unsteady. The timer's tick is {tick:.2f} ns. "
          f"False alarms: {alarms} of {constants}.")


def main():
    global processor
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "detector"), help="program and profiles")
    parser.add_argument("--keep", help="keep each run's profile here, and what was planted")
    parser.add_argument("--only", choices=("constant", "injected"))
    parser.add_argument("--coarse", action="store_true", help="on a counter cut to steps of 26 ticks")
    parser.add_argument("--options", default="", help="for injected runs, as in RETICLE_OPTIONS")
    parser.add_argument("--cpu", type=int, default=processor, help="processor to pin to (default the first)")
    args = parser.parse_args()
    if args.cpu not in os.sched_getaffinity(0):
        common.die(f"--cpu {args.cpu}: this process may not run there")
    processor = args.cpu
    args.options = args.options and ":" + args.options
    args.dir = os.path.abspath(args.dir)
    program = build(args.dir, args.coarse)
    if args.keep:
        args.keep = os.path.abspath(args.keep)
        os.makedirs(args.keep, exist_ok=True)
    text = plan(program, "plan")
    print(f"{common.machine()}; {args.seconds:g} s a run.\n", flush=True)
    if args.only != "injected":
        constant(args, program, text)
        print(flush=True)
    if args.only != "constant":
        injected(args, program, text)


main()
