#!/usr/bin/env python3
# always_on.py - what loops and samples cost six programs that run for months, beside XRay's no-ops
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: always_on.py build FOLDER [PROGRAM...]               builds what is missing, and packs it into FOLDER/packed
       always_on.py places FOLDER COUNT PROGRAM...             the same of builds whose functions lie elsewhere
       always_on.py run PACKED PROGRAM CPU ROUNDS SECONDS OUT [VARIANT...]  on any machine with Python: needs no Reticle
       always_on.py table OUT...                               markdown

Programs: lz4, zstd, sqlite3, lua5.4 with the workloads of bench/programs, xz (8 MiB of the same corpus, packed and tested), redis (a load
generator on the processor behind CPU, whose time isn't counted). Each variant is run once a round, in rotating order; a ratio
is formed within a round. CPU time of the program's processes, pinned to CPU.

Variants: again, the plain program a second time; off, loops with RETICLE_OPTIONS=loop=0: gates alone; on, loops as they come; sample,
with samples of the program counter; listed, listed-sample: built again with the list that `reticle gates` makes of one run; timing,
timing-listed: the timing build of a study, labels, loops, samples; xray: clang's -fxray-instrument, patched out; nops: -fpatchable-function-entry=5,
as uftrace has it, which doesn't run; perf: the plain program under perf record -F 251 -e cpu-clock, whose own time counts.

With places, NAME.N: none.N, all loops left out by an ignorelist; on.N, listed.N as above. N moves functions (RETICLE_PLACEMENT), so that what code
costs is told apart from where it lies: a table of runs of none.1 to on.COUNT has the middle over places, and how far places differ.
"""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import common

PROGRAMS = ("lz4", "zstd", "sqlite3", "lua5.4", "xz", "redis")
# name: build, RETICLE_OPTIONS or None
VARIANTS = {"plain": ("plain", None), "again": ("plain", None), "off": ("loop", "loop=0"), "on": ("loop", ""),
            "sample": ("loop", "sample=1"), "listed": ("listed", ""), "listed-sample": ("listed", "sample=1"),
            "timing": ("timing", "sample=1"), "timing-listed": ("timing-listed", "sample=1"), "xray": ("xray", None), "nops": ("nops", None),
            "perf": ("plain", None)}
PLACED = {"none": ("none", "loop=0"), "on": ("loop", ""), "listed": ("listed", "")}
HERE = os.path.join(common.BENCH, "programs")


def kind_of(variant):
    """Its build, RETICLE_OPTIONS or None."""
    stem, dot, place = variant.partition(".")
    if not dot:
        return VARIANTS[variant]
    build_name, options = PLACED[stem]
    return f"{build_name}.{place}", options


# --- building ---------------------------------------------------------------------------------------

def compilers(place):
    clang = os.path.join(common.reticle_bin(), "reticle-clang") + " -g"
    listed = f"{clang} -fplugin-arg-reticle-ignorelist={place}"
    return {"plain": "clang-19 -g", "loop": clang, "timing": clang + " -fplugin-arg-reticle-features=loop,label",
            "xray": "clang-19 -g -fxray-instrument", "nops": "clang-19 -g -fpatchable-function-entry=5", "listed": listed,
            "timing-listed": listed + " -fplugin-arg-reticle-features=loop,label"}


def build_own(program, source, place, compiler):
    """xz and redis by their own build systems. Returns the program's path."""
    shutil.rmtree(place, ignore_errors=True)
    quoted = shlex.quote("CC=" + compiler)
    if program == "xz":
        os.makedirs(place)
        command = f"{source}/configure --quiet --disable-shared --disable-nls {quoted} && make -j2"
        made = os.path.join(place, "src", "xz", "xz")
    else:
        shutil.copytree(source, place)
        command = f"make -j2 MALLOC=libc {quoted} -C src redis-server redis-benchmark redis-cli"
        made = os.path.join(place, "src", "redis-server")
    with open(place + ".log", "wb") as log:
        if subprocess.run(["sh", "-c", command], cwd=place, stdout=log, stderr=log, check=False).returncode:
            common.die(f"building {program} failed; its log is {place}.log")
    with open(os.path.join(place, "binary"), "w", encoding="utf-8") as file:
        file.write(made)
    return made


def build_one(folder, program, variant, compiler):
    place = os.path.join(folder, f"{program}-{variant}")
    known = os.path.join(place, "binary")
    source = os.path.join(folder, "src", program)
    if not os.path.exists(source):
        common.die(f"{source}: not there; fetch.sh makes it of lz4, zstd, sqlite3, lua5.4; for xz and redis unpack "
                   "`apt-get source xz-utils redis` there")
    if not os.path.exists(known):
        if program in ("xz", "redis"):
            build_own(program, source, place, compiler)
        else:
            subprocess.run([os.path.join(HERE, "build.sh"), program, variant, source, place], check=True,
                           stdout=subprocess.DEVNULL, env={**os.environ, "CC": compiler})
    with open(known, encoding="utf-8") as file:
        return file.read().strip()


def pack(packed, program, variant, binary):
    """The program without debug information, with a library of its own beside it."""
    place = os.path.join(packed, f"{program}-{variant}")
    os.makedirs(place, exist_ok=True)
    library = os.path.join(os.path.dirname(binary), ".libs", "libsqlite3.so.0")
    if os.path.exists(library):  # `binary` is libtool's script
        subprocess.run(["objcopy", "--strip-debug", os.path.realpath(library), os.path.join(place, "libsqlite3.so.0")], check=True)
        binary = os.path.join(os.path.dirname(library), "sqlite3")
    subprocess.run(["objcopy", "--strip-debug", binary, os.path.join(place, "program")], check=True)
    copy_libraries(binary, packed)
    for tool in ("redis-benchmark", "redis-cli"):
        if program == "redis" and variant == "plain":
            subprocess.run(["objcopy", "--strip-debug", os.path.join(os.path.dirname(binary), tool), os.path.join(packed, tool)],
                           check=True)


def copy_libraries(binary, packed):
    """What it needs beside libc's own."""
    needed = subprocess.run(["ldd", binary], check=True, stdout=subprocess.PIPE, text=True).stdout
    os.makedirs(os.path.join(packed, "lib"), exist_ok=True)
    for name, path in re.findall(r"(\S+) => (/\S+)", needed):
        if not re.match(r"lib(c|m|dl|rt|pthread|resolv|sqlite3)\.so", name):
            shutil.copy(path, os.path.join(packed, "lib", name))


def pack_perf(packed):
    perf = shutil.which("perf")
    if perf:
        shutil.copy(perf, os.path.join(packed, "perf"))
        copy_libraries(perf, packed)


def build(folder, *programs):
    folder = os.path.abspath(folder)
    packed = os.path.join(folder, "packed")
    for program in programs or PROGRAMS:
        gates = os.path.join(folder, f"{program}.gates")
        for variant, compiler in compilers(gates).items():
            if variant == "listed" and not os.path.exists(gates):
                with tempfile.TemporaryDirectory() as work:
                    prof = os.path.join(work, "%e.%p.prof")
                    run_once(packed, program, "on", 0, work, out=prof)
                    profiles = glob.glob(os.path.join(work, "*.prof"))
                    made = subprocess.run([os.path.join(common.reticle_bin(), "reticle"), "gates", *profiles], check=True,
                                          stdout=subprocess.PIPE).stdout
                with open(gates, "wb") as file:
                    file.write(made)
            pack(packed, program, variant, build_one(folder, program, variant, compiler))
            common.note(f"{program} {variant}: built")
    pack_perf(packed)
    for name in ("run.sh", "common.sh", "corpus.py", "workload.sql", "workload.lua"):
        shutil.copy(os.path.join(HERE, name), packed)


def places(folder, count, *programs):
    """As build does, with functions at other places; the list of gates is that of build."""
    folder = os.path.abspath(folder)
    nothing = os.path.join(folder, "nothing.list")
    with open(nothing, "w", encoding="utf-8") as file:
        file.write("src:*\n")
    for program in programs:
        commands = compilers(os.path.join(folder, f"{program}.gates"))
        commands["none"] = compilers(nothing)["listed"]
        for number in range(1, int(count) + 1):
            os.environ["RETICLE_PLACEMENT"] = str(number)
            for name, _ in PLACED.values():
                variant = f"{name}.{number}"
                pack(os.path.join(folder, "packed"), program, variant, build_one(folder, program, variant, commands[name]))
                common.note(f"{program} {variant}: built")


# --- running ----------------------------------------------------------------------------------------

def run_redis(packed, binary, cpu, work, environment, under):
    """CPU seconds of the server; load on the next processor."""
    port = str(7400 + cpu)
    plain = {k: v for k, v in os.environ.items() if k != "RETICLE_OPTIONS"}
    beside = {cpu + 1} if cpu + 1 in os.sched_getaffinity(0) else os.sched_getaffinity(0)
    with open(os.path.join(work, "log"), "wb") as log:
        server = subprocess.Popen([*under, binary, "--port", port, "--save", "", "--appendonly", "no"], cwd=work, env=environment, stdout=log,
                                  preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        client = os.path.join(packed, "redis-cli")
        while subprocess.run([client, "-p", port, "ping"], env=plain, capture_output=True, check=False).returncode:
            time.sleep(0.05)
        subprocess.run([os.path.join(packed, "redis-benchmark"), "-p", port, "-n", "300000", "-c", "20", "-P", "8", "-q",
                        "-t", "set,get,lpush,lpop,zadd,hset"], env=plain, stdout=subprocess.DEVNULL, check=True,
                       preexec_fn=lambda: os.sched_setaffinity(0, beside))
        subprocess.run([client, "-p", port, "shutdown", "nosave"], env=plain, capture_output=True, check=False)
        _, status, usage = os.wait4(server.pid, 0)
        server.returncode = os.waitstatus_to_exitcode(status)
    if server.returncode:
        common.die(f"redis ended with {server.returncode}")
    return usage.ru_utime + usage.ru_stime


def run_once(packed, program, variant, cpu, work, out=os.devnull):
    """CPU seconds of one run."""
    kind, options = kind_of(variant)
    place = os.path.join(packed, f"{program}-{kind}")
    binary = os.path.join(place, "program")
    prof = out if out != os.devnull else os.path.join(work, "%e.%p.prof")
    environment = {**os.environ, "LD_LIBRARY_PATH": f"{place}:{packed}/lib"}
    if options is not None:
        environment["RETICLE_OPTIONS"] = f"report=0:verbosity=0:out={prof}" + (":" + options if options else "")
    under = []
    if variant == "perf":
        under = [os.path.join(packed, "perf"), "record", "-q", "-F", "251", "-e", "cpu-clock", "-o", os.path.join(work, "perf.data"), "--"]
    if program == "redis":
        return run_redis(packed, binary, cpu, work, environment, under)
    script = os.path.join(packed if os.path.exists(os.path.join(packed, "run.sh")) else HERE, "run.sh")
    command = ["sh", script, "--quiet", program, binary, work]
    corpus = os.path.join(work, "corpus")
    if program in ("lz4", "zstd", "xz") and not os.path.exists(corpus):  # by a Python without LD_LIBRARY_PATH
        subprocess.run([sys.executable, os.path.join(os.path.dirname(script), "corpus.py"), corpus, "8" if program == "xz" else "64"],
                       check=True)
    if program == "xz":
        command = ["sh", "-c", '"$0" -T1 -6 -k -f "$1" && "$0" -T1 -t "$1.xz"', binary, corpus]
    usage = common.measure(under + command, environment, cpu, subprocess.DEVNULL)
    if usage.status:
        common.die(f"{program} ({variant}) ended with status {usage.status}")
    return usage.cpu


def run(packed, program, cpu, rounds, seconds, out, *variants):
    packed, names = os.path.abspath(packed), list(variants or VARIANTS)
    runs = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as work:
        began = time.monotonic()
        for number in range(int(rounds) + 1):
            turn = number % len(names)
            order = names[turn:] + names[:turn]
            for name in reversed(order) if number % 2 else order:
                cpu_s = run_once(packed, program, name, int(cpu), work)
                if number:  # the first one warms caches
                    runs[name].append(cpu_s)
            if (time.monotonic() - began) * (number + 2) / (number + 1) > float(seconds):
                break
    least = min(map(len, runs.values()))
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"program": program, "machine": common.machine(), "runs": {k: v[:least] for k, v in runs.items()}}, file)


