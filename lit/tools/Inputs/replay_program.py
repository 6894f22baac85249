# replay_program.py - the program's time in replays: of the profile, of the plain program, of three runs of that
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

times = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        times.append(json.load(file)["program_s"])
print("three runs take longer" if times[0] > 0 and times[0] != times[1] and 0 < 1.5 * times[1] < times[2] else f"program_s {times}")
