# make_structs.py - the text of a profile with one made-up struct, for the tests of the tools.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   make_structs.py ROOT wrap|fields|arrays
import pathlib
import random
import sys

ARRAY, READ, STREAMING = 1 << 0, 1 << 0, 1 << 5


def record(chunk, **fields):
    lines = [f"{name} {value if isinstance(value, int) else chr(34) + value + chr(34)}" for name, value in fields.items()]
    print(f"[{chunk}]", *lines, "", sep="\n")


def align(log):
    return (log + 1) << 8


def struct(name, size):
    record("structs", id=1, name=name, file="a.c", line=1, size_bytes=size, flags=(3 + 1) << 16, reserved=0)


def member(name, kind, offset, size, flags):
    record("members", structure=0, name=name, type=kind, offset_bytes=offset, size_bytes=size, bit_offset=0,
           bit_size=0, flags=flags)


def access(block, loop, count, offset, size):
    record("accesses", block=block, loop=loop, count=count, structure=0, offset_bytes=offset, bytes=size, times=1,
           flags=READ | STREAMING, function=f"f{loop}", file="a.c", line=1, loop_line=1, reserved=0)


def main(root, kind):
    golden = (pathlib.Path(root) / "test/golden/v1.txt").read_text()
    print("reticle-profile 1\n\n" + golden[golden.index("[env]"):golden.index("[objects]")])
    rng = random.Random(1)
    if kind == "wrap":
        struct("wrap", 128)
        member("a", "int", 0, 4, align(2))
        member("b", "char []", 64, 0xffffffff, align(0))
        access(1, 1, 1000, 0, 4)
    elif kind == "fields":
        count = 20000
        struct("wide", 4 * count)
        for i in range(count):
            member(f"f{i}", "int", 4 * i, 4, align(2))
        for i in rng.sample(range(count), 2000):
            access(i + 1, 1 + i % 37, rng.randint(1000, 10**7), 4 * i, 4)
    else:
        arrays, size = 60, 256 * 1024
        struct("arrays", arrays * size)
        for i in range(arrays):
            member(f"a{i}", "double[32768]", i * size, size, align(3) | ARRAY)
        for loop in range(150):
            for k, i in enumerate(rng.sample(range(arrays), rng.randint(2, 6))):
                access(8 * loop + k + 1, loop + 1, rng.randint(1000, 10**7), i * size, 8)
    print(golden[golden.index("[health]"):].split("\n\n")[0])


main(*sys.argv[1:])
