# account.py - the account of time of a run: sums to the threads' wall-clock time, and says what was planted.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   account.py RETICLE PROGRAM
# PROGRAM is lit/timed/account.c. Every bound is relative to what the kernel told this script or the program.
import json
import os
import resource
import subprocess
import sys

reticle, program = sys.argv[1:]
PARTS = ("user", "system", "runnable", "blocked", "stopped")


def run(*arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, *arguments], check=True,
                   env={**os.environ, "RETICLE_OPTIONS": "report=0:out=app.prof:chain=0"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([reticle, "report", "--json", "app.prof"], check=True, capture_output=True, text=True)
    account = json.loads(done.stdout)["account"]
    values = {key: of["value"] if isinstance(of, dict) else of for key, of in account.items() if key != "share_of"}
    total, whole = sum(values[part] for part in PARTS), values["threads_wall"]
    cpu = values["user"] + values["system"]
    kernel = 1e9 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(arguments, {key: values[key] and round(values[key], 3) for key in values}, f"CPU by the kernel {kernel:.0f}")
    assert abs(total - whole) <= 0.01 * whole, (arguments, total, whole)
    # What is before the session (the dynamic linker) and after it isn't in the account.
    assert 0.98 * kernel - 15e6 <= cpu <= 1.01 * kernel + 1e6, (arguments, cpu, kernel)
    assert values["minor_faults"] <= after.ru_minflt - before.ru_minflt
    return values


one = run("1", "0", "0")
assert abs(one["threads_wall"] - one["wall"]) <= 0.01 * one["wall"] + 8e6, one
waited = run("1", "300", "0")
assert waited["blocked"] > 0.29e9 and waited["blocked"] > one["blocked"] + 0.25e9, (one, waited)
faulted = run("1", "0", "8192")
assert faulted["minor_faults"] > one["minor_faults"] + 8000, (one, faulted)
threads = run("6", "0", "0")
# Six threads work as long as one; where there are fewer processors they wait for one.
assert threads["threads_wall"] > 4 * threads["wall"], threads
if len(os.sched_getaffinity(0)) > 1:
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
crowd = run("6", "0", "0")
assert crowd["runnable"] > 0.5 * crowd["threads_wall"], crowd
text = subprocess.run([reticle, "report", "app.prof"], check=True, capture_output=True, text=True).stdout
assert "waited for a CPU" in text and "of all threads: CPU" in text, text
print("fine")
