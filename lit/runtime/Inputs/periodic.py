# periodic.py - holds the period of slow iterations of periodic.c against the one that was planted.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   periodic.py MS < JSON     MS: 0 for none
import json
import sys

planted = float(sys.argv[1]) * 1e6
loop = next(x for x in json.load(sys.stdin)["loops"] if x["unit"] == "iteration" and x["function"] == "main")
period = loop["slow_period"]
print(period, loop["executions"], [x["duration"]["value"] for x in loop["slowest"]])
if planted:
    assert period["status"] == "ok" and abs(period["value"] / planted - 1) < 0.05, period
else:
    assert period["status"] != "ok", period
print("fine")
