# loop_bodies.py - compares the innermost vector loops of two assembly files, names aside.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   loop_bodies.py PLAIN.s PROBED.s MIN_LOOPS
#
# A loop is the text from the label that clang calls an inner loop's header to the last jump there.
# Compared are its instructions in their order, with the width of each register and the displacement
# of each access. Not compared, as it depends on the code around the loop: which registers are used,
# in which order an addition has its operands, and whether the loop counts elements or bytes.
import re
import sys

LABEL = re.compile(r"^(\.?[A-Za-z_][\w.$]*):")
JUMP = re.compile(r"^\tj\w+\s+(\.L\w+)$")
MEMORY = re.compile(r"(-?\w*)\(([^)]*)\)")
COUNTER_STEP = re.compile(r"^\t(add|sub)q\s+\$-?\d+, %r\w+$|^\t(inc|dec)q\s+%r\w+$")


def functions(path):
    """Yields (name, instructions and labels, names of inner loops' headers)."""
    name, lines, headers, label = None, [], set(), None
    for line in open(path, encoding="utf-8"):
        text, _, comment = line.rstrip().partition("#")
        text = text.rstrip()
        if match := LABEL.match(text):
            label = match[1]
            if not label.startswith(".L"):
                name, lines, headers = label, [], set()
        if "Inner Loop Header" in comment:
            headers.add(label)
        if text.startswith(".Lfunc_end"):
            yield name, lines, headers
        elif text.startswith(".LBB") or text.startswith("\t") and text[1:2] not in (".", ""):
            lines.append(text)


def normalise(line):
    """One instruction as text without names."""
    if COUNTER_STEP.match(line):
        return "step of the counter"
    line = MEMORY.sub(lambda m: f"memory[{m[1] or 0}:{m[2].count('%')}]", line)
    mnemonic, _, operands = line.strip().partition("\t")
    operands = re.sub(r"%([xyz])mm\d+", r"\1mm", operands)
    operands = re.sub(r"%k\d+", "mask", operands)
    operands = re.sub(r"%\w+", "register", operands)
    operands = re.sub(r"\.L\w+", "label", operands)
    return f"{mnemonic} {', '.join(sorted(operands.split(', ')))}"


def vector_loops(lines, headers):
    for header in headers:
        start = lines.index(header + ":")
        ends = [i for i, line in enumerate(lines)
                if i > start and (jump := JUMP.match(line)) and jump[1] == header]
        if not ends:  # entered in the middle: a loop of several blocks, not a vector loop
            continue
        body = lines[start:ends[-1] + 1]
        if any("mm" in line for line in body):
            yield tuple(normalise(line) for line in body if not LABEL.match(line))


def main():
    plain, probed = ({name: sorted(vector_loops(lines, headers))
                      for name, lines, headers in functions(path)} for path in sys.argv[1:3])
    count, different = 0, 0
    for name, before in plain.items():
        after = probed[name]
        count += len(before)
        if before != after:
            different += 1
            print(f"{name}: vector loops differ")
            for title, loops in (("plain", before), ("probed", after)):
                for loop in loops:
                    print(f"-- {title}", *loop, sep="\n")
    print(f"{count} vector loops, {different} functions differ")
    return int(different > 0 or count < int(sys.argv[3]))


sys.exit(main())
