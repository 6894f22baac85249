# long_runs.py - runs of made-up lengths, and whether every report of them has the numbers right.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   long_runs.py RETICLE FOLDER
# FOLDER/app SECONDS [FACTOR] is lit/runtime/long-runs.c. Numbers of JSON must be right to 1e-9, what is
# printed to the last digit.
import json
import os
import re
import subprocess
import sys

RUNS = {1: "1.00 s", 31: "31.0 s", 60: "60.0 s", 269: "4 min 29 s", 3600: "1 h 0 min", 86400: "24 h 0 min",
        315576000: "87660 h 0 min"}
# What a thousandth of it, and four, read as.
ROWS = {1: ("1.00 ms", "4.00 ms"), 31: ("31.0 ms", "124 ms"), 60: ("60.0 ms", "240 ms"),
        269: ("269 ms", "1.08 s"), 3600: ("3.60 s", "14.4 s"), 86400: ("86.4 s", "5 min 46 s"),
        315576000: ("87 h 40 min", "350 h 38 min")}
# Its mean execution, and twice that.
MEANS = {1: ("1.30 ms", "2.60 ms"), 31: ("40.3 ms", "80.6 ms"), 60: ("78.0 ms", "156 ms"),
         269: ("350 ms", "699 ms"), 3600: ("4.68 s", "9.36 s"), 86400: ("1 min 52 s", "3 min 45 s"),
         315576000: ("113 h 57 min", "227 h 55 min")}

reticle, folder = sys.argv[1:]
os.chdir(folder)
failures = []


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode > (command[1] == "diff"):  # 1: there are differences
        failures.append(f"{command}: status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


def check(what, found, expected, part=1e-9):
    if not isinstance(found, (int, float)) or abs(found - expected) > part * abs(expected):
        failures.append(f"{what} is {found}, not {expected}")


def profile(seconds, factor=1):
    path = f"{seconds}-{factor}.prof"
    options = os.environ["RETICLE_OPTIONS"]
    subprocess.run(["./app", str(seconds), str(factor)], check=True,
                   env={**os.environ, "RETICLE_OPTIONS": f"{options}:out={path}"})
    return path


def step_of(loops):
    return next((loop for loop in loops if loop["function"] == "step"), loops[0])


def check_loop(name, loop, run_ns, runs=1):
    usual = run_ns / 1000
    for key, value in (("share", 0.26), ("total", 0.26 * runs * run_ns), ("mean", 1.3 * usual),
                       ("p5", usual), ("p25", usual), ("p50", usual), ("p75", usual), ("p95", 4 * usual),
                       ("p99", 4 * usual), ("max", 4 * usual), ("lost", 60 * runs * usual),
                       ("amplitude", 4)):
        check(f"{name}: {key}", loop[key]["value"], value)
    check(f"{name}: executions", loop["executions"], 200 * runs)


def check_json(name, report, run_ns, runs=1):
    env, account = report["env"], report["account"]
    check(f"{name}: elapsed", env["elapsed"]["value"], runs * run_ns)
    check(f"{name}: wall", account["wall"]["value"], runs * run_ns)
    check(f"{name}: timer_hz", env["timer_hz"], 1e9)
    check_loop(name, step_of(report["loops"]), run_ns, runs)
    if any(w["code"] == "different_timers" for w in report["warnings"]):
        failures.append(f"{name}: warns of different timers")


def check_raw(path, run_ns):
    """Starts of samples, in the unit that the file says."""
    text = run(reticle, "dump", "--text", path)
    shift = int(re.search(r"^when_shift (\d+)", text, re.M)[1])
    rows = [line.split() for line in text.splitlines() if re.fullmatch(r"(\d+ ){5}\d+", line)]
    columns = re.search(r"^raw (.*?)  #", text, re.M)[1].split()
    rows = [row for row in rows if row[columns.index("work")] == "10"]  # not the loop around them
    starts = sorted(int(row[columns.index("when")]) for row in rows)
    if len(starts) != 200:
        failures.append(f"{path}: {len(starts)} raw samples")
    unit, at = 2**shift, 0
    for i, start in enumerate(starts):
        at += (run_ns - 0.26 * run_ns) / 200
        if abs(start * unit - at) > 2 * unit:
            failures.append(f"{path}: sample {i} starts at {start * unit}, not {at}")
            break
        at += run_ns / (1000 if i % 10 else 250)


def check_text(path, seconds):
    text, (usual, slow) = run(reticle, "report", "--loops", path), ROWS[seconds]
    card = run(reticle, "show", "step", path)
    for where, words in ((text, f"  {RUNS[seconds]} wall clock  "), (text, " 26 % "), (text, usual), (text, slow),
                         (text, "4.00x"), (text, "scripted clock 1.000 GHz"), (card, usual), (card, slow),
                         (card, "26 % of the threads' time")):
        if words not in where:
            failures.append(f"{seconds} s: no '{words}' in\n{where}")


def check_pair(seconds, one, run_ns):
    twice = profile(seconds, 2)
    diff = json.loads(run(reticle, "diff", "--json", one, twice))
    loop = step_of(diff["loops"])
    for side, factor in (("a", 1), ("b", 2)):
        check(f"diff of {seconds} s: elapsed {side}", diff[side]["elapsed"]["value"], run_ns)
        check(f"diff of {seconds} s: p50 {side}", loop[side]["p50"]["value"], factor * run_ns / 1000)
    text = run(reticle, "diff", one, twice)
    for words in (RUNS[seconds], *MEANS[seconds]):
        if words not in text:
            failures.append(f"diff of {seconds} s: no '{words}' in\n{text}")


for seconds in RUNS:
    run_ns, path = seconds * 10**9, profile(seconds)
    check_json(f"{seconds} s", json.loads(run(reticle, "report", "--json", path)), run_ns)
    check_raw(path, run_ns)
    check_text(path, seconds)
    check_pair(seconds, path, run_ns)
    os.rename(path, "first.prof")
    run(reticle, "merge", "first.prof", profile(seconds), "-o", "merged.prof")
    check_json(f"merged {seconds} s", json.loads(run(reticle, "report", "--json", "merged.prof")), run_ns, 2)
    os.rename("first.prof", path)
print("\n".join(failures))
sys.exit(bool(failures))
