# headers_alone.py - each header compiles by itself.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: headers_alone.py ROOT CLANG LLVM_INCLUDE
import concurrent.futures
import glob
import subprocess
import sys

import tree

WARN = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-pragma-once-outside-header",
        # A header's helpers are used by those who include it.
        "-Wno-unused-function", "-Wno-unused-const-variable", "-Wno-unused-macros",
        "-Wno-unneeded-internal-declaration"]
C = ["-x", "c", "-std=gnu11", "-D_GNU_SOURCE"]
CXX = ["-x", "c++", "-std=c++17"]


# mpi.h of any MPI and libpq-fe.h, where one is; those for it are left out where none is.
LIBPQ = glob.glob("/usr/include/postgresql")
MPI = [folder for pattern in ("/usr/lib/*/openmpi/include", "/usr/include/*/mpich") for folder in glob.glob(pattern)]


def ways(path, llvm_include):
    """The languages a header is for."""
    if path.match("runtime/waits/mpi_*.h"):
        return [C + ["-isystem", folder] for folder in MPI]
    if path.match("tools/store/libpq.h"):
        return [C + ["-isystem", folder] for folder in LIBPQ]
    if path.parts[0] == "pass":
        return [CXX + ["-isystem", llvm_include]]
    if path.parts[0] == "include":
        return [C, CXX, CXX + ["-pedantic-errors"]]
    return [C]


def main(root, clang, llvm_include):
    jobs = [(path, way) for path in tree.files(root) if path.suffix == ".h" and path.parts[0] != "lit"
            for way in ways(path, llvm_include)]

    def compile_one(job):
        path, way = job
        # From standard input, so that a missing include guard doesn't hide behind "main file".
        done = subprocess.run([clang, *WARN, *way, "-I", root, "-"], text=True, capture_output=True,
                              input=f'#include "{path}"\n#include "{path}"\n', check=False)
        return None if done.returncode == 0 else f"{path} ({way[1]}):\n{done.stderr}"

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [p for p in pool.map(compile_one, jobs) if p]
    tree.finish(problems, f"headers of {len(jobs)} compilations that need another one first")


main(*sys.argv[1:])
