# looks.py - adds a line of the first site that threads share, with so many looks behind a sample and hits among them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   looks.py TEXT LOOKS HITS
import sys

path, looks, hits = sys.argv[1:]
text = open(path).read()
site = text[text.index("[sites]") :].split("\n")[1].split()[1]
line = {"site": site, "offset": 0, "first": 0, "own": 65535, "neighbour": 0, "lines": 1, "apart": 30, "mixed": 0, "common": 0}
line |= {"looks": looks, "hits": hits, "read": 65535, "written": 65535, "shared": 0, "reserved": 0}
line |= {"threads_low": 0x0706050403020100, "threads_high": 0}
print(text + "\n[sharedlines]\n" + "".join(f"{name} {value}\n" for name, value in line.items()))
