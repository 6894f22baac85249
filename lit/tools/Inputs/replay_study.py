# replay_study.py - a replay of a study's visits has the time of the plain build, and the program's instructions
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: replay_study.py STUDY < what reticle try --replay --json printed
import json
import sqlite3
import sys

QUERY = """SELECT avg(iif(b.name='plain', r.user_s + r.system_s, NULL)) / avg(iif(b.name='timing', r.user_s + r.system_s, NULL)),
(SELECT avg(p.cpu_s) FROM profiles p JOIN runs r ON r.id=p.run JOIN builds b ON b.id=r.build WHERE b.name='timing')
FROM runs r JOIN builds b ON b.id=r.build"""
plain, timed_s = sqlite3.connect(sys.argv[1]).execute(QUERY).fetchone()
replayed = json.load(sys.stdin)
found_s, by_ns = replayed["program_s"], replayed["program_visit_instructions"] / replayed["program_visit_ns"]
assert 0.1 < by_ns < 30, by_ns  # what a core can do
print("the plain build's" if abs(found_s / (plain * timed_s) - 1) < 1e-3 else f"{found_s}, not {plain} of {timed_s}")
