# machine.py - what the machine that runs the tests can do, as lit features.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import glob
import importlib.util
import os
import platform
import shutil
import struct
import subprocess

import postgres


def _linker_is_gnu():
    linker = shutil.which("ld")
    if not linker:
        return False
    return "GNU ld" in subprocess.run([linker, "--version"], text=True, capture_output=True,
                                      check=False).stdout


def _has_pmu():
    """Whether the kernel knows a hardware PMU; virtual machines often have none."""
    devices = "/sys/bus/event_source/devices/"
    return any(glob.glob(devices + name) for name in ("cpu", "cpu_core", "armv8_*"))


def _samples_by_perf():
    """Whether the kernel lets an ordinary user sample its own program: containers often don't."""
    if platform.machine() != "x86_64":
        return False
    # perf_event_attr: PERF_TYPE_SOFTWARE, 64 bytes, PERF_COUNT_SW_CPU_CLOCK, a period of 1 ms, exclude_kernel and _hv
    attributes = struct.pack("<IIQQQQQIIQ", 1, 64, 0, 1000000, 0, 0, 1 << 5 | 1 << 6, 0, 0, 0)
    descriptor = ctypes.CDLL(None, use_errno=True).syscall(298, attributes, 0, -1, -1, 0)
    if descriptor < 0:
        return False
    os.close(descriptor)
    return True


def features():
    found = {platform.machine()}
    if _has_pmu():
        found.add("pmu")
    if _samples_by_perf():
        found.add("perf-clock")
    if glob.glob("/sys/devices/system/cpu/cpu0/cache/index0/size"):  # some hypervisors hide them
        found.add("cache-sizes")
    if _linker_is_gnu():
        found.add("gnu-ld")
    for program in ("qemu-aarch64", "pkg-config", "ninja", "make", "gcc", "gdb", "objdump", "nm", "readelf", "strip", "git",
                    "clang-format-19", "shellcheck", "go", "valgrind", "chromium", "mandoc", "mkdocs", "zsh", "fish",
                    "sarif-multitool"):
        if shutil.which(program):
            found.add(program)
    if os.path.exists("/usr/lib/ccache/clang-19"):  # Debian's links, for PATH
        found.add("ccache")
    for mpi in ("openmpi", "mpich"):  # Debian has both beside each other
        if shutil.which(f"mpirun.{mpi}") and shutil.which(f"mpicc.{mpi}"):
            found.add(mpi)
    if postgres.programs():
        found.add("postgresql")
    if glob.glob("/usr/lib/llvm-19/lib/libomp.so") and glob.glob("/usr/lib/llvm-19/lib/clang/19/include/omp-tools.h"):
        found.add("libomp")
    if shutil.which("flang-22"):
        found.add("flang")
    if os.path.exists("/usr/bin/rustc"):  # rustup's finds no toolchain in the HOME of a test
        found.add("rustc")
    if os.path.exists("/usr/include/jemalloc/jemalloc.h"):
        found.add("jemalloc")
    found.update(module for module in ("jsonschema", "yaml") if importlib.util.find_spec(module))
    return found
