# busy_machine.py - adds to the text of a profile an account and facts of executions that waited for a processor.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   busy_machine.py PROFILE.txt [THREADS] > OTHER.txt   40 executions of 90, half of each one's time, slow ones 6 ms longer
import re
import sys

MS = 1_000_000
THREADS = int(sys.argv[2]) if len(sys.argv) > 2 else 1
ACCOUNT = {"wall_ticks": 2410 * MS, "threads_ns": 2400 * MS * THREADS, "user_ns": 1200 * MS * THREADS,
           "runnable_ns": 1200 * MS * THREADS}


def record(kind, values):
    """All fields in the order of abi.def, 0 where nothing is said."""
    text = open(__file__.rsplit("/lit/", 1)[0] + "/include/reticle/abi.def", encoding="utf-8").read()
    names = re.findall(rf"^RETICLE_FILE_FIELD\({kind.lower()}, (?:U64|U32|STR), (\w+),", text, re.M)
    return "\n".join(f"{name} {values.get(name, 0)}" for name in names)


with open(sys.argv[1], encoding="utf-8") as file:
    profile = file.read()
loop = re.search(r"^id (\d+)", profile[profile.index("[loops]"):], re.M).group(1)
print(profile + "\n[account]\n" + record("ACCOUNT", ACCOUNT))
for i in range(40):
    slow = i % 4 == 3
    took, waited = (14 * MS, 10 * MS) if slow else (8 * MS + i, 4 * MS)
    print("\n[facts]\n" + record("FACT", {
        "loop": loop, "at_ns": 1700000000 * 1000 * MS + i * 50 * MS, "duration_ns": took, "work": 2**64 - 1, "stands": 2250,
        "cpu_ns": took - waited, "runnable_ns": waited, "preemptions": 3, "when": i * 900}))
