# hot_zone.py - what the compiled runtime may refer to, and which registers it may touch.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: hot_zone.py BUILD LLVM_BIN symbols|registers [MACHINE]
#
# MACHINE: aarch64 for the runtime that is compiled for that one.
#
# symbols: the objects of runtime/probe are reached from instrumented code and signal handlers; they
# may need nothing but our own symbols. registers: instrumented code keeps floating-point and vector
# values in registers across calls into the runtime (docs/decisions/0001), so no instruction of the
# runtime may name such a register, but for the function that saves and restores them all.
import glob
import os
import re
import subprocess
import sys

OURS = re.compile(r"rrt_|__reticle_|__(start|stop)_reticle_|_GLOBAL_OFFSET_TABLE_$|_DYNAMIC$")
X86_64 = re.compile(r"%([xyz]mm\d|mm\d|st\b|k[0-7]\b)")
AARCH64 = re.compile(r"[\s{,\[]([vqdshb][0-9]{1,2}(\.\d*[bhsdq])?|z\d+)\b")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def symbols(build, llvm, machine):
    target = f"reticle_rt_{machine}" if machine else "reticle_rt"
    objects = glob.glob(os.path.join(build, "runtime", "CMakeFiles", f"{target}.dir", "probe/**/*.o"),
                        recursive=True)
    if not objects:
        sys.exit("no objects of runtime/probe in the build tree")
    for path in sorted(objects):
        for line in run(os.path.join(llvm, "llvm-nm"), "-u", "--format=posix", path).splitlines():
            name = line.split()[0]
            if not OURS.match(name):
                yield f"{os.path.basename(path)} needs {name}"


def registers(build, llvm, machine):
    folder = f"{machine}-linux-gnu" if machine else ""
    archive = os.path.join(build, "lib/reticle", folder, "libreticle_rt.a")
    function = "?"
    listing = run(os.path.join(llvm, "llvm-objdump"), "-d", "--no-show-raw-insn", "--no-leading-addr",
                  archive)
    vector = AARCH64 if "aarch64" in listing[:4096] else X86_64
    for line in listing.splitlines():
        label = re.match(r"<(.*)>:$", line)
        if label:
            function = label[1]
        elif vector.search(line) and function != "rrt_keep_vectors":
            yield f"{function}: {line.strip()}"


def main(build, llvm, what, machine=""):
    problems = list({"symbols": symbols, "registers": registers}[what](build, llvm, machine))
    print("\n".join(problems))
    sys.exit(f"{what}: {len(problems)} found that the hot zone may not have" if problems else 0)


main(*sys.argv[1:])
