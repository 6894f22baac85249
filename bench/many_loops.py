#!/usr/bin/env python3
# many_loops.py - what Reticle costs a server of many short loops and many threads
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: many_loops.py [--loops N,N] [--threads N,N] [--seconds S] [--rounds N] [--options RETICLE_OPTIONS] [--perf]

A program of N functions with a loop of 1 to 350 iterations each, which call each other at random; threads that work for some ms and sleep
150 ms, and 50 threads a second that live for 500 executions. For each pair of loops and threads, interleaved: the plain program twice and the
one with probes. CPU time of the process, of the sideline thread in it, bytes that it wrote a second, memory at the end, and the share of probes
that the profile tells. The amount of work depends on the time that a thread slept, so CPU time is per call of the program's functions, which
each thread counts.

--perf: instead of ratios one run under `perf record`: cold calls and the sideline by its samples beside what the profile of the same run tells.
Gates are the program's samples there.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import common

PART = 2000
FUNCTION = """__attribute__((noinline)) uint64_t f{i}(unsigned *s, int depth) {{
  uint64_t t = 0;
  unsigned k = next(s) % {most} + 1;
  for (unsigned i = 0; i < k; i++)
    t += a[(i * {step}) & 4095] ^ i;
  if (depth > 0)
    t += table[next(s) % LOOPS](s, depth - 1);
  return t + 1;
}}
"""
HEAD = """#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define LOOPS {loops}
typedef uint64_t (*function)(unsigned *, int);
extern function table[];
extern volatile int a[4096];
static unsigned next(unsigned *s) {{ *s = *s * 1664525u + 1013904223u; return *s >> 8; }}
"""
TAIL = """
enum { DEPTH = 24, TIMES = 30, CHURN_TIMES = 20, CHURN = 3, SLEEP_US = 150000, CHURN_US = 60000 };
static volatile int stop;
static uint64_t calls;
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static void work(unsigned *s, int times) {
  for (int i = 0; i < times; i++)
    table[next(s) % LOOPS](s, DEPTH);
  __atomic_fetch_add(&calls, (uint64_t)times * (DEPTH + 1), __ATOMIC_RELAXED);
}
static void *churn(void *p) { unsigned s = (unsigned)(uintptr_t)p * 7919u; work(&s, CHURN_TIMES); return 0; }
static void *worker(void *p) {
  unsigned s = (unsigned)(uintptr_t)p * 104729u + 1;
  while (!stop) { work(&s, TIMES); usleep(SLEEP_US); }
  return 0;
}
int main(int argc, char **argv) {
  double end = now() + atof(argv[1]);
  int threads = atoi(argv[2]);
  unsigned long n = 0;
  pthread_t *t = calloc((size_t)threads, sizeof *t), other;
  for (int i = 0; i < threads; i++)
    pthread_create(&t[i], 0, worker, (void *)(uintptr_t)(i + 1));
  while (now() < end) {
    for (int i = 0; i < CHURN; i++)
      if (!pthread_create(&other, 0, churn, (void *)(uintptr_t)(1000 + n++)))
        pthread_join(other, 0);
    usleep(CHURN_US);
  }
  stop = 1;
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], 0);
  printf("%lu\\n", (unsigned long)calls);
  return 0;
}
"""


def sources(loops):
    """The functions in files of PART: one file of 20,000 takes the compiler minutes."""
    head = HEAD.format(loops=loops)
    for first in range(0, loops, PART):
        yield head + "".join(FUNCTION.format(i=i, most=50 + i % 300, step=i % 7 + 1) for i in range(first, min(first + PART, loops)))
    declared = "".join(f"uint64_t f{i}(unsigned *, int);\n" for i in range(loops))
    names = ", ".join(f"f{i}" for i in range(loops))
    yield head + "volatile int a[4096];\n" + declared + f"function table[] = {{{names}}};\n" + TAIL


def build(folder, loops):
    made = {}
    for name, compiler in (("plain", "clang-19"), ("on", os.path.join(common.reticle_bin(), "reticle-clang"))):
        made[name] = os.path.join(folder, f"{name}.{loops}")
        objects = []
        for k, text in enumerate(sources(loops)):
            path = os.path.join(folder, f"{name}.{k}.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            objects.append(path[:-1] + "o")
            subprocess.run([compiler, "-O2", "-g", "-pthread", "-c", path, "-o", objects[-1]], check=True)
        subprocess.run([compiler, "-pthread", *objects, "-o", made[name]], check=True)
    return made


def watch(pid, out, done):
    """The sideline has its own descriptors. Its CPU time, the bytes written and the resident memory as last seen."""
    while not done.is_set():
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                if len(os.listdir(f"/proc/{pid}/task/{task}/fd")) < 2:  # the one that wakes it
                    with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                        out["sideline"] = int(file.read().split()[0]) / 1e9
            with open(f"/proc/{pid}/io", encoding="ascii") as file:
                out["written"] = int(file.read().split("wchar: ")[1].split()[0])
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                text = file.read()
            out["memory"] = int(text.split("VmRSS:")[1].split()[0])
        except (OSError, IndexError, ValueError):
            pass
        done.wait(0.2)


def environment_of(profile, options):
    return dict(os.environ, RETICLE_OPTIONS=f"report=0:verbosity=0:out={profile}" + (":" + options if options else ""))


def told(profile):
    """The profile's env."""
    shown = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "report", "--json", profile], capture_output=True, text=True)
    return json.loads(shown.stdout)["env"] if shown.returncode == 0 else None


