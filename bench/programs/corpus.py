#!/usr/bin/env python3
# corpus.py - write one file of real data, files of this machine one after the other
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: corpus.py FILE [MIB]

Takes files of 4 KiB to 4 MiB below /usr/bin, /usr/include, /usr/lib and /usr/share in the order of a
hash of their paths: an even mix of programs, headers, libraries, text and images, and the same on
each call as long as the machine's packages stay. Where there is too little, starts over.
"""
import hashlib
import os
import sys

ROOTS = ("/usr/bin", "/usr/include", "/usr/lib", "/usr/share")
SMALLEST_BYTES = 4 << 10
LARGEST_BYTES = 4 << 20


def candidates():
    for root in ROOTS:
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                try:
                    if os.path.islink(path) or not os.path.isfile(path):
                        continue
                    if SMALLEST_BYTES <= os.path.getsize(path) <= LARGEST_BYTES:
                        yield path
                except OSError:
                    pass  # gone, or not ours to look at: the next one will do


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.splitlines()[0])
    target, left = sys.argv[1], int(sys.argv[2] if len(sys.argv) == 3 else "64") << 20
    paths = sorted(candidates(), key=lambda p: hashlib.sha256(os.fsencode(p)).digest())
    with open(target + ".part", "wb") as out:
        while left:
            before = left
            for path in paths:
                try:
                    with open(path, "rb") as file:
                        data = file.read(left)
                except OSError:
                    continue
                out.write(data)
                left -= len(data)
                if not left:
                    break
            if left == before:
                sys.exit("corpus.py: error: nothing readable below " + " ".join(ROOTS))
    os.replace(target + ".part", target)


main()
