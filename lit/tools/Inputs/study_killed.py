# study_killed.py - starts a command that builds and kills it and what it runs as soon as its program waits in pause().
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   study_killed.py [--program=NAME] COMMAND...   NAME: where it isn't the first word behind --
import os
import signal
import subprocess
import sys
import time

ROUNDS = 10  # a program that sleeps for so many looks has nothing else to do


def waiting(group, program):
    """The process of the group that runs the program and sleeps; None: there is none."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getpgid(int(pid)) != group or os.path.basename(os.readlink(f"/proc/{pid}/exe")) != program:
                continue
            with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] == "S":
                    return pid
        except OSError:
            pass
    return None


named = sys.argv.pop(1)[len("--program="):] if sys.argv[1].startswith("--program=") else None
program = named or os.path.basename(sys.argv[sys.argv.index("--") + 1])
study = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
seen, last = 0, None
while study.poll() is None and seen < ROUNDS:
    now = waiting(study.pid, program)
    seen = seen + 1 if now and now == last else 0
    last = now
    time.sleep(0.01)
if study.poll() is not None:
    sys.exit(f"the study ended by itself, with {study.returncode}")
os.killpg(study.pid, signal.SIGKILL)
study.wait()
