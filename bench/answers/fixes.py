#!/usr/bin/env python3
# fixes.py - lays out public programs before and after a fix as bench/answers/answers.py wants them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/answers/fixes.py CLONES FOLDER [NAME]...

CLONES has a clone of each repository that real_fixes.json beside this file names, as OWNER/NAME; FOLDER gets a folder
for each case: the sources before the fix, in `fixed` those after it, a driver of ours (drivers/), and a Makefile that
makes `app`, with -DFIX the fixed one. Then: answers.py FOLDER --cases, with that list.
"""
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent


def quote(text):
    """A text as C string literals, a line each."""
    lines = [line.replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n")]
    return "".join(f'"{line}\\n"\n' for line in lines)


def export(clone, revision, case, target):
    archive = subprocess.run(["git", "-C", clone, "archive", revision, *case.get("paths", [])], capture_output=True, check=True)
    tarfile.open(fileobj=io.BytesIO(archive.stdout)).extractall(target)
    for path, text in case.get("write", {}).items():  # what a configure script would write
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(text)
    for path, quoted in case.get("quoted", {}).items():
        (target / quoted).write_text(quote((target / path).read_text()))


def lay_out(clones, folder, name, case):
    target, driver = folder / name, case["driver"]
    clone = clones / case["repository"]
    if not clone.exists():
        sys.exit(f"fixes.py: error: {clone} is missing: clone github:{case['repository']} there")
    shutil.rmtree(target, ignore_errors=True)
    for side in ("before", "after"):
        export(clone, case[side], case, target / {"before": "src", "after": "fixed"}[side])
    shutil.copy(HERE / "drivers" / driver, target)
    sources = " ".join([driver] + [f"$(DIR)/{source}" for source in case.get("sources", [])])
    include = " ".join(f"-I$(DIR)/{path}" for path in case.get("include", ["."]))
    compiler = "$(CXX)" if driver.endswith(".cpp") else "$(CC)"
    (target / "Makefile").write_text(
        "DIR := src\nifneq (,$(findstring -DFIX,$(CFLAGS)))\nDIR := fixed\nendif\n"
        f".SUFFIXES:\napp: {sources}\n\t{compiler} {case['flags']} -w -g {include} $(CFLAGS) -o $@ $^ {case.get('libraries', '')} -lm -pthread\n")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    clones, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(exist_ok=True)
    for name, case in json.loads((HERE / "real_fixes.json").read_text()).items():
        if not sys.argv[3:] or name in sys.argv[3:]:
            lay_out(clones, folder, name, case)


if __name__ == "__main__":
    main()
