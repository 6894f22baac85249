#!/usr/bin/env python3
# ranks_many.py - thousands of ranks made from one real profile, and what `reticle ranks` and `merge` make of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: ranks_many.py RETICLE PROFILE FOLDER [--ranks N] [--hosts N] [--slow N] [--merge]
#
# PROFILE is of a rank (PMI_RANK=0 ./app). Each copy has its own rank, process, start, host and counts of executions, which
# vary from rank to rank; ranks of the hosts from --slow on have samples twice as long. Prints time, memory, and whether
# executions add up to the count.
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

from profile_copies import MASK, Profile, with_hosts

def make(profile, folder, ranks, hosts, slow):
    base, places = with_hosts(profile, hosts)
    loops, samples = base.chunks["loops"][3], base.chunks["samples"][3]
    start, executions = base.get("env", 0, 0, "<Q"), [base.get("loops", l, 72, "<Q") for l in range(loops)]
    ids, sums = [base.get("loops", l, 0, "<Q") for l in range(loops)], {}
    for i in range(base.chunks["facts"][3]):
        if base.get("facts", i, 48, "<Q") != MASK:
            base.put("facts", i, 48, "<Q", 0)  # what ran beside it is no part of what is made
    base.seal(["facts"])
    late = Profile(base.data)
    for i in range(samples):
        late.put("samples", i, 0, "<Q", 2 * base.get("samples", i, 0, "<Q"))
    for l in range(loops):
        late.put("loops", l, 104, "<Q", 2 * base.get("loops", l, 104, "<Q"))
    for i in range(base.chunks["facts"][3]):
        for at in (16, 40):  # duration, CPU time
            value = base.get("facts", i, at, "<Q")
            late.put("facts", i, at, "<Q", value if value == MASK else 2 * value)
    late.seal(["samples", "facts"])
    folder.mkdir(parents=True, exist_ok=True)
    for rank in range(ranks):
        host = rank * hosts // ranks
        copy = Profile((late if host >= hosts - slow else base).data)
        copy.put("env", 0, 0, "<Q", start + rank // 1000)
        copy.put("env", 0, 56, "<Q", 1000 + rank)
        copy.put("env", 0, 120, "<I", places[host])
        for at, form, value in ((0, "<Q", start + rank // 1000), (8, "<Q", 1000 + rank), (16, "<I", places[host]), (20, "<I", rank),
                                (24, "<I", ranks), (28, "<I", rank % (ranks // hosts))):
            copy.put("ranks", 0, at, form, value)
        for l in range(loops):
            more = executions[l] + (executions[l] * (rank * 7 % 11) // 1000)
            copy.put("loops", l, 72, "<Q", more)
            sums[ids[l]] = sums.get(ids[l], 0) + more
        copy.seal(["env", "ranks", "loops"])
        (folder / f"{rank:05d}.prof").write_bytes(copy.data)
    return {f"{i:016x}": n for i, n in sums.items() if n}


def timed(command):
    before, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    took, now = time.monotonic() - before, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.stdout, f"{took:.1f} s, {cpu:.1f} s of CPU", now.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reticle")
    parser.add_argument("profile", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=10000)
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--slow", type=int, default=1)
    parser.add_argument("--merge", action="store_true")
    args = parser.parse_args()
    start = time.monotonic()
    sums = make(Profile(args.profile.read_bytes()), args.folder, args.ranks, args.hosts, args.slow)
    size = sum(f.stat().st_size for f in os.scandir(args.folder))
    print(f"made {args.ranks} profiles, {size / 1e6:.0f} MB, in {time.monotonic() - start:.1f} s")
    out, took, memory = timed([args.reticle, "ranks", "--json", str(args.folder)])
    report = json.loads(out)
    # Of what a report on one rank has; iterations that were never timed are in neither.
    alone, _, _ = timed([args.reticle, "report", "--json", "--all", str(args.profile)])
    listed = {l["stable_id"] for l in json.loads(alone)["loops"]}
    sums = {i: n for i, n in sums.items() if i in listed}
    found = {l["stable_id"]: l["executions"] for l in report["loops"]}
    late = {r["rank"] for r in report["slow_ranks"]}
    wanted = set(range(args.ranks - args.ranks // args.hosts * args.slow, args.ranks))
    print(f"ranks: {took}, {memory:.0f} MB; {len(report['ranks'])} ranks, {len(found)} loops; executions "
          f"{'add up' if found == sums else 'are wrong'}; {len(late & wanted)} of {len(wanted)} slow ranks named, {len(late - wanted)} others")
    if args.merge:
        merged = str(args.folder) + ".merged"
        _, took, memory = timed([args.reticle, "merge", "-o", merged, str(args.folder)])
        out, _, _ = timed([args.reticle, "report", "--json", merged])
        found = {l["stable_id"]: l["executions"] for l in json.loads(out)["loops"]}
        right = all(found.get(i) == n for i, n in sums.items() if i in found)
        print(f"merge: {took}, {memory:.0f} MB; executions of {len(found)} loops {'add up' if right else 'are wrong'}")


main()
