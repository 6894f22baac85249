#!/usr/bin/env python3
# check.py - how often does `reticle check` call equal builds different, leave them undecided, and find planted losses?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records runs of a build in pairs, who comes first in turn, then plays checks on them: each begins at another run, looks behind 5, 8, 12, 18 ... pairs
as `reticle check --time` does, and ends where it is decided or its time is over.

* equal: both sides are one binary.
* planted: the head has one loop that does more (PLANTED of diff.py). Found: that loop, the program, or a loop around it is a regression.

--others has two other tools judge the CPU times of the same pairs, those that the check took: compare.py of Google Benchmark (Debian:
libbenchmark-tools, python3-scipy; Mann-Whitney, p below 0.05) and hyperfine's "N +- M times slower" (its formula, beyond M). Either calls a regression
what is slower by that, and by more than the limit.

Checks that begin near each other share runs. Profiles stay below --dir and are used again, also on another machine.
"""
import argparse
import json
import math
import os
import random
import shlex
import statistics
import subprocess
import tempfile
import time

import common
import diff

FIRST, LAST = 5, 250


def looks_until(pairs):
    at, looks = FIRST, []
    while at <= max(pairs, FIRST):
        looks.append(at)
        at += (at + 1) // 2
    return looks


def record(args, commands, folder):
    """[(base profile, head profile, seconds)]; commands: of base and head."""
    os.makedirs(folder, exist_ok=True)
    pairs = []
    for i in range(args.pairs):
        files, began = [], time.monotonic()
        for side, command in list(zip("ab", commands))[::1 - 2 * (i % 2)]:  # A B, B A, as `reticle check` does
            files.append(os.path.join(folder, f"{side}{i:04d}.prof"))
            if not os.path.exists(files[-1]):
                usage = common.measure(command, common.environment(f"report=0:sample=1:out={files[-1]}"))
                if usage.status or not os.path.exists(files[-1]):
                    common.die(f"{command[0]} ended with status {usage.status} or left no profile")
        spent = os.path.join(folder, f"{i:04d}.s")
        if not os.path.exists(spent):
            with open(spent, "w", encoding="utf-8") as file:
                file.write(str(time.monotonic() - began))
        with open(spent, encoding="utf-8") as file:
            pairs.append((*sorted(files), float(file.read())))
    return pairs


def judge(args, pairs, looks, has_more):
    command = [os.path.join(common.reticle_bin(), "reticle"), "check", "--json", "--looks", str(looks), "--max-regress", args.limit, *["--more"] * has_more,
               *[a for a, _, _ in pairs], "--", *[b for _, b, _ in pairs]]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode not in (0, 1, 4):
        common.die(result.stderr.strip())
    return json.loads(result.stdout)


def check(args, pairs, start):
    """The last look's result, and the pairs that it took."""
    pair_s = common.median([s for _, _, s in pairs])
    looks = looks_until(min(args.time / pair_s, LAST, len(pairs) - start))
    for at in looks:
        result = judge(args, pairs[start:start + at], len(looks), at != looks[-1])
        if result["verdict"] != "inconclusive":
            break
    return result, at


def cpu_seconds(path, known={}):
    """CPU time of a run; `known` keeps what was read."""
    if path not in known:
        known[path] = common.report([path])["account"]
        known[path] = sum(known[path][part]["value"] for part in ("user", "system")) * 1e-9
    return known[path]


