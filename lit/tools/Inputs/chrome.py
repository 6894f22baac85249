# chrome.py - reads a trace of `reticle export --chrome` and prints its tracks.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    trace = json.load(file)
names, tracks, first = {}, collections.defaultdict(list), {}
for event in trace["traceEvents"]:
    key = event["pid"], event["tid"]
    if event["name"] == "process_name":
        print(f"process {event['pid']}: {event['args']['name']}")
    elif event["name"] == "thread_name":
        names[key] = event["args"]["name"]
    elif event["ph"] == "X":
        tracks[key].append(event)
        first[event["pid"]] = min(first.get(event["pid"], 1e300), event["ts"])
for key, events in tracks.items():
    last = 0
    for event in events:
        assert event["ts"] >= last - 1e-6, "events of a track overlap"
        last = event["ts"] + event["dur"]
        assert names[key].startswith(f"thread {event['args']['thread']}: {event['args']['loop']} ")
    (duration,), (work,) = {f"{e['dur']:.3f}" for e in events}, {e["args"]["iterations"] for e in events}
    print(f"{names[key]}: {len(events)} events, {duration} us each, {work} iterations")
starts = sorted(first.values())
print(f"earliest {starts[0] / 1e6:.0f} s, latest process from {starts[-1] / 1e6:.0f} s on")
