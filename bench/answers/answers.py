#!/usr/bin/env python3
# answers.py - studies programs whose answer is known, and judges the first page
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/answers/answers.py FOLDER [--cases FILE] [--only NAME]... [--time T] [--pairs N] [--keep FOLDER] [--again]

FOLDER has a folder for each case of FILE (bench/answers/canon.json) with a Makefile that makes `app`, and with
CFLAGS=-DFIX the mended program. The true gain is measured beside each study: CPU time that the fix saves, in
pairs of runs in turn; --pairs 0 leaves it out, and place and cause alone decide. --keep keeps studies, reports and gains there; --again judges what was kept.

Prints a row for each case and the sums; exits with 1 if any verdict is wrong.
"""
import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import common
from judge import judge

VERDICTS = ("right", "partly", "heat", "silent", "wrong")


def make(folder, *flags):
    subprocess.run(["make", "-B", "CC=clang-19", "CXX=clang++-19", *flags], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cpu_s(program, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def true_gain(folder, pairs):
    """Part of the CPU time that the fix saves: the median of pairs."""
    make(folder, "CFLAGS=-DFIX", "CXXFLAGS=-DFIX")
    shutil.move(os.path.join(folder, "app"), os.path.join(folder, "app.fixed"))
    make(folder)
    gains = []
    for _ in range(pairs):
        plain = cpu_s("./app", folder)
        gains.append(1 - cpu_s("./app.fixed", folder) / plain)
    return statistics.median(gains)


def study(folder, out, time, run):
    reticle = os.path.join(common.reticle_bin(), "reticle")
    done = subprocess.run([reticle, "study", "--time", time, "-o", out, "--build", "make -B CC=$CC CXX=$CXX", "--", *run.split()],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        return done.stderr.strip().splitlines()[-2:]
    return None


def report(out):
    reticle = os.path.join(common.reticle_bin(), "reticle")
    done = subprocess.run([reticle, "report", "--json", out], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0][7:])
    parser.add_argument("folder")
    parser.add_argument("--cases", default=os.path.join(common.BENCH, "answers", "canon.json"))
    parser.add_argument("--only", action="append")
    parser.add_argument("--time", default="25s")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--keep")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    with open(options.cases, encoding="utf-8") as file:
        cases = json.load(file)
    kept = os.path.abspath(options.keep or tempfile.mkdtemp(prefix="answers-"))
    os.makedirs(kept, exist_ok=True)
    sums = dict.fromkeys(VERDICTS, 0)
    for name, case in cases.items():
        if options.only and name not in options.only:
            continue
        folder, out, gain_path = os.path.join(options.folder, name), os.path.join(kept, name + ".reticle"), \
            os.path.join(kept, name + ".gain")
        if not options.again:
            if options.pairs:
                with open(gain_path, "w", encoding="ascii") as file:
                    file.write(str(true_gain(folder, options.pairs)))
            failed = study(folder, out, options.time, case.get("run", "./app"))
            if failed:
                common.note(f"{name}: {failed}")
        if not os.path.exists(out):
            common.note(f"{name}: no study")
            continue
        gain = None
        if os.path.exists(gain_path):
            with open(gain_path, encoding="ascii") as file:
                gain = float(file.read())
        findings = report(out)["findings"]
        verdict, why = judge(findings, case, gain)
        sums[verdict] += 1
        first = findings[0] if findings else None
        shown = "-"
        if first:
            number = first["gain"] if first["gain"]["status"] == "ok" else first["at_stake"]
            shown = first["code"] + (f" {number['value']:.0%} ({number['low']:.0%} to {number['high']:.0%})"
                                     if number["status"] == "ok" else "")
        print(f"{name:27} true {'?' if gain is None else format(gain, '.0%'):>4}  {verdict:7} {shown:42} {why}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sums.items()))
    if not options.keep:
        shutil.rmtree(kept)
    return 1 if sums["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
