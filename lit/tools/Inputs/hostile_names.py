# hostile_names.py - puts hostile texts into each text of each golden profile and looks at what all commands print.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   hostile_names.py GOLDEN_DIRECTORY RETICLE
import json
import os
import pathlib
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree

# ESC, BEL, CR, newline, backspace, C1 as a byte and as UTF-8, marks of direction, what is not seen, separators of
# lines, cut and overlong UTF-8, a surrogate, a noncharacter.
HOSTILE = (b"\x1b[31mred\x07\rFORGED\nFORGED_line\x08\x7f\x9b1m\xc2\x9b2m\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\x8b"
           b"\xef\xbb\xbf\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\xc2\xad\xf3\xa0\x81\x81\xe2\x82\xc0\xaf\xed\xa0\x80\xff\xef\xbf\xbe")
COMMANDS = [["report"], ["report", "--all", "--structs"], ["report", "--heap"], ["report", "--blocks"], ["report", "--samples"],
            ["report", "--topdown"], ["report", "--json"], ["show", "L1"], ["show", "S1"], ["show", "A1"], ["show", "B1"],
            ["show", "L1", "--json"], ["show", "S1", "--json"], ["show", "none"], ["annotate", "@"], ["annotate", "--json", "@"],
            ["layout", "S1"], ["layout", "--json", "S1"], ["export", "--folded"], ["export", "--remarks", "/dev/stdout"], ["dump", "--text"], ["merge", "-o", "merged.prof"],
            ["diff", "@file"], ["diff", "--json", "@file"], ["block"], ["doctor"],
            ["report", "--csv", "loops"], ["report", "--csv", "structs"], ["report", "--csv", "env"],
            ["check", "--all", "--github", "--junit", "check.xml", "--sarif", "check.sarif", "--code-quality", "check.json", "@file", "--"]]


def escape(raw):
    return b"".join(b"\\x%02x" % byte for byte in raw)


def problem_of(out, is_json):
    try:
        text = out.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    for character in text:
        if character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs"):
            return f"a raw {character!r}"
    if re.search(r"^FORGED", text, re.M):
        return "a forged line"
    if is_json and text.strip():
        json.loads(text)
    return None


def problem_of_file(path):
    """Of a form for CI servers, which names the loop."""
    out = pathlib.Path(path).read_bytes()
    pathlib.Path(path).unlink()
    why = problem_of(out, not path.endswith((".xml", ".md")))
    if path.endswith(".xml") and not why:
        try:
            xml.etree.ElementTree.fromstring(out)
        except xml.etree.ElementTree.ParseError as error:
            why = error
    return why and f"{path}: {why}"


def main(golden, reticle):
    bad, count = [], 0
    os.environ["GITHUB_STEP_SUMMARY"] = "summary.md"
    for source in sorted(pathlib.Path(golden).glob("*.prof")):
        text = subprocess.run([reticle, "dump", "--text", source], capture_output=True, check=True).stdout
        names = 0

        def hostile(match):
            nonlocal names
            names += 1
            return match.group(1) + b'"' + (b"x" if b"\\" in match.group(2) else match.group(2)[:12]) + escape(HOSTILE) + b'"'
        text = re.sub(rb'^(\w+ )"((?:[^"\\]|\\.)*)"', hostile, text, flags=re.M)
        name = source.stem
        pathlib.Path(name + ".txt").write_bytes(text)
        made = subprocess.run([reticle, "dump", "--binary", "-o", name + ".prof", name + ".txt"], capture_output=True)
        if made.returncode or not names:
            sys.exit(f"{name}: {made.stderr!r}")
        hostile_operand = HOSTILE.replace(b"\0", b"")
        for words in COMMANDS:
            operands = [hostile_operand if w == "@" else name + ".prof" if w == "@file" else w for w in words]
            ran = subprocess.run([reticle, *operands, name + ".prof"], capture_output=True, timeout=60)
            count += 1
            if words[0] == "check":
                bad += [f"{name}: {why}" for why in map(problem_of_file, ("check.xml", "check.sarif", "check.json", "summary.md")) if why]
            if ran.returncode not in (0, 1, 2, 3, 4):
                bad.append(f"{name} {words}: status {ran.returncode}")
            for out, is_json in ((ran.stdout, "--json" in words), (ran.stderr, False)):
                why = problem_of(out, is_json)
                if why:
                    bad.append(f"{name} {words}: {why}")
    for operands in ([b"report", HOSTILE], [HOSTILE], [b"help", HOSTILE], [b"report", b"--" + HOSTILE], [b"block", b"-x", HOSTILE],
                     [b"export", b"--chrome", b"trace.json", b"v1.prof"]):
        ran = subprocess.run([reticle, *operands], capture_output=True, timeout=60)
        count += 1
        for out in (ran.stdout, ran.stderr):
            why = problem_of(out, False)
            if why:
                bad.append(f"{operands}: {why}")
    why = problem_of(pathlib.Path("trace.json").read_bytes(), True) if pathlib.Path("trace.json").exists() else None
    if why:
        bad.append(f"trace.json: {why}")
    print("\n".join(bad) if bad else f"fine: {count} outputs")


if __name__ == "__main__":
    main(*sys.argv[1:])
