# replay_study.py - the program's time in a replay of a study's visits is that of the plain build
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
found_s = json.load(sys.stdin)["program_s"]
print("the plain build's" if abs(found_s / (plain * timed_s) - 1) < 1e-3 else f"{found_s}, not {plain} of {timed_s}")