# --- the table --------------------------------------------------------------------------------------

def placed_row(result):
    """Ratios within a round to none.N at the same place; the range of none.N is of their medians, against the middle one."""
    runs = result["runs"]
    numbers = sorted({name.partition(".")[2] for name in runs}, key=int)
    none = {n: common.median(runs[f"none.{n}"]) for n in numbers}
    middle = common.median(list(none.values()))
    row = [result["program"], str(len(numbers)), str(len(runs[f"none.{numbers[0]}"])), f"{min(none.values()) / middle:.3f} to {max(none.values()) / middle:.3f}"]
    for stem in ("on", "listed"):
        each = [common.median([a / b for a, b in zip(runs[f"{stem}.{n}"], runs[f"none.{n}"])]) for n in numbers]
        row.append(f"{common.median(each):.3f} ({min(each):.3f} to {max(each):.3f})")
    return row


def table(*files):
    results = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            results.append(json.load(file))
    results.sort(key=lambda result: PROGRAMS.index(result["program"]))
    if "none.1" in results[0]["runs"]:
        print(results[0]["machine"] + "\n")
        print(common.table(["program", "places", "rounds", "none, by place", "on", "listed"], [placed_row(result) for result in results]))
        return
    names = [name for name in VARIANTS if all(name in result["runs"] for result in results)]
    rows, medians = [], {name: [] for name in names}
    for result in results:
        runs, row = result["runs"], [result["program"], str(len(result["runs"]["plain"]))]
        for name in names:
            each = [a / b for a, b in zip(runs[name], runs["plain"])]
            medians[name].append(common.median(each))
            row.append(f"{common.median(runs[name]):.2f} s" if name == "plain" else
                       f"{medians[name][-1]:.3f} ({common.quantile(each, 0.25):.3f}–{common.quantile(each, 0.75):.3f})")
        rows.append(row)
    for what, of in (("middle", common.median), ("worst", max)):
        rows.append([what, ""] + ["" if name == "plain" else f"{of(medians[name]):.3f}" for name in names])
    print(results[0]["machine"] + "\n")
    print(common.table(["program", "rounds", *names], rows))


def main(arguments):
    verbs = {"build": build, "places": places, "run": run, "table": table}
    least = {"run": 7, "places": 4}
    if len(arguments) < 2 or arguments[0] not in verbs or len(arguments) < least.get(arguments[0], 2):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    verbs[arguments[0]](*arguments[1:])


main(sys.argv[1:])
