# judge.py - scores the first page of a study by the answer that is known.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a reader takes from the first three findings.

right    place and cause stand first, and the gain's interval holds the true one, or its bound is above it
partly   they stand in the first three
heat     the place stands first, as what takes the time, without a cause
silent   neither
wrong    one of the first three says what is false: a cause, a place's share, a gain, a remedy

What is said to be possible is no claim, and can't be wrong. Where the fix saves nothing on this machine, heat is right.
"""
import re

FIRST = 3
TOLERANCE = 0.05  # of a share: both are measured
NOTHING = 0.08  # a fix that saves less is none worth a word


def _is_at(finding, case):
    place = finding["place"]
    return any(name in (place["function"] or "") or name in (finding.get("name") or "") for name in case["places"])


def _words(finding):
    return f"{finding['code']}: {finding['text']} -> {finding['change']}"


def _says_cause(finding, case):
    return any(re.search(cause, _words(finding)) for cause in case["causes"])


def _is_plain_heat(finding):
    return finding["code"] == "hot" or (finding["code"] == "library-call" and not finding["change"])


def _is_true_beside(finding, case):
    return any(re.search(words, _words(finding)) for words in case.get("beside", []))


def _gain_holds(finding, true):
    gain, stake = finding["gain"], finding["at_stake"]
    if gain["status"] == "ok":
        return gain["low"] - TOLERANCE <= true <= gain["high"] + TOLERANCE
    return stake["status"] != "ok" or stake["value"] >= true - TOLERANCE


def judge(findings, case, true_gain):
    """The verdict on a report's findings and why, one line. true_gain: share of CPU time, or None"""
    first = findings[:FIRST]
    claims = [f for f in first if not f["possible"] and f["proof"] != "refuted"]
    for f in claims:
        if _is_plain_heat(f) or _is_true_beside(f, case):
            continue
        if not _says_cause(f, case):
            return "wrong", f"says {_words(f)[:120]}"
        if not _is_at(f, case):
            return "wrong", f"{f['code']} at {f['place']}"
    if true_gain is not None and true_gain < NOTHING:
        return ("wrong", f"{claims[0]['code']}, and nothing is to be gained") if any(
            not _is_plain_heat(f) and not _is_true_beside(f, case) for f in claims) else ("right", "nothing is claimed")
    for rank, f in enumerate(first):
        if not (_is_at(f, case) and _says_cause(f, case)):
            continue
        holds = true_gain is None or _gain_holds(f, true_gain)
        if rank == 0 and holds and not f["possible"]:
            return "right", f["code"]
        return "partly", f"{f['code']} is number {rank + 1}" + ("" if holds else ", its gain doesn't hold the true one")
    if first and _is_at(first[0], case):
        return "heat", first[0]["code"]
    return "silent", "; ".join(f["code"] for f in first) or "no finding"
