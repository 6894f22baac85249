# python_load.py - work for an interpreter: dictionaries, lists, strings, numbers, regular expressions
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: python_load.py ROUNDS
import json
import re
import sys
import zlib


def floats(n):
    x, total = 0.5, 0.0
    for _ in range(n):
        x = 3.9 * x * (1 - x)
        total += x
    return f"{total:.6f}"


def words(n):
    counts = {}
    for i in range(n):
        word = f"w{i * 7919 % 10007}"
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5]


def patterns(n):
    text = " ".join(f"name{i}@host{i % 13}.example" for i in range(n))
    return len(re.findall(r"(\w+)@(\w+)\.(\w+)", text)), len(re.sub(r"\d+", "#", text))


def numbers(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return len(str(a))


def main(rounds):
    for i in range(rounds):
        data = json.dumps({str(k): [k, k * i, str(k) * 3] for k in range(20000)})
        print(floats(400000), words(200000), patterns(20000), numbers(8000),
              zlib.crc32(zlib.compress(data.encode())), len(json.loads(data)))


main(int(sys.argv[1]))
