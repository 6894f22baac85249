#!/usr/bin/env python3
# summary.py - adds up result files of lit: what failed and how, what was skipped and why.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: summary.py RESULT.json...        files written by `lit -o`
# The last line reads "N passed, N failed", with ", N skipped" where there are any. A file that is
# missing counts as one failure: the run it belongs to did not end. Exits 1 on any failure.
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


def main(paths):
    passed, failed, skipped = 0, [], collections.Counter()
    outputs = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                tests = json.load(file)["tests"]
        except (OSError, ValueError) as error:
            failed.append(f"{path}: the run left no result ({error})")
            continue
        if not tests:
            failed.append(f"{path}: the run found no tests")
        for test in tests:
            if test["code"] in PASSED:
                passed += 1
            elif test["code"] in SKIPPED:
                skipped[reason(test.get("output"))] += 1
            else:
                failed.append(f"{test['name']} ({test['code'].lower()})")
                outputs.append((test["name"], test.get("output") or ""))
    for name, output in outputs[:SHOWN]:
        print(f"output of {name}, its end:")
        for line in output.rstrip().splitlines()[-SHOWN_LINES:]:
            print("  " + line[:400])
    for name in failed:
        print("failed: " + name)
    for why, count in sorted(skipped.items()):
        print(f"skipped: {count} {why}")
    total = sum(skipped.values())
    print(f"{passed} passed, {len(failed)} failed" + (f", {total} skipped" if total else ""))
    sys.exit(bool(failed))


main(sys.argv[1:])
