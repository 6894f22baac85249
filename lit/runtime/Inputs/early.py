# early.py - ends ./app in ways that leave no time, and tells what was left.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# argv: the tool reticle
import os
import random
import re
import shutil
import subprocess
import sys
import time

KILLS, AT_ONCE, WITHIN_S = 100, 10, 0.25


def start(folder, *arguments, **more):
    os.makedirs(folder)
    return subprocess.Popen([os.path.abspath("app"), *arguments], cwd=folder, stderr=subprocess.DEVNULL,
                            env=dict(os.environ, RETICLE_OPTIONS="report=0"), **more)


def dump(path):
    done = subprocess.run([sys.argv[1], "dump", path], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


for how in ["stack", "segv", "abort", "_exit", "return", "fork"]:
    shutil.rmtree(how, ignore_errors=True)
    status = start(how, how).wait()
    files = [f for f in os.listdir(how) if not f.startswith("core")]
    if status < 0:  # in the middle of a checkpoint, perhaps: a later run removes that
        parts = [f for f in files if re.fullmatch(r"\.reticle-[0-9a-f]{16}\.part", f)]
        files = [f for f in files if f not in parts[:1]]
    texts = [dump(os.path.join(how, f)) for f in files]
    ended = re.search(r"ended_by (\d+)", texts[0]).group(1) if texts and texts[0] else "unknown"
    print(f"{how}: " + (f"status {status}" if status >= 0 else f"signal {-status}") +
          f", ended_by {ended}, files {len(files)}")

dice = random.Random(16)
profiles = others = some = 0
for first in range(0, KILLS, AT_ONCE):
    running = []
    for i in range(first, first + AT_ONCE):
        shutil.rmtree(f"k{i}", ignore_errors=True)
        child = start(f"k{i}", stdout=subprocess.PIPE)
        child.stdout.read(1)  # it is in main
        running.append([time.monotonic() + dice.random() * WITHIN_S, i, child])
    for end, i, child in sorted(running, key=lambda r: r[0]):
        time.sleep(max(0, end - time.monotonic()))
        child.kill()
        child.wait()
        child.stdout.close()
        for name in os.listdir(f"k{i}"):
            text = dump(f"k{i}/{name}") if name == f"reticle.app.{child.pid}.prof" else None
            profiles += text is not None and "ended_by 0" in text
            others += text is None
            some += text is not None and re.search(r"executions [1-9]", text) is not None
print(f"killed: profiles {profiles} of {KILLS}, others {others}, with executions "
      f"{'at least half' if some >= KILLS / 2 else some}")
