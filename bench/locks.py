# locks.py - what the preloaded library adds to a lock that is free, and to one that two threads fight for.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   locks.py BIN    the folder with reticle-clang; docs/method/ranks.md has the figures
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.abspath(sys.argv[1])
LIBRARY = os.path.join(BIN, "..", "lib", "reticle", "libreticle_waits.so")
ROUNDS, TIMES = 3, "5000000"

with tempfile.TemporaryDirectory() as folder:
    program = os.path.join(folder, "locks")
    subprocess.run([os.path.join(BIN, "reticle-clang"), "-O2", "-g", "-pthread", os.path.join(HERE, "locks.c"), "-o", program], check=True)
    for threads in "1", "2":
        ns = {"without": [], "with": []}
        for _ in range(ROUNDS):
            for name in ns:
                environment = dict(os.environ, RETICLE_OPTIONS="report=0:verbosity=0:out=/dev/null")
                if name == "with":
                    environment["LD_PRELOAD"] = LIBRARY
                ran = subprocess.run([program, TIMES, threads], env=environment, check=True, capture_output=True, text=True)
                ns[name].append(float(ran.stdout))
        for name, values in ns.items():
            print(f"{threads} threads {name:8} {' '.join(f'{v:.1f}' for v in sorted(values))} ns")
