#!/usr/bin/env python3
# push.py - how fast runs go into PostgreSQL, how fast the questions of docs/database.md are, and whether kill -9 loses any.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: push.py BIN FOLDER [--runs N] [--loops N] [--kills N] [--keep]
#
# BIN is the build's bin folder. FOLDER is made; a PostgreSQL of its own runs in it, on a socket. A program with N loops is
# built and run once; each run is a copy with its own process, host, start (ten days) and counts. Prints runs a second, times of
# questions, and after the kills what is missing and what is there twice.
import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "lit" / "support"), str(ROOT / "bench")]
import postgres  # noqa: E402
from profile_copies import Profile, with_names  # noqa: E402

HOSTS, RANKS = 40, 100


def build(bin_folder, folder, loops):
    """A program of so many loops; returns the profile of a run of it."""
    source = ["volatile double sink;"]
    for i in range(loops):
        source.append(f"__attribute__((noinline)) void loop{i}(int n) {{\n  double x = {i};\n  for (int i = 0; i < n; i++)\n"
                      f"    x = x * 0.999 + 0.5;\n  sink = x;\n}}")
    source.append("int main(void) {\n  for (int k = 0; k < 40; k++) {")
    source += [f"    loop{i}({2000 + 40 * i} + 100 * (k % 7));" for i in range(loops)]
    source.append("  }\n}")
    (folder / "many.c").write_text("\n".join(source) + "\n")
    subprocess.run([bin_folder / "reticle-clang", "-O2", "-g", folder / "many.c", "-o", folder / "many"], check=True)
    env = {**os.environ, "SLURM_PROCID": "0", "SLURM_STEP_ID": "0", "SLURM_JOB_ID": "1", "SLURM_NTASKS": "100", "RETICLE_OPTIONS": f"report=0:out={folder}/one.prof"}
    subprocess.run([folder / "many"], env=env, check=True)
    return Profile((folder / "one.prof").read_bytes())


def make(profile, folder, first, runs):
    """Copies as jobs of a hundred ranks on 40 hosts in ten days, a commit for each job."""
    base, places = with_names(profile, [f"node{h:04d}" for h in range(HOSTS)] + [f"job{j:04d}" for j in range(10000 // RANKS)])
    loops, now = base.chunks["loops"][3], int(time.time()) - 3600
    executions = [base.get("loops", l, 72, "<Q") for l in range(loops)]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for i in range(first, first + runs):
        copy = Profile(base.data)
        start, host = now - 8640 * (i // RANKS % 100), places[i % HOSTS]  # ten days, a job each two hours and more
        copy.put("env", 0, 0, "<Q", start)
        copy.put("env", 0, 56, "<Q", 1000 + i)
        copy.put("env", 0, 120, "<I", host)
        for at, form, value in ((0, "<Q", start), (8, "<Q", 1000 + i), (16, "<I", host), (20, "<I", i % RANKS),
                                (24, "<I", RANKS), (40, "<I", places[HOSTS + i // RANKS % (10000 // RANKS)])):
            copy.put("ranks", 0, at, form, value)
        for l in range(loops):
            copy.put("loops", l, 72, "<Q", executions[l] + i * 7 % 11 if executions[l] else 0)
        copy.seal(["env", "ranks", "loops"])
        (folder / f"{i:06d}.prof").write_bytes(copy.data)


def push(args, url, folder, first, step):
    """Pushes all runs, as many at a time as a folder holds. Returns seconds that push took."""
    profile, took = build(args.bin, args.folder, args.loops), 0.0
    for at in range(first, first + args.runs, step):
        make(profile, folder, at, min(step, first + args.runs - at))
        before = time.monotonic()
        done = subprocess.run([args.bin / "reticle", "push", "--commit", f"c{at // step:04d}", url, folder], capture_output=True,
                              text=True, check=False)
        took += time.monotonic() - before
        if done.returncode:
            sys.exit(done.stderr)
    return took


def questions(server):
    """Times of the page's queries, ms: the second of two, as the first fills the cache."""
    program = "many"
    page = (ROOT / "docs" / "database.md").read_text()
    loop = server.value("SELECT lpad(to_hex(loop), 16, '0') FROM reticle.loops ORDER BY total DESC LIMIT 1")
    for title, sql in postgres.page_queries(page, {"program": program, "loop": loop, "commit_a": "c0000", "commit_b": "c0001",
                                                   "job": server.value("SELECT coalesce(min(job), '') FROM reticle.runs")}):
        took = []
        for _ in range(2):
            before = time.monotonic()
            rows = server.rows(sql)
            took.append(time.monotonic() - before)
        print(f"  {1000 * took[0]:6.0f} {1000 * took[1]:6.0f} ms  {len(rows):5d} rows  {title}")


def kill(args, server, url, folder):
    """Kills client or server in the middle, starts both again, and counts."""
    rng, profile = random.Random(1), build(args.bin, args.folder, args.loops)
    server.sql("TRUNCATE reticle.runs, reticle.processes, reticle.loops, reticle.levels, reticle.findings")
    each, total = 60, 0
    for number in range(args.kills):
        make(profile, folder, 100000 + number * each, each)
        client = subprocess.Popen([args.bin / "reticle", "push", "--retry", "60s", url, folder], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        time.sleep(rng.uniform(0.05, 1.2))
        if number % 2:
            server.kill()
            server.start()
        else:
            client.send_signal(signal.SIGKILL)
        client.communicate()
        done = subprocess.run([args.bin / "reticle", "push", url, folder], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"after kill {number}: {done.stderr}")
        total += each
    counts = {name: int(server.value(f"SELECT count(*) FROM reticle.{name}")) for name in ("runs", "processes", "loops", "levels")}
    ids = int(server.value("SELECT count(DISTINCT run) FROM reticle.runs"))
    uneven = int(server.value("SELECT count(*) FROM (SELECT r.number FROM reticle.runs r LEFT JOIN reticle.loops l ON l.run = r.number "
                              f"GROUP BY 1 HAVING count(l.loop) <> {counts['loops'] // max(counts['runs'], 1)}) AS x"))
    print(f"kill -9, {args.kills} times, client and server in turn: {total} runs pushed, {counts['runs']} there, {ids} ids, "
          f"{counts['processes']} processes, {counts['loops']} loops, {counts['levels']} levels; {uneven} runs with more or fewer loops")
    if not counts["runs"] == ids == total == counts["processes"] or uneven or counts["loops"] != counts["levels"]:
        sys.exit("push.py: something was lost or doubled")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--loops", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--keep", action="store_true", help="leave the server running")
    args = parser.parse_args()
    args.bin, args.folder = args.bin.resolve(), args.folder.resolve()
    args.folder.mkdir(parents=True, exist_ok=True)
    server = postgres.Server(args.folder / "pg", settings=("shared_buffers=256MB", "max_wal_size=2GB"))
    server.create()
    try:
        url = server.url("perf")
        subprocess.run([args.bin / "reticle", "push", "--set-up", url], check=True)
        if args.runs:
            took = push(args, url, args.folder / "runs", 0, 100)
            size = server.value("SELECT pg_size_pretty(pg_database_size('perf'))")
            loops = server.value("SELECT count(*) FROM reticle.loops")
            print(f"pushed {args.runs} runs, {loops} loops, in {took:.1f} s: {args.runs / took:.0f} runs a second; database {size}")
            server.sql("VACUUM ANALYZE")
            questions(server)
        if args.kills:
            kill(args, server, url, args.folder / "killed")
    finally:
        if not args.keep:
            server.stop()


main()
