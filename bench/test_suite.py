#!/usr/bin/env python3
# test_suite.py - the programs of LLVM's test-suite, plain and instrumented: same output, same exit status?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: test_suite.py CHECKOUT [--out DIR] [--seconds N] [--jobs N] [--only GLOB] [--table]
#
# CHECKOUT is one of github.com/llvm/llvm-test-suite, of which nothing is copied. Its own CMake files say how
# each program of SingleSource and MultiSource is compiled, linked and run (small inputs). Each pair of program
# and setup (feature set, LLVM, level, run-time options) is compiled plain and instrumented, both are run, and
# output and exit status compared; the plug-in checks the code after each of its steps (verify=1), and the
# profile has to be one that `reticle report` takes. Breadth first: each program with one setup, then each with
# the next. Pairs that DIR/results.jsonl has are not run again, so a run that was cut short goes on.
#
# What fails is compiled and run again before it counts: a program whose plain output differs from run to run
# is "unsteady", and only its status is compared. Exits 1 if something differs or crashes.
import argparse
import collections
import concurrent.futures
import fnmatch
import functools
import glob
import hashlib
import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

from common import die, environment, machine, note, quantile, reticle_bin, table

FEATURES = {
    "loop": ["features=loop"],
    "field": ["features=loop,field"],
    "shadow": ["features=loop,shadow"],
    "detail": ["features=loop,shadow", "shadow=detail"],
    "duty": ["features=loop,shadow", "shadow=bursts"],
    "block": ["features=loop,block"],
    "all": ["features=loop,field,shadow,block"],
}
# Most programs are built at -O2; the others have shapes of code that it hasn't.
LEVELS = ("-O2 -g", "-O2", "-O3 -g", "-O2 -g", "-O0 -g", "-Os -g0", "-O1 -g", "-O2 -g -fPIC -fPIE -pie", "-O2 -g -flto")
RUNS = ("", "sample=1", "burst=1", "period=1", "checkpoint_ms=50:probe_budget=50%")
PLAIN_SECONDS_MAX = 20  # a program that takes longer is left out
COMPILE_SECONDS_MAX = 600

Setup = collections.namedtuple("Setup", "features llvm level options")


def key(program, setup):
    return "|".join((program, *setup))


class Failure(Exception):
    """What went wrong: one word, and the text."""

    def __init__(self, word, text):
        super().__init__(word)
        self.word, self.text = word, text


# --- the suite -------------------------------------------------------------------------------------


def configure(checkout, out):
    """Has the suite's CMake write down how everything is built, and returns the folder."""
    plan = os.path.join(out, "plan")
    if not os.path.exists(os.path.join(plan, "build.ninja")):
        if not os.path.exists(os.path.join(checkout, "SingleSource", "CMakeLists.txt")):
            die(f"{checkout}: no checkout of llvm-test-suite; clone https://github.com/llvm/llvm-test-suite")
        lit = shutil.which("lit") or "/usr/lib/llvm-19/build/utils/lit/lit.py"
        command = ["cmake", "-G", "Ninja", "-S", os.path.abspath(checkout), "-B", plan,
                   "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_C_FLAGS=-w",
                   "-DTEST_SUITE_COLLECT_CODE_SIZE=OFF", "-DTEST_SUITE_COLLECT_COMPILE_TIME=OFF",
                   "-DTEST_SUITE_SUBDIRS=SingleSource;MultiSource", "-DSMALL_PROBLEM_SIZE=ON",
                   "-DTEST_SUITE_RUN_TYPE=train", f"-DTEST_SUITE_LIT={lit}"]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            die(f"{checkout}: cmake failed:\n{run.stdout[-2000:]}")
    return plan


def number(program):
    return int.from_bytes(hashlib.sha256(program.encode()).digest()[:6], "big")


