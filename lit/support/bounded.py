# bounded.py - runs a command, and ends it where it takes more memory than it may: the machine has other users.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bounded.py MEGABYTES COMMAND ARGUMENT...
import subprocess
import sys
import time

PAGE_BYTES = 4096
LOOK_S = 0.002

most = int(sys.argv[1]) << 20
child = subprocess.Popen(sys.argv[2:])
while child.poll() is None:
    try:
        with open(f"/proc/{child.pid}/statm", encoding="ascii") as file:
            resident = int(file.read().split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        break
    if resident > most:
        child.kill()
        child.wait()
        sys.exit(f"{sys.argv[2]}: {resident >> 20} MB of memory, may have {most >> 20}")
    time.sleep(LOOK_S)
status = child.wait()
sys.exit(status if status >= 0 else 128 - status)
