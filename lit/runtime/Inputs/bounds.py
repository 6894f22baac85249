# bounds.py - prints the loops that were to be bound: function, reason, forms that were measured.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# stdin: `reticle dump`
import re
import sys

REASONS = ["done", "calls", "atomic", "shape", "merged", "short", "unseen", "denied", "long", "faults"]
bounds, forms = [], {}
for section in re.split(r"\n(?=\[)", sys.stdin.read()):
    head, *lines = section.split("\n")
    field = dict(line.split(" ", 1) for line in lines if " " in line)
    number = lambda key: int(field[key].split()[0])
    if head == "[bounds]":
        bounds.append((number("id"), field["function"].split('"')[1], number("line"), REASONS[number("reason")]))
    if head == "[boundtimes]" and number("ticks") and not number("status"):
        forms.setdefault(number("id"), set()).add(number("form"))
for id_, function, line, reason in sorted(bounds, key=lambda bound: bound[2]):
    print(function, reason, *sorted(forms.get(id_, [])))
