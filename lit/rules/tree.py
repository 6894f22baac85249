# tree.py - the files of the source tree, for the rules beside it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pathlib
import shutil
import subprocess
import sys

CODE = {".c", ".h", ".cpp", ".def", ".S", ".s", ".py", ".sh", ".cmake", ".cfg", ".ll", ".test", ".lua",
        ".sql"}


def files(root):
    """Paths relative to root of everything that is, or is going to be, in the repository."""
    git = shutil.which("git")
    listed = git and subprocess.run([git, "-C", root, "ls-files", "-coz", "--exclude-standard"],
                                    capture_output=True, text=True, check=False)
    if listed and listed.returncode == 0:
        names = listed.stdout.split("\0")
    else:  # no git, or unpacked from an archive
        names = []
        for directory, children, leaves in os.walk(root):
            children[:] = [c for c in children if c not in ("build", ".git", "__pycache__")]
            names += [os.path.relpath(os.path.join(directory, leaf), root) for leaf in leaves]
    root = pathlib.Path(root)
    return sorted(pathlib.PurePosixPath(n) for n in names if n and (root / n).is_file())


def text(root, path):
    """The file's lines; none where it is not text."""
    try:
        return (pathlib.Path(root) / path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []


def is_code(path):
    """Code that people write, as against data, pages and generated files."""
    return path.suffix in CODE or path.name == "CMakeLists.txt" or path.name.endswith(".in")


def finish(problems, rule):
    """Prints what was found and ends with 1, or says that the rule holds."""
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(f"{rule}: {len(problems)} found")
    print(f"{rule}: none found")
