# machine.py - what the machine that runs the tests can do, as lit features.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import importlib.util
import platform
import shutil
import subprocess


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


def features():
    found = {platform.machine()}
    if _has_pmu():
        found.add("pmu")
    if _linker_is_gnu():
        found.add("gnu-ld")
    for program in ("qemu-aarch64", "pkg-config", "ninja", "make", "gcc", "gdb", "objdump", "nm", "readelf", "strip",
                    "clang-format-19", "shellcheck", "go"):
        if shutil.which(program):
            found.add(program)
    if importlib.util.find_spec("jsonschema"):
        found.add("jsonschema")
    return found
