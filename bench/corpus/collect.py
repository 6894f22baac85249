#!/usr/bin/env python3
# collect.py - adds this machine's raw profiles of loops of known steadiness to the corpus.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: collect.py NAME [--runs N] [--trials N] [--seconds S] [--beside TEXT]

Runs bench/detector.py (constant loops alone, beside arithmetic and beside system calls; loops of which some
executions are slower by a known time) and packs its profiles, what was planted and what the machine is into
NAME.tar.xz beside this file. NAME says which core and when: zen3-vm-2026-11-24. Half a minute for each run and
trial. Leave the machine alone meanwhile, or say so: --beside "two compilers", and busy in NAME. What else ran is
measured in any case, from the processors' counts of their time.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402


def planted(path):
    """{loop: [base ns, extra ns, share]} of an injected run; {} of a constant one, where nothing is."""
    try:
        with open(path + ".plan", encoding="utf-8") as file:
            rows = [line.split() for line in file]
    except FileNotFoundError:
        return {}
    return {name: [float(base), float(extra), float(share)] for name, base, extra, share, *_ in rows if name != "turn"}


def processor_ticks():
    """(all, idle, stolen by the host) of all processors since boot."""
    with open("/proc/stat", encoding="utf-8") as file:
        user, nice, system, idle, wait, irq, softirq, steal, *_ = map(int, file.readline().split()[1:])
    return user + nice + system + idle + wait + irq + softirq + steal, idle + wait, steal


def load_between(before, after, own_s, beside):
    """What the machine did besides, in processors."""
    every, idle, steal = (b - a for a, b in zip(before, after))
    seconds = every / os.cpu_count() / os.sysconf("SC_CLK_TCK")
    busy = (every - idle - steal) / os.sysconf("SC_CLK_TCK")
    return {"beside": beside, "others_processors": round(max(0, busy - own_s) / seconds, 2),
            "stolen_processors": round(steal / os.sysconf("SC_CLK_TCK") / seconds, 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--trials", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--beside", default="nothing on purpose", metavar="TEXT")
    args = parser.parse_args()
    if not re.fullmatch(r"[a-z0-9.-]+", args.name):
        common.die(f"{args.name}: small letters, digits, dots and hyphens alone")
    machine = common.machine()
    before = processor_ticks()
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(folder, args.name)
        subprocess.run([sys.executable, os.path.join(common.BENCH, "detector.py"), "--keep", kept, "--dir", folder,
                        "--runs", str(args.runs), "--trials", str(args.trials), "--seconds", str(args.seconds)], check=True)
        own = os.times()
        load = load_between(before, processor_ticks(), own.children_user + own.children_system, args.beside)
        runs = []
        for path in common.profiles(kept):
            name = os.path.basename(path)
            kind, beside = re.fullmatch(r"(constant|injected)-(?:(\w+)-)?\d+\.prof", name).groups()
            runs.append({"profile": name, "kind": kind, "beside": beside or "alone", "planted": planted(path)})
        with open(os.path.join(kept, "truth.json"), "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "load": load, "seconds": args.seconds, "runs": runs}, file, indent=1)
        out = os.path.join(HERE, args.name + ".tar.xz")
        with tarfile.open(out, "w:xz") as archive:
            for name in sorted(os.listdir(kept)):
                if not name.endswith(".plan"):
                    archive.add(os.path.join(kept, name), f"{args.name}/{name}")
    print(f"{out}: {len(runs)} profiles, {os.path.getsize(out) / 1e6:.1f} MB")


main()
