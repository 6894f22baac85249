#!/usr/bin/env python3
# ranks.py - how often `reticle ranks` names the rank that was made slow, and its kind; and any where none was.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: ranks.py BUILD [--runs N] [--steps N] [--mpi openmpi,mpich] [--plants none,work,memory,neighbour] [--keep DIR]
#
# BUILD is a build tree of Reticle. Eight ranks of bench/ranks.c, on as many processors as there are. neighbour: the
# rank alone stays on the last processor, where a process of real-time priority spins (root). Prints a line a run, then a table.
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RANKS = 8
KINDS = {"work": "work", "memory": "memory", "neighbour": "node"}
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"],
          "mpich": ["mpirun.mpich", "-bind-to", "none"]}
# A neighbour spins at real-time priority for 96 % of each 10 ms, and three of ordinary priority share the rest with the rank. Those
# alone would do little: Linux moves the other ranks away from them, and weighs whole sessions against each other (autogroup).
PLAIN_NEIGHBOURS = 3
SPIN = f"""import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
parent = os.getpid()
for i in range({PLAIN_NEIGHBOURS}):
    if os.fork() == 0:
        os.setsid()
        while os.getppid() == parent:
            pass
        os._exit(0)
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
print("on", flush=True)
while True:
    end = time.monotonic() + 0.0096
    while time.monotonic() < end:
        pass
    time.sleep(0.0004)
"""


def build(mpi, build_dir, to):
    clang = str(build_dir / "bin/reticle-clang")
    program = to / f"ranks.{mpi}"
    compiler = {"openmpi": ["mpicc.openmpi"], "mpich": ["mpicc.mpich", f"-cc={clang}"]}[mpi]
    subprocess.run([*compiler, "-O2", "-g", str(HERE / "ranks.c"), "-o", str(program)], check=True,
                   env=os.environ | {"OMPI_CC": clang})
    return program


def run(mpi, program, plant, chosen, steps, folder):
    core = max(os.sched_getaffinity(0))
    how = {"neighbour": f"pin={core}"}.get(plant, plant)
    options = f"report=0:out={folder}/%r.prof"
    spinner = None
    if plant == "neighbour":
        spinner = subprocess.Popen([sys.executable, "-c", SPIN, str(core)], stdout=subprocess.PIPE, text=True)
        if spinner.stdout.readline() != "on\n":
            sys.exit("ranks.py: a neighbour of higher priority can't be started (root?)")
    try:
        subprocess.run([*LAUNCH[mpi], "-n", str(RANKS), str(program), str(steps // (2 if spinner else 1)), how, str(chosen)], check=True,
                       env=os.environ | {"RETICLE_OPTIONS": options}, stdout=subprocess.DEVNULL)
    finally:
        if spinner:
            spinner.kill()
            spinner.wait()


def judge(reticle, folder):
    done = subprocess.run([str(reticle), "ranks", "--json", str(folder)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--plants", default="none,work,memory,neighbour")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.build = args.build.resolve()
    rng = random.Random(args.seed)
    cases = [(m, p) for m in args.mpi.split(",") for p in args.plants.split(",")]
    table = {case: {"runs": 0, "rank": 0, "kind": 0, "others": 0} for case in cases}
    work = pathlib.Path(tempfile.mkdtemp(prefix="ranks."))
    programs = {m: build(m, args.build, work) for m in args.mpi.split(",")}
    for i in range(args.runs):
        for mpi, plant in cases:  # in turn, so that all meet the same hours
            folder = (args.keep or work) / f"{mpi}-{plant}-{i}"
            folder.mkdir(parents=True)
            chosen = rng.randrange(RANKS)
            start = time.monotonic()
            run(mpi, programs[mpi], plant, chosen, args.steps, folder)
            took = time.monotonic() - start
            report = judge(args.build / "bin/reticle", folder)
            row = table[mpi, plant]
            named = {s["rank"]: s for s in report["slow_ranks"]}
            row["runs"] += 1
            row["others"] += any(r != chosen for r in named) if plant in KINDS else bool(named)
            row["rank"] += plant in KINDS and chosen in named
            row["kind"] += plant in KINDS and named.get(chosen, {}).get("kind") == KINDS[plant]
            said = "; ".join(f"{r} {s['kind']} {s['factor']['value']:.2f} {s['loop']}" for r, s in named.items())
            print(f"{i} {mpi} {plant} {chosen if plant in KINDS else '-'}: {said or 'none'}  ({took:.1f} s)", flush=True)
            if not args.keep:
                shutil.rmtree(folder)
    shutil.rmtree(work)
    print("\n| MPI | planted | runs | rank named | kind right | another rank named |\n|---|---|---|---|---|---|")
    for (mpi, plant), row in table.items():
        hit = (row["rank"], row["kind"]) if plant in KINDS else ("-", "-")
        print(f"| {mpi} | {plant} | {row['runs']} | {hit[0]} | {hit[1]} | {row['others']} |")


main()
