# shadow_sites.py - do bursts (duty=5%) find the allocation sites that marking all the time finds: part `sites` of shadow.py
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One program, compiled with shadow=bursts, runs its workload with duty=100% and with bursts, `--sites-runs` times each by turns,
and the profiles are merged: so many times as many bursts. Of the ten sites with most waste: how many are the same - by functions, files and lines of their call stacks - and how
much of the waste (as the run without bursts has it) the ten of the other run hold. Two runs without bursts are compared in the same way: what differs there isn't the bursts' doing.
"""
import glob
import json
import os
import shutil
import subprocess

import common
import rounds

TOP = 10
FULL = rounds.Variant("full", "shadow-duty", "duty=100%")
BURSTS = rounds.Variant("bursts", "shadow-duty", "duty=5%")


def run_all(args, program):
    """Directories with the profiles of all runs: {name: directory}."""
    orders = {"full": FULL, "bursts": BURSTS, "again": FULL}
    kept = {name: os.path.join(args.dir, "runs", f"{program}.{name}") for name in orders}
    for directory in kept.values():
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
    for number in range(args.sites_runs):
        for name, variant in orders.items():
            rounds.run(args, program, variant)
            for path in glob.glob(os.path.join(rounds.profile_directory(args, program), "*.prof")):
                shutil.move(path, os.path.join(kept[name], f"{number}.{os.path.basename(path)}"))
    return kept


def report(directory):
    """The sites of all profiles there, most waste first, and what is known of their bursts."""
    profiles = sorted(glob.glob(os.path.join(directory, "*.prof")))
    text = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "report", "--json", *profiles], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(text)
    sites = {}
    for s in found["sites"]:
        stack = [f"{f['function']} {f['file']}:{f['line']}" for f in s["stack"]]
        known = sites.setdefault("\n".join(stack or [s["name"]]), {"name": s["name"], "objects": 0, "waste": 0})
        known["objects"] += s["objects"]
        known["waste"] += s["wasted_bytes"]["value"] or 0
    ordered = sorted(({"id": key, **site} for key, site in sites.items()), key=lambda site: -site["waste"])
    return {"sites": ordered, "coverage": found["site_coverage"]}


def compare(reference, other):
    """(sites of the reference's worst that are among the other's, how many there are, share of waste kept)."""
    waste = {s["id"]: s["waste"] for s in reference["sites"]}
    worst = [s["id"] for s in reference["sites"][:TOP] if s["waste"]]
    theirs = [s["id"] for s in other["sites"][:len(worst)] if s["waste"]]
    held = sum(waste.get(i, 0) for i in theirs)
    most = sum(waste[i] for i in worst)
    return len(set(worst) & set(theirs)), len(worst), held / most if most else float("nan")


def measure(args):
    results = []
    for program in args.programs:
        rounds.build_all(args, program, (FULL, BURSTS))
        runs = []
        for number in range(args.sites_rounds):
            kept = run_all(args, program)
            full, bursts, again = (report(kept[name]) for name in ("full", "bursts", "again"))
            runs.append({"bursts": compare(full, bursts), "again": compare(full, again), "full_sites": full["sites"][:2 * TOP],
                         "bursts_sites": bursts["sites"][:2 * TOP], "coverage": bursts["coverage"]})
            common.note(f"{program}: round {number + 1} of {args.sites_rounds}: {runs[-1]['bursts']}, again {runs[-1]['again']}")
        results.append({"program": program, "rounds": args.sites_rounds, "runs_merged": args.sites_runs, "runs": runs})
    return results


def show(results):
    def cell(r, which):
        return ", ".join(f"{same} of {count}" for same, count, _ in (run[which] for run in r["runs"]))

    def least(r, which):
        return f"{min(run[which][2] for run in r['runs']):.3f}"

    return [common.table(["worst sites", "runs merged", "bursts", "share of the time", "the same", "waste they hold, least", "twice without bursts",
                          "waste they hold, least"],
                         [[r["program"], str(r["runs_merged"]), "/".join(str(run["coverage"]["bursts"]) for run in r["runs"]),
                           "/".join(f"{run['coverage']['burst_share']:.3f}" for run in r["runs"]), cell(r, "bursts"),
                           least(r, "bursts"), cell(r, "again"), least(r, "again")] for r in results]), ""]
