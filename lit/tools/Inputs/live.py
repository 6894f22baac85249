# live.py - starts a program, asks what it does in a second of its second phase, and ends it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: live.py RETICLE PROGRAM      in an empty folder
import fcntl
import glob
import json
import os
import struct
import subprocess
import sys
import termios
import time

reticle, program = sys.argv[1:]
PATIENCE_S = 30


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def read(*arguments):
    return json.loads(subprocess.run([reticle, *arguments], check=True, capture_output=True).stdout)


def executions(report, function):
    return sum(x["executions"] for x in report["loops"] if x["function"] == function)


def screen_of(pid, lines, columns):
    """What top shows on a terminal of that size, once"""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    with subprocess.Popen([reticle, "top", "--delay", "1s", "--count", "1", str(pid)], stdout=theirs,
                          env=dict(os.environ, TERM="dumb", COLUMNS="")) as top:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the terminal is closed
            pass
    os.close(ours)
    assert top.returncode == 0, shown
    return shown.decode().replace("\r", "").split("\033[H\033[2J")[-1]


def check_screen(screen, lines, columns):
    assert screen.count("\n") < lines, (lines, screen)
    wide = [line for line in screen.split("\n") if len(line) > max(columns, 40) and ".prof" not in line]
    assert not wide, (columns, screen)
    assert lines < 24 or (" second " in screen and "losses:" in screen), screen


process = subprocess.Popen([program, "go"], env=dict(os.environ, RETICLE_OPTIONS="sample=1"), stderr=subprocess.DEVNULL)
try:
    wait_for("no profile", lambda: glob.glob("reticle.*.prof"))
    profile, = glob.glob("reticle.*.prof")
    wait_for("first isn't run", lambda: executions(read("report", "--json", profile), "first"))
    with open("go", "w", encoding="utf-8"):
        pass
    wait_for("second isn't run", lambda: executions(read("report", "--json", profile), "second"))
    whole = read("report", "--json", profile)
    part = read("report", "--since", "1s", "--json", str(process.pid))
    named = read("report", "--since", "1s", "--json", profile)
    for report in part, named:
        assert executions(whole, "first") and not executions(report, "first"), "the first phase is in it"
        assert 0 < executions(report, "second"), "nothing is in it"
        assert 0.9e9 < report["env"]["elapsed"]["value"] < whole["env"]["elapsed"]["value"] + 30e9
        assert [w["code"] for w in report["warnings"]].count("interval") == 1
        assert report["schema"] == "reticle-report/1"
    table = subprocess.run([reticle, "top", "--delay", "1s", "--count", "2", str(process.pid)], check=True,
                           capture_output=True, text=True).stdout
    assert table.count("HOTTEST") == 2, table
    assert " second " in table and " first " not in table, table
    for lines, columns in (24, 80), (50, 120), (8, 40):
        check_screen(screen_of(process.pid, lines, columns), lines, columns)
finally:
    process.kill()
    process.wait()
print("ok")
