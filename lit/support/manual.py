# manual.py - whether the manual pages say all that the help says: usage: manual.py BIN MAN SOURCE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# BIN has reticle and reticle-clang, MAN is the folder with man1 and man7, SOURCE the source tree.
import pathlib
import re
import subprocess
import sys

import commands

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
ESCAPES = {r"\-": "-", r"\e": "\\", r"\(aq": "'", r"\(dq": '"', r"\(ga": "`", r"\(ha": "^", r"\(ti": "~", r"\&": ""}


class Page:
    """A page as text: its sections, and the terms of its lists with what they mean."""

    def __init__(self, path):
        if not path.exists():
            sys.exit(f"{path.name}: no such page")
        plain = re.sub(r'^\.\\".*\n|\\f[BIR]', "", path.read_text(encoding="ascii"), flags=re.M)
        plain = re.sub(r"\\(?:\(..|.)", lambda m: ESCAPES[m[0]], plain)
        self.name, self.text = path.name, plain
        self.sections = re.findall(r"^\.SH (.*)", plain, re.M)
        self.items = dict(re.findall(r"^\.TP\n(.*)\n(.*)", plain, re.M))

    def expect(self, what, is_there):
        if not is_there:
            sys.exit(f"{self.name}: not there: {what}")


def check_command(command, man):
    page = Page(man / f"man1/reticle-{command.name}.1")
    page.expect(SECTIONS, page.sections == SECTIONS)
    said = re.sub(r"--\[no-\](\S+)", r"--\1, --no-\1", " ".join(page.items))
    for option in command.long + command.letters:
        page.expect(option, re.search(rf"(?<![\w-]){option}(?![\w-])", said))
    for option, choices in command.choices.items():
        page.expect(f"{option} {choices}", f"{option} {'|'.join(choices)}" in said)
    for example in command.examples:
        page.expect(example, example in page.items)
        own = re.sub(r"'[^']*'", "", example.split(" -- ")[0])
        for option in re.findall(r" (--[\w-]+|-\w\b)", own):
            page.expect(f"{option}, of an example, among the options", option in command.long + command.letters)


def check_overview(every, man):
    page = Page(man / "man1/reticle.1")
    for command in every:
        page.expect(command.name, f"reticle-{command.name}(1)" in page.items)
    known = {f"reticle-{c.name}.1" for c in every} | {"reticle.1", "reticle-clang.1", "reticle-clang++.1", "reticle-flang.1"}
    there = {path.name for path in (man / "man1").iterdir()}
    if there != known:
        sys.exit(f"pages without a command: {sorted(there - known)}; commands without: {sorted(known - there)}")


def check_wrapper(wrapper, man, source):
    page = Page(man / f"man1/{wrapper.name}.1")
    text = subprocess.run([wrapper, "--reticle-help"], capture_output=True, text=True, check=True).stdout
    for setting in re.findall(r"^  (\S+)", text, re.M):
        page.expect(setting, setting in page.items)
    usage = (source / "docs/usage.md").read_text()
    for key, help_text in re.findall(r'^RETICLE_COMPILE_OPTION\((\w+), "[^"]*", "[^"]*", "(.*)"\)',
                                     (source / "include/reticle/compile_options.def").read_text(), re.M):
        is_there = f"-fplugin-arg-reticle-{key}=" in " ".join(page.items)
        page.expect(key, is_there != help_text.startswith("test aid"))
        if is_there and f"| `{key}` |" not in usage and f"-fplugin-arg-reticle-{key}=" not in usage:
            sys.exit(f"docs/usage.md: not there: {key}")


def check_options(man, source):
    """The page and docs/options.md give the same options, defaults and ranges."""
    page = Page(man / "man7/reticle-options.7")
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*) \|$", (source / "docs/options.md").read_text(), re.M)
    keys = {term.split("=")[0]: meaning for term, meaning in page.items.items()}
    page.expect([row[0] for row in rows], [row[0] for row in rows] == list(keys))
    for key, default, span, text in rows:
        values = [] if default == "none" else ["default " + default.strip("`")]
        values += [span] if " to " in span else []
        expected = text.replace("`", "").replace("\\", "") + (f" ({', '.join(values)})" if values else "")
        page.expect(f"{key}: {expected}", keys[key] == expected)


def main(bin_folder, man, source):
    every = commands.read(bin_folder / "reticle")
    for command in every:
        check_command(command, man)
    check_overview(every, man)
    for wrapper in ("reticle-clang", "reticle-flang"):
        check_wrapper(bin_folder / wrapper, man, source)
    check_options(man, source)
    print(f"{len(every)} commands have pages")


main(*map(pathlib.Path, sys.argv[1:]))
