# layering.py - every #include is written from the root and obeys the table of docs/architecture.md.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

import tree

# layer: what it may include besides itself and include/reticle. The longest matching layer counts.
ALLOWED = {
    "include": set(),  # reticle.h, which programs copy
    "include/reticle": set(),
    "pass": set(),
    "runtime/probe": set(),
    "runtime/sys": set(),
    "runtime/support": {"runtime/sys"},
    "runtime/session": {"runtime/probe", "runtime/support", "runtime/sys"},
    "runtime/feature": {"runtime/probe", "runtime/support", "runtime/sys"},
    "runtime/heap": {"runtime/probe", "runtime/support", "runtime/sys"},
    "runtime/harness": {"runtime/sys"},
    "runtime/waits": set(),  # a library of its own, with libc
    "tools/support": set(),
    "tools/profile": set(),
    "tools/analysis": {"tools/profile"},
    "tools/binary": {"tools/support"},
    "tools/machine": {"tools/analysis", "tools/profile", "tools/support", "runtime/harness"},
    "tools/program": {"tools/binary", "tools/analysis", "tools/profile", "tools/support"},
    "tools/store": {"tools/machine", "tools/analysis", "tools/profile", "tools/support"},
    "tools/model": {"tools/store", "tools/program", "tools/machine", "tools/binary", "tools/analysis",
                    "tools/profile", "tools/support", "runtime/harness"},
    "tools/rewrite": {"tools/model", "tools/store", "tools/binary", "tools/analysis", "tools/profile", "tools/support"},
    "tools/run": {"tools/model", "tools/store", "tools/program", "tools/machine", "tools/binary",
                  "tools/analysis", "tools/profile", "tools/support", "runtime/harness"},
    "tools/ui": {"tools/support"},
    "tools/render/text": {"tools/model", "tools/analysis", "tools/ui", "tools/support"},
    "tools/render/json": {"tools/model", "tools/analysis", "tools/ui", "tools/support"},
    "tools/render/csv": {"tools/model", "tools/analysis", "tools/support"},
    "tools/render/html": {"tools/model", "tools/analysis", "tools/support"},
    "tools/render/sql": {"tools/model", "tools/store", "tools/analysis", "tools/support"},
    "tools/export": {"tools/model", "tools/profile", "tools/ui", "tools/support"},
    "tools/driver": set(),
    "tools/cmd": {"tools/render/text", "tools/render/json", "tools/render/csv", "tools/render/sql", "tools/render/html",
                  "tools/export", "tools/run", "tools/rewrite", "tools/model", "tools/store", "tools/program", "tools/machine", "tools/binary", "tools/analysis",
                  "tools/profile", "tools/ui", "tools/support", "runtime/harness"},
    "tools/manual": {"tools/cmd", "tools/driver", "tools/model", "tools/ui", "tools/support"},
    "tools": {"tools/cmd", "tools/support", "tools/ui"},
    "examples": set(),
    "bench": {"runtime/harness", "runtime/probe", "runtime/sys", "tools/analysis", "tools/profile"},
}
# (layer, header): single headers across a border that is otherwise closed.
# The harness times with the probes' own timer.
ALSO = {("runtime/harness", "runtime/probe/clock/timer.h"), ("runtime/harness", "runtime/probe/clock/step.h"),
        ("runtime/harness", "runtime/probe/clock/burst.h"),
        # Features drive the heap, by its face alone.
        ("runtime/feature", "runtime/heap/heap.h"),
        # The session knows features by their hooks; loops get their numbers, which the store has, as modules register.
        ("runtime/session", "runtime/feature/feature.h"), ("runtime/session", "runtime/feature/loop/store.h"),
        # What the session tells features: whether it measures, its threads, drains.
        ("runtime/feature", "runtime/session/session.h"), ("runtime/feature", "runtime/session/threads.h"),
        ("runtime/feature", "runtime/session/drain.h"),
        ("runtime/feature", "runtime/session/sideline.h"),
        # Memory is there, or the process ends: no function of analysis fails for want of it.
        ("tools/analysis", "tools/support/memory.h"),
        # Files are opened in one way.
        ("tools/binary", "tools/profile/regular.h"),
        # What a machine is, as data.
        ("tools/render/json", "tools/machine/machine.h")}
