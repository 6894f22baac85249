#!/usr/bin/env python3
# record.py - studies the cases into small files that a test reads, with the true gains
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: bench/answers/record.py BUILD CASES [NAME]...

Studies the cases of bench/answers/canon.json, whose folders are in CASES, and writes bench/answers/recorded:
NAME.reticle.xz, and gains.json with what the fixes save on this machine. Of the runtime, which is in each program,
only the names are kept. Look at what lit/tools/answers.test then says before it is committed.
"""
import json
import lzma
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
WORK = pathlib.Path("/tmp/reticle-answers")  # in the profiles, so the same everywhere
ROUNDS = 2  # runs of each build that are kept


def runtime_functions(path):
    """(offset in the file, bytes) of the runtime's functions: global ones by their prefix, static ones by their file."""
    sections = {}
    for line in subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout.splitlines():
        found = re.match(r"\s*\[\s*(\d+)\] \S+\s+PROGBITS\s+([0-9a-f]+) ([0-9a-f]+)", line)
        if found:
            sections[found[1]] = int(found[2], 16) - int(found[3], 16)
    sources, files = {p.name for p in (HERE.parent.parent / "runtime").rglob("*.[cS]")}, ""
    for line in subprocess.run(["readelf", "-sW", path], capture_output=True, text=True, check=True).stdout.splitlines():
        found = re.match(r"\s*\d+: ([0-9a-f]+)\s+(\S+) (\w+)\s+(\w+)\s+\w+\s+(\w+) (\S+)", line)
        if not found:
            continue
        value, size, kind, binding, section, name = found.groups()
        if kind == "FILE":
            files = name
        own = name.startswith(("rrt_", "reticle_")) or (binding == "LOCAL" and files in sources)
        if kind == "FUNC" and own and section in sections and int(size, 0):
            yield int(value, 16) - sections[section], int(size, 0)


def shrink(program):
    with tempfile.NamedTemporaryFile() as file:
        file.write(program)
        file.flush()
        out = bytearray(program)
        for offset, size in runtime_functions(file.name):
            out[offset:offset + size] = bytes(size)
    return bytes(out)


def shrink_study(path):
    with sqlite3.connect(path) as base:
        for number, deflated in base.execute("SELECT rowid, deflated FROM programs").fetchall():
            stored = zlib.compress(shrink(zlib.decompress(deflated)), 0)  # xz sees what the builds have in common
            base.execute("UPDATE programs SET deflated=? WHERE rowid=?", (stored, number))
        for number, deflated in base.execute("SELECT rowid, deflated FROM profiles").fetchall():
            stored = zlib.compress(zlib.decompress(deflated), 0)
            base.execute("UPDATE profiles SET deflated=? WHERE rowid=?", (stored, number))
        late = "SELECT id FROM runs WHERE round>(SELECT min(round) FROM runs r WHERE r.build=runs.build)+?"
        base.execute(f"DELETE FROM profiles WHERE run IN ({late})", (ROUNDS - 1,))
        base.execute(f"DELETE FROM runs WHERE id IN ({late})", (ROUNDS - 1,))
    base.execute("VACUUM")
    base.close()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, cases, names = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(build / "bin", WORK / "bin", symlinks=True)
    shutil.copytree(build / "lib/reticle", WORK / "lib/reticle", symlinks=True)
    subprocess.run(["strip", "-g", WORK / "lib/reticle/libreticle_rt.a"], check=True)
    names = names or list(json.loads((HERE / "canon.json").read_text()))
    for name in names:
        shutil.copytree(cases / name, WORK / name)
    only = [word for name in names for word in ("--only", name)]
    subprocess.run([sys.executable, HERE / "answers.py", WORK, "--keep", WORK / "kept", *only], check=False,
                   env=dict(os.environ, RETICLE_BIN=str(WORK / "bin")))
    recorded = HERE / "recorded"
    recorded.mkdir(exist_ok=True)
    gains_path = recorded / "gains.json"
    gains = json.loads(gains_path.read_text()) if gains_path.exists() else {}
    for name in names:
        study = WORK / "kept" / (name + ".reticle")
        gains[name] = round(float((WORK / "kept" / (name + ".gain")).read_text()), 3)
        shrink_study(study)
        (recorded / (study.name + ".xz")).write_bytes(lzma.compress(study.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    gains_path.write_text(json.dumps(gains, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
