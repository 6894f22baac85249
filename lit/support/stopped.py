# stopped.py - stops a program again and again, and whether its report tells for how long.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   stopped.py RETICLE PROGRAM
# PROGRAM TURNS is lit/timed/stopped.c. How long a stop is, is known from both sides: from where the kernel
# says that the process is stopped to where it is told to go on, and from where it is told to stop to where the
# kernel says that it goes on. Now and then one is missed, as the runtime itself was at work: one may be.
import json
import os
import signal
import subprocess
import sys
import time

STOPS, LENGTH_S, BETWEEN_S = 6, 0.15, 0.06
reticle, program = sys.argv[1:]


def start(turns):
    return subprocess.Popen([program, str(turns)],
                            env={**os.environ, "RETICLE_OPTIONS": "report=0:out=app.prof:period=1:chain=0"})


def report():
    done = subprocess.run([reticle, "report", "--json", "app.prof"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def stop(process, length_s):
    """The least and the most that it was stopped for, in s."""
    first = time.monotonic()
    os.kill(process.pid, signal.SIGSTOP)
    os.waitpid(process.pid, os.WUNTRACED)
    begin = time.monotonic()
    time.sleep(length_s)
    end = time.monotonic()
    os.kill(process.pid, signal.SIGCONT)
    os.waitpid(process.pid, os.WCONTINUED)
    return end - begin, time.monotonic() - first


def fail(text):
    sys.exit(f"{text}\n{json.dumps(result['account'])}")


def has_ended(process):
    return process.poll() is not None


result = None
assert start(20).wait() == 0
result = report()
if result["account"]["stopped"]["value"] != 0:
    fail("a process that nobody stopped is said to have been")

process = start(400)
time.sleep(0.1)
stops = []
for _ in range(STOPS):
    if has_ended(process):
        break
    stops.append(stop(process, LENGTH_S))
    time.sleep(BETWEEN_S)
assert process.wait() == 0 and len(stops) > 2, stops
result = report()
least = (sum(s[0] for s in stops) - max(s[0] for s in stops)) * 1e9
most = sum(s[1] for s in stops) * 1e9
wall, stopped = (result["account"][key]["value"] for key in ("wall", "stopped"))
print(f"{len(stops)} stops of {least / 1e9:.3f} to {most / 1e9:.3f} s: told {stopped / 1e9:.3f} of {wall / 1e9:.3f} s")
if not 0.98 * least <= stopped <= 1.02 * most + 20e6:
    fail("stopped time is wrong")
whole = next(x for x in result["loops"] if x["function"] == "whole")
if abs(whole["total"]["value"] - (wall - stopped)) > 0.05 * wall:
    fail(f"the loop around all of it took {whole['total']}")
if not 0.85 < whole["share"]["value"] <= 1:
    fail(f"the loop around all of it has a share of {whole['share']}")
text = subprocess.run([reticle, "report", "app.prof"], check=True, capture_output=True, text=True).stdout
if "stopped for" not in text:
    fail("the head of the report doesn't say it: " + text)
