# references.py - paths and source keys that comments and pages name exist.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import re
import sys

import tree

TOP = "pass|runtime|tools|test|lit|docs|include|bench|examples|cmake"
# A path from the root: not part of a longer one, not below a variable or a build tree.
PATH = re.compile(rf"(?<![\w./$}}@>*-])((?:{TOP})/[A-Za-z0-9_./-]*[A-Za-z0-9_])(?![\w*<$%{{@])")
# lit/DIR, and what only a build tree has.
PLACEHOLDER = re.compile(r"/[A-Z]{2,}(/|$)|/CMakeFiles/")
KEY = re.compile(r"\[([a-z]+(?:19|20)\d\d[a-z]?)\]")
# Pages that tell what was, or read like paths but name other trees.
HISTORY = {"CHANGELOG.md"}


def exists(root, name):
    """The path itself, or short for it: docs/decisions/0002."""
    path = pathlib.Path(root) / name
    return path.exists() or any(p.name[len(path.name)] in ".-" for p in path.parent.glob(path.name + "?*"))


def main(root):
    sources = pathlib.Path(root) / "docs" / "sources.md"
    keys = set(KEY.findall(sources.read_text())) if sources.exists() else set()
    problems = []
    for path in tree.files(root):
        if str(path) in HISTORY or not (tree.is_code(path) or path.suffix == ".md"):
            continue
        for number, line in enumerate(tree.text(root, path), 1):
            for name in PATH.findall(line):
                if not PLACEHOLDER.search(name) and not exists(root, name):
                    problems.append(f"{path}:{number}: {name}: no such file")
            for key in KEY.findall(line):
                if key not in keys:
                    problems.append(f"{path}:{number}: [{key}]: not in docs/sources.md")
    tree.finish(problems, "references that lead nowhere")


main(sys.argv[1])
