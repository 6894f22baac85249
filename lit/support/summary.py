#!/usr/bin/env python3
# summary.py - adds up what tests ended with: what failed and how, what was skipped and why, what wasn't run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: summary.py RESULTS...        files as recorded.py writes them
# The last line reads "N passed, N failed", with ", N skipped" where there are any. A test that was found and has no end
# was not run, as its suite was cut: it is named, and counts as skipped. A file that is missing, or has no test that was
# run, counts as one failure. Exits 1 on any failure.
import collections
import json
import re
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}
# Failures whose output is shown, and how much of its end: some happen once in a hundred runs.
SHOWN, SHOWN_LINES = 5, 40


def reason(output):
    """Why a test was skipped, as far as its output says so."""
    match = re.search(r"unavailable features: (.*)", output or "")
    if match:
        return "needs " + match[1].strip()
    lines = (output or "").strip().splitlines()
    return lines[-1] if lines else "no reason given"


def read(path):
    """Names of the tests that were found, and a record for each that has ended. The last line may be cut."""
    found, ended = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if "found" in record:
                found[record["found"]] = True
            else:
                ended[record["name"]] = record
    return sorted(name for name in found if name not in ended), list(ended.values())


def main(paths):
    passed, failed, cut = 0, [], []
    skipped = collections.defaultdict(list)
    outputs = []
    for path in paths:
        try:
            left, tests = read(path)
        except OSError as error:
            failed.append(f"{path}: the run left no result ({error})")
            continue
        if not tests and not left:
            failed.append(f"{path}: no test was found")
        cut += left
        for test in tests:
            if test["code"] in PASSED:
                passed += 1
                if test["code"] == "FLAKYPASS":
                    print("\n  ".join([f"passed at a later try: {test['name']}", *re.findall("^try .*", test["output"], re.M)]))
            elif test["code"] in SKIPPED:
                skipped[reason(test.get("output"))].append(test["name"])
            else:
                failed.append(f"{test['name']} ({test['code'].lower()})")
                outputs.append((test["name"], test.get("output") or ""))
    for name, output in outputs[:SHOWN]:
        print(f"output of {name}, its end:")
        for line in output.rstrip().splitlines()[-SHOWN_LINES:]:
            print("  " + line[:400])
    for name in failed:
        print("failed: " + name)
    for why, names in sorted(skipped.items()):
        print(f"skipped: {names[0]}: {why}" if len(names) == 1 else f"skipped: {len(names)} {why}")
    for name in cut:
        print(f"not run, as the time was up: {name}")
    total = sum(map(len, skipped.values())) + len(cut)
    print(f"{passed} passed, {len(failed)} failed" + (f", {total} skipped" if total else ""))
    sys.exit(bool(failed))


main(sys.argv[1:])
