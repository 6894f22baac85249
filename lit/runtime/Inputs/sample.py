# sample.py - what sample.c's report must say, as words; ratios alone, as a test asserts no time.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import math
import sys

report = json.load(sys.stdin)
sampling = report["sampling"]
functions = {f["function"]: f for f in report["functions"] if f["function"]}

parts = sum(sampling[k] for k in ("named", "nameless", "unmapped", "no_room"))
if parts == sampling["samples"] > 100 and sampling["lost"] == 0:
    print("tally closes")
else:
    print("tally:", sampling)

a, b = functions["one"]["samples"], functions["two"]["samples"]
# Four sigma: each side is a Poisson number.
if abs(a - b) <= 4 * math.sqrt(a + b) + 2:
    print("one and two alike")
else:
    print("one", a, "two", b)

print("child counted" if "child" in functions else "child has its own")

places = {name: functions[name]["loadfile"].rsplit("/", 1)[1] for name in ("library_1", "library_2")
          if name in functions}
print("libraries named:", ", ".join(f"{n} in {p}" for n, p in sorted(places.items())))

share = sampling["time_ns"] / sampling["cpu_time_ns"]
print("most of the CPU time is sampled" if 0.85 < share < 1.1 else f"sampled: {share}")
