#!/usr/bin/env python3
# generate_columns.py - writes docs/columns.md, and the columns' part of docs/schema/report.json.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: generate_columns.py          writes both, from tools/model/report/columns/*.def
#        generate_columns.py --check  1 if one of them is another
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ROOT / "tools/model/report/columns"
SECTIONS = ROOT / "tools/model/report/sections.c"
PAGE = ROOT / "docs/columns.md"
SCHEMA = ROOT / "docs/schema/report.json"
TEXT = r'"((?:[^"\\]|\\.)*)"'
COLUMN = re.compile(rf"^COLUMN\((\w+), (\w+), {TEXT}, {TEXT}, {TEXT}, .*\)$")
SECTION = re.compile(rf'#define SECTION (\w+)\n#define ROW [^\n]+\n#define COLUMNS "tools/model/report/columns/(\w+)\.def"\n'
                     rf'#define PARENT (?:NULL|&section_(\w+))\n#define WALK \w+\n#define HELP {TEXT}\n')
TYPES = {"TEXT": "string", "COUNT": "integer", "NUMBER": "number", "BOOL": "boolean"}
WORDS = {"TEXT": "text", "COUNT": "count", "NUMBER": "number", "BOOL": "true or false", "QUANTITY": "quantity"}

HEAD = """# Columns

<!-- Written by docs/generate_columns.py from tools/model/report/columns. -->

What stands in a report, by section: `KEY` is the key in `reticle report --json`, and the first line of
`reticle report --csv SECTION`. A quantity is a value with the ends of its 95 % interval (`value`, `low`,
`high` in JSON, `KEY`, `KEY_low`, `KEY_high` in CSV), or in JSON a `status` and a `reason` why there is
none. What was not measured is null in JSON and empty in CSV, never 0. JSON has more beside these columns,
as stacks and stall causes: [schema](schema/report.json).
"""


def fail(message):
    sys.exit(f"generate_columns.py: {message}")


def columns_of(name):
    """[(key, type, nullable, unit, title, help)] of one file; an include is followed."""
    rows = []
    for number, line in enumerate((COLUMNS / f"{name}.def").read_text().splitlines(), 1):
        if line.startswith("#include"):
            rows += columns_of(pathlib.Path(line.split('"')[1]).stem)
        elif line.startswith("COLUMN("):
            match = COLUMN.match(line) or fail(f"{name}.def:{number}: not a COLUMN on one line")
            key, kind, *texts = match.groups()
            unit, title, meaning = (t.replace('\\"', '"') for t in texts)
            rows.append((key, kind.removesuffix("_OR_NULL"), kind.endswith("_OR_NULL"), unit, title, meaning))
    return rows


def sections():
    found = SECTION.findall(SECTIONS.read_text()) or fail(f"no section in {SECTIONS.name}")
    if len(found) != SECTIONS.read_text().count("#define SECTION "):
        fail("a section lacks one of the lines that columns/section.def names")
    return [(key, parent, meaning, columns_of(file)) for key, file, parent, meaning in found]


def page(all_sections):
    text = HEAD
    for key, parent, meaning, columns in all_sections:
        if key == "in_place":  # in blocks
            continue
        text += f"\n## {key}\n\n{meaning[0].upper()}{meaning[1:]}."
        text += f" In CSV each row starts with `{parent}.id` and `{parent}.name`." if parent else ""
        text += "\n\n| key | in tables | type | what it is |\n|---|---|---|---|\n"
        for name, kind, nullable, unit, title, what in columns:
            kind = WORDS[kind] + (f", {unit}" if unit else "") + (" or null" if nullable else "")
            text += f"| `{name}` | {title} | {kind} | {what} |\n"
    return text


def place(schema, key, parent):
    """The object in the schema that a section's row is."""
    if key == "fields":
        return place(schema, parent, "")["properties"]["fields"]["items"]
    node = schema["properties"][key]
    return node.get("items", node)


def describe(node, kind, nullable, unit, meaning):
    """What the columns say goes into the schema's node; words and patterns that stand there stay."""
    if kind == "QUANTITY":
        kept = {"allOf": [{"$ref": "#/definitions/quantity"}, {"properties": {"unit": {"const": unit}}}]}
    else:
        kept = {} if "enum" in node else {"type": [TYPES[kind], "null"] if nullable else TYPES[kind]}
        kept |= {k: node[k] for k in ("enum", "pattern", "minimum") if k in node}
        if kind == "COUNT":
            kept.setdefault("minimum", 0)
    if meaning:
        kept["description"] = meaning
    return kept


def schema_text(all_sections):
    schema = json.loads(SCHEMA.read_text())
    for key, parent, _, columns in all_sections:
        if key in ("in_place", "topdown"):  # in blocks; JSON has trees
            continue
        node = place(schema, key, parent)
        for name, kind, nullable, unit, _, meaning in columns:
            node["properties"][name] = describe(node["properties"].get(name, {}), kind, nullable, unit, meaning)
        node["required"] = sorted(set(node.get("required", [])) | {c[0] for c in columns})
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main():
    all_sections = sections()
    made = {PAGE: page(all_sections), SCHEMA: schema_text(all_sections)}
    if sys.argv[1:] == ["--check"]:
        old = [p.name for p, text in made.items() if not p.exists() or p.read_text() != text]
        sys.exit(f"{', '.join(old)}: not what tools/model/report/columns says; run docs/generate_columns.py" if old else 0)
    for path, text in made.items():
        path.write_text(text)


main()
