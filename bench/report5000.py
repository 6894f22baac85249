#!/usr/bin/env python3
# report5000.py - a program of 5,000 loops: time of `reticle report`, memory of the runtime
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates a C program of 5,000 loops, each in a function of its own, runs it plain and instrumented,
and measures how long the report on its profile takes and what the runtime holds at the end.

Memory is given twice: by the runtime's own count (the chunk "health" of the profile) and as the
difference of the peak resident sizes of the two builds, which the kernel counts.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import common

FILES = 25
# Four shapes, so that not all loops are of one class: known and unknown trip counts, exits, calls.
SHAPES = (
    "for (unsigned i = 0; i < n; i++) s += data[(i * {step}u + {k}u) & 1023] * {k}u;",
    "for (unsigned i = {k}u & 1023; data[i] != {k}u && s < n * 64; i = (i + {step}u) & 1023) s += 1 + (data[i] & 7);",
    "for (unsigned i = 0; i < n; i++) {{ if (data[i & 1023] & {step}u) s ^= data[(i + {k}u) & 1023]; else s += i; }}",
    "for (unsigned i = 0; i < n; i++) s += other(i ^ {k}u) >> {step}u;",
)


def generate(directory, loops):
    """Writes the sources; returns their paths."""
    header = "extern unsigned data[1024];\nunsigned other(unsigned);\n"
    sources, per_file = [], -(-loops // FILES)
    for number in range(FILES):
        text = [header]
        names = range(number * per_file, min((number + 1) * per_file, loops))
        for k in names:
            body = SHAPES[k % len(SHAPES)].format(k=k, step=1 + k % 13)
            text.append(f"__attribute__((noinline)) unsigned f{k}(unsigned n) {{\n  unsigned s = 0;\n  {body}\n  return s;\n}}\n")
        calls = "".join(f"  s += f{k}(n + {k % 50});\n" for k in names)
        text.append(f"unsigned run{number}(unsigned n) {{\n  unsigned s = 0;\n{calls}  return s;\n}}\n")
        sources.append(os.path.join(directory, f"part{number}.c"))
        with open(sources[-1], "w", encoding="utf-8") as file:
            file.write("".join(text))
    main = ["#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nunsigned data[1024];\n",
            "__attribute__((noinline)) unsigned other(unsigned x) { return x * 2654435761u; }\n",
            "".join(f"unsigned run{n}(unsigned);\n" for n in range(FILES)),
            "int main(int argc, char **argv) {\n  unsigned rounds = argc > 1 ? atoi(argv[1]) : 1, s = 0;\n",
            "  for (unsigned i = 0; i < 1024; i++) data[i] = i * 2654435761u;\n",
            "  for (unsigned r = 0; r < rounds; r++) {\n",
            "".join(f"    s += run{n}(40 + r % 16);\n" for n in range(FILES)),
            '  }\n  printf("%u\\n", s);\n',
            # The kernel's count of the peak: getrusage would give what the process had before exec.
            '  FILE *status = fopen("/proc/self/status", "r");\n  char line[256];\n',
            '  while (status && fgets(line, sizeof line, status))\n',
            '    if (!strncmp(line, "VmHWM:", 6)) fputs(line, stdout);\n  return 0;\n}\n']
    sources.append(os.path.join(directory, "main.c"))
    with open(sources[-1], "w", encoding="utf-8") as file:
        file.write("".join(main))
    return sources


def build(compiler, sources, program):
    subprocess.run([compiler, "-O2", "-fno-inline", *sources, "-o", program], check=True)


def peak_kib(command, env):
    """Peak resident size of one run, KiB, and the rest of what it printed."""
    run = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True)
    peak = re.search(r"VmHWM:\s*(\d+) kB", run.stdout)
    if run.returncode or not peak:
        common.die(f"{command[0]} ended with status {run.returncode} and printed {run.stdout!r}")
    return int(peak.group(1)), run.stdout.splitlines()[0]


def seconds(command):
    """Fastest of three: the file is in the page cache and the machine may be busy."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        times.append(time.perf_counter() - start)
        if run.returncode not in (0, 1):
            common.die(f"{' '.join(command)}: exit {run.returncode}: {run.stderr.decode(errors='replace').strip()}")
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loops", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=4000, help="times each loop runs (default 4000)")
    args = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="reticle-loops-")
    sources = generate(directory, args.loops)
    plain, probed = os.path.join(directory, "plain"), os.path.join(directory, "probed")
    common.note(f"building {args.loops} loops, plain and instrumented")
    build("clang-19", sources, plain)
    build(os.path.join(common.reticle_bin(), "reticle-clang"), sources, probed)
    profile = os.path.join(directory, "loops.prof")
    plain_kib, expected = peak_kib([plain, str(args.rounds)], common.environment())
    probed_kib, printed = peak_kib([probed, str(args.rounds)], common.environment(f"report=0:out={profile}"))
    if printed != expected:
        common.die(f"the instrumented program printed {printed!r}, the plain one {expected!r}")
    reticle = os.path.join(common.reticle_bin(), "reticle")
    report = common.report([profile])
    sampled = sum(1 for loop in report["loops"] if loop["samples"])
    dump = subprocess.run([reticle, "dump", "--text", profile], stdout=subprocess.PIPE, text=True).stdout
    held = re.search(r"memory_bytes\W+(\d+)", dump)
    print(f"{common.machine()}.\n")
    print(common.table(["what", "measured", "target"], [
        ["loops in the report, of them with samples", f"{len(report['loops'])}, {sampled}", f"{args.loops}"],
        ["profile", f"{os.path.getsize(profile) / 1024:.0f} KiB", ""],
        ["`reticle report`", f"{seconds([reticle, 'report', profile]):.3f} s", "< 1 s"],
        ["`reticle report --json`", f"{seconds([reticle, 'report', '--json', profile]):.3f} s", "< 1 s"],
        ["memory by the runtime's own count", f"{int(held.group(1)) / 2**20:.1f} MiB" if held else "not in the dump", "< 16 MiB"],
        ["peak resident size, instrumented less plain", f"{(probed_kib - plain_kib) / 1024:.1f} MiB", "< 16 MiB"],
    ]))
    shutil.rmtree(directory)


main()
