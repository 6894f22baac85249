#!/usr/bin/env python3
# generate_options.py - writes docs/options.md from include/reticle/options.def.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: generate_options.py          prints the page
#        generate_options.py --check  1 if docs/options.md is another
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "include/reticle/options.def"
PAGE = ROOT / "docs/options.md"
OPTION = re.compile(r'^RETICLE_OPTION\((\w+), (\w+), ("[^"]*"|\w+), (\d+), (\d+), "([^"]*)", "(.*)"\)$')

HEAD = """# Run-time options

<!-- Written by docs/generate_options.py from include/reticle/options.def. -->

`RETICLE_OPTIONS=key=value:key=value ./app` sets them for one run; `RETICLE_OPTIONS=help=1 ./app` lists
them. A program can bring its own defaults along by defining
`const char *__reticle_default_options(void)`, which returns such a string; the environment overrides it.
An unknown key gets one warning that names the nearest known one, and a value out of range leaves the
default in place.

| option | default | range | what it does |
|---|---|---|---|
"""
TAIL = """
* Times are numbers with s, m, h or d behind them; without one, seconds.
* Numbers take K, M and G for 2^10, 2^20 and 2^30; switches take 0 and 1, no and yes, off and on,
  false and true.
* In file names `%p` is the process, `%e` the executable's name, `%h` the host, `%r` the MPI rank and
  `%%` a percent sign. A privileged process (set-user-ID and the like) ignores options that name files.
"""


def size(number):
    for letter, shift in (("G", 30), ("M", 20), ("K", 10)):
        if number and number % (1 << shift) == 0:
            return f"{number >> shift}{letter}"
    return str(number)


def shown(kind, unit, number):
    """A number as one would type it, with its unit."""
    if kind == "TIME":  # held in seconds
        for letter, seconds in (("d", 86400), ("h", 3600), ("m", 60)):
            if number and number % seconds == 0:
                return f"{number // seconds}{letter}"
        return f"{number}s" if number else "0"
    if kind == "PERCENT":  # held in permille
        return f"{number / 10:g} %"
    return (size(number) if unit == "bytes" else str(number)) + (f" {unit}" if unit else "")


def row(kind, name, default, low, high, unit, text):
    if kind in ("TEXT", "FILE"):
        default = default.strip('"')
        default, span = f"`{default}`" if default else "none", kind.lower()
    elif kind == "BOOL":
        span = "0, 1"
    elif kind == "CHOICE":
        default, span = f"`{default}`", unit.replace("|", ", ")
    else:
        default = shown(kind, unit, int(default))
        span = f"{shown(kind, '' if unit != 'bytes' else unit, int(low))} to {shown(kind, unit, int(high))}"
        span = span.replace(" bytes to", " to")
    return f"| `{name}` | {default} | {span} | {text} |"


def page():
    rows = []
    for line in SOURCE.read_text().splitlines():
        if line.startswith("RETICLE_OPTION("):
            match = OPTION.match(line)
            if not match:
                sys.exit(f"{SOURCE.relative_to(ROOT)}: can't read: {line}")
            if not match[7].startswith("test aid"):
                rows.append(row(*match.groups()))
    return HEAD + "\n".join(rows) + "\n" + TAIL


def main():
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != page():
            sys.exit("docs/options.md is not what docs/generate_options.py prints; write it again: "
                     "docs/generate_options.py > docs/options.md")
        return
    sys.stdout.write(page())


main()
