#!/usr/bin/env python3
# world.py - builds programs from outside plain and with Reticle, runs their suites, and compares
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each program of bench/world/programs is built with clang alone and in each feature set, and its own
test suite runs on every build. What Reticle must not do is change a test's result; the table says where
it did, and what else was odd: messages of the runtime, profiles that can't be read, files and processes
left behind.

Each combination of program, LLVM and set leaves DIR/results/PROGRAM.SET.LLVM.json; what is there is not
run again (--again does), so that a run which was interrupted is taken up where it ended.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import time

import steps

sys.path.insert(0, os.path.dirname(steps.HERE))
import common  # noqa: E402

MAJORS = (19, 22)
SETS = ("loop", "field", "shadow", "detail", "duty", "block", "all", "sample")
READ_AT_MOST = 40  # profiles of one suite that are read back


def programs():
    return subprocess.run([steps.STEP, "list"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def path_of(args, kind, program, which, llvm, suffix=""):
    folder = os.path.join(args.dir, kind)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, f"{program}.{which}.{llvm}{suffix}")


def unreadable(files):
    """Profiles of which `reticle report --json` makes no JSON, one by one or those of a program together:
    [(name, status, what it said)]."""
    chosen = files[::max(1, len(files) // READ_AT_MOST)]
    programs_of = collections.defaultdict(list)
    for file in chosen:
        programs_of[os.path.basename(file).split(".")[0]].append(file)
    tool = os.path.join(common.reticle_bin(), "reticle")
    bad = []
    for some in [[file] for file in chosen] + [files for files in programs_of.values() if len(files) > 1]:
        file = some[0]
        try:
            run = subprocess.run([tool, "report", "--json", *some], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 errors="replace", timeout=60, check=False)
            json.loads(run.stdout)
        except subprocess.TimeoutExpired:
            bad.append((os.path.basename(file), "timeout", ""))
        except ValueError:
            bad.append((os.path.basename(file), run.returncode, run.stderr.strip()[:200]))
    return bad


def one(args, program, which, llvm):
    """Builds and tests one combination; returns what the table is made of."""
    out = path_of(args, "builds", program, which, llvm)
    source = os.path.join(args.dir, "src")
    log = path_of(args, "logs", program, which, llvm)
    record = {"program": program, "set": which, "llvm": llvm, "machine": common.machine()}
    if lacking := steps.not_installed(program):
        return {**record, "state": "skipped", "why": f"not installed: apt-get install {' '.join(lacking)}"}
    plain = baseline(args, program, llvm)
    if which != "plain" and (plain is None or plain["state"] != "ran"):
        return {**record, "state": "skipped", "why": f"plain: {plain['state']}, {plain['why']}" if plain else "plain wasn't run"}
    fetched = steps.run(["fetch", program, source], log + ".fetch.log", args.limit)
    if fetched.status:
        return {**record, "state": "skipped", "why": f"no source: {steps.last_line(log + '.fetch.log')}"}
    build = steps.run(["build", program, which, str(llvm), source, out], log + ".build.log", args.limit)
    record["build_seconds"] = build.cpu_seconds
    if build.status:
        return {**record, "state": "no build", "why": f"status {build.status}: see {log}.build.log"}
    # Programs that the build itself runs, configure's tests above all.
    record["build_profiles"], record["build_messages"] = len(steps.profiles(out)), steps.messages(out)
    shutil.rmtree(os.path.join(out, "prof"), ignore_errors=True)
    suite = steps.run(["suite", program, out], log + ".suite.log", args.limit)
    results = steps.results(program, log + ".suite.log")
    # Suites wait for servers and threads, and a busy machine makes single tests fail: what passes in one of
    # two runs has passed, and is told.
    if suite.status != "timeout" and (suite.status or "FAILED" in results.values()):
        second = steps.run(["suite", program, out], log + ".suite2.log", args.limit)
        again = steps.results(program, log + ".suite2.log")
        record["unsteady"] = sorted(name for name in again if again[name] != results.get(name))
        results = {name: "ok" if "ok" in (results.get(name), again.get(name)) else again.get(name) or results[name]
                   for name in {**results, **again}}
        suite = steps.Outcome(min((suite.status, second.status), key=bool), suite.seconds, suite.cpu_seconds, suite.left or second.left)
    files = steps.profiles(out)
    record.update(state="ran", suite_status=suite.status, suite_seconds=suite.cpu_seconds, left=suite.left,
                  results=results, messages=steps.messages(out),
                  stray=steps.stray_profiles(out), profiles=len(files),
                  profile_bytes=sum(os.path.getsize(file) for file in files), unreadable=unreadable(files))
    if args.remove:
        shutil.rmtree(out)
    else:
        shutil.rmtree(os.path.join(out, "prof"), ignore_errors=True)
    return record


def run(args):
    steps.adopt_orphans()
    end = time.monotonic() + args.total if args.total else None
    os.makedirs(os.path.join(args.dir, "src"), exist_ok=True)
    for llvm in args.llvm:
        for which in ["plain", *args.sets]:
            for program in args.programs:
                file = path_of(args, "results", program, which, llvm, ".json")
                known = os.path.exists(file) if which != "plain" else baseline(args, program, llvm)
                if known and not args.again:
                    continue
                if end and time.monotonic() > end:
                    common.note(f"{args.total} s are over: stopping before {program} {which} LLVM {llvm}")
                    return
                record = one(args, program, which, llvm)
                with open(file + ".new", "w", encoding="utf-8") as output:
                    json.dump(record, output, indent=1)
                os.replace(file + ".new", file)
                common.note(summary_line(args, record))


# --- what came out --------------------------------------------------------------------------------


def read(args, program, which, llvm):
    try:
        with open(path_of(args, "results", program, which, llvm, ".json"), encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return None


def baseline(args, program, llvm):
    """The plain build's record: that of another LLVM will do, as a test's result doesn't depend on who compiles."""
    return next(filter(None, (read(args, program, "plain", major) for major in (llvm, *MAJORS))), None)


def differences(record, plain):
    """Tests whose result isn't that of the plain build: [(test, plain, instrumented)]."""
    have, need = record.get("results", {}), (plain or {}).get("results", {})
    return [(name, need.get(name, "-"), have.get(name, "-")) for name in sorted({*have, *need})
            if have.get(name) != need.get(name)]


def odd(record, plain):
    """What a reader should know besides the results."""
    notes = []
    if record["suite_status"] == "timeout":
        notes.append("the suite ran into the time limit")
    elif plain and record["suite_status"] != plain.get("suite_status"):
        notes.append(f"the suite ended with {record['suite_status']}, plain with {plain.get('suite_status')}")
    if record["left"] and record["left"] != (plain or {}).get("left"):
        notes.append(f"left running: {', '.join(record['left'])}")
    if record["stray"]:
        notes.append(f"{len(record['stray'])} stray profiles")
    if record["unreadable"]:
        notes.append(f"{len(record['unreadable'])} profiles that can't be read")
    notes += [f"{test}: {have}, plain {need}" for test, need, have in differences(record, plain)[:4]]
    return notes


def summary_line(args, record):
    name = f"{record['program']} {record['set']} LLVM {record['llvm']}"
    if record["state"] != "ran":
        return f"{name}: {record['state']}, {record['why']}"
    verdicts = list(record["results"].values())
    line = f"{name}: {verdicts.count('ok')} of {len(verdicts)} ok, {verdicts.count('skipped')} skipped"
    if record["set"] != "plain":
        line += "".join("; " + note for note in odd(record, baseline(args, record["program"], record["llvm"])))
    return line


def cell(record, plain):
    if record is None:
        return ""
    if record["state"] != "ran":
        return record["state"]
    verdicts = list(record["results"].values())
    text = f"{verdicts.count('ok')} of {len(verdicts) - verdicts.count('skipped')}"
    if record["set"] == "plain":
        return text
    return text + (", as plain" if not differences(record, plain) else f", {len(differences(record, plain))} differ")


def table(args):
    used = [which for which in args.sets if any(read(args, p, which, llvm) for p in args.programs for llvm in args.llvm)]
    rows, notes = [], []
    for program in args.programs:
        for llvm in args.llvm:
            plain = baseline(args, program, llvm)
            if plain is None or not any(read(args, program, which, llvm) for which in used):
                continue
            records = [read(args, program, which, llvm) for which in used]
            rows.append([f"{program}, LLVM {llvm}", cell(plain, None), *(cell(record, plain) for record in records)])
            for record in records:
                if record and record["state"] == "ran":
                    notes += [f"* {program}, LLVM {llvm}, `{record['set']}`: {note}" for note in odd(record, plain)]
                elif record:
                    notes.append(f"* {program}, LLVM {llvm}, `{record['set']}`: {record['state']}")
    print(common.table(["program", "plain", *(f"`{which}`" for which in used)], rows))
    print("\n" + "\n".join(notes) if notes else "")


def check(args):
    """One line per combination that isn't as plain, counts, and a file as `lit -o` writes it."""
    passed, failed, skipped, tests = 0, 0, 0, []
    for llvm in args.llvm:
        for program in args.programs:
            plain = baseline(args, program, llvm)
            for which in args.sets:
                record = read(args, program, which, llvm)
                name, code, why = f"world :: {program} {which} LLVM {llvm}", "PASS", ""
                if record is None or record["state"] == "skipped" or plain is None or plain["state"] != "ran":
                    skipped += 1
                    code, why = "UNSUPPORTED", f"{program}: {(plain or record or {}).get('why', 'not run')}"
                elif record["state"] != "ran" or not record["results"] or odd(record, plain):
                    failed += 1
                    code = "FAIL"
                    notes = odd(record, plain) if record["state"] == "ran" else [record["state"], record["why"]]
                    why = "; ".join(notes) or "the suite gave no results"
                else:
                    passed += 1
                tests.append({"name": name, "code": code, "output": why})
                if why:
                    print(f"{'failed' if code == 'FAIL' else 'skipped'}: {name}: {why}")
    if args.result:
        with open(args.result, "w", encoding="utf-8") as output:
            output.writelines(json.dumps(test) + "\n" for test in tests)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("run", "table", "check"), help="run: what is missing; table: markdown; check: counts")
    parser.add_argument("programs", nargs="*", help="all of bench/world/programs by default")
    parser.add_argument("--dir", default=os.path.join(common.ROOT, "build", "world"), help="sources, builds, results (default build/world)")
    parser.add_argument("--sets", default=",".join(SETS), help=f"feature sets, from {','.join(SETS)}; all by default")
    parser.add_argument("--llvm", default="19,22", help="majors (default 19,22)")
    parser.add_argument("--limit", type=int, default=1800, help="seconds that one step may take (default 1800)")
    parser.add_argument("--total", type=int, help="seconds after which `run` begins nothing new")
    parser.add_argument("--result", help="check: a file for lit/support/summary.py")
    parser.add_argument("--again", action="store_true", help="run also what has a result")
    parser.add_argument("--remove", action="store_true", help="remove each build once it is tested")
    args = parser.parse_args()
    args.dir = os.path.abspath(args.dir)
    args.llvm = [int(major) for major in args.llvm.split(",")]
    args.sets = [which for which in args.sets.split(",") if which]
    args.programs = args.programs or programs()
    if unknown := set(args.sets) - set(SETS):
        parser.error(f"--sets: {', '.join(sorted(unknown))} unknown; choose from {', '.join(SETS)}")
    if unknown := set(args.programs) - set(programs()):
        parser.error(f"programs: {', '.join(sorted(unknown))} unknown; choose from {', '.join(programs())}")
    if args.action == "run":
        run(args)
    elif args.action == "table":
        table(args)
    else:
        sys.exit(check(args))


if __name__ == "__main__":
    main()
