#!/usr/bin/env python3
# timing.py - what the timers cost and can tell on this machine, against what is claimed of ours
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: timing.py [--runs N] [--time-limit S] [--flush LIST] [--keep DIR] [FILE...]

Runs `reticle calibrate --json --no-store` N times (default 3) for S seconds each (default 60), or reads
FILEs that hold what it printed, and prints the medians over the runs as markdown, with targets. Each run
is interleaved in itself. DIR keeps what the runs printed.
"""
import argparse
import json
import os
import subprocess
import sys

import common

OURS, BARE, PAPI = "rdtscp", "bare", "papi"
FLUSHES = {"0": "no flush", "l1": "4 x L1d", "l2": "4 x L2", "l3": "4 x L3"}


def measure(options):
    """The reports of N runs, in order."""
    reports = []
    for run in range(options.runs):
        common.note(f"run {run + 1} of {options.runs}, about {options.time_limit} s")
        command = [os.path.join(common.reticle_bin(), "reticle"), "calibrate", "--json", "--no-store",
                   "--time-limit", str(options.time_limit), "--flush", options.flush]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            sys.exit(done.returncode)  # the tool has said why
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            with open(os.path.join(options.keep, f"timing-{run + 1}.json"), "w", encoding="utf-8") as file:
                file.write(done.stdout)
        reports.append(json.loads(done.stdout))
    return reports


class Values:
    """One quantity over the runs: the values there are, and why others are missing."""

    def __init__(self, quantities):
        quantities = [q for q in quantities if q]
        self.values = [q["value"] for q in quantities if q["value"] is not None]
        self.reasons = sorted({q.get("reason", q["status"]) for q in quantities if q["value"] is None})
        self.runs = len(quantities)

    def median(self):
        """None unless most of the runs have a value."""
        return common.median(self.values) if 2 * len(self.values) > self.runs else None

    def text(self, unit=1.0, digits=1):
        middle = self.median()
        if middle is None:
            return "not reached" if self.reasons and "time:" not in self.reasons[0] else "no time"
        low, high = min(self.values) / unit, max(self.values) / unit
        spread = f" ({low:.{digits}f}–{high:.{digits}f})" if high > low else ""
        missing = f", {self.runs - len(self.values)} not reached" if self.runs > len(self.values) else ""
        return f"{middle / unit:.{digits}f}{spread}{missing}"


def timer(report, key):
    return next((t for t in report["timers"] if t["timer"] == key), None)


def result(report, flush, key):
    for f in report["flushes"]:
        if f["flush"] == flush:
            return next((r for r in f["results"] if r["timer"] == key), None)
    return None


def results(reports, flush, key, what):
    return Values([r[what] if (r := result(report, flush, key)) else None for report in reports])


def ratio(a, b):
    """Medians' quotient or None."""
    a, b = a.median(), b.median()
    return a / b if a is not None and b else None


def costs(reports):
    rows = []
    for known in reports[0]["timers"]:
        key = known["timer"]
        pair = Values([timer(r, key)["pair"] for r in reports])
        if pair.median() is None:
            rows.append([key, known["reads"], f"unsupported: {known['pair'].get('reason', '')}", "", ""])
            continue
        t_e = Values([timer(r, key)["t_e"] for r in reports])
        rows.append([key, known["reads"], pair.text(), t_e.text(), f"{known['tick_ns']:.2f}"])
    return common.table(["timer", "reads", "pair, ns", "t_e, ns", "tick, ns"], rows)


def floors(reports, what, flushes):
    keys = [t["timer"] for t in reports[0]["timers"] if t["pair"]["value"] is not None]
    rows = [[key] + [results(reports, f, key, what).text() for f in flushes] for key in keys]
    row = [f"papi / {OURS}"]
    for f in flushes:
        quotient = ratio(results(reports, f, PAPI, what), results(reports, f, OURS, what))
        row.append("n/a" if quotient is None else f"{quotient:.1f}")
    return common.table([f"{what}, ns"] + [FLUSHES[f] for f in flushes], rows + [row])


def spreads(reports, flushes):
    """Where the middle 90 % of the timings of 500 adds lie, in the first run."""
    keys = [t["timer"] for t in reports[0]["timers"] if t["pair"]["value"] is not None]
    rows = []
    for key in keys:
        row = [key]
        for f in flushes:
            found = result(reports[0], f, key)
            deviation = found and found["deviation_ns"]
            row.append(" … ".join(f"{deviation[p]:.1f}" for p in ("p5", "p50", "p95")) if deviation else "")
        rows.append(row)
    return common.table(["p5 … p50 … p95, ns"] + [FLUSHES[f] for f in flushes], rows)


def verdict(value, limit, at_most):
    if value is None:
        return "not measured"
    return "met" if (value <= limit if at_most else value >= limit) else "missed"


def targets(reports):
    def pair(key):
        return Values([timer(r, key)["pair"] if timer(r, key) else None for r in reports])

    tick = reports[0]["env"]["tick_ns"]
    rows = []

    def row(name, value, limit, unit, at_most=True):
        shown = "–" if value is None else f"{value:.1f}{unit}"
        rows.append([name, f"{'at most' if at_most else 'at least'} {limit:g}{unit}", shown,
                     verdict(value, limit, at_most)])

    row("pair: PAPI / ours", ratio(pair(PAPI), pair(OURS)), 9, "", False)
    row("pair: ours / bare rdtsc", ratio(pair(OURS), pair(BARE)), 3, "")
    for flush, limit in (("0", 1), ("l1", 1), ("l2", 2)):
        t_diff = results(reports, flush, OURS, "t_diff").median()
        row(f"t_diff, {FLUSHES[flush]}", None if t_diff is None else t_diff / tick, limit, " ticks")
    for flush, limit in (("0", 2), ("l1", 6), ("l2", 8)):
        quotient = ratio(results(reports, flush, PAPI, "t_diff"), results(reports, flush, OURS, "t_diff"))
        row(f"t_diff: PAPI / ours, {FLUSHES[flush]}", quotient, limit, "", False)
    row("t_min, no flush", results(reports, "0", OURS, "t_min").median(), 600, " ns")
    row("t_min, 4 x L2", results(reports, "l2", OURS, "t_min").median(), 3000, " ns")
    return common.table(["claim", "target", "measured", ""], rows)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[0][len("usage: "):])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--time-limit", type=int, default=60)
    parser.add_argument("--flush", default="0,l1,l2,l3")
    parser.add_argument("--keep")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    machine = common.machine()
    if options.files:  # the load was another one then
        machine = machine.rpartition(", load")[0]
    if options.files:
        reports = []
        for name in options.files:
            with open(name, encoding="utf-8") as file:
                reports.append(json.load(file))
    else:
        reports = measure(options)
    flushes = [f["flush"] for f in reports[0]["flushes"]]
    env = reports[0]["env"]
    print(f"{machine}. TSC {env['timer_hz'] / 1e9:.3f} GHz, tick {env['tick_ns']:.2f} ns, core "
          f"{env['core_hz'] / 1e9:.2f} GHz; {len(reports)} runs of about {reports[0]['seconds']:.0f} s, medians "
          "(smallest–largest).\n")
    tables = [targets(reports), costs(reports)]
    tables += [floors(reports, what, flushes) for what in ("t_min", "t_diff", "t_e")]
    print(*tables, spreads(reports, flushes), sep="\n\n")


main()