def compare_py(sides, folder):
    """Whether Google Benchmark's compare.py tells the sides apart."""
    files = []
    for name, seconds in zip("ab", sides):
        files.append(os.path.join(folder, f"{name}.json"))
        runs = [{"name": "run", "run_name": "run", "run_type": "iteration", "repetitions": len(seconds), "repetition_index": i,
                 "threads": 1, "iterations": 1, "real_time": 1e9 * s, "cpu_time": 1e9 * s, "time_unit": "ns"}
                for i, s in enumerate(seconds)]
        with open(files[-1], "w", encoding="utf-8") as file:
            json.dump({"context": {}, "benchmarks": runs}, file)
    out = os.path.join(folder, "out.json")
    subprocess.run(["/usr/bin/python3", "/usr/share/benchmark/compare.py", "-d", out, "benchmarks", *files], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        return json.load(file)[0]["utest"]["cpu_pvalue"] < 0.05


def others(args, pairs):
    """(compare.py, hyperfine): whether they would call it a regression."""
    sides = [[cpu_seconds(pair[k]) for pair in pairs] for k in (0, 1)]
    means, errors = [statistics.mean(s) for s in sides], [statistics.stdev(s) for s in sides]
    times = means[1] / means[0]
    error = times * math.hypot(errors[0] / means[0], errors[1] / means[1])
    limit = 1 + float(args.limit.rstrip("%")) / 100
    with tempfile.TemporaryDirectory() as folder:
        differs = compare_py(sides, folder)
    return differs and times > limit, times - error > 1 and times > limit


def report(args, name, pairs, planted=None):
    random.seed(1)
    least = len(looks_until(min(args.time / common.median([s for _, _, s in pairs]), LAST)))
    starts = range(0, max(1, len(pairs) - looks_until(10 ** 9)[min(least, 6) - 1]))
    verdicts, found, taken, beside = {}, 0, [], []
    for _ in range(args.checks):
        start = random.choice(starts)
        result, at = check(args, pairs, start)
        if args.others:
            beside.append(others(args, pairs[start:start + at]))
        verdicts[result["verdict"]] = verdicts.get(result["verdict"], 0) + 1
        taken.append(at)
        rows = [result["program"], *result["loops"]]
        found += any(row["verdict"] == "regression" and row.get("function", planted) in (planted, "main") for row in rows)
        if args.verbose and result["verdict"] == "regression":
            common.note(f"{name}: " + ", ".join(f"{row.get('function', 'the program')} {row['change']['value']:+.3f}" for row in rows if row["verdict"] == "regression"))
    share = {v: 100 * verdicts.get(v, 0) / args.checks for v in ("regression", "improvement", "inconclusive", "same")}
    print(f"| {name} | {common.median([s for _, _, s in pairs]):.2g} | {common.median(taken):.0f} | " +
          " | ".join(f"{share[v]:.1f} %" for v in share) + f" | {f'{100 * found / args.checks:.1f} %' if planted else ''} |" +
          "".join(f" {100 * statistics.mean(tool):.1f} % |" for tool in zip(*beside)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["book", "loops"], help=f"programs ({', '.join(diff.PROGRAMS)}), planted losses of diff.py, or NAME=COMMAND, or NAME=BASE::HEAD; default book loops")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "check"), help="builds and profiles")
    parser.add_argument("--programs-dir", default=os.path.join(common.ROOT, "build", "programs"), help="builds of lua5.4 and sqlite3, as other benchmarks leave them")
    parser.add_argument("--pairs", type=int, default=120, help="pairs of runs that are recorded")
    parser.add_argument("--checks", type=int, default=200, help="checks that are played; 0: runs are recorded alone")
    parser.add_argument("--time", type=float, default=300, help="seconds of a check")
    parser.add_argument("--limit", default="2%", help="--max-regress")
    parser.add_argument("--others", action="store_true", help="compare.py and hyperfine beside it")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    print("| build | s a pair | pairs, median | regression | improvement | inconclusive | same | planted found |" +
          (" compare.py: regression | hyperfine: regression |" if args.others else "") +
          "\n|---|---|---|---|---|---|---|---|" + ("---|---|" if args.others else ""))
    for name in args.names:
        planted = function = None
        if "=" in name:
            name, command = name.split("=", 1)
            commands = [shlex.split(side) for side in command.split("::")]
            function = "main" if len(commands) > 1 else None
            commands = [commands[0], commands[-1]]
        elif name in diff.PLANTED:
            program, function, _, macros, patch = diff.PLANTED[name]
            planted = diff.build(args, program, name, macros, patch)
            commands = [[binary, *diff.PROGRAMS[program][1]] for binary in (diff.build(args, program, program), planted)]
        else:
            commands = [[diff.build(args, name, name), *diff.PROGRAMS[name][1]]] * 2
        folder = os.path.join(args.dir, "".join(c for c in name if c.isalnum()))
        pairs = record(args, commands, folder)
        if args.checks:
            report(args, name, pairs, function)


if __name__ == "__main__":
    main()
