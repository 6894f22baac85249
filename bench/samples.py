#!/usr/bin/env python3
# samples.py - are samples right: the hottest functions beside perf's, shares of threads, both engines
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the samples of RETICLE_OPTIONS=sample=1 against others, on one and the same run.

hottest  the ten functions that `perf record -e cpu-clock:u` finds hottest in lz4, zstd, sqlite3 and lua5.4, with
         Reticle's share of the same run. z is the difference in standard errors of both; the tally says which part
         of the samples has the name of a function.
threads  N threads in N functions with equal work: shares against 1/N, by perf and by timers; and the time of both
         engines that samples stand for against the CPU time in user mode.

perf needs package linux-perf. What it costs: bench/overhead.py --variants on,sample --rounds 9.
"""
import argparse
import math
import os
import re
import shutil
import subprocess

import common

PERIOD_NS = 2004008  # of the default rate


def perf_functions(data, comm):
    """{function: samples} of the program's own file, and the number of samples in all of its processes."""
    run = subprocess.run(["perf", "report", "-i", data, "--stdio", "--sort", "dso,sym", "--comm", comm, "-n", "-F",
                          "sample,dso,sym", "--percent-limit", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, check=True)
    functions, total = {}, 0
    for line in run.stdout.splitlines():
        match = re.match(r"\s*(\d+)\s+(\S+)\s+\[.\]\s+(.*?)\s*$", line)
        if not match:
            continue
        total += int(match.group(1))
        name = match.group(3).split("@")[0]
        functions[(match.group(2), name)] = functions.get((match.group(2), name), 0) + int(match.group(1))
    return functions, total


def compare(program, args):
    """One run of the workload below perf. Rows of the table, and the part of named samples."""
    binary = common.binary(args.dir, program, "reticle")
    work = os.path.join(args.dir, "runs", program)
    prof = os.path.join(work, "prof")
    shutil.rmtree(prof, ignore_errors=True)
    os.makedirs(prof)
    data = os.path.join(args.dir, "runs", program + ".perf")
    options = f"report=0:sample=1:out={prof}/%e.%p.prof"
    command = ["perf", "record", "-q", "-e", "cpu-clock:u", "-c", str(PERIOD_NS), "-o", data, "--",
               os.path.join(common.BENCH, "programs", "run.sh"), "--quiet", program, binary, work]
    usage = common.measure(command, common.environment(options))
    if usage.status:
        common.die(f"{' '.join(command)}: status {usage.status}")
    theirs, all_theirs = perf_functions(data, os.path.basename(binary))
    report = common.report(common.profiles(prof), "--all")
    all_ours = report["sampling"]["samples"]
    ours = {(os.path.basename(f["loadfile"]), f["linkage_name"]): f["samples"] for f in report["functions"]}
    rows = []
    for (dso, name), count in sorted(theirs.items(), key=lambda item: -item[1])[:10]:
        # libc's memmove and memcpy are two names of one address.
        mine = ours.get((os.path.basename(dso), name), 0) or ours.get((os.path.basename(dso), name.replace("memmove", "memcpy")), 0)
        p, q = mine / all_ours, count / all_theirs
        both = (mine + count) / (all_ours + all_theirs)
        z = (p - q) / math.sqrt(both * (1 - both) * (1 / all_ours + 1 / all_theirs))
        rank = sorted(ours.values(), reverse=True).index(mine) + 1 if mine else None
        rows.append((program, name, q, p, z, rank))
    own = [f for f in report["functions"] if f["loadfile"].startswith(args.dir)]
    tally = sum(report["sampling"][k] for k in ("named", "nameless", "unmapped", "no_room")) / all_ours
    named = sum(f["samples"] for f in own if f["function"]) / max(1, sum(f["samples"] for f in own))
    return rows, (program, all_ours, all_theirs, tally, named, report["sampling"]["lost"],
                  report["sampling"]["time_ns"] / report["sampling"]["cpu_time_ns"])


def hottest(args):
    if not shutil.which("perf"):
        common.die("perf: not found; install it: apt-get install linux-perf")
    rows, sums = [], []
    for program in args.programs.split(","):
        more, total = compare(program, args)
        rows += more
        sums.append(total)
    print(common.table(["program", "samples", "perf's", "tally", "own code with a name", "lost", "of CPU time"],
                       [[s[0], str(s[1]), str(s[2]), f"{100 * s[3]:.2f} %", f"{100 * s[4]:.2f} %", str(s[5]),
                         f"{100 * s[6]:.1f} %"] for s in sums]) + "\n")
    print(common.table(["program", "function", "perf", "Reticle", "z", "rank"],
                       [[r[0], r[1], f"{100 * r[2]:.2f} %", f"{100 * r[3]:.2f} %", f"{r[4]:+.1f}", str(r[5])]
                        for r in rows]))
    zs = [abs(r[4]) for r in rows]
    print(f"\n{sum(z <= 1.96 for z in zs)} of {len(zs)} within the 95 % interval, largest |z| {max(zs):.1f}")


SOURCE = r"""
#include <pthread.h>
#include <stdint.h>
#define WORK(NAME) __attribute__((noinline)) uint64_t NAME(uint64_t x) { for (long i = 0; i < LOOPS; i++) { \
  x ^= x << 13; x ^= x >> 7; x ^= x << 17; } return x; }
FUNCTIONS
static void *run(void *f) { return (void *)((uint64_t (*)(uint64_t))f)(3); }
int main(void) {
  void *f[] = {NAMES};
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, run, f[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
"""


def threads(args):
    folder = os.path.join(args.dir, "runs", "threads")
    os.makedirs(folder, exist_ok=True)
    rows = []
    for n in (1, 2, 4, 8, 16):
        names = [f"work{i}" for i in range(n)]
        text = SOURCE.replace("FUNCTIONS", " ".join(f"WORK({x})" for x in names)).replace("NAMES", ", ".join(names))
        source, binary = os.path.join(folder, f"{n}.c"), os.path.join(folder, str(n))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([os.path.join(common.reticle_bin(), "reticle-clang"), "-O2", "-g", f"-DN={n}",
                        f"-DLOOPS={args.loops // n}L", source, "-o", binary, "-lpthread"], check=True)
        for engine in ("perf", "timer"):
            out = os.path.join(folder, f"{n}.{engine}.prof")
            options = f"report=0:sample=1:sample_perf={int(engine == 'perf')}:out={out}"
            common.measure([binary], common.environment(options))
            report = common.report([out])
            sampling = report["sampling"]
            counts = [next((f["samples"] for f in report["functions"] if f["function"] == name), 0) for name in names]
            total = sum(counts)
            sigma = math.sqrt(total / n * (1 - 1 / n)) or 1
            worst = max(abs(count - total / n) / sigma for count in counts)
            rows.append([f"{n}, {engine}", str(total), f"{100 * min(counts) / total:.2f} to {100 * max(counts) / total:.2f} %",
                         f"{worst:.1f}", f"{100 * sampling['time_ns'] / sampling['cpu_time_ns']:.1f} %", str(sampling["lost"])])
    print(common.table(["threads", "samples", "shares", "largest deviation, sigma", "of CPU time", "lost"], rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("hottest", "threads"))
    parser.add_argument("--programs", default=",".join(common.PROGRAMS), help="comma-separated; all four by default")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "programs"), help="sources, builds, work files")
    parser.add_argument("--loops", type=int, default=1500000000, help="iterations of all threads together")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    os.makedirs(os.path.join(args.dir, "runs"), exist_ok=True)
    print(common.machine() + ".\n")
    {"hottest": hottest, "threads": threads}[args.what](args)


main()