# Subjects of a layer: all may include the first ones, and what is listed here. A circle is named as one.
SUBJECTS = {
    "tools/analysis": ({"stats", "run"}, {
        "block": {"stall"},  # a sample is moved to the instruction waited for by the stall's own terms
        "bound": {"stall"},  # what was measured narrows what was ruled out
        "topdown": {"stall"},  # estimated from stall causes where nothing is counted
        "replay": {"struct"},  # visits of a struct, laid out anew
        "compare": {"loop"},  # levels of loops
    }),
    "tools/model": ({"measurement", "remedy", "sample"}, {
        "join": {"block", "heap", "study"},  # puts what is known beside what was read
        "heap": {"block"},  # why nothing was counted
        "struct": {"block", "heap", "stall"},  # objects by site; what may wait for memory
        "study": {"heat"},  # which loops are hot enough
        "bound": {"heat"},  # a loop's part of the time in one that was measured
        "stall": {"block", "bound"}, "topdown": {"block", "stall"},  # blocks with their causes
        "loop": {"block", "bound", "struct"},  # what a loop waits for, and the remedy that was tried
        "replay": {"block", "loop"},  # what visits cost
        "heat": {"block"},  # which machine loop an address is in
        "trial": {"heat", "study"},  # how long a loop runs, and the program
        "finding": {"block", "bound", "heap", "heat", "loop", "rank", "stall", "struct", "study", "trial"},
        "report": {"block", "finding", "heap", "heat", "loop", "rank", "stall", "struct", "topdown", "trial"},
        "compare": {"fleet", "loop", "struct"},
        "fleet": {"finding", "join", "rank"},
    }),
    "tools/run": ({"child"}, {"check": {"study"},  # two builds with their runs
                              "study": {"trial"}}),  # layouts that may pay are tried
    "tools/rewrite": (set(), {}),
    "tools/binary": (set(), {"block": {"code"}}),
    "tools/profile": (set(), {"": {"merge"}, "text": {"merge"}}),  # stacks that are read are joined as in a merge
    "tools/render/text": (set(), {"loop": {"block", "struct"}, "sample": {"block"}, "struct": {"heap"},
                                  "report": {"rank"}}),  # the first screen has the largest waits
    "tools/render/json": (set(), {"loop": {"block", "struct"}, "report": {"block", "heap", "loop", "sample", "struct"}}),
    "runtime/feature": ({"loop"}, {
        "loop": {"account", "topdown"},  # what a timed loop's executions counted
        "shadow": {"sample"},  # registers of samples, by site
    }),
    "pass": ({"module", "target"}, {
        "module": {"field"},  # a circle: the module's table of fields
        "field": {"block", "front"}, "shadow": {"field", "front"},  # facts from the front end
        "front": {"plugin"},  # clang's action starts the steps
        "plugin": {"bound", "field", "form", "loop", "shadow"},
    }),
}
# Only these print on stderr, and know what statuses there are; in others a problem is a value (tools/support/problem.h).
MAY_PRINT = {"tools", "tools/cmd", "tools/driver", "tools/manual", "tools/support", "tools/ui"}
PRINTING = {"tools/support/messages.h", "tools/support/exit_code.h"}
PRINTS = re.compile(r"\b(stderr|STDERR_FILENO|message_(error|warning|note)|EXIT_[A-Z]+)\b")
CIRCLE_MOST = 3  # files of tools that include one another
UNCHECKED = ("test/", "lit/", "bench/answers/drivers/")  # tests look at everything, drivers at other projects' headers

CLANG_HEADERS_ONLY_IN = "pass/front/"
# What the hot zone may take from the system: headers that a freestanding compiler has.
FREESTANDING = {"stdint.h", "stddef.h", "stdbool.h", "stdatomic.h", "stdarg.h", "limits.h", "cpuid.h",
                "cet.h", "immintrin.h", "x86intrin.h", "arm_acle.h"}


