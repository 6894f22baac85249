# lists.py - what is listed once is listed nowhere else: chunks, sections, parts of a report, remedies.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A file that names more than two thirds of a list is a second list of it.
import re
import sys

import tree

# list: (where it stands, a row, who else names them all and why, a name in code)
LISTS = {
    "chunks": ("include/reticle/chunks.def", r"^RETICLE_CHUNK\((\w+), ", {}, r"\bPROFILE_{}\b"),
    "names of chunks": ("include/reticle/chunks.def", r"^RETICLE_CHUNK\(\w+, \w+, (\w+), ",
                        {"include/reticle/abi.def": "says what each record is of"}, r'"{}"'),
    "sections": ("tools/model/report/sections.def", r"^SECTION\((\w+)\)",
                 {"tools/model/report/sections.c": "defines each"}, r"\bsection_{}\b|#define SECTION {}\b"),
    "parts": ("tools/model/report/parts.def", r"^PART\((\w+), ", {}, r"\bPART_{}\b"),
    "findings": ("tools/model/finding/finding.def", r'^FINDING\((\w+), ', {}, r"\bFINDING_{}\b"),
    "remedies": ("tools/model/remedy/remedy.def", r"^REMEDY\((\w+), ", {}, r"\bREMEDY_{}\b"),
}
TEXT = re.compile(r'"((?:[^"\\]|\\.){24,})"')


def main(root):
    sources = [p for p in tree.files(root) if p.suffix in (".c", ".h", ".def", ".cpp") and p.parts[0] in ("tools", "runtime", "pass", "include")]
    texts = {str(p): "\n".join(tree.text(root, p)) for p in sources}
    problems = []
    for name, (where, row, others, pattern) in LISTS.items():
        names = re.findall(row, texts[where], re.M)
        if len(names) < 5:
            problems.append(f"{where}: {len(names)} rows: this rule can't read them")
        for path, text in texts.items():
            if path == where or path in others:
                continue
            found = [n for n in names if re.search(pattern.replace("{}", n), text)]
            if 3 * len(found) > 2 * len(names):
                problems.append(f"{path}: names {len(found)} of {len(names)} {name}: make it of {where}")
    words = set(TEXT.findall(texts["tools/model/remedy/remedy.def"]))
    for path, text in texts.items():
        if path != "tools/model/remedy/remedy.def":
            problems += [f"{path}: \"{w}\" stands in remedy.def" for w in TEXT.findall(text) if w in words]
    tree.finish(problems, "second lists")


main(sys.argv[1])
