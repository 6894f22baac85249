# study_no_room.py - runs a command whose files end at so many bytes, as on a full disk; it must fail with status 3.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import resource
import signal
import subprocess
import sys


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))


got = subprocess.run(sys.argv[2:], preexec_fn=limit, stdout=subprocess.DEVNULL, restore_signals=False, check=False).returncode
if got != 3:
    sys.exit(f"status {got}, not 3")
