# screen.py - whether reports are one screen: at most 40 lines, none wider than the terminal.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   screen.py RETICLE COLUMNS,... FILE...
#
# Commands to type may be wider, as they are never cut; 40 columns are the least that a report has.
import os
import subprocess
import sys

LINES = 40
COMMANDS = ("next: ", "      reticle ", "all ranks: ")


def too_long(tool, file, columns):
    out = subprocess.run([tool, "report", file], env=os.environ | {"COLUMNS": str(columns)},
                         check=True, capture_output=True, encoding="utf-8").stdout
    lines = out.split("\n")[:-1]
    wide = [line for line in lines
            if len(line) > max(columns, 40) and not line.startswith(COMMANDS)]
    parts = [part for part in ("HOTTEST", "sections:", "next: ") if f"\n{part}" not in out]
    return wide + parts + ([f"{len(lines)} lines"] if len(lines) > LINES else [])


def main():
    tool, widths, *files = sys.argv[1:]
    faults = [(file, columns, fault) for file in files for columns in map(int, widths.split(","))
              for fault in too_long(tool, file, columns)]
    for fault in faults:
        print(*fault)
    print(f"{len(files)} screens, {len(faults)} faults")


main()
