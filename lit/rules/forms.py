# forms.py - forms of a report print what the model knows: they read no file, and analyse nothing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

import tree

# A function of ours that reads or works something out is named so.
VERB = re.compile(r"\b\w+_(?:read|load|make|advise|analyse|judge|evaluate|measure|estimate)\(")
# Statuses are enumerators: the words for them are for people.
COMPARED = re.compile(r"\bstrncmp\(text_get\(|\bstrcmp\(\w+_name\(")


def main(root):
    problems = []
    for path in tree.files(root):
        if path.parts[:2] != ("tools", "render") or path.suffix not in (".c", ".h"):
            continue
        for number, line in enumerate(tree.text(root, path), 1):
            code = re.sub(r'"(?:\\.|[^"\\])*"|//.*', "", line)
            if match := VERB.search(code):
                problems.append(f"{path}:{number}: {match[0]}...): the model does that (tools/model/measurement/lazy.h)")
            if COMPARED.search(code):
                problems.append(f"{path}:{number}: what was written for people is compared")
    tree.finish(problems, "forms that do the model's work")


main(sys.argv[1])
