# near.py - compares sums of numbers: for tests of estimates.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   near.py PERCENT WANT KEY... < GOT
# Files as `sites.py --sums` prints them. The numbers behind each KEY, added up over the lines of GOT, must be
# within PERCENT of those of WANT. Prints both; exit status 1 if one is not.
import re
import sys


def total(text, key):
    found = [int(number) for number in re.findall(rf"\b{key} (\d+)", text)]
    if not found:
        sys.exit(f"near.py: no {key} in the input")
    return sum(found)


percent, want = float(sys.argv[1]), open(sys.argv[2]).read()
got, is_near = sys.stdin.read(), True
for name in sys.argv[3:]:
    expected, found = total(want, name), total(got, name)
    print(f"{name} {found}, expected {expected}: {100 * (found / expected - 1):+.2f} %")
    is_near &= abs(found - expected) <= percent / 100 * expected
sys.exit(not is_near)
