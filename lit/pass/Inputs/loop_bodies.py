# loop_bodies.py - compares the innermost vector loops of two assembly files, names aside.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   loop_bodies.py PLAIN.s PROBED.s MIN_LOOPS [x86_64|aarch64]
#
# A loop is the text from the label that clang calls an inner loop's header to the last jump there.
# Compared are its instructions in their order, with the width of each register and the displacement
# of each access. Not compared, as it depends on the code around the loop: which registers are used,
# in which order an addition has its operands, and whether the loop counts elements or bytes.
import re
import sys

LABEL = re.compile(r"^(\.?[A-Za-z_][\w.$]*):")
class X86_64:
    comment = "#"
    jump = re.compile(r"^\tj\w+\s+(\.L\w+)$")
    counter_step = re.compile(r"^\t(add|sub)q\s+\$-?\d+, %r\w+$|^\t(inc|dec)q\s+%r\w+$")
    vector = re.compile(r"mm")
    names = [(re.compile(r"(-?\w*)\(([^)]*)\)"),
              lambda m: f"memory[{m[1] or 0}:{m[2].count('%')}]"),
             (re.compile(r"%([xyz])mm\d+"), r"\1mm"),
             (re.compile(r"%k\d+"), "mask"),
             (re.compile(r"%\w+"), "register"),
             (re.compile(r"\.L\w+"), "label")]


class AArch64:
    comment = "//"
    jump = re.compile(r"^\t(?:b\.\w+\s+|cbn?z\s+\w+, )(\.L\w+)$")
    counter_step = re.compile(r"^\t(adds?|subs?)\s+(x\d+), \2, #-?\d+$")
    vector = re.compile(r"\b[vqz]\d+")
    names = [(re.compile(r"\[[xs]\w+(?:, ([^\]]*))?\](!?)"),
              lambda m: f"memory[{re.sub('[xw][0-9]+', 'register', m[1] or '0')}]{m[2]}"
                        .replace(", ", " ")),
             (re.compile(r"\b([vqdshbzp])\d+"), r"\1"),
             (re.compile(r"\b[xw]\d+"), "register"),
             (re.compile(r"\.L\w+"), "label")]


ISA = {"x86_64": X86_64, "aarch64": AArch64}[(sys.argv[4:] or ["x86_64"])[0]]


def functions(path):
    """Yields (name, instructions and labels, names of inner loops' headers)."""
    name, lines, headers, label = None, [], set(), None
    for line in open(path, encoding="utf-8"):
        text, _, comment = line.rstrip().partition(ISA.comment)
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
    if ISA.counter_step.match(line):
        return "step of the counter"
    mnemonic, _, operands = line.strip().partition("\t")
    for pattern, text in ISA.names:
        operands = pattern.sub(text, operands)
    return f"{mnemonic} {', '.join(sorted(operands.split(', ')))}"


def vector_loops(lines, headers):
    for header in headers:
        start = lines.index(header + ":")
        ends = [i for i, line in enumerate(lines)
                if i > start and (jump := ISA.jump.match(line)) and jump[1] == header]
        if not ends:  # entered in the middle: a loop of several blocks, not a vector loop
            continue
        body = lines[start:ends[-1] + 1]
        if any(ISA.vector.search(line) for line in body):
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
