#!/usr/bin/env python3
# files_entered.py - how many source files of the tool a command enters: what a reader must open to follow it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: files_entered.py [-l] COMMAND...     e.g. files_entered.py report --loops a.prof

Runs `reticle COMMAND` under valgrind's callgrind and counts the files of tools/ whose functions it ran, by folder.
-l lists them.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import common


def main():
    arguments = sys.argv[1:]
    lists = arguments[:1] == ["-l"]
    arguments = arguments[lists:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        run = subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                              os.path.join(common.reticle_bin(), "reticle"), *arguments], stdout=subprocess.DEVNULL, check=False)
        if not os.path.exists(out):
            common.die(f"valgrind: exit {run.returncode}")
        text = open(out, encoding="utf-8").read()
    names = dict(re.findall(r"^(?:fl|fi|fe|cfi|cfl)=\((\d+)\) (.+)$", text, re.M))
    used = {names.get(n, "") for n in re.findall(r"^(?:fl|fi|fe)=\((\d+)\)", text, re.M)}
    files = sorted({name[name.rindex("tools/"):] for name in used if "/tools/" in name and name.endswith(".c")})
    count = collections.Counter(os.path.dirname(f) for f in files)
    print(f"{len(files)} files: " + ", ".join(f"{folder} {n}" for folder, n in sorted(count.items())))
    if lists:
        print("\n".join(files))


main()
