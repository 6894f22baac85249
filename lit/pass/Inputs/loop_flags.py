# loop_flags.py - from LLVM's text: each function, and what the vectoriser said of its loops (enum reticle_loop_vector).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

found = {}
for line in sys.stdin:
    unit = re.match(r"@__reticle_loops\.(\w+) = ", line)
    if unit:
        # The record's last eight numbers: line, column, depth, class, index, flags, step, bits.
        records = re.findall(r"i32 \d+, i32 \d+, i32 \d+, i32 \d+, i32 \d+, i32 (\d+), i32 -?\d+, i32 \d+ \}", line)
        found[unit[1]] = [int(flags) >> 7 & 15 for flags in records]
for function, said in sorted(found.items()):
    print(f"{function}:", *said)
