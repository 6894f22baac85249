# hottest_address.py - puts all samples of a profile's text on the address that has most of them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: hottest_address.py < PROFILE_TEXT
import re
import sys

parts = re.split(r"(?m)^(?=\[)", sys.stdin.read())
number = lambda part, key: int(re.search(rf"(?m)^{key} (\d+)", part)[1])
addresses = [part for part in parts if part.startswith("[addresses]")]
hottest = max(addresses, key=lambda part: number(part, "samples"))
for key in ("samples", "time_ns"):
    total = sum(number(part, key) for part in addresses)
    parts[parts.index(hottest)] = hottest = re.sub(rf"(?m)^{key} \d+", f"{key} {total}", hottest)
sys.stdout.write("".join(part for part in parts if not part.startswith("[addresses]") or part == hottest))
