# block_estimates.py - gives blocks that weren't measured cycles of status "model", as older versions did.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: block_estimates.py PROFILE.txt > OLD.txt
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    records = file.read().split("\n\n")
changed = 0
for i, record in enumerate(records):
    if record.startswith("[blocks]") and "calls a function" in record:
        for key, value in {"cycles": 4000, "cycles_low": 2000, "cycles_high": 8000, "status": '"model"'}.items():
            record, count = re.subn(rf"^{key} .*$", f"{key} {value}", record, flags=re.M)
            assert count == 1, key
        records[i] = record
        changed += 1
assert changed, "no block that calls a function"
sys.stdout.write("\n\n".join(records))
