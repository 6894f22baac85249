# hostile_elf.py - puts hostile names into symbols and debug information of a program, runs it, and looks at what all commands print of it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   hostile_elf.py RETICLE COMPILER FLAG...
import os
import pathlib
import re
import subprocess
import sys

from hostile_names import problem_of

# As long as the names that they take the place of: the program is linked, then changed.
HOSTILE = b"x\x1b[31mR\x07\rF\nFORGED\xc2\x9b2m\xe2\x80\xae\xff_"
NAME, FILE = "N" * len(HOSTILE), "Q" * len(HOSTILE)
SOURCE = """
#include <stdlib.h>
struct NAMET { int a; char pad[60]; struct NAMET *next; };
volatile int sink;
int table_NAME[100000];
__attribute__((noinline)) int f_NAME(struct NAMET *n, int k) {
  int s = 0;
  for (int i = 0; i < k; i++) {
    s += n[i].a;
    n[i].pad[3] = s;
    table_NAME[i % 100000] += s;
  }
  return s;
}
int main(void) {
  struct NAMET *n = calloc(5000, sizeof *n);
  for (int j = 0; j < 40000; j++)
    sink += f_NAME(n, 1000 + j % 7);
  free(n);
  return 0;
}
"""
COMMANDS = """report --all|report --structs --all|report --heap --all|report --blocks --all|report --samples --all|report --topdown
report --json --all|show L1|show L1 --json|show S1|show A1|show B1|show B1 --json|show @|annotate --all @|annotate --json --all @
layout S1|layout S1 --json|layout S1 --write order.layout|layout @|dump|export --folded|export --chrome trace.json|diff again.prof
diff --json again.prof|diff --samples again.prof|diff --lines again.prof|block L1|block --json|block -o -|doctor !|doctor --json !
block --elf ! --function @ -v|block --elf ! --function @ --json"""


def main(reticle, *compiler):
    pathlib.Path(FILE + ".c").write_text(SOURCE.replace("NAME", NAME))
    subprocess.run([*compiler, FILE + ".c", "-o", "app"], check=True)
    code = pathlib.Path("app").read_bytes()
    for word in (NAME, FILE):
        if word.encode() not in code:
            sys.exit(f"no {word} in the program")
        code = code.replace(word.encode(), HOSTILE)
    pathlib.Path("bad").write_bytes(code)
    os.chmod("bad", 0o755)
    bad, count = [], 0

    def look(what, out, is_json=False):
        nonlocal count
        count += 1
        why = problem_of(out, is_json)
        if why:
            bad.append(f"{what}: {why}")
    for profile in ("bad.prof", "again.prof"):
        ran = subprocess.run(["./bad"], capture_output=True, check=True,
                             env=os.environ | {"RETICLE_OPTIONS": f"sample=1:blocks=4:out={profile}"})
        look("the report at exit", ran.stderr)
    for line in re.split(r"[|\n]", COMMANDS):
        words = [{"@": b"f_" + HOSTILE, "!": "./bad"}.get(word, word) for word in line.split()]
        operands = [] if "!" in line else ["bad.prof"]
        ran = subprocess.run([reticle, *words, *operands], capture_output=True, timeout=120)
        look(line, ran.stdout, "--json" in words)
        look(line, ran.stderr)
        if ran.returncode not in (0, 1) and line not in ("layout @", "show B1", "show B1 --json"):
            bad.append(f"{line}: status {ran.returncode}: {ran.stderr!r}")
    for path in ("order.layout", "trace.json"):
        if os.path.exists(path):
            look(path, pathlib.Path(path).read_bytes(), path == "trace.json")
    print("\n".join(bad) if bad else f"fine: {count} outputs")


main(*sys.argv[1:])
