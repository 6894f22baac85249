#!/usr/bin/env python3
# short_runs.py - what Reticle costs a process that is over in milliseconds
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: short_runs.py [--ms N,N] [--rounds N] [--features LIST] [--options RETICLE_OPTIONS]

A program that sums numbers for so many milliseconds: plain, plain again, with probes and no report (report=0), and with the report at exit, on
a terminal that takes no time (a file). Interleaved; medians of the rounds, wall clock from fork to the end and CPU time with children.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import common

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <time.h>
struct point { long x, y; char name[48]; };
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e3 + t.tv_nsec * 1e-6; }
static long sum(const struct point *p, int n) { long s = 0; for (int i = 0; i < n; i++) s += p[i].x ^ s; return s; }
int main(int argc, char **argv) {
  double end = now() + atof(argv[1]);
  struct point *p = calloc(1000, sizeof *p);
  long s = 0;
  while (now() < end) s += sum(p, 1000);
  printf("%ld\\n", s);
  return 0;
}
"""


def build(folder, features):
    path = os.path.join(folder, "short.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    environment = dict(os.environ, **({"RETICLE_FEATURES": features} if features else {}))
    made = {}
    for name, compiler in (("plain", "clang-19"), ("on", os.path.join(common.reticle_bin(), "reticle-clang"))):
        made[name] = os.path.join(folder, name)
        subprocess.run([compiler, "-O2", "-g", path, "-o", made[name]], check=True, env=environment)
    return made


def run(program, ms, options, folder):
    environment = dict(os.environ, RETICLE_OPTIONS=f"out={folder}/short.prof:{options}")
    with open(os.path.join(folder, "said"), "wb") as said:
        start = time.monotonic()
        process = subprocess.Popen([program, str(ms)], env=environment, stdout=subprocess.DEVNULL, stderr=said)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return {"wall": (time.monotonic() - start) * 1e3, "cpu": (usage.ru_utime + usage.ru_stime) * 1e3}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--ms", default="10,100")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--features", default="")
    parser.add_argument("--options", default="")
    a = parser.parse_args()
    print("| program, ms | | wall, ms | CPU, ms |\n|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        made = build(folder, a.features)
        kinds = {"plain": ("plain", ""), "again": ("plain", ""), "no report": ("on", "report=0"), "report": ("on", "report=1")}
        for ms in map(float, a.ms.split(",")):
            runs = {name: [] for name in kinds}
            for k in range(a.rounds):
                names = list(kinds)
                for name in names[k % 4:] + names[:k % 4]:
                    program, options = kinds[name]
                    runs[name].append(run(made[program], ms, ":".join(filter(None, (options, a.options))), folder))
            for name, rows in runs.items():
                wall, cpu = (statistics.median(r[key] for r in rows) for key in ("wall", "cpu"))
                print(f"| {ms:g} | {name} | {wall:.1f} | {cpu:.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
