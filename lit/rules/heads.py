# heads.py - every file says in its first line what it is for, in its second the licence; no file or folder is huge.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import re
import sys

import tree

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
LINES_MAX = 700  # 400 is the aim; beyond this a file does several things
FOLDER_FILES_MAX = 40  # of code that is shipped: what a reader of `ls` takes in
ROOT = {"CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md", "bootstrap.sh",
        "mkdocs.yml", "action.yml"}
COMMENT = r"\s*(//|#|;|--|/\*|<!--|\"\"\")?\s*"
SPDX_ALONE = r"\s*(//|#|;|--|/\*|\*|<!--)?\s*" + re.escape(SPDX) + r"\s*(\*/|-->)?\s*"


def is_behaviour_test(path):
    return path.parts[0] == "lit" and len(path.parts) > 2 and path.parts[1] not in ("rules", "support")


def problems_of(path, lines):
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    if is_behaviour_test(path):
        # A test has no name worth repeating: its first line says what it checks.
        if not lines or not re.match(r"\s*(//|#|;|--|/\*)\s*\S+ \S+", lines[0]):
            yield f"{path}:1: first line must say what the test checks"
    elif len(lines) < 2 or not re.match(COMMENT + re.escape(path.name) + r" - \S", lines[0]):
        yield f"{path}:1: first line must read '{path.name} - what it is for'"
    else:
        if " - see " in lines[0]:
            yield f"{path}:1: first line must say what the file is for, not where to read it"
        if not re.fullmatch(SPDX_ALONE, lines[1]):
            yield f"{path}:2: second line must read '{SPDX}' and nothing else"
    if len(lines) > LINES_MAX and path.suffix != ".def":  # lists of fields
        yield f"{path}: {len(lines)} lines, {LINES_MAX} at most; split it by what it does"


def crowded(paths):
    counts = collections.Counter(str(p.parent) for p in paths if p.parts[0] in ("pass", "runtime", "tools"))
    return [f"{folder}: {count} files, {FOLDER_FILES_MAX} at most; give its subjects folders"
            for folder, count in sorted(counts.items()) if count > FOLDER_FILES_MAX]


def main(root):
    listed = tree.files(root)
    problems = crowded(listed)
    for path in listed:
        if len(path.parts) == 1 and path.name not in ROOT and not path.name.startswith("."):
            problems.append(f"{path}: left over? docs/architecture.md gives the first level")
        lines = tree.text(root, path)
        script = not path.suffix and bool(lines) and lines[0].startswith("#!")
        if tree.is_code(path) or script:
            # lit.site.cfg.py.in and its like are headed by the name of what they become.
            head = path.with_suffix("") if path.suffix == ".in" and lines and \
                path.name not in lines[0] else path
            problems += problems_of(head, lines)
    tree.finish(problems, "files without a head, or too long")


main(sys.argv[1])
