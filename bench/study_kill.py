#!/usr/bin/env python3
# study_kill.py - kills a study with SIGKILL at any moment, resumes it, and compares what it ends with.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: study_kill.py [-n N] [-s SEED]

N times: a study of a small program is killed after a random time, up to three times in a row, and resumed until it
ends. It must then have the builds, the runs and the programs of a study that nobody disturbed, the folder the plain
build, objects, too, and no file of SQLite's or of what was under way beside it.
"""
import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import common

SOURCE = """int main(int n, char **v) { long s = 0; for (int k = 0; k < 300; k++)
 for (int i = 0; i < 100000 * n; i++) s += i ^ s; return (int)(s & 1) * 0; }"""


def study(folder, *more):
    # A group of its own: what the study runs would outlive it.
    return subprocess.Popen([os.path.join(common.reticle_bin(), "reticle"), "study", "--no-try", "--build", "make -B a", *more,
                             "--", "./a"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)


def content(folder):
    path = os.path.join(folder, "a.reticle")
    left = [f for f in os.listdir(folder) if f.startswith(("a.reticle-", "a.reticle.part", ".reticle"))]
    data = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = {
        "builds": data.execute("select name, features from builds order by name").fetchall(),
        "programs": data.execute("select b.name, count(*), sum(p.bytes) from programs p join builds b on b.id=p.build"
                                 " group by b.name order by b.name").fetchall(),
        "once": data.execute("select b.name, count(*) from runs r join builds b on b.id=r.build"
                             " where b.name in ('counts', 'memory') group by b.name").fetchall(),
        "rounds": data.execute("select count(*)=max(round) and count(*)>1 from runs r join builds b on b.id=r.build"
                               " where b.name in ('plain', 'timing') group by b.name").fetchall(),
        "profiles": data.execute("select count(*)>0 from runs r join builds b on b.id=r.build where b.name<>'plain' and"
                                 " (select count(*) from profiles where run=r.id)<>1").fetchall(),
        "finished": data.execute("select value from facts where name='finished'").fetchall(),
        "whole": data.execute("pragma integrity_check").fetchall(),
        "left": left,
    }
    data.close()
    plain = subprocess.run(["readelf", "-SW", os.path.join(folder, "a")], capture_output=True, text=True, check=True).stdout
    with open(os.path.join(folder, "a.o"), "rb") as file:
        rows["plain"] = "reticle" not in plain and b"__reticle" not in file.read()
    return rows


def fresh(parent, name):
    folder = os.path.join(parent, name)
    os.mkdir(folder)
    with open(os.path.join(folder, "a.c"), "w", encoding="utf-8") as file:
        file.write(SOURCE)
    with open(os.path.join(folder, "Makefile"), "w", encoding="utf-8") as file:
        file.write("a: a.o\n\t$(CC) -g -o $@ a.o\na.o: a.c\n\t$(CC) -O2 -g -c -o $@ a.c\n")
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=50)
    parser.add_argument("-s", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.s)
    with tempfile.TemporaryDirectory() as parent:
        folder = fresh(parent, "base")
        began = time.monotonic()
        job = study(folder)
        _, said = job.communicate()
        if job.returncode:
            common.die(said.decode())
        takes = time.monotonic() - began
        want = content(folder)
        kills = wrong = 0
        for i in range(args.n):
            folder = fresh(parent, f"{i:04}")
            more = []
            for _ in range(rng.randint(1, 3)):
                job = study(folder, *more)
                try:
                    job.wait(rng.uniform(0.01, takes))
                    break
                except subprocess.TimeoutExpired:
                    os.killpg(job.pid, signal.SIGKILL)
                    job.communicate()
                    kills += 1
                paths = [os.path.join(folder, name) for name in ("a.reticle", "a.reticle.part")]
                if any(os.path.exists(path) and os.path.getsize(path) for path in paths):
                    more = ["--resume"]
            while job.returncode != 0:
                job = study(folder, *more)
                _, said = job.communicate()
                if job.returncode:
                    print(f"{i}: exit {job.returncode}: {said.decode().strip().splitlines()[-1]}")
                    break
            have = content(folder) if job.returncode == 0 else None
            if have != want:
                wrong += 1
                print(f"{i}: {[(k, have[k], want[k]) for k in want if have and have[k] != want[k]]}")
    print(f"{args.n} studies, {kills} kills: {args.n - wrong} end with the same, {wrong} don't")
    sys.exit(1 if wrong else 0)


main()
