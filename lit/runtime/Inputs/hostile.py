# hostile.py - runs ./app where something else stands at out= or log_path=, and tells what became of both.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# argv: the tool reticle
import glob
import os
import shutil
import stat
import subprocess
import sys
import tempfile

TEXT = "precious\n"
NOBODY = 65534
tool, app = sys.argv[1], os.path.abspath("app")


def look(path):
    """What is there, so that a change shows."""
    facts = os.lstat(path)
    if stat.S_ISLNK(facts.st_mode):
        return os.readlink(path)
    return open(path, "rb").read() if stat.S_ISREG(facts.st_mode) else facts.st_ino


def case(name, prepare, option="out=out.prof", user=None, changes=(), start=None, arguments=()):
    shutil.rmtree("case", ignore_errors=True)
    os.mkdir("case")
    os.chdir("case")
    os.chmod(".", 0o777 if start is None else start)
    with open("precious", "w", encoding="utf-8") as out:
        out.write(TEXT)
    prepare()
    before = {path: look(path) for path in glob.glob("*") if path not in changes}
    child = subprocess.Popen([app, *arguments], stderr=subprocess.PIPE, text=True, user=user, group=user, extra_groups=[] if user else None,
                             env=dict(os.environ, RETICLE_OPTIONS=f"report=0:nonsense=1:{option}"))
    said = child.communicate()[1].replace(os.getcwd() + "/", "").replace(str(child.pid), "PID")
    for path, content in before.items():
        if look(path) != content:
            sys.exit(f"{name}: {path} was changed")
    kind = "log" if "log_path" in option else "profile"
    news = [path for path in glob.glob("**", recursive=True) if path not in before and os.path.lexists(path) and not os.path.isdir(path) and
            not (kind == "log" and path.endswith("prof"))]
    news += glob.glob(".reticle-*") + [path for path in glob.glob("target") if path not in news]
    if kind == "profile":
        for path in news:
            subprocess.run([tool, "dump", path], check=True, stdout=subprocess.DEVNULL)
    told = [f"{p.replace(str(child.pid), 'PID')} {stat.S_IMODE(os.lstat(p).st_mode):o}" for p in sorted(news)] or [f"no {kind}"]
    lines = [line.split(": ", 2)[2] for line in said.splitlines() if "nonsense" not in line and "killed run" not in line]
    shown = lines[0].removeprefix("out.prof ").removeprefix("out.prof/ ") if lines else ""
    print(f"{name}: {' '.join(told)}" + (f": {shown}" if shown else ""))
    if child.returncode != 7:
        sys.exit(f"{name}: status {child.returncode}")
    os.chdir("..")


def write(path, content, user=None):
    with open(path, "wb") as out:
        out.write(content)
    os.chmod(path, 0o666)
    if user:
        os.chown(path, user, user)


def take_names():
    # The next processes' numbers, which anybody can guess.
    os.symlink("precious", "out.prof")
    pid = os.getpid()
    for number in range(pid, pid + 2000):
        os.symlink("target", f"out.prof.{number}")


def user_link():
    os.symlink("precious", "log")
    os.lchown("log", NOBODY, NOBODY)


subprocess.run([app], check=False, env=dict(os.environ, RETICLE_OPTIONS="report=0:out=whole.prof"))
whole = open("whole.prof", "rb").read()

case("nothing there", lambda: None)
case("empty file", lambda: write("out.prof", b""), changes=["out.prof"])
case("link to a file", lambda: os.symlink("precious", "out.prof"))
case("link to nothing", lambda: os.symlink("target", "out.prof"))
case("links at all names", take_names)
case("hard link to a text", lambda: os.link("precious", "out.prof"))
case("hard link to a profile", lambda: (write("other.prof", whole), os.link("other.prof", "out.prof")))
case("text", lambda: write("out.prof", b"notes\n"))
case("folder", lambda: os.mkdir("out.prof"))
case("folder with a slash", lambda: os.mkdir("out.prof"), option="out=out.prof/")
if os.geteuid() == 0:
    case("device", lambda: os.mknod("out.prof", 0o666 | stat.S_IFCHR, os.makedev(1, 3)))
else:
    print("device: out.prof.PID 600: is a device: not as root")
case("cut profile", lambda: write("out.prof", whole[:len(whole) // 2]))
case("checkpoints through a link at .part", lambda: os.symlink("precious", "out.prof.part"))
log = "out=x.prof:log_path=log"
case("log at our own link", lambda: os.symlink("own", "log"), log)
case("log at a hard link", lambda: os.link("precious", "log"), log)
case("log new", lambda: None, log)
case("no folder", lambda: None, "out=missing/out.prof")
case("no folders", lambda: None, "out=a/b%%/%r.prof")
case("a file in the place of a folder", lambda: None, "out=precious/out.prof")
case("folder taken away meanwhile", lambda: os.mkdir("sub"), "out=sub/out.prof", changes=["sub"], arguments=["gone"])
case("no place for files", lambda: None, "out=/proc/self/out.prof")
case("log on a full disk", lambda: None, "out=x.prof:log_path=/dev/full")
case("log in no folder", lambda: None, "out=x.prof:log_path=missing/log")
if os.geteuid() == 0:
    case("another user's file", lambda: write("out.prof", whole, NOBODY))
    case("another user's empty file", lambda: write("out.prof", b"", NOBODY))
    case("another user's link for the log", user_link, log)
    case("another user's log", lambda: write("log", b"", NOBODY), log)
    # nobody must come to the program: a copy in a folder that all may enter.
    copy = tempfile.mkdtemp(prefix="reticle-hostile-", dir="/tmp")
    try:
        os.chmod(copy, 0o755)
        shutil.copy(app, copy)
        app = os.path.join(copy, "app")
        os.chdir(copy)
        case("as nobody, a file of root", lambda: write("out.prof", whole), user=NOBODY)
        case("as nobody, in a sticky folder", lambda: write("out.prof", whole), user=NOBODY, start=0o1777)
        os.environ["TMPDIR"] = os.path.join(copy, "tmp")
        os.mkdir("tmp")
        os.chmod("tmp", 0o1777)
        case("as nobody, no right to write", lambda: None, user=NOBODY, start=0o755)
        print("in TMPDIR:", *(name.split(".", 2)[1] for name in os.listdir("tmp")))
        os.environ["TMPDIR"] = os.path.join(copy, "missing")
        case("as nobody, no right to write anywhere", lambda: None, user=NOBODY, start=0o755)
        del os.environ["TMPDIR"]
        case("privileges dropped in a sticky folder", lambda: None, start=0o1777, arguments=["drop"])
    finally:
        os.chdir("/")
        shutil.rmtree(copy)
else:
    print("not as root\n" * 10, end="")
