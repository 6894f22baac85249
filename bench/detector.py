#!/usr/bin/env python3
# detector.py - is a slow mode found, and is a loop that does always the same left alone?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: detector.py [--runs N] [--trials N] [--seconds S] [--dir DIR] [--only constant|injected]

Builds bench/detector.c with the plug-in. Constant: 50 loops of 100 ns to 20 us, N runs alone and N beside a
busy process on the other processor; how many are called unsteady. Injected: in each of N trials, loops of
which some runs are slower by a known time; how many trials find that, how near amplitude and share come,
and how many of the same loops without it are called unsteady. Prints markdown.
"""
import argparse
import os
import subprocess
import sys

import common


def build(directory):
    os.makedirs(directory, exist_ok=True)
    out = os.path.join(directory, "detector")
    subprocess.run([os.path.join(common.reticle_bin(), "reticle-clang"), "-O2", "-g",
                    os.path.join(common.BENCH, "detector.c"), "-o", out], check=True)
    return out


def plan(program):
    """{name: (base ns, extra ns, share)} of the injected loops, and the text that the runs read."""
    text = subprocess.run([program, "plan"], env=common.environment("loop=0:report=0"), check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    rows = [line.split() for line in text.splitlines()]
    return {name: (float(base), float(extra), float(share)) for name, base, extra, share, *_ in rows
            if name != "turn"}, text


def run(program, what, seconds, seed, text, profile, options=""):
    """The loops of one run, pinned to the first processor this process may use."""
    first = min(os.sched_getaffinity(0))
    subprocess.run([program, what, str(seconds), str(seed)], input=text, text=True, check=True,
                   env=common.environment(f"report=0:out={profile}{options}"),
                   preexec_fn=lambda: os.sched_setaffinity(0, {first}))
    report = common.report([profile], "--all")
    wanted = "constant_" if what == "constant" else "base_"
    return {l["function"]: l for l in report["loops"] if l["function"].startswith(wanted)}, report["env"]["tick_ns"]


class Busy:
    """A process that keeps another processor busy while the block runs."""

    def __enter__(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            common.die("one processor only: there is no other to keep busy")
        code = f"import os\nos.sched_setaffinity(0, {{{cpus[1]}}})\nx = 1\nwhile os.getppid() == {os.getpid()}: x = x * 3 % 1000003"
        self.process = subprocess.Popen([sys.executable, "-c", code])

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def counts(loops):
    names = ("steady", "inconclusive", "unsteady")
    verdicts = [l["verdict"] for l in loops]
    return [str(sum(v == n for v in verdicts)) for n in names] + [str(sum(v not in names for v in verdicts))]


def constant(args, program, text):
    rows = []

    def measure(title):
        for i in range(args.runs):
            profile = os.path.join(args.dir, "constant.prof")
            loops, _ = run(program, "constant", args.seconds, i, text, profile)
            rows.append([f"{title}, run {i + 1}"] + counts(loops.values()))
            for loop in loops.values():
                if loop["verdict"] == "unsteady":
                    common.note(f"{title}: {loop['function']} p50 {loop['p50']['value']:.0f} ns: {loop['reason']}")

    measure("alone")
    with Busy():
        measure("busy process beside")
    print(common.table(["50 constant loops", "steady", "inconclusive", "unsteady", "other"], rows))


def injected(args, program, known, text):
    found = {name: [] for name in known}
    tick = None
    for i in range(args.trials):
        profile = os.path.join(args.dir, "injected.prof")
        loops, tick = run(program, "injected", args.seconds, i, text, profile, args.options)
        for name in known:
            found[name].append(loops[name])
            if not known[name][2] and loops[name]["verdict"] == "unsteady":
                common.note(f"trial {i + 1}: {name}: {loops[name]['reason']}; by {loops[name]['slow_by']['value']:.0f} ns")
        if i % 10 == 9:
            common.note(f"{i + 1} of {args.trials} trials")
    rows, alarms, constants = [], 0, 0
    for name, (base, extra, share) in known.items():
        loops = found[name]
        flagged = [l for l in loops if l["verdict"] == "unsteady"]
        if not share:
            alarms += len(flagged)
            constants += len(loops)
        off = [l["slow_by"]["value"] - extra for l in flagged if l["slow_by"]["value"] is not None]
        shares = [100 * (l["slow_share"]["value"] - share) for l in flagged if l["slow_share"]["value"] is not None]

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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "detector"), help="program and profiles")
    parser.add_argument("--only", choices=("constant", "injected"))
    parser.add_argument("--options", default="", help="for injected runs, as in RETICLE_OPTIONS")
    args = parser.parse_args()
    args.options = args.options and ":" + args.options
    args.dir = os.path.abspath(args.dir)
    program = build(args.dir)
    known, text = plan(program)
    print(f"{common.machine()}; {args.seconds:g} s a run.\n", flush=True)
    if args.only != "injected":
        constant(args, program, text)
        print(flush=True)
    if args.only != "constant":
        injected(args, program, known, text)


main()
