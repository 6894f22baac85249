# toolchain.py - finds the LLVM under test and what it can do.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess


class Toolchain:
    """One LLVM major: its directory of programs, and clang in it."""

    def __init__(self, major, bin):
        self.major = major
        self.bin = bin
        self.clang = self.tool("clang")
        self.clangxx = self.tool("clang++")

    def tool(self, name):
        """The program's path; the plain name with the major where it lies elsewhere or is missing."""
        inside = os.path.join(self.bin, name)
        return inside if os.path.exists(inside) else f"{name}-{self.major}"

    def _file(self, name, *options):
        """Whether clang finds a library by that name; it prints the bare name if not."""
        answer = subprocess.run([self.clang, *options, "-print-file-name=" + name], text=True,
                                capture_output=True, check=False).stdout.strip()
        return os.path.isabs(answer) and os.path.exists(answer)

    def features(self):
        found = set()
        if os.path.exists(os.path.join(self.bin, "ld.lld")):
            found.add("lld")
        for tool in ("llvm-remarkutil", "llvm-profdata"):
            if os.path.exists(os.path.join(self.bin, tool)):
                found.add(tool)
        if self._file("libc.a"):
            found.add("static-libc")
        for name, file in (("aarch64-libc", "crt1.o"), ("aarch64-libstdcxx", "libstdc++.so")):
            if self._file(file, "--target=aarch64-linux-gnu"):
                found.add(name)
        runtime = subprocess.run([self.clang, "-print-runtime-dir"], text=True,
                                 capture_output=True, check=False).stdout.strip()
        resources = subprocess.run([self.clang, "-print-resource-dir"], text=True,
                                   capture_output=True, check=False).stdout.strip()
        for directory in (runtime, os.path.join(resources, "lib", "linux")):
            if os.path.isdir(directory) and any("asan" in f for f in os.listdir(directory)):
                found.add("asan")
        return found


def find(major):
    """The Toolchain of an LLVM major, or None where clang or FileCheck is missing."""
    candidates = [f"/usr/lib/llvm-{major}/bin"]
    on_path = shutil.which(f"clang-{major}")
    if on_path:
        candidates.append(os.path.dirname(os.path.realpath(on_path)))
    for bin in candidates:
        if all(os.path.exists(os.path.join(bin, f)) for f in ("clang", "clang++", "FileCheck")):
            return Toolchain(major, bin)
    return None
