# compiling.py - compiles the real programs' source files, to measure what a feature costs the compiler
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import os

import common

# program: (files, more flags) below the tree of its plain build
SOURCES = {
    "lz4": (["lib/*.c", "programs/*.c"], ["-Ilib"]),
    "zstd": (["lib/common/*.c", "lib/compress/*.c", "lib/decompress/*.c", "lib/dictBuilder/*.c"],
             ["-Ilib", "-Ilib/common", "-DXXH_NAMESPACE=ZSTD_"]),
    "sqlite3": (["sqlite3.c"], ["-w"]),
    "lua5.4": (["src/*.c"], ["-Isrc", "-std=gnu99", "-DLUA_USE_LINUX"]),
    "chase": (["chase.c"], []),
}


def compile_all(args, program, feature):
    """What all compilations of the program's files took together: `clang-19 -O2 -g -c`, with the feature or, for None, plain."""
    tree = os.path.dirname(common.binary(args.dir, program, "plain"))
    while not os.path.exists(os.path.join(tree, "..", "cc")):
        tree = os.path.dirname(tree)
    patterns, flags = SOURCES[program]
    files = sorted(name for pattern in patterns for name in glob.glob(os.path.join(tree, pattern)))
    if not files and program == "chase":
        files = [os.path.join(common.BENCH, "programs", "chase.c")]
    if not files:
        common.die(f"{program}: no source files in {tree}")
    compiler = ["clang-19"] if feature is None else [
        os.path.join(common.reticle_bin(), "reticle-clang"), *("-fplugin-arg-reticle-features=" + feature).split()]
    total = None
    for name in files:
        command = compiler + ["-O2", "-g", "-c", name, "-o", os.path.join(args.dir, "runs", "compiled.o"),
                              *(f if not f.startswith("-I") else "-I" + os.path.join(tree, f[2:]) for f in flags)]
        usage = common.measure(command, common.environment(), args.cpu)
        if usage.status:
            common.die(f"compilation failed: {' '.join(command)}")
        if total is None:
            total = usage
        else:
            total.cpu += usage.cpu
            total.wall += usage.wall
            total.peak_bytes = max(total.peak_bytes, usage.peak_bytes)
    return total