def is_ours(frames):
    return any(name.startswith(("rrt_", "__reticle_")) for name in frames)


def stacks(data):
    """(thread, functions from the innermost) of each sample."""
    text = subprocess.run(["perf", "script", "-i", data, "-F", "tid,ip,sym"], capture_output=True, text=True, check=True).stdout
    for block in text.split("\n\n"):
        lines = block.strip().split("\n")
        if len(lines) > 1:
            yield lines[0].strip(), [line.split(None, 1)[1] if len(line.split(None, 1)) > 1 else "" for line in lines[1:]]


def by_perf(program, seconds, threads, options, folder):
    """The runtime keeps frame pointers, so a sample's stack tells its functions, also from page faults in them."""
    profile, data = os.path.join(folder, "perf.prof"), os.path.join(folder, "perf.data")
    subprocess.run(["perf", "record", "-q", "-g", "-e", "cpu-clock", "-F", "1999", "-o", data, program, str(seconds), str(threads)],
                   env=environment_of(profile, options), stdout=subprocess.DEVNULL, check=True)
    of_threads = {}
    for thread, frames in stacks(data):
        count = of_threads.setdefault(thread, [0, 0])
        count[0] += 1
        count[1] += is_ours(frames)
    total = sum(c[0] for c in of_threads.values())
    aside = max((c for c in of_threads.values() if c[1] > c[0] / 2), default=[0, 0])  # short threads may be mostly ours, too
    cold = sum(c[1] for c in of_threads.values()) - aside[1]
    return total, cold / total, aside[0] / total, told(profile)


def print_perf(a):
    print("| loops | threads | samples | cold calls | told | of it begins | sideline | told |\n|---:|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for loops in map(int, a.loops.split(",")):
            made = build(folder, loops)
            for threads in map(int, a.threads.split(",")):
                total, cold, aside, env = by_perf(made["on"], a.seconds, threads, a.options, folder)
                probes, begins, drains = (env[f"{key}_share"]["value"] for key in ("probe", "setup", "sideline"))
                print(f"| {loops} | {threads} | {total} | {cold * 100:.2f} % | {(probes + begins) * 100:.2f} % | {begins * 100:.2f} % | "
                      f"{aside * 100:.2f} % | {drains * 100:.2f} % |", flush=True)


def run(program, seconds, threads, options, folder):
    profile = os.path.join(folder, "many.prof")
    environment = environment_of(profile, options)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen([program, str(seconds), str(threads)], env=environment, stdout=subprocess.PIPE, text=True)
    out, done = {"sideline": 0.0, "written": 0, "memory": 0}, threading.Event()
    watcher = threading.Thread(target=watch, args=(process.pid, out, done))
    watcher.start()
    calls = int(process.communicate()[0])
    done.set()
    watcher.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    out.update(cpu=cpu, ns=cpu / calls * 1e9, wall=time.monotonic() - start, share=None)
    if os.path.exists(profile):
        env = told(profile)
        out["share"] = env and env["probe_share"]["value"]
        out["bytes"] = os.path.getsize(profile)
        os.unlink(profile)
    return out


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--loops", default="200,2000,20000")
    parser.add_argument("--threads", default="1,64,300")
    parser.add_argument("--seconds", type=float, default=25)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--options", default="")
    parser.add_argument("--perf", action="store_true")
    a = parser.parse_args()
    if a.perf:
        return print_perf(a)
    print("| loops | threads | plain, s CPU | again | on | sideline, of the plain CPU | written, kB/s | profile, kB | memory, MB | probe share told |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for loops in map(int, a.loops.split(",")):
            made = build(folder, loops)
            for threads in map(int, a.threads.split(",")):
                runs = {"plain": [], "again": [], "on": []}
                for k in range(a.rounds):
                    names = list(runs)
                    for name in names[k % 3:] + names[:k % 3]:
                        runs[name].append(run(made["on" if name == "on" else "plain"], a.seconds, threads, a.options, folder))
                middle = {name: lambda key, name=name: statistics.median(r[key] for r in runs[name]) for name in runs}
                ratio = {name: statistics.median(r["ns"] / p["ns"] for r, p in zip(runs[name], runs["plain"])) for name in ("again", "on")}
                on = middle["on"]
                shares = [r["share"] for r in runs["on"] if r["share"] is not None]
                share = f"{statistics.median(shares) * 100:.2f} %" if shares else "n/a"
                print(f"| {loops} | {threads} | {middle['plain']('cpu'):.2f} | {ratio['again']:.3f} | {ratio['on']:.3f} | "
                      f"{on('sideline') / middle['plain']('cpu') * 100:.1f} % | {on('written') / on('wall') / 1e3:.0f} | {on('bytes') / 1e3:.0f} | "
                      f"{middle['plain']('memory') / 1e3:.1f}, {on('memory') / 1e3:.1f} | {share} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
