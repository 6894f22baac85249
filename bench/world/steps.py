# steps.py - runs one step of a program from outside with a time limit, and tells what it left behind
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STEP = os.path.join(HERE, "step.sh")
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Daemons that a suite leaves become our children, so that they can be found and ended, also when we are."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root):
    """Process numbers below `root`, zombies left out."""
    children = collections.defaultdict(list)
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state != "Z":
            children[int(parent)].append(int(name))
    found, todo = [], [root]
    while todo:
        below = children[todo.pop()]
        found += below
        todo += below
    return found


def reap(but=0):
    """Takes leave of children that have ended, orphans that we adopted among them; not of process `but`."""
    try:
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid == but:
                return
            os.waitpid(ended.si_pid, 0)
    except ChildProcessError:
        pass


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace").strip()[:120]
    except OSError:
        return ""


def end_leftovers():
    """Ends whatever the last step left running; returns its commands."""
    deadline = time.monotonic() + 5
    while (left := descendants(os.getpid())) and time.monotonic() < deadline:
        time.sleep(0.2)
        reap()
    names = sorted({command_of(pid) for pid in left} - {""})
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    time.sleep(0.1 if left else 0)
    reap()
    return names


def end_all(child):
    for pid in descendants(os.getpid()):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    child.wait()


Outcome = collections.namedtuple("Outcome", "status seconds cpu_seconds left")


def run(arguments, log, limit_s, **environment):
    """step.sh with `arguments`, output into file `log`. Status "timeout" where it took longer than limit_s."""
    before = os.times()
    start = time.monotonic()
    with open(log, "wb") as output:
        child = subprocess.Popen([STEP, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                 env={**os.environ, **environment}, start_new_session=True)
        # A suite may wait for a daemon's end, and sees it only once the dead process is gone.
        status = None
        try:
            while (status := child.poll()) is None and time.monotonic() - start < limit_s:
                time.sleep(0.1)
                reap(child.pid)
        finally:
            if status is None:
                end_all(child)
        status = "timeout" if status is None else status
    seconds = time.monotonic() - start
    left = end_leftovers()
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Outcome(status, round(seconds, 1), round(cpu, 1), left)


def last_line(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        return (file.read().strip().splitlines() or ["no output"])[-1][:200]


def not_installed(program):
    """Debian packages that the program's recipe wants, and the machine doesn't have."""
    wanted = subprocess.run([STEP, "packages", program], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    if not shutil.which("dpkg-query"):
        return []  # then only the build can tell
    return [name for name in wanted if "ok installed" not in subprocess.run(
        ["dpkg-query", "-W", "-f", "${Status}", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout]


def results(program, log):
    """{test: "ok", "FAILED" or "skipped"} from the log of a suite. A name that comes again gets a number."""
    listing = subprocess.run([STEP, "results", program, log], stdout=subprocess.PIPE, text=True, errors="replace", check=False)
    found, seen = {}, collections.Counter()
    for line in listing.stdout.splitlines():
        verdict, _, name = line.partition(" ")
        seen[name] += 1
        found[name if seen[name] == 1 else f"{name} #{seen[name]}"] = verdict
    return found


def messages(out):
    """What the runtime said, without process numbers: [(text, how often)], the most frequent first."""
    counts = collections.Counter()
    try:
        with open(os.path.join(out, "prof", "messages"), encoding="utf-8", errors="replace") as file:
            for line in file:
                counts[re.sub(r"\d{3,}", "N", re.sub(r"\[\d+\]", "", line.strip()))[:160]] += 1
    except OSError:
        pass
    return counts.most_common(12)


def stray_profiles(out):
    """Profiles anywhere but where RETICLE_OPTIONS wants them."""
    own = os.path.join(out, "prof")
    return sorted(os.path.relpath(os.path.join(folder, name), out)
                  for folder, _, names in os.walk(out) if not folder.startswith(own)
                  for name in names if re.search(r"\.prof(\.part|\.\d+)?$", name) and name.startswith("reticle."))


def profiles(out):
    own = os.path.join(out, "prof")
    if not os.path.isdir(own):
        return []
    return sorted(os.path.join(own, name) for name in os.listdir(own) if name.endswith(".prof"))
