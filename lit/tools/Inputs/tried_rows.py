# tried_rows.py - what a study has tried, a line for each change: tried_rows.py STUDY
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
for number, form, setting, reason in db.execute("select id, form, setting, reason from changes"):
    pairs = db.execute("select count(*) from pairs where change=?", (number,)).fetchone()[0]
    print(f"{form}{' ' + setting if setting else ''}: {reason or f'{pairs} pairs'}")
print("builds of trials:", db.execute("select count(*) from builds where name like 'trial %'").fetchone()[0])
