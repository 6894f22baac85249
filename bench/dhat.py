#!/usr/bin/env python3
# dhat.py - does the feature `shadow` say of blocks of one size what Valgrind's DHAT says?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench/dhat_blocks.c under `valgrind --tool=dhat`, which counts accesses to each byte of blocks of one size, and
with the feature `shadow`, and compares site by site:

    never   words without an access: DHAT's and Reticle's must be the same
    order   pairs of words of which DHAT counts one at least twice as often as the other: Reticle's heat mustn't say
            the opposite. Heat counts intervals, so equal heat is no contradiction; it is counted.

Ends with 1 where one of them isn't so. A round of the program is one interval of the sampler, or more.
"""
import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import common

SITES = ("order_lines", "pair", "table", "untouched", "bytes")
WORD_BYTES = 4


def counts_of(accesses):
    """DHAT's run-length encoding: -n, value stands for value n times."""
    out, position = [], 0
    while position < len(accesses):
        if accesses[position] < 0:
            out += [accesses[position + 1]] * -accesses[position]
            position += 2
        else:
            out.append(accesses[position])
            position += 1
    return out


def dhat_words(path):
    """{site: accesses of each word}"""
    with open(path) as file:
        data = json.load(file)
    found = {}
    for point in data["pps"]:
        names = " ".join(data["ftbl"][frame] for frame in point["fs"])
        site = next((name for name in SITES if f": {name} (" in names), None)
        if site and "acc" in point:
            counts = counts_of(point["acc"])
            found[site] = [max(counts[i:i + WORD_BYTES]) for i in range(0, len(counts), WORD_BYTES)]
    return found


def reticle_words(reticle, profile):
    """{site: {word: heat}}, touched ones alone"""
    report = json.loads(subprocess.run([reticle, "report", "--json", profile], check=True, stdout=subprocess.PIPE,
                                       text=True).stdout)
    found = {}
    for site in report["sites"]:
        name = next((frame["function"] for frame in site["stack"] if frame["function"] in SITES), None)
        if name:
            found[name] = {word["offset"] // WORD_BYTES: word["heat"] for word in site["words"]}
    return found


def compare(site, accesses, heat):
    """Prints what is found; returns what contradicts."""
    count = len(accesses)
    never = {word for word in range(count) if not accesses[word]}
    ours = set(range(count)) - set(heat)
    reversed_pairs = [(a, b) for a in range(count) for b in range(count)
                      if accesses[b] and accesses[a] >= 2 * accesses[b] and heat.get(a, 0) < heat.get(b, 0)]
    clear = sum(accesses[b] and accesses[a] >= 2 * accesses[b] for a in range(count) for b in range(count))
    told = sum(accesses[b] and accesses[a] >= 2 * accesses[b] and heat.get(a, 0) > heat.get(b, 0)
               for a in range(count) for b in range(count))
    print(f"{site:12} {count:4} words  never {len(never):4} and {len(ours):4}  "
          f"order {told} of {clear} pairs, {len(reversed_pairs)} reversed")
    problems = []
    if never != ours:
        problems.append(f"{site}: words that only one calls untouched: {sorted(never ^ ours)}")
    if reversed_pairs:
        problems.append(f"{site}: reversed: {reversed_pairs[:5]}")
    return problems, clear, told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=256)
    parser.add_argument("--pause-us", type=int, default=8000, help="of the run with Reticle")
    parser.add_argument("--cc", help="compiler with Reticle (default: reticle-clang)")
    parser.add_argument("--reticle", help="the tool (default: beside reticle-clang)")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        common.die("no valgrind: install it (Debian: package valgrind)")
    compiler = shlex.split(arguments.cc) if arguments.cc else [os.path.join(common.reticle_bin(), "reticle-clang")]
    reticle = arguments.reticle or os.path.join(common.reticle_bin(), "reticle")
    source = os.path.join(common.BENCH, "dhat_blocks.c")
    rounds = str(arguments.rounds)
    with tempfile.TemporaryDirectory() as folder:
        plain, marked, profile, out = (os.path.join(folder, name) for name in ("plain", "marked", "p.prof", "dhat.out"))
        flags = ["-O1", "-gdwarf-4", source, "-o"]
        subprocess.run([*compiler, "-fplugin-arg-reticle-features=shadow", *flags, marked], check=True)
        subprocess.run([*compiler, *flags, plain], check=True, env={**os.environ, "RETICLE": "off"})
        first = subprocess.run(["valgrind", "--tool=dhat", f"--dhat-out-file={out}", plain, rounds, "0"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if first.returncode:
            common.die("valgrind failed:\n" + first.stderr)
        second = subprocess.run([marked, rounds, str(arguments.pause_us)], check=True, stdout=subprocess.PIPE, text=True,
                                env={**os.environ, "RETICLE_OPTIONS": f"report=0:shadow_hz=500:shadow_budget=100%:out={profile}"})
        if first.stdout != second.stdout:
            common.die(f"the outputs differ: {first.stdout!r} and {second.stdout!r}")
        theirs, ours = dhat_words(out), reticle_words(reticle, profile)
    problems, clear, told = [], 0, 0
    for site in SITES:
        if site not in theirs or site not in ours:
            problems.append(f"{site}: missing ({'DHAT' if site not in theirs else 'Reticle'})")
            continue
        more, pairs, kept = compare(site, theirs[site], ours[site])
        problems += more
        clear, told = clear + pairs, told + kept
    if told < clear * 3 // 4:
        problems.append(f"only {told} of {clear} pairs are told apart")
    print("; ".join(problems) or f"agrees with DHAT: never-touched words of {len(SITES)} sites the same, no pair reversed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
