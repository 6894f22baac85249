# study_queries.py - runs the queries of docs/study_file.md on a study, and looks its tables up in the page.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: study_queries.py PAGE COLUMNS STUDY    COLUMNS: docs/columns.md
import re
import sqlite3
import sys

page = open(sys.argv[1], encoding="utf-8").read()
data = sqlite3.connect(f"file:{sys.argv[3]}?mode=ro", uri=True)
queries = [q for q in re.search(r"```sql\n(.*?)```", page, re.S)[1].split(";\n") if q.strip()]
rows = [data.execute(query).fetchall() for query in queries]
EMPTY = (1, 5, 7)  # a run may have no such rows
assert all(row or i in EMPTY for i, row in enumerate(rows)), rows
sections = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", open(sys.argv[2], encoding="utf-8").read(), re.M | re.S)
columns_of = dict(sections)
tables = [row[0] for row in data.execute("select name from sqlite_master where type='table'")]
assert set(columns_of) <= set(tables), f"no table: {set(columns_of) - set(tables)}"
for table in tables:
    assert f"`{table}`" in page, f"{table}: not in the page"
    for column in data.execute(f"pragma table_info({table})"):
        name = re.sub("_(low|high)$", "", column[1]) if column[2] == "REAL" else column[1]
        where = page + columns_of.get(table, "")
        assert f"`{name}`" in where or f"`{column[1]}`" in where, f"{table}.{column[1]}: not in the page"
# The tables say what the report says.
loops = data.execute("select count(*), sum(executions) from loops where executions>0").fetchone()
assert loops[0] and loops[1], loops
print(len(queries), "queries,", len(columns_of), "sections")
