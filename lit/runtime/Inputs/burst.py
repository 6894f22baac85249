# burst.py - compares the profiles of one program with single readings and with bursts
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: burst.py RETICLE SINGLE BURST     each with .prof and .json
import json
import re
import subprocess
import sys

reticle, single, burst = sys.argv[1:]


def read(name):
    with open(name + ".json", encoding="utf-8") as file:
        report = json.load(file)
    text = subprocess.run([reticle, "dump", "--text", name + ".prof"], check=True, text=True,
                          capture_output=True).stdout
    pair = int(re.search(r"pair_ticks (\d+)", text)[1]) / 256
    loop = next(x for x in report["loops"] if x["function"] == "step")
    return report["env"], loop, pair


(env_1, loop_1, pair_1), (env_4, loop_4, pair_4) = read(single), read(burst)
problems = []
if env_1["burst"] != "off" or env_4["burst"] not in ("on", "of_no_use"):
    problems.append(f"env.burst is {env_1['burst']} and {env_4['burst']}")
if not pair_4 > 1.5 * pair_1:
    problems.append(f"an empty pair of bursts takes {pair_4} ticks, one of single readings {pair_1}")
if loop_1["executions"] != loop_4["executions"]:
    problems.append("executions differ")
# The pair is off both medians: what is left of it would be several times the difference allowed.
low, high = sorted(x["p50"]["value"] for x in (loop_1, loop_4))
if high > 2 * low:
    problems.append(f"medians of {low} and {high} ns for one loop")
print("\n".join(problems) or "ok")
sys.exit(bool(problems))
