#!/usr/bin/env python3
# diff.py - how often does `reticle diff` call equal programs different, and which changes does it find?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs many times and diffs the runs:

* equal: pairs of runs of one binary. `next`: one after the other; `far`: half of the session apart;
  `sets of N, in turn`: N runs a side, A B A B ...; `sets of N, one after the other`: A A ... B B ....
  A pair counts as a false alarm if any of its loops is called slower or faster.
* planted: the plain build against one with one loop made slower, run in turn. Found: the loop is called
  slower. Also counted: loops called different that neither are nor hold the planted one.

Profiles stay below --dir and are used again; --fresh throws them away. Without --fresh an interrupted
session goes on where it stopped.
"""
import argparse
import json
import os
import shutil
import subprocess
import time

import common

LUA = ("local t = {} for r = 1, 3 do for i = 1, 60000 do t[i] = (i * 7919) % 104729 end table.sort(t) "
       "local s = {} for i = 1, 30000 do s[#s + 1] = tostring(t[i]):rep(3) end "
       "local u = table.concat(s, ','):gsub('1+', 'x'):upper():find('Y') end")
SQL = ("create table t(a integer primary key, b text, c int); with recursive n(i) as (select 1 union all "
       "select i + 1 from n where i < 30000) insert into t select i, printf('%08d', i * 7919 % 30011), i % 97 from n; "
       "create index x on t(b); select count(*) from t u join t v on u.c = v.a; "
       "select c, count(*), max(b) from t group by c order by 2; update t set c = c + 1 where b like '%11%';")

# program: (source, arguments); None: one of common.PROGRAMS
PROGRAMS = {
    "book": ("examples/book/book.c", ["60000", "120"]),
    "loops": ("bench/diff_loops.c", ["120"]),
    "lua5.4": (None, ["-e", LUA]),
    "sqlite3": (None, [":memory:", SQL]),
}

# name: (program, planted in, what also gets slower by it, macros, (old, new) in the source)
# Immediate operands would not do: recent Intel cores fold such additions away.
CHAIN = '__asm__ volatile(".rept {n}\\n add %1, %0\\n .endr" : "+r"({value}) : "r"((size_t)0));'
PLANTED = {
    "tiny +10 %": ("loops", "tiny", ("main",), ["-DEXTRA_TINY=4"], None),
    "tiny +20 %": ("loops", "tiny", ("main",), ["-DEXTRA_TINY=8"], None),
    "brief +10 %": ("loops", "brief", ("main",), ["-DEXTRA_SHORT=10"], None),
    "brief +20 %": ("loops", "brief", ("main",), ["-DEXTRA_SHORT=20"], None),
    "lengthy +10 %": ("loops", "lengthy", ("main",), ["-DEXTRA_LONG=10"], None),
    "lengthy +20 %": ("loops", "lengthy", ("main",), ["-DEXTRA_LONG=20"], None),
    "chase +20 %": ("loops", "chase", ("main",), ["-DEXTRA_CHASE=48"], None),
    "follow +20 %": ("book", "follow", ("main",), [], ("order = order->next;", "order = order->next; " + CHAIN.format(n=40, value="order"))),
    "lines +10 %": ("book", "main", (), [], ("size_t used = 0;", "size_t used = 0; " + CHAIN.format(n=900, value="used"))),
}


def build(args, program, name, macros=(), patch=None):
    """Builds with the same file name, so that stable ids are the same; returns the binary."""
    source, _ = PROGRAMS[program]
    if source is None:
        return common.binary(args.programs_dir, program, "reticle")
    folder = os.path.join(args.dir, "build", name.replace(" ", "").replace("%", ""))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(common.ROOT, source), encoding="utf-8") as file:
        text = file.read()
    if patch:
        if text.count(patch[0]) != 1:
            common.die(f"{source}: needs '{patch[0]}' once, has it {text.count(patch[0])} times")
        text = text.replace(*patch)
    base = os.path.basename(source)
    with open(os.path.join(folder, base), "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([os.path.join(common.reticle_bin(), "reticle-clang"), "-O2", *macros, base, "-o", program], cwd=folder, check=True)
    return os.path.join(folder, program)


def run(args, binary, program, profile):
    """One run, unless its profile is there already."""
    if os.path.exists(profile):
        return
    while args.hold and os.path.exists(args.hold):
        time.sleep(1)
    if args.deadline and time.time() > args.deadline:
        common.die("out of time; run it again to go on")
    os.makedirs(os.path.dirname(profile), exist_ok=True)
    usage = common.measure([binary, *PROGRAMS[program][1]], common.environment(f"report=0:out={profile}"))
    if usage.status or not os.path.exists(profile):
        common.die(f"{binary} ended with status {usage.status} or left no profile")


def diff(a, b):
    """`reticle diff --json` of two lists of profiles."""
    command = [os.path.join(common.reticle_bin(), "reticle"), "diff", "--json", *a, "--", *b]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode not in (0, 1):
        common.die(f"{' '.join(command)}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def changed(report):
    return [loop for loop in report["loops"] if loop["verdict"] in ("slower", "faster")]


def name_of(loop):
    return f"{loop['function']}:{(loop['b'] or loop['a'])['line']}"


def designs(profiles):
    """(name, [(A, B)]) for pairs and sets that the runs, in order of time, allow."""
    half = len(profiles) // 2
    yield "next", [([profiles[2 * i]], [profiles[2 * i + 1]]) for i in range(half)]
    yield "far", [([profiles[i]], [profiles[i + half]]) for i in range(half)]
    for n in (3, 5, 10):
        groups = [profiles[i:i + 2 * n] for i in range(0, len(profiles) - 2 * n + 1, 2 * n)]
        yield f"sets of {n}, in turn", [(g[0::2], g[1::2]) for g in groups]
        yield f"sets of {n}, one after the other", [(g[:n], g[n:]) for g in groups]


def equal(args, program):
    binary = build(args, program, program)
    profiles = [os.path.join(args.dir, "equal", program, f"{i:04d}.prof") for i in range(2 * args.pairs)]
    for i, profile in enumerate(profiles):
        run(args, binary, program, profile)
        if i % 50 == 49:
            common.note(f"{program}: {i + 1} of {len(profiles)} runs")
    rows = []
    for name, pairs in designs(profiles):
        alarms, loops, tested, tells = 0, {}, [], []
        for a, b in pairs:
            report = diff(a, b)
            found = changed(report)
            alarms += bool(found)
            tested.append(report["design"]["loops_tested"])
            tells += [l["tells"]["value"] for l in report["loops"] if l["tells"]["value"] is not None]
            for loop in found:
                loops[name_of(loop)] = loops.get(name_of(loop), 0) + 1
            if args.verbose and found:
                for l in found:
                    common.note(f"{program} {name}: {name_of(l)} {l['mean']['ratio']['value']:.3f} {l['median']['ratio']['value']:.3f} {a[0]} {b[0]}")
        rows.append([f"{program}, {name}", str(len(pairs)), f"{common.median(tested):.0f}", str(alarms),
                     ", ".join(f"{k} {v}" for k, v in sorted(loops.items())) or "none",
                     " / ".join(f"{min(999, 100 * common.quantile(tells, q)):.0f}" for q in (0, 0.25, 0.5, 0.75)) + " %" if tells else "n/a"])
        print("| " + " | ".join(rows[-1]) + " |", flush=True)


def planted(args, name):
    program, function, above, macros, patch = PLANTED[name]
    plain, slow = build(args, program, program), build(args, program, name, macros, patch)
    folder = os.path.join(args.dir, "planted", name.replace(" ", "").replace("%", ""))
    a = [os.path.join(folder, f"a{i:03d}.prof") for i in range(args.planted)]
    b = [os.path.join(folder, f"b{i:03d}.prof") for i in range(args.planted)]
    for i in range(args.planted):
        run(args, plain, program, a[i])
        run(args, slow, program, b[i])
    for n in (1, 3, 5, 10):
        groups = [(a[i:i + n], b[i:i + n]) for i in range(0, len(a) - n + 1, n)]
        found = others = 0
        ratios = []
        for group in groups:
            report = diff(*group)
            hits = changed(report)
            found += any(l["function"] == function and l["verdict"] == "slower" for l in hits)
            wrong = [l for l in hits if l["function"] != function and l["function"] not in above]
            others += bool(wrong)
            if args.verbose and wrong:
                common.note(f"{name}, {n} runs: " + ", ".join(f"{name_of(l)} {l['mean']['ratio']['value']:.3f}" for l in wrong))
            ratios += [l["median"]["ratio"]["value"] for l in report["loops"] if l["function"] == function and l["median"]["ratio"]["value"]]
        if groups:
            print(f"| {program}, {name} | {n} | {found} of {len(groups)} | {100 * (common.median(ratios) - 1):+.1f} % | {others} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=["book", "loops"], help=f"of {', '.join(PROGRAMS)}; default book loops")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "diff"), help="builds and profiles")
    parser.add_argument("--programs-dir", default=os.path.join(common.ROOT, "build", "programs"), help="builds of lua5.4 and sqlite3, as other benchmarks leave them")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--planted", type=int, default=30, help="runs a side for each planted change; 0: none")
    parser.add_argument("--no-equal", action="store_true", help="only planted changes")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="name every false alarm")
    parser.add_argument("--hold", metavar="FILE", help="start no run while FILE exists")
    parser.add_argument("--limit", type=float, metavar="S", help="stop after S seconds; run again to go on")
    args = parser.parse_args()
    args.dir, args.programs_dir = os.path.abspath(args.dir), os.path.abspath(args.programs_dir)
    args.deadline = time.time() + args.limit if args.limit else None
    if not set(args.programs) <= set(PROGRAMS):
        parser.error("programs: choose from " + ", ".join(PROGRAMS))
    if args.fresh:
        shutil.rmtree(args.dir, ignore_errors=True)
    print(f"{common.machine()}.\n")
    if not args.no_equal:
        print("| equal programs | pairs | loops tested | with a false alarm | loops called different | minimum detectable change, least / quarter / middle / three quarters |\n|---|---:|---:|---:|---|---|", flush=True)
        for program in args.programs:
            equal(args, program)
    if args.planted:
        print("\n| planted | runs a side | found | measured change | others called different |\n|---|---:|---:|---:|---:|", flush=True)
        for name, plan in PLANTED.items():
            if plan[0] in args.programs:
                planted(args, name)


if __name__ == "__main__":
    main()
