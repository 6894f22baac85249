# shared.py - runs ./app several times with one out=, and tells which run is in which file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# argv: the tool reticle
import glob
import os
import re
import signal
import struct
import subprocess
import sys
import time

names = {}  # process: its place among those of a case


def start(*arguments, out="out.prof"):
    options = f"report=0:checkpoint_ms=50:out={out}"
    child = subprocess.Popen(["./app", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=dict(os.environ, RETICLE_OPTIONS=options))
    names[child.pid] = f"PID{len(names) + 1}"
    if arguments[-1] == "wait":
        child.stdout.read(1)
    return child


def end(child):
    text = child.communicate()[1].decode().replace(os.getcwd() + "/", "")
    return [rename(line.split(": ", 2)[2]) for line in text.splitlines() if "killed run" not in line]


def rename(text):
    for pid in sorted(names, reverse=True):
        text = text.replace(str(pid), names[pid])
    return text


def read(path):
    """Process and first argument of a profile."""
    text = subprocess.run([sys.argv[1], "dump", path], check=True, capture_output=True, text=True).stdout
    words = re.search(r"^arguments \"?(.*?)\"?(\s+#.*)?$", text, re.M).group(1).split()
    return int(re.search(r"^pid (\d+)", text, re.M).group(1)), words[1]


def tell(case, said=None):
    found = []
    for path in glob.glob("*.prof*"):
        pid, word = read(path)
        names.setdefault(pid, f"PID{len(names) + 1}")
        found.append(f"{rename(path)} {word if path != 'out.prof.' + str(pid) or word != 'parent' else 'child'}")
    text = f"{case}: {', '.join(sorted(found))}"
    if said:
        text += f"; {said[0]} says" + (": " + "; ".join(said[1]) if said[1] else " nothing")
    print(text)
    clear(case)


def clear(case):
    left = glob.glob(".reticle-*")
    if left:
        sys.exit(f"{case}: left behind: {left}")
    for path in glob.glob("*.prof*"):
        os.unlink(path)
    names.clear()


end(start("1st"))
tell("one after the other", ("2nd", end(start("2nd"))))

first = start("1st", "wait")
second = start("2nd", "wait")
said = end(second)
end(first)
tell("one beside the other", ("2nd", said))

first = start("1st", "wait")
end(start("2nd"))
end(first)
end(start("3rd"))
tell("started again beside it")

first = start("1st", "wait")
time.sleep(0.2)  # its second checkpoint
first.kill()
first.communicate()
end(start("2nd"))
tell("killed before")

# Made of a whole one; checksums don't matter here.
first = start("1st")
end(first)
data = bytearray(open("out.prof", "rb").read())
count = struct.unpack_from("<I", data, 40)[0]
for at in range(48, 48 + 56 * count, 56):
    if data[at:at + 16].rstrip(b"\0") == b"health":
        offset = struct.unpack_from("<Q", data, at + 16)[0]
        struct.pack_into("<Q", data, offset + 7 * 8, 1)   # checkpoints
        struct.pack_into("<I", data, offset + 11 * 8, 0)  # ended_by
open("out.prof", "wb").write(data)
tell("a first checkpoint of a process that is gone", ("2nd", end(start("2nd"))))

end(start("first", "exec"))
tell("exec of itself")
end(start("first", "exec", out="%p.prof"))
tell("exec of itself, %p")

# As in another container, where nobody sees that the first one runs.
first = start("1st", "wait")
first.send_signal(signal.SIGSTOP)
os.rename("out.prof", f"out.prof.{first.pid}")
end(start("2nd"))
first.send_signal(signal.SIGCONT)
tell("taken meanwhile by a run elsewhere", ("1st", end(first)))

first = start("1st", "wait")
os.unlink("out.prof")
tell("taken away meanwhile", ("1st", end(first)))

first = start("1st", "wait")
os.utime("out.prof")
os.chmod("out.prof", 0o644)
tell("its own file with another time", ("1st", end(first)))

end(start("parent", "fork"))
tell("parent and child")

for before in [0, 1]:
    if before:
        end(start("1st"))
    children = [start("x", "wait" if not before else "x") for _ in range(16)]
    said = sum(len(end(child)) for child in children)
    pids = {read(path)[0] for path in glob.glob("out.prof*")}
    print(f"16 at once{' behind a run' if before else ''}: {len(glob.glob('out.prof*'))} profiles of {len(pids)} processes, " +
          ("out.prof among them" if os.path.exists("out.prof") else "no out.prof") + (f", {said} have said so" if not before else ""))
    clear("at once")
