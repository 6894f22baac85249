# field_time.py - most of the time of look_up lies on pair.key, far less on near.value
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
times = {f"{s['name']}.{f['name']}": f["time"]["value"] for s in report["structs"] for f in s["fields"]}
assert times["pair.kind"] is None, times
assert times["pair.key"] > 0.3, times
assert times["pair.key"] > 3 * (times["near.value"] or 0), times
assert report["field_coverage"]["time_mapped_share"] > 0.5, report["field_coverage"]
