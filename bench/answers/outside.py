#!/usr/bin/env python3
# outside.py - lays out programs of other collections as bench/answers/answers.py wants them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/answers/outside.py perf_ninja|hardware_effects CLONE FOLDER

CLONE is a clone of github:dendibakh/perf-ninja or github:Kobzol/hardware-effects, FOLDER gets a folder for each case
of its list beside this file: the sources, and a Makefile that makes `app` with the flags of the collection and,
with -DFIX, the collection's solution where it has one. perf-ninja needs Debian's libbenchmark-dev.
Then: answers.py FOLDER --cases, with that list.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CONFIGURED = {"data_paths.h.in": "data_paths.h", "DataPaths.h.in": "DataPaths.h"}  # what CMake would write


def export(clone, revision, path, target):
    """Writes the files below path of a clone's revision to target; False if the revision has none."""
    names = subprocess.run(["git", "-C", clone, "ls-tree", "-r", "--name-only", revision, path + "/"], capture_output=True, text=True,
                           check=False).stdout.splitlines()
    for name in names:
        blob = subprocess.run(["git", "-C", clone, "show", f"{revision}:{name}"], capture_output=True, check=False)
        if blob.returncode == 0:  # a partial clone lacks the largest files
            file = target / name[len(path) + 1:]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(blob.stdout.replace(b"state.name()", b"std::to_string(state.range(0))"))  # of benchmark 1.8
    if not names:
        return False
    for template, header in CONFIGURED.items():
        if (target / template).exists():
            text = (target / template).read_text()
            (target / header).write_text(re.sub(r"@(\w+)@", lambda m: f"data/{m[1].lower()}", text))
    return True


def makefile(folder, flags, libraries, sources):
    (folder / "Makefile").write_text(
        "SOURCES := " + (sources or "$(filter-out %validate.cpp,$(wildcard src/*.cpp src/lua/*.c))") + "\n"
        "ifneq (,$(findstring -DFIX,$(CXXFLAGS)))\nSOURCES := $(patsubst src/%,fixed/%,$(SOURCES))\nendif\n"
        "app: $(SOURCES)\n"
        f"\t$(CC) {flags} -g $(CXXFLAGS) -o $@ $^ {libraries} -lstdc++\n")


def lay_out(collection, clone, folder, name, case):
    target = folder / name
    shutil.rmtree(target, ignore_errors=True)
    if not export(clone, "origin/main" if collection == "perf_ninja" else "HEAD", case["path"], target / "src"):
        sys.exit(f"outside.py: error: {clone} has no {case['path']}")
    if collection == "perf_ninja":
        export(clone, "origin/golden", case["path"], target / "fixed")
        math = "" if case.get("exact") else "-ffast-math "
        makefile(target, f"-O3 -march=native {math}" + case.get("flags", ""),
                 "-lbenchmark -pthread -lm", case.get("sources"))
    else:
        makefile(target, "-O3 -DNDEBUG " + case.get("flags", ""), "-pthread", case["sources"])
    (target / "data").mkdir(exist_ok=True)
    for path, size in case.get("bytes", {}).items():
        (target / path).write_bytes(bytes((i * 7919 + i // 251) % 251 for i in range(1 << 16)) * (size >> 16))
    for path, (width, height) in case.get("pictures", {}).items():
        (target / path).write_bytes(f"P5\n{width} {height}\n255\n".encode() + bytes(i * i % 251 for i in range(width * height)))
    for path, source in case.get("files", {}).items():
        (target / path).symlink_to(target / source)


def main():
    if len(sys.argv) != 4 or not (HERE / f"{sys.argv[1]}.json").exists():
        sys.exit(__doc__)
    collection, clone, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(exist_ok=True)
    for name, case in json.loads((HERE / f"{collection}.json").read_text()).items():
        lay_out(collection, clone, folder, name, case)


if __name__ == "__main__":
    main()
