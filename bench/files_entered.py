#!/usr/bin/env python3
# files_entered.py - how many source files of the tool a command enters: what a reader must open to follow it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: files_entered.py [-l] [--without FILE] COMMAND...     e.g. files_entered.py report --loops a.prof

Runs `reticle COMMAND` under valgrind's callgrind and counts the files of tools/ whose functions it ran, by folder.
-l lists them. --without leaves out those that the same command enters with FILE as its last argument: with a profile
of a program that never ran a loop, what is left is the way of a loop sample from the file to its line.
Needs a tool compiled with -gdwarf-4, which Debian's valgrind reads: RETICLE_BIN=DIR.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import common


def entered(arguments):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        run = subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                              os.path.join(common.reticle_bin(), "reticle"), *arguments], stdout=subprocess.DEVNULL, check=False)
        if not os.path.exists(out):
            common.die(f"valgrind: exit {run.returncode}")
        text = open(out, encoding="utf-8").read()
    names = dict(re.findall(r"^(?:fl|fi|fe|cfi|cfl)=\((\d+)\) (.+)$", text, re.M))
    used = {names.get(n, "") for n in re.findall(r"^(?:fl|fi|fe)=\((\d+)\)", text, re.M)}
    return {name[name.rindex("tools/"):] for name in used if "/tools/" in name and name.endswith(".c")}


def main():
    arguments = sys.argv[1:]
    lists = arguments[:1] == ["-l"]
    arguments = arguments[lists:]
    without = None
    if arguments[:1] == ["--without"] and len(arguments) > 2:
        without, arguments = arguments[1], arguments[2:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return
    files = entered(arguments)
    if without:
        files -= entered([*arguments[:-1], without])
    files = sorted(files)
    count = collections.Counter(os.path.dirname(f) for f in files)
    print(f"{len(files)} files: " + ", ".join(f"{folder} {n}" for folder, n in sorted(count.items())))
    if lists:
        print("\n".join(files))


main()
