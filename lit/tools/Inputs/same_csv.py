# same_csv.py - compares the CSV of sections with the same report's JSON; prints how many rows were the same.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: same_csv.py JSON FOLDER SECTION...
import csv
import json
import sys


def cells(row, keys):
    """A JSON row as CSV has it."""
    for key in keys:
        value = row[key]
        if isinstance(value, dict):
            yield from ((f"{key}{end}", value.get(name)) for end, name in (("", "value"), ("_low", "low"), ("_high", "high")))
        else:
            yield key, value


def same(text, value):
    if value is None or value == "":
        return text == ""
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, (int, float)):
        return float(text) == value
    return text == value


def main():
    report = json.load(open(sys.argv[1], encoding="utf-8"))
    for section in sys.argv[3:]:
        rows = report[section] if isinstance(report[section], list) else [report[section]]
        with open(f"{sys.argv[2]}/{section}.csv", encoding="utf-8", newline="") as file:
            table = csv.DictReader(file)
            read = list(table)
        keys = [k for k in table.fieldnames if not k.endswith(("_low", "_high")) and k in rows[0]] if rows else []
        assert len(read) == len(rows), f"{section}: {len(read)} rows in CSV, {len(rows)} in JSON"
        for row, line in zip(rows, read):
            expected = list(cells(row, keys))
            assert [k for k, _ in expected] == table.fieldnames, f"{section}: {table.fieldnames}"
            for key, value in expected:
                assert same(line[key], value), f"{section}.{key}: {line[key]!r} in CSV, {value!r} in JSON"
        print(section, len(read), "rows")


main()
