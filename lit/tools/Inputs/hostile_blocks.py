# hostile_blocks.py - measures hostile blocks with `reticle block`, in one batch and each alone.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   hostile_blocks.py RETICLE
import json
import os
import subprocess
import sys
import time

BLOCKS = {
    "jump to itself": "ebfe",
    "huge rep movs": "f348a5",
    "huge rep lods": "f3ac",
    "pop rsp": "5c",
    "writes its own code": "c605f9ffffff90",
    "wrfsbase": "f3480faed0",
    "reads the vsyscall page": "48c7c0000060ff488b18",
    "calls the vsyscall page": "48c7c0000060ffffd0",
    "null pointer": "31c08b00",
    "system call": "0f05",
    "int 0x80": "cd80",
    "breakpoint": "cc",
    "trap flag": "9c80642401ff4831c09d80ac2400000000ff68460300009d90",
    "alignment check": "68460204009d8b4301",
    "segment register": "488b5610480b5710b100878e00b8b0888e00488744c148ff00",
    "direction flag": "fd",
    "divides by zero": "31c931d2f7f1",
    "halt": "f4",
    "ud2": "0f0b",
    "in the kernel": "48c7c000000080488b18",
    "writes to the harness's counters": "48b800000070002b000048c70000000000",
    "return": "c3",
    "good": "4801c0",
}


def measure(reticle, hexes):
    with open("blocks.csv", "w", encoding="utf-8") as file:
        file.write("hex\n" + "\n".join(hexes) + "\n")
    start = time.monotonic()
    done = subprocess.run([reticle, "block", "--csv", "blocks.csv", "--json"], stdout=subprocess.PIPE, text=True,
                          check=False)
    return [b["status"] for b in json.loads(done.stdout)["blocks"]], time.monotonic() - start


def main(reticle):
    together, _ = measure(reticle, BLOCKS.values())
    slowest = 0
    for (name, code), status in zip(BLOCKS.items(), together):
        alone, seconds = measure(reticle, [code])
        slowest = max(slowest, seconds)
        value = ("ok", "noisy")
        same = alone[0] == status or alone[0] in value and status in value or "counters" in name
        print(f"{name}: {status}" + ("" if same else f", but {alone[0]} alone"))
    # Room for the start of the program on a busy machine.
    print("slowest verdict within 2 s" if slowest < 3 else f"slowest verdict after {slowest:.1f} s")
    left = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
                left += [pid] if "reticle-block" in file.read() else []
        except OSError:
            pass
    mine = [pid for pid in left if os.path.exists(f"/proc/{pid}") and is_mine(pid)]
    print(f"children left: {mine}" if mine else "no child left")


def is_mine(pid):
    """Other tests may measure at the same time: theirs have a parent that is alive."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[1] == "1"
    except OSError:
        return False


main(sys.argv[1])