def layer(path):
    inside = [name for name in ALLOWED if path.startswith(name + "/")]
    return max(inside, key=len, default=None)


used = set()  # (layer, subject, subject) that #includes name


def subject(inside, path):
    """The folder below the layer in which the file lies; "" for one in the layer itself."""
    return path[len(inside) + 1:].rpartition("/")[0].partition("/")[0]


def subject_problem(me, path, header):
    """What is wrong with an #include within layer `me`, or None."""
    base, listed = SUBJECTS.get(me, (set(), {}))
    mine, other = subject(me, path), subject(me, header)
    used.add((me, mine, other))
    if me not in SUBJECTS or other in base | listed.get(mine, set()) | {mine, ""}:
        return None
    return f"the subject {mine or 'of ' + me} may not include {header}"


def is_silent(me):
    """Whether what lies in the layer may not print: the tools but for those that talk with people."""
    return me.startswith("tools/") and me not in MAY_PRINT


def printed_in(line):
    """A word of a line of code, strings and comments aside, that prints or is an exit status; None: there is none."""
    found = PRINTS.search(re.sub(r'"(\\.|[^"\\])*"|//.*', "", line))
    return found and found[0]


def problem_of(me, path, header, quoted, known):
    """What is wrong with one #include of a file in layer `me`, or None."""
    if not quoted:
        if me == "runtime/probe" and header not in FREESTANDING:
            return f"the hot zone may not include <{header}>"
        return None
    if header.startswith(("llvm/", "clang/", "llvm-c/")):
        if me != "pass":
            return f"only pass may include {header}"
        if header.startswith("clang/") and not path.startswith(CLANG_HEADERS_ONLY_IN):
            return f"clang's headers belong to {CLANG_HEADERS_ONLY_IN}: {header}"
        return None
    if header not in known:
        return f'"{header}" is no path from the root'
    if is_silent(me) and header in PRINTING:
        return f"{me} may not print, nor choose the status: tools/support/problem.h instead of {header}"
    other = layer(header)
    if other == me:
        return subject_problem(me, path, header)
    if other == "include/reticle" or other in ALLOWED[me] or (me, header) in ALSO:
        return None
    return f"{me} may not include {header}"


def circles(root, paths):
    """Circles of files in tools, a header and its source taken as one."""
    below = {}
    for path in paths:
        if path.parts[0] != "tools" or path.suffix not in (".c", ".h"):
            continue
        mine = str(path.with_suffix(""))
        below.setdefault(mine, set()).update(
            m[1] for m in re.finditer(r'#\s*include "(tools/[^"]+)\.h"', "\n".join(tree.text(root, path))) if m[1] != mine)

    def reached(start):
        seen, todo = set(), [start]
        while todo:
            for other in below.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    reach = {name: reached(name) for name in below}
    return {tuple(sorted(o for o in reach[name] if name in reach.get(o, ()))) for name in below if name in reach[name]}


def main(root):
    listed = tree.files(root)
    known = {str(path) for path in listed}
    problems = []
    for path in listed:
        if path.suffix not in (".c", ".h", ".cpp", ".S", ".def") or str(path).startswith(UNCHECKED):
            continue
        me = layer(str(path))
        if me is None:
            problems.append(f"{path}: lies in no layer of {__file__}")
            continue
        for number, line in enumerate(tree.text(root, path), 1):
            match = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
            problem = match and problem_of(me, str(path), match[2], match[1] == '"', known)
            if problem:
                problems.append(f"{path}:{number}: {problem}")
            elif not match and is_silent(me) and printed_in(line):
                problems.append(f"{path}:{number}: {me} may not print, nor choose the status: {printed_in(line)}")
    problems += [f"a circle of {len(c)} files: {', '.join(c)}" for c in circles(root, listed) if len(c) > CIRCLE_MOST]
    for me, (_, listed) in SUBJECTS.items():
        problems += [f"{me}: {mine} may include {other}, and doesn't" for mine, others in listed.items()
                     for other in sorted(others) if (me, mine, other) not in used]
    tree.finish(problems, "includes across a border")


main(sys.argv[1])
