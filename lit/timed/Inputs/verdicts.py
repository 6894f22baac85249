# verdicts.py - runs a program some times and holds the majority of its verdicts against the plan.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import statistics
import subprocess
import sys

RUNS = 5


def loops(tool, app, profile):
    environment = dict(os.environ, RETICLE_OPTIONS=f"report=0:out={profile}")
    subprocess.run([app], env=environment, check=True)
    report = subprocess.run([tool, "report", "--json", profile], text=True, capture_output=True)
    if report.returncode not in (0, 1):
        sys.exit(report.stderr)
    found = {}
    for loop in json.loads(report.stdout)["loops"]:
        if loop["depth"] == 1:  # not the inner loop that makes the slow mode
            found[loop["function"]] = loop
    return found


def main():
    runs = [loops(*sys.argv[1:4]) for _ in range(RUNS)]
    failures = []

    def expect(what, holds):
        print("ok  " if holds else "FAIL", what)
        if not holds:
            failures.append(what)

    slow = [run["slow_mode"]["verdict"] for run in runs]
    expect(f"slow_mode unsteady in most runs: {slow}", slow.count("unsteady") > RUNS // 2)
    shares = [run["slow_mode"]["slow_share"]["value"] for run in runs
              if run["slow_mode"]["verdict"] == "unsteady"]
    if shares:
        # A neighbour on the core may make as many executions again as slow, by as much.
        expect(f"slow share near 10 %: {shares}", 0.05 < statistics.median(shares) < 0.35)
    constant = [run["constant"]["verdict"] for run in runs]
    expect(f"constant never unsteady in most runs: {constant}",
           constant.count("unsteady") <= RUNS // 2)
    work = [run["trips"]["variance_work"]["value"] for run in runs]
    told = [share for share in work if share is not None]  # else too noisy
    expect(f"trips varies by work, at least 90 %: {work}",
           len(told) > RUNS // 2 and statistics.median(told) >= 0.9)
    sys.exit(bool(failures))


main()
