# common.py - what the benchmarks share: programs, builds, measured runs, statistics, machine
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import datetime
import json
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import time

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(BENCH)
PROGRAMS = ("lz4", "zstd", "sqlite3", "lua5.4")


def die(text):
    print(f"{os.path.basename(sys.argv[0])}: error: {text}", file=sys.stderr)
    sys.exit(3)


def note(text):
    print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr, flush=True)


# --- control groups ------------------------------------------------------------------------------


def quota_group(name, processors):
    """Makes a control group with a quota (100 ms periods); the file that takes a process in, None where none can be made."""
    quota_us = int(100000 * processors)
    for root, limit, value in (("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", f"{quota_us}"),
                               ("/sys/fs/cgroup", "cpu.max", f"{quota_us} 100000")):
        group = os.path.join(root, name)
        try:
            os.makedirs(group, exist_ok=True)
            with open(os.path.join(group, limit), "w", encoding="ascii") as file:
                file.write(value)
        except OSError:
            continue
        return os.path.join(group, "cgroup.procs")
    return None


def quota_remove(procs):
    """Removes what quota_group made, once no process is in it."""
    os.rmdir(os.path.dirname(procs))


# --- programs ------------------------------------------------------------------------------------


def reticle_bin():
    """The directory with reticle and reticle-clang: $RETICLE_BIN, or a build tree of this checkout."""
    places = [os.environ["RETICLE_BIN"]] if "RETICLE_BIN" in os.environ else [
        os.path.join(ROOT, "build", name, "bin") for name in ("bench", "release", "dev")]
    for place in places:
        if os.access(os.path.join(place, "reticle-clang"), os.X_OK):
            return os.path.abspath(place)
    die("no reticle-clang in " + ", ".join(places) + ": build it "
        "(cmake --preset release && cmake --build --preset release) or set RETICLE_BIN")


def compile_with(source, coarse=False):
    """Command, without -o, that builds a program with probes; coarse: on a counter cut to steps of 26 ticks."""
    library = os.path.join(os.path.dirname(reticle_bin()), "lib", "reticle")
    archive = os.path.join(library, "libreticle_rt_coarse.a" if coarse else "libreticle_rt.a")
    if not os.path.exists(archive):
        die(f"no {os.path.basename(archive)}: RETICLE_BIN must be the bin of a build folder, not of an installation")
    return ["clang-19", f"-fplugin={library}/reticle.so", "-O2", "-g", source,
            "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"]


def script(name, *arguments):
    """Runs a script of bench/programs and returns what it prints; stops if it fails."""
    run = subprocess.run([os.path.join(BENCH, "programs", name), *arguments], stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(run.returncode)  # the script has said why
    return run.stdout


def binary(directory, program, variant):
    """Path of PROGRAM built as VARIANT below `directory`; fetched and built where it is missing."""
    out = os.path.join(directory, variant, program)
    known = os.path.join(out, "binary")
    if not os.path.exists(known):
        source = os.path.join(directory, "src")
        script("fetch.sh", program, source)
        note(f"building {program} ({variant})")
        script("build.sh", program, variant, os.path.join(source, program), out)
    with open(known, encoding="utf-8") as file:
        return file.read().strip()


def build_age_warning(directory, program, variant="reticle"):
    """A plain build may be old; an instrumented one must come from the present plug-in and runtime."""
    known = os.path.join(directory, variant, program, "binary")
    library = os.path.join(os.path.dirname(reticle_bin()), "lib", "reticle")
    if not os.path.exists(known):
        return
    built = os.path.getmtime(known)
    for folder, _, names in os.walk(library):
        for name in names:
            if os.path.getmtime(os.path.join(folder, name)) > built:
                note(f"{program}: {name} is newer than the instrumented build; building it again")
                shutil.rmtree(os.path.join(directory, variant, program))
                return


# --- measured runs ---------------------------------------------------------------------------------


class Usage:
    """What one run took, its children included, in seconds."""

    def __init__(self, wall, usage, status):
        self.wall = wall
        self.cpu = usage.ru_utime + usage.ru_stime
        self.user = usage.ru_utime
        self.system = usage.ru_stime
        self.peak_bytes = usage.ru_maxrss * 1024  # of the largest process
        self.status = status


def measure(command, environment=None, cpu=None, output=subprocess.DEVNULL):
    """Runs `command` and waits for it; pinned to `cpu` if that isn't None."""
    pin = (lambda: os.sched_setaffinity(0, {cpu})) if cpu is not None else None
    start = time.perf_counter()
    child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, preexec_fn=pin)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    return Usage(wall, usage, child.returncode)


def environment(options=""):
    """The environment without RETICLE_OPTIONS, or with `options`; the locale is fixed. A profile of an
    earlier run at out= is removed: the runtime would keep it under another name, and say so."""
    env = {key: value for key, value in os.environ.items() if key != "RETICLE_OPTIONS"}
    env["LC_ALL"] = "C.UTF-8"
    if options:
        env["RETICLE_OPTIONS"] = options
        for out in re.findall(r"(?:^|:)out=([^:%]+)(?=:|$)", options):
            if os.path.isfile(out) and out.endswith(".prof"):
                os.unlink(out)
    return env


def report(profiles, *options):
    """`reticle report --json` on the profiles, as a dictionary."""
    run = subprocess.run([os.path.join(reticle_bin(), "reticle"), "report", "--json", *options, *profiles],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        die(f"reticle report --json {profiles[0]} …: exit {run.returncode}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def profiles(directory):
    """The profile files in a directory, sorted."""
    if not os.path.isdir(directory):
        return []
    return sorted(os.path.join(directory, name) for name in os.listdir(directory) if name.endswith(".prof"))


def percent(quantity):
    """A quantity of the report as percent, or None if it wasn't measured."""
    if quantity["value"] is None:
        return None
    return quantity["value"] * {"%": 1, "percent": 1, "permille": 0.1, "share": 100, "ratio": 100, "": 100}[quantity["unit"]]


# --- statistics ------------------------------------------------------------------------------------


def quantile(values, q):
    """Linear interpolation between order statistics (type 7, as numpy's default)."""
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def median(values):
    return quantile(values, 0.5)


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


# --- machine ---------------------------------------------------------------------------------------


def first_line(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "unknown"


def machine():
    """One paragraph about where figures come from: processor and software, nothing that names a host."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        text = file.read()
    model = re.search(r"model name\s*: (.*)", text)
    model = model.group(1) if model else platform.machine()
    virtual = ", virtual machine" if re.search(r"^flags.*\bhypervisor\b", text, re.M) else ""
    compiler = re.search(r"clang version (\S+)", first_line(["clang-19", "--version"]))
    load = os.getloadavg()[0]
    return (f"{datetime.date.today().isoformat()}, {model} ({os.cpu_count()} processors{virtual}), "
            f"Linux {platform.release().split('-')[0]}, clang {compiler.group(1) if compiler else 'unknown'}, "
            f"load at the start {load:.2f}")


def table(head, rows):
    """A markdown table; columns after the first are right-aligned."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def conclude(text, out, wrong):
    """Prints the result, writes it to the file `out` if there is one, and names what does not hold. Returns the exit status."""
    print(text)
    if out:
        with open(out, "w", encoding="utf-8") as file:
            file.write(text)
    for line in wrong:
        note("does not hold: " + line)
    return 1 if wrong else 0
