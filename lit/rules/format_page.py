# format_page.py - writes the record tables of docs/format.md from include/reticle/abi.def.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: format_page.py ROOT          1 if the page has other tables
#        format_page.py ROOT --write  puts the tables into the page
import difflib
import pathlib
import re
import sys

BEGIN = "<!-- records: written by lit/rules/format_page.py from include/reticle/abi.def -->\n"
END = "<!-- end of records -->\n"
RECORD = re.compile(r"((?://.*\n)+)RETICLE_FILE_BEGIN\((\w+)\)\n")
FIELD = re.compile(r'^RETICLE_FILE_FIELD\((\w+), (U64|U32|STR), (\w+), [A-Z_]+, "([^"]*)", "((?:[^"\\]|\\.)*)"\)(?: //.*)?$',
                   re.M)
BYTES = {"U64": 8, "U32": 4, "STR": 4}


def records(text):
    """(heading sentence, fields) of each record in the file, in the order of abi.def."""
    fields = {}
    for name, *field in FIELD.findall(text):
        fields.setdefault(name, []).append(field)
    found = [(name, " ".join(line[2:].strip() for line in comment.splitlines()))
             for comment, name in RECORD.findall(text)]
    if len(found) != text.count("\nRETICLE_FILE_BEGIN(") or set(fields) != {name for name, _ in found}:
        sys.exit("abi.def: a record without comment or fields, or a field this script can't read")
    if text.count("\nRETICLE_FILE_FIELD(") != sum(map(len, fields.values())):
        sys.exit("abi.def: a line RETICLE_FILE_FIELD this script can't read")
    return [(comment, fields[name]) for name, comment in found]


def table(comment, fields):
    rows, offset = [], 0
    for kind, name, unit, doc in fields:
        offset += -offset % BYTES[kind]
        doc = doc.replace('\\"', '"').replace("|", "\\|")
        rows.append(f"| {offset} | {BYTES[kind]} | `{name}` | {'text' if kind == 'STR' else unit} | {doc} |\n")
        offset += BYTES[kind]
    size = offset + -offset % max(BYTES[kind] for kind, *_ in fields)
    return (f"{comment} {size} bytes a record.\n\n| byte | size | field | unit | meaning |\n|---|---|---|---|---|\n"
            + "".join(rows) + "\n")


def main(root, mode=None):
    root = pathlib.Path(root)
    page = root / "docs/format.md"
    old = page.read_text()
    head, begin, rest = old.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        sys.exit("docs/format.md: the markers of the record tables are gone")
    tables = "".join(table(*r) for r in records((root / "include/reticle/abi.def").read_text()))
    new = head + BEGIN + "\n" + tables + END + tail
    if mode == "--write":
        page.write_text(new)
    elif new != old:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True),
                                                   "docs/format.md", "as abi.def has it"))
        sys.exit("docs/format.md is out of date: python3 lit/rules/format_page.py . --write")


main(*sys.argv[1:])
