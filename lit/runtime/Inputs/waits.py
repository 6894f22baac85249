# waits.py - reads a report as JSON: what does it find of the loop that waits?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

report = json.load(sys.stdin)
about = [f for f in report["findings"] if f["name"] == "pauses"]
for finding in about:
    gain = finding["gain"]["value"]
    print(f"{finding['code']} about {finding['name']}, {'no gain' if gain is None else f'gain {gain}'}")
if not about:
    print("no finding;", [(x["function"], x["verdict"], x.get("causes")) for x in report["loops"]])