def programs(plan, pattern):
    """Names of all programs, in an order that mixes the folders and is the same in each run."""
    tests = glob.glob("*Source/**/*.test", root_dir=plan, recursive=True)
    names = [test[:-len(".test")] for test in tests]
    return sorted((name for name in names if fnmatch.fnmatch(name, pattern)), key=number)


@functools.lru_cache(maxsize=256)
def commands(plan, program):
    """The shell commands that build it, its data included."""
    lines = subprocess.run(["ninja", "-C", plan, "-t", "commands", program], stdout=subprocess.PIPE, text=True,
                           stderr=subprocess.PIPE).stdout.splitlines()
    tools = (os.path.join(plan, "litsupport"), os.path.join(plan, "tools"), " tools/")
    return [line for line in lines if not any(tool in line for tool in tools) and not line.startswith("ninja:")]


# --- one build, one run ----------------------------------------------------------------------------


def shell(text, folder, env, seconds):
    """Runs it; returns status (None: too slow) and output. What it started ends with it."""
    child = subprocess.Popen(["/bin/sh", "-c", text], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = child.communicate(timeout=seconds)
        return child.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return None, b""


def compiler_line(line, plan, folder, flags, c, cxx):
    """The command with other compilers, other folders and more flags; the last level given counts."""
    line = line.replace(plan, folder)
    for name, instead in (("clang++-19", cxx), ("clang-19", c)):
        line, count = re.subn(r"(^|: && |\s)\S*/" + re.escape(name) + r"\s", rf"\g<1>{instead} ", line)
        if count:
            linked = " && :" if line.endswith("&& :") else ""
            head, separator, tail = line.partition(" -o ")
            return f"{head} {flags}{separator}{tail}" if separator else f"{line} {flags}{linked}"
    return line


def build(plan, program, folder, setup, instrumented):
    """Builds below the folder; returns seconds of the compiler."""
    flags, tools = setup.level, reticle_bin()
    c, cxx = (os.path.join(tools, name) for name in ("reticle-clang", "reticle-clang++"))
    env = environment()
    env.update(RETICLE_CC=f"clang-{setup.llvm}", RETICLE_CXX=f"clang++-{setup.llvm}")
    if instrumented:
        flags += "".join(f" -fplugin-arg-reticle-{option}" for option in [*FEATURES[setup.features], "verify=1"])
    else:
        env["RETICLE"] = "off"
    lines = [compiler_line(line, plan, folder, flags, c, cxx) for line in commands(plan, program)]
    for line in lines:
        for word in re.findall(r"-o (\S+)", line):
            os.makedirs(os.path.dirname(os.path.join(folder, word)), exist_ok=True)
    os.makedirs(os.path.dirname(os.path.join(folder, program)), exist_ok=True)
    start = time.monotonic()
    for line in lines:
        status, output = shell(line, folder, env, COMPILE_SECONDS_MAX)
        if status != 0:
            text = output.decode(errors="replace")
            raise Failure("slow compiler" if status is None else
                          "compiler crash" if "Stack dump" in text or "PLEASE submit" in text or "fatal error: error in" in text
                          else "no build", f"$ {line}\n{text[-6000:]}")
    return time.monotonic() - start


def run_lines(plan, program, folder):
    home = os.path.dirname(os.path.join(folder, program))
    with open(os.path.join(plan, program + ".test"), encoding="utf-8") as file:
        return [line[len("RUN:"):].strip().replace("%S", home).replace("%b", folder)
                for line in file if line.startswith("RUN:")]


def run(plan, program, folder, options, seconds):
    """Returns status, output and seconds. The folder's own name is taken out of the output."""
    env = environment(options)
    env.update(XDG_CACHE_HOME=os.path.join(os.path.dirname(folder), "cache"), HOME=folder)
    start, whole, status = time.monotonic(), b"", 0
    for line in run_lines(plan, program, folder):
        status, output = shell(line, folder, env, seconds)
        whole += output
        if status != 0:
            break
    return status, whole.replace(folder.encode(), b"FOLDER"), time.monotonic() - start


# --- one pair --------------------------------------------------------------------------------------


def check_profiles(folder):
    """Each profile that the run has left is one that the tool takes."""
    found = glob.glob(os.path.join(folder, "*.prof"))
    if not found:
        raise Failure("no profile", "")
    for profile in found:
        shown = subprocess.run([os.path.join(reticle_bin(), "reticle"), "report", profile], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if shown.returncode not in (0, 1):
            raise Failure("report", f"$ reticle report {profile}: exit {shown.returncode}\n{shown.stdout[-3000:]}")


def compare(plan, program, setup, work):
    """Builds and runs both; returns facts about it, or raises Failure."""
    plain, ours = os.path.join(work, "plain"), os.path.join(work, "ours")
    os.makedirs(plain)
    os.makedirs(ours)
    try:
        facts = {"plain_compile_s": build(plan, program, plain, setup, False)}
    except Failure:
        return {"left_out": "doesn't build plain"}
    status, output, seconds = run(plan, program, plain, "", PLAIN_SECONDS_MAX)
    facts["plain_s"] = seconds
    if status is None:
        return {"left_out": f"takes longer than {PLAIN_SECONDS_MAX} s"}
    if status and b"No such file" in output:
        return {"left_out": "its input is not in the checkout"}  # the largest files may be absent there
    facts["compile_s"] = build(plan, program, ours, setup, True)
    options = ":".join(filter(None, (f"report=0:out={ours}/%e.%p.prof", setup.options)))
    status2, output2, facts["seconds"] = run(plan, program, ours, options, 60 + 30 * seconds)
    if status2 is None:
        raise Failure("hangs", "")
    if (status, output) != (status2, output2):
        again = [run(plan, program, plain, "", PLAIN_SECONDS_MAX)[:2] for _ in range(3)]
        if any(one != (status, output) for one in again):
            facts["unsteady"] = True
        if all(one[0] == status for one in again) and status2 != status:
            raise Failure("other status", f"{status} plain, {status2} instrumented\n{output2.decode(errors='replace')[-3000:]}")
        if "unsteady" not in facts:
            raise Failure("other output", difference(output, output2))
    elif 0 <= status < 128:  # a program that is killed may leave none
        check_profiles(ours)
    return facts


def difference(one, other):
    lines = zip(itertools.count(1), *(text.decode(errors="replace").splitlines() + ["(end)"] for text in (one, other)))
    for number, before, after in lines:
        if before != after:
            return f"line {number}\nplain:        {before[:300]}\ninstrumented: {after[:300]}"
    return "the end"


def attempt(plan, program, setup, out):
    """One line for results.jsonl."""
    work = os.path.join(out, "work", hashlib.sha256(key(program, setup).encode()).hexdigest()[:16])
    row = {"key": key(program, setup), "program": program, **setup._asdict()}
    for _ in range(2):
        shutil.rmtree(work, ignore_errors=True)
        try:
            row.update(verdict="same", **compare(plan, program, setup, work))
            row.pop("text", None)
            break
        except Failure as failure:
            row.update(verdict=failure.word, text=failure.text)
    shutil.rmtree(work, ignore_errors=True)
    if "left_out" in row:
        row["verdict"] = "left out"
    return row


# --- all of them -----------------------------------------------------------------------------------


def setup_of(program, turn):
    """Feature sets and compilers take turns: 14 turns have each pair of them."""
    index = number(program)
    features, llvm = list(FEATURES), ("19", "22")
    feature, options = features[(index + turn) % len(features)], RUNS[(index // 126 + turn) % len(RUNS)]
    if feature == "duty":
        options = ":".join(filter(None, ("duty=5%", options)))
    return Setup(feature, llvm[(index + turn) % len(llvm)], LEVELS[(index // 14 + turn) % len(LEVELS)], options)


def read_results(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def again_command(row, checkout):
    flags = " ".join(f"-fplugin-arg-reticle-{option}" for option in FEATURES[row["features"]])
    return (f"test_suite.py {shlex.quote(checkout)} --only {shlex.quote(row['program'])} "
            f"--pair {shlex.quote('|'.join((row['features'], row['llvm'], row['level'], row['options'])))}   # {flags}")


def tell(rows, checkout):
    """The table, then each difference. Returns whether there are some."""
    kinds = sorted({row["verdict"] for row in rows} - {"same", "left out"})
    lines = []
    for features, llvm in itertools.product(FEATURES, ("19", "22")):
        mine = [row for row in rows if (row["features"], row["llvm"]) == (features, llvm)]
        done = [row for row in mine if row["verdict"] == "same"]
        if not mine:
            continue
        slower = [row["compile_s"] / row["plain_compile_s"] for row in done if row.get("plain_compile_s", 0) > 0.2]
        lines.append([f"`{','.join(FEATURES[features])}`", llvm, str(len({row["program"] for row in mine})), str(len(done)),
                      str(sum(bool(row.get("unsteady")) for row in done)),
                      *(str(sum(row["verdict"] == kind for row in mine)) for kind in kinds),
                      str(sum(row["verdict"] == "left out" for row in mine)),
                      f"{quantile(slower, 0.5):.2f}" if slower else "-"])
    print(table(["feature set", "LLVM", "programs", "same", "of them unsteady", *kinds, "left out", "compile time, median"], lines))
    tried = [row for row in rows if row["verdict"] != "left out"]
    wrong = [row for row in tried if row["verdict"] != "same"]
    print(f"\n{len(tried)} pairs of {len({row['program'] for row in tried})} programs: {len(wrong)} with a difference.")
    for row in wrong:
        print(f"\n{row['verdict']}: {row['program']}\n  {again_command(row, checkout)}\n" +
              "\n".join("  " + line for line in row["text"].splitlines()[-40:]))
    return bool(wrong)


def arguments():
    parser = argparse.ArgumentParser(description="LLVM's test-suite, plain and instrumented")
    parser.add_argument("checkout")
    parser.add_argument("--out", default="test-suite.out", help="folder for builds and results (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=900, help="time budget (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--turns", type=int, default=14, help="setups for each program (default: %(default)s)")
    parser.add_argument("--only", default="*", metavar="GLOB", help="programs, as SingleSource/Regression/*")
    parser.add_argument("--pair", metavar="FEATURES|LLVM|LEVEL|OPTIONS", help="this setup alone, and again")
    parser.add_argument("--table", action="store_true", help="print what is known, run nothing")
    return parser.parse_args()


def main():
    args = arguments()
    out = os.path.abspath(args.out)
    os.makedirs(out, exist_ok=True)
    results = os.path.join(out, "results.jsonl")
    rows = read_results(results)
    if args.table:
        return tell(rows, args.checkout)
    end = time.monotonic() + args.seconds
    plan = configure(args.checkout, out)
    names = programs(plan, args.only)
    if args.pair:
        pairs, rows, results = [(name, Setup(*args.pair.split("|"))) for name in names], [], os.devnull
    else:
        known = {row["key"] for row in rows}
        pairs = [(name, setup_of(name, turn)) for turn in range(args.turns) for name in names]
        pairs = [pair for pair in pairs if key(*pair) not in known]
    note(f"{machine()}; {len(names)} programs, {len(pairs)} pairs to do")

    def one(pair):
        return attempt(plan, *pair, out) if time.monotonic() < end else None

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, open(results, "a", encoding="utf-8") as file:
        for row in filter(None, pool.map(one, pairs)):
            rows.append(row)
            file.write(json.dumps(row) + "\n")
            file.flush()
            if row["verdict"] not in ("same", "left out"):
                note(f"{row['verdict']}: {row['key']}")
    return tell(rows, args.checkout)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
