# trusted.py - runs a program whose reticle can be changed by others, and tells whether that was run at its end: usage: trusted.py COMPILER SOURCE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import sys
import tempfile

*COMPILER, SOURCE = sys.argv[1:]
NOBODY = 65534
# Not in the build tree, whose folders may be anybody's.
TMP = tempfile.mkdtemp(prefix="reticle-trusted-", dir="/tmp")
APP = os.path.join(TMP, "app")


def make(path):
    """A program in the place of reticle."""
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write('#!/bin/sh\necho "runs" >&2\n')
    os.chmod(path, 0o755)


def case(name, change=lambda: None, tool="a/b/reticle", folder=".", **environment):
    os.chdir(TMP)
    for path in os.listdir():
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    for path in ("a/b/reticle", "open/reticle"):
        make(path)
    os.chmod("open", 0o777)
    change()
    baked = os.path.join(TMP, tool) if tool else ""
    subprocess.run([*COMPILER, "-O2", "-g", f"-fplugin-arg-reticle-tool={baked}", SOURCE, "-o", APP], check=True)
    os.chdir(folder)
    done = subprocess.run([APP], stderr=subprocess.PIPE, text=True, check=False,
                          env={**{"PATH": "/nonexistent"}, "RETICLE_OPTIONS": f"out={TMP}/out.prof", **environment})
    said = done.stderr.strip().replace(TMP + "/out.prof", "out.prof").replace(TMP, "TMP")
    print(f"{name}: {said.split('warning: the report failed; ')[-1]}")
    if done.returncode != 7 or said.count("\n"):
        sys.exit(f"{name}: status {done.returncode}: {said}")


def give(path):
    os.lchown(path, NOBODY, NOBODY)


def main():
    os.umask(0o022)
    case("all is ours")
    case("everybody can write the program", lambda: os.chmod("a/b/reticle", 0o777))
    if os.geteuid() == 0:
        case("its group can write the program", lambda: (os.chown("a/b/reticle", 0, NOBODY), os.chmod("a/b/reticle", 0o775)))
    else:
        print("not as root")
    case("its group, which has its owner's number", lambda: (os.chown("a/b/reticle", -1, os.geteuid()), os.chmod("a/b/reticle", 0o775)))
    case("everybody can write its folder", lambda: os.chmod("a/b", 0o777))
    case("everybody can write the folder above", lambda: os.chmod("a", 0o777))
    case("the folder above is sticky", lambda: os.chmod("a", 0o1777))
    case("its own folder is sticky", lambda: os.chmod("a/b", 0o1777))
    case("a link to a folder that everybody can write", lambda: os.symlink("open", "link"), "link/reticle")
    case("a link in a folder that everybody can write", lambda: os.symlink("../a/b/reticle", "open/link"), "open/link")
    case("a link to a fine one", lambda: os.symlink("b/reticle", "a/link"), "a/link")
    case("by RETICLE_TOOL, whoever can write it", tool="", RETICLE_TOOL=f"{TMP}/open/reticle")
    case("by PATH", tool="", PATH=f"/nonexistent:{TMP}/a/b")
    case("by PATH, everybody can write its folder", lambda: os.chmod("a/b", 0o777), "", PATH=f"{TMP}/a/b")
    case("by PATH, a relative folder", tool="", folder="a", PATH="b")
    case("by PATH, in this folder, which everybody can write", tool="", folder="open", PATH=".")
    case("not there", tool="")
    if os.geteuid() == 0:
        case("another user's program", lambda: give("a/b/reticle"))
        case("another user's folder", lambda: give("a"))
        case("another user's link", lambda: (os.symlink("b/reticle", "a/link"), give("a/link")), "a/link")
    else:
        print("not as root\n" * 3, end="")


try:
    main()
finally:
    os.chdir("/")
    shutil.rmtree(TMP)
