# make_profile.py - a profile with made-up loops, for the tests of the tools.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   make_profile.py OUT.prof env.pid=7 health.lost_samples=3 object source=a.c loops=2 \
#       loop function=f line=8 raw='1800*10000~20@64 200*20000~20@64'
#
# Writes OUT.prof.txt, and has the program reticle in PATH make OUT.prof of it. Words in front of the
# first record set fields of env and health. `object`, `module`, `loop` and `rank` start a record,
# the words behind set its fields. A loop's `raw` lists count*ticks, each with an optional ~jitter, @work and
# /tTHREAD; the samples are shuffled and spread over the run. Weight, histogram and sums follow from
# them. The field lists come from abi.def, so that a new field needs no change here.
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNKNOWN = 2**64 - 1
UNKNOWN_NUMBER = 2**32 - 1

ENV = {
    "start_time_s": 1700000000, "elapsed_ticks": 2_410_000_000, "cpu_ns": 2_400_000_000,
    "thread_ticks": 2_400_000_000,
    "timer_hz": 1_000_000_000, "step_ticks": 10, "pair_ticks": 20 * 256, "probe_ticks": 20_000_000,
    "pid": 4711, "parent_pid": 1, "thread_count": 1, "floor_t_e_ps": 20_000,
    "floor_t_min_ps": 540_000, "floor_t_diff_ps": 10_000, "floor_time_s": 1699990000,
    "executable": "/nonexistent/book", "arguments": "./book", "host": "testhost",
    "cpu_model": "AMD EPYC 9R14 96-Core Processor", "hypervisor": "KVMKVMKVM",
    "clock_source": "tsc", "timer": "rdtscp;lfence to rdtscp", "runtime_version": "0.1.0",
    "cpu_count": 2, "timer_flags": 3, "pmu_errno": 2, "probe_budget_permille": 10,
}
HEALTH = {"checkpoints": 3, "checkpoint_time_s": 1700000002, "ended_by": 1, "sideline": 1}
OBJECT = {
    "source": "book.c", "directory": "/src", "compiler": "clang 19.1.7", "module":
    "/nonexistent/book", "functions": 4, "functions_probed": 2, "loops": 5, "loops_probed": 3,
    "opt_level": 2,
}
MODULE = {"path": "/nonexistent/book", "instrumented": 1}
LOOP = {"function": "notional", "file": "book.c", "line": 8, "column": 3, "depth": 1,
        "work_class": 1, "flags": 3, "min_ticks": UNKNOWN}


def fields(record):
    """[(kind, name)] of a record, from abi.def."""
    text = (ROOT / "include/reticle/abi.def").read_text()
    return re.findall(rf"^RETICLE_FILE_FIELD\({record.lower()}, (U64|U32|STR), (\w+),", text, re.M)


def bucket(value):
    """As reticle_hist_bucket."""
    if value < 8:
        return value
    exponent = value.bit_length() - 1
    return min(((exponent - 2) << 3) + ((value >> (exponent - 3)) & 7), 495)


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_record(record, chunk, values, skip=()):
    out = [f"[{chunk}]"] if chunk else []
    known = fields(record)
    for name in values:
        if name not in [n for _, n in known] and name != "raw":
            sys.exit(f"make_profile.py: '{record}' has no field '{name}'")
    for kind, name in known:
        if name in skip:
            continue
        value = values.get(name, "" if kind == "STR" else 0)
        out.append(f"{name} {quote(str(value)) if kind == 'STR' else value}")
    return out


def samples_of(spec, elapsed, rng):
    out = []
    for part in spec.split():
        match = re.fullmatch(r"(\d+)\*(\d+)(?:~(\d+))?(?:@(\d+))?(?:/t(\d+))?", part)
        count, ticks, jitter, work, thread = match.groups()
        for _ in range(int(count)):
            out.append([int(ticks) + rng.randint(-int(jitter or 0), int(jitter or 0)),
                        int(work) if work else UNKNOWN, int(thread or 0)])
    rng.shuffle(out)
    for i, sample in enumerate(out):
        sample.append(int(elapsed * (i + 0.5) / len(out)) >> 16)
    return out


def write_loop(values, env, number):
    rng = random.Random(number)
    raw = samples_of(values.pop("raw", ""), int(env["elapsed_ticks"]), rng)
    values.setdefault("id", 0x1000 + number)
    values.setdefault("inlined_from", values["function"])
    executions = int(values.setdefault("executions", len(raw)))
    weight = executions // len(raw) if raw else 0
    buckets = {}
    for duration, _, _, _ in raw:
        buckets[bucket(duration)] = buckets.get(bucket(duration), 0) + 1
    total = sum(s[0] for s in raw)
    values.update({"hist_count": len(buckets), "raw_count": len(raw)})
    values.setdefault("samples", len(raw))
    values.setdefault("weight", weight * len(raw))
    values.setdefault("sum_ticks", total)
    values.setdefault("weighted_ticks", total * weight)
    if raw:
        values.update({"min_ticks": min(s[0] for s in raw), "max_ticks": max(s[0] for s in raw)})
    out = write_record("LOOP", None, values, ("hist_first", "raw_first", "hist_count", "raw_count"))
    if raw:
        out.append("hist bucket samples weight")
        out += [f"{b} {n} {n * weight}" for b, n in sorted(buckets.items())]
        out.append("raw duration_ticks work when weight thread flags")
        out += [f"{d} {w} {when} {weight} {t} 0" for d, w, t, when in raw]
    return out


def rank_of(env):
    """Of the process itself; what isn't set wasn't told."""
    return {name: env[name] for name in ("start_time_s", "pid", "host")} | {
        "size": UNKNOWN_NUMBER, "local_rank": UNKNOWN_NUMBER, "launcher": "PMI"}


def main(path, words):
    env, health, records = dict(ENV), dict(HEALTH), []
    for word in words:
        if word in ("object", "module", "loop", "rank"):
            records.append((word, dict({"object": OBJECT, "module": MODULE, "loop": LOOP, "rank": rank_of(env)}[word])))
            continue
        key, value = word.split("=", 1)
        if records:
            records[-1][1][key] = value
        else:
            which, key = key.split(".")
            {"env": env, "health": health}[which][key] = value
    out = ["reticle-profile 1", ""] + write_record("ENV", "env", env)
    out += [""] + write_record("HEALTH", "health", health)
    for word, chunk in (("object", "objects"), ("module", "modules"), ("loop", "loops"), ("rank", "ranks")):
        for i, values in enumerate(values for kind, values in records if kind == word):
            out += ["", f"[{chunk}]"]
            out += (write_loop(values, env, i) if word == "loop"
                    else write_record(word.upper(), None, values))
    pathlib.Path(path + ".txt").write_text("\n".join(out) + "\n")
    subprocess.run(["reticle", "dump", "--binary", "-o", path, path + ".txt"], check=True)


main(sys.argv[1], sys.argv[2:])
