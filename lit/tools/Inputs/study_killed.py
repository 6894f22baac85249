# study_killed.py - starts a study and kills it and what it runs as soon as a program waits in pause().
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import signal
import subprocess
import sys
import time


def waits(group, program):
    """Whether a process of the group that runs the program sleeps."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getpgid(int(pid)) != group or os.path.basename(os.readlink(f"/proc/{pid}/exe")) != program:
                continue
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                return stat.read().rsplit(")", 1)[1].split()[0] == "S"
        except OSError:
            pass
    return False


program = os.path.basename(sys.argv[sys.argv.index("--") + 1])
study = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
while study.poll() is None and not waits(study.pid, program):
    time.sleep(0.01)
if study.poll() is not None:
    sys.exit(f"the study ended by itself, with {study.returncode}")
os.killpg(study.pid, signal.SIGKILL)
study.wait()
