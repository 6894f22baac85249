# bounded.py - runs ./app with what may hang at exit, all at once, and tells how each ended.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# argv: the tool reticle
import glob
import os
import re
import signal
import socket
import subprocess
import sys
import time

LIMIT_S = 60  # endless, on any machine


def full_pipe():
    """A pipe without room, and a writer that blocks."""
    ends = os.pipe()
    os.set_blocking(ends[1], False)
    try:
        while True:
            os.write(ends[1], b"x" * 65536)
    except BlockingIOError:
        pass
    os.set_blocking(ends[1], True)
    return ends


def start(name, options, stderr=None, arguments=(), tool=None):
    environment = dict(os.environ, RETICLE_OPTIONS=options)
    if tool:
        environment["RETICLE_TOOL"] = tool
    log = open(f"err.{len(runs)}", "w+", encoding="utf-8") if stderr is None else None
    child = subprocess.Popen(["./app", *arguments], env=environment, stderr=log if log else stderr)
    runs.append((name, child, log, options))
    return child


def wait_until(what):
    end = time.monotonic() + LIMIT_S
    while not what():
        if time.monotonic() > end:
            sys.exit("it doesn't come")
        time.sleep(0.01)


def readable(path):
    return subprocess.run([sys.argv[1], "dump", path], capture_output=True, check=False).returncode == 0


def tell(name, child, log, options):
    status = child.wait(timeout=LIMIT_S)
    text = f"{name}: " + (f"status {status}" if status >= 0 else f"signal {-status}")
    wanted = re.search("out=([^:]*)", options).group(1)
    # What was there stays, so the profile is beside it.
    found = [p for p in [wanted, f"{wanted}.{child.pid}"] if os.path.isfile(p) and readable(p)]
    text += f", profile {found[0].replace(str(child.pid), 'PID')}" if found else ", no profile"
    if log:
        log.seek(0)
        said = [line.strip().replace(os.getcwd() + "/", "") for line in log if line.startswith(f"reticle[{child.pid}]")]
        said = [line for line in said if "killed run" not in line]
        text += ", says: " + "; ".join(line.split(": ", 2)[-1] for line in said) if said else ", says nothing"
    return text


runs = []
os.mkfifo("pipe")
holder = socket.socket(socket.AF_UNIX)
holder.bind("socket")
os.mkfifo("full")
kept = os.open("full", os.O_RDWR)
os.set_blocking(kept, False)
try:
    while True:
        os.write(kept, b"x" * 65536)
except BlockingIOError:
    pass
with open("tool", "w", encoding="utf-8") as out:
    out.write("#!/bin/sh\necho $$ > $3.tool\nkill -STOP $$\n")
os.chmod("tool", 0o755)
here = os.path.abspath("tool")

start("out=pipe", "report=0:out=pipe")
start("out=socket", "report=0:out=socket")
start("out=/dev/full", "report=0:out=/dev/full")
start("out=/dev/null", "out=/dev/null:blocks=3")
start("log_path=pipe", "report=0:out=p.prof:log_path=pipe:nonsense=1")
start("log_path=full pipe", "out=q.prof:log_path=full:nonsense=1")
ends = full_pipe()
start("stderr a full pipe", "out=r.prof", ends[1])
gone = os.pipe()
os.close(gone[0])
start("stderr a closed pipe", "report=0:nonsense=1:out=s.prof", gone[1])
start("a tool that stops", "out=t.prof", tool=here)
for name, out, arguments in [("SIGTERM meanwhile", "u.prof", []), ("a handler of SIGTERM meanwhile", "v.prof", ["x"])]:
    child = start(name, f"out={out}", arguments=arguments, tool=here)
    written = os.path.abspath(out) + ".tool"
    wait_until(lambda: os.path.exists(written) and open(written, encoding="utf-8").read().endswith("\n"))
    child.send_signal(signal.SIGTERM)
for run in runs:
    text = tell(*run)
    if run[0] == "SIGTERM meanwhile":
        tool = int(open(os.path.abspath("u.prof") + ".tool", encoding="utf-8").read())
        wait_until(lambda: not os.path.exists(f"/proc/{tool}") or
                   open(f"/proc/{tool}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()[0] == "Z")
        text += ", tool gone"
    print(text)
left = [p for p in glob.glob(".reticle-*") + glob.glob("*.part")]
if left:
    sys.exit(f"left behind: {left}")
