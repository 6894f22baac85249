# pressure.py - what a quota, a neighbour and forks took of a run, as the account of time has it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   pressure.py BENCH RETICLE PROGRAM
# PROGRAM is lit/timed/pressure.c. Each bound is relative to the run's own time, or a count. Where no quota can be set, or
# the kernel tells nothing of pressure, the reason must be there instead of a number.
import json
import os
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import common

# In processors: less than a busy machine leaves to a program.
QUOTA = 0.02
reticle, program = sys.argv[2:]


def run(arguments, prefix=()):
    subprocess.run([*prefix, program, *arguments], check=True,
                   env={**os.environ, "RETICLE_OPTIONS": "report=0:out=app.prof:chain=0"})
    done = subprocess.run([reticle, "report", "--json", "app.prof"], check=True, capture_output=True, text=True)
    said = json.loads(done.stdout)
    account = said["account"]
    print(arguments, prefix, {key: account[key]["value"] if isinstance(account[key], dict) else account[key] for key in account})
    return account, [finding["code"] for finding in said["findings"]]


def text():
    return subprocess.run([reticle, "report", "app.prof"], check=True, capture_output=True, text=True).stdout


plain, codes = run(("0", "1500"))
assert plain["forks"] == 0 and plain["fork"]["value"] == 0 and "cgroup-quota" not in codes, plain
assert "forks" not in text()
forked, _ = run(("5", "1500"))
assert forked["forks"] == 5, forked
assert 0 < forked["fork_longest"]["value"] <= forked["fork"]["value"] < forked["system"]["value"] + forked["user"]["value"], forked
assert "forks 5, " in text(), text()

group = common.quota_group(f"reticle-pressure-{os.getpid()}", QUOTA)
if group:
    into = ("sh", "-c", 'echo $$ > "$0" && exec "$@"', group)
    try:
        limited, codes = run(("0", "750"), into)
    finally:
        common.quota_remove(group)
    wall, cpu = limited["wall"]["value"], limited["user"]["value"] + limited["system"]["value"]
    # Where others leave it less than the quota it can't use that up.
    if cpu > 0.8 * QUOTA * wall:
        # Of a period that it waits through behind others only the end is the quota's. The runtime's thread may wait on a
        # second processor at the same time: the kernel adds both.
        most = 1.05 * wall * len(os.sched_getaffinity(0))
        assert limited["throttles"] >= 2 and 0 < limited["throttled"]["value"] < most, (
            limited["throttles"], limited["throttled"], most)
        assert "cgroup-quota" in codes or limited["throttled"]["value"] < 0.02 * wall, codes
        assert f"by a quota of {QUOTA} CPUs" in " ".join(text().split()), text()
    else:
        print("others left it less than its quota")
    assert abs(limited["quota"]["value"] - QUOTA) < 0.001, limited
else:
    print("no quota can be set here")

one = str(min(os.sched_getaffinity(0)))
neighbour = subprocess.Popen(["taskset", "-c", one, program, "0", "200000000"], env={**os.environ, "RETICLE_OPTIONS": "report=0:out="})
try:
    beside, _ = run(("0", "6000"), ("taskset", "-c", one))
finally:
    neighbour.kill()
    neighbour.wait()
if beside["pressure_cpu"]["value"] is None:
    assert beside["pressure_cpu"]["reason"], beside
else:
    assert beside["pressure_cpu"]["value"] > 0.2 * beside["wall"]["value"], beside
    assert "pressure of the machine: CPU" in " ".join(text().split()), text()
print("fine")
