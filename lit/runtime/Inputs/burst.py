# burst.py - runs one program with single readings and with bursts, in turn, and compares the profiles
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: burst.py RETICLE APP FOLDER     leaves FOLDER/single.prof and FOLDER/burst.prof of the last pair
import json
import os
import re
import subprocess
import sys

reticle, app, folder = sys.argv[1:]
PAIRS = 5


def output(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def measure(name, options):
    """env of the report, the loop's row, ticks of an empty pair"""
    profile = f"{folder}/{name}.prof"
    if os.path.exists(profile):
        os.remove(profile)
    environment = dict(os.environ, RETICLE_OPTIONS=f"report=0:out={profile}{options}")
    subprocess.run([app], check=True, env=environment)
    report = json.loads(output(reticle, "report", "--json", profile))
    pair = int(re.search(r"pair_ticks (\d+)", output(reticle, "dump", "--text", profile))[1]) / 256
    return report["env"], next(x for x in report["loops"] if x["function"] == "step"), pair


pairs = [(measure("single", ""), measure("burst", ":burst=1")) for _ in range(PAIRS)]
problems = []
for (env_1, loop_1, pair_1), (env_4, loop_4, pair_4) in pairs:
    if env_1["burst"] != "off" or env_4["burst"] not in ("on", "of_no_use"):
        problems.append(f"env.burst is {env_1['burst']} and {env_4['burst']}")
    if not pair_4 > 1.5 * pair_1:
        problems.append(f"an empty pair of bursts takes {pair_4} ticks, of single readings {pair_1}")
    if loop_1["executions"] != loop_4["executions"]:
        problems.append("executions differ")
# The pair is off both medians. A neighbour slows whole runs down, so the least of each kind is taken.
least = []
for kind in (0, 1):
    known = [pair[kind][1]["p50"]["value"] for pair in pairs]
    least.append(min((x for x in known if x is not None), default=None))
if None in least:
    problems.append(f"no median in {PAIRS} pairs: {least}")
elif max(least) > 1.4 * min(least):
    problems.append(f"least medians of {least[0]} and {least[1]} ns for one loop")
print("\n".join(problems) or f"ok: {least[0]} and {least[1]} ns")
sys.exit(bool(problems))
