#!/usr/bin/env python3
# shadow_threads.py - do allocation sites add up under many threads, and does the program stay what it was?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that allocate, touch, hand over and free objects, and come and go (bench/shadow_threads.c), with the feature
`shadow`, against the same program without Reticle: output and exit status are the same, nothing hangs, and each site
has the objects that the program itself counted, also those that live at the end. Ends with 1 where that isn't so.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time

import common


def run(program, seconds, threads, counts, options):
    environment = {key: value for key, value in os.environ.items() if key != "RETICLE_OPTIONS"}
    environment["RETICLE_OPTIONS"] = options
    start = time.monotonic()
    done = subprocess.run([program, str(seconds), str(threads), counts], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=20 * seconds + 120)
    return done, time.monotonic() - start


def sites_of(reticle, profile, names):
    """{name: [objects, live]} of the sites with one of the names in the call stack."""
    report = json.loads(subprocess.run([reticle, "report", "--json", profile], check=True, stdout=subprocess.PIPE,
                                       text=True).stdout)
    found = {name: [0, 0] for name in names}
    for site in report["sites"]:
        name = next((frame["function"] for frame in site["stack"] if frame["function"] in found), None)
        if name:
            found[name][0] += site["objects"]
            found[name][1] += site["live_objects"]
    # realloc: an object that goes on under another site, both counted there.
    grown = sum(site["objects"] for site in report["sites"]
                if site["stack"] and site["stack"][0]["function"] == "make")
    live = sum(site["live_objects"] for site in report["sites"]
               if site["stack"] and site["stack"][0]["function"] == "make")
    return found, (grown, live), report["site_coverage"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--cc", help="compiler with Reticle (default: reticle-clang)")
    parser.add_argument("--options", default="", help="more RETICLE_OPTIONS")
    parser.add_argument("--reticle", help="the tool (default: beside reticle-clang)")
    arguments = parser.parse_args()
    compiler = shlex.split(arguments.cc) if arguments.cc else [os.path.join(common.reticle_bin(), "reticle-clang")]
    reticle = arguments.reticle or os.path.join(common.reticle_bin(), "reticle")
    source = os.path.join(common.BENCH, "shadow_threads.c")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        plain, marked, counts, profile = (os.path.join(folder, name) for name in ("plain", "marked", "counts", "p.prof"))
        flags = ["-O2", "-g", source, "-lpthread", "-o"]
        subprocess.run([*compiler, "-fplugin-arg-reticle-features=shadow,loop", *flags, marked], check=True)
        subprocess.run([*compiler, *flags, plain], check=True, env={**os.environ, "RETICLE": "off"})
        first, _ = run(plain, min(arguments.seconds, 2), arguments.threads, counts, "")
        options = f"report=0:out={profile}" + (":" + arguments.options if arguments.options else "")
        second, took = run(marked, arguments.seconds, arguments.threads, counts, options)
        for what in ("stdout", "stderr", "returncode"):
            if getattr(first, what) != getattr(second, what):
                problems.append(f"{what}: {getattr(first, what)!r} became {getattr(second, what)!r}")
        wanted = {name: [int(made), int(live)] for name, made, live in map(str.split, open(counts))}
        found, grown, coverage = sites_of(reticle, profile, wanted)
        # What by_growth makes is gone at once: realloc in make has it.
        grown_wanted = tuple(wanted["by_growth"])
        wanted["by_growth"][1] = 0
        for name, numbers in wanted.items():
            print(f"{name:12} objects {found[name][0]} of {numbers[0]}, live {found[name][1]} of {numbers[1]}")
            if found[name] != numbers:
                problems.append(f"{name}: {found[name]} in the profile, {numbers} by the program")
        print(f"{'realloc':12} objects {grown[0]} of {grown_wanted[0]}, live {grown[1]} of {grown_wanted[1]}")
        if grown != grown_wanted:
            problems.append(f"realloc: {grown} in the profile, {grown_wanted} by the program")
        print(f"{arguments.threads} threads, {took:.1f} s, {sum(n for n, _ in wanted.values())} objects, "
              f"{coverage['samples']} samples: {'; '.join(problems) or 'sites add up, output and exit status unchanged'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
