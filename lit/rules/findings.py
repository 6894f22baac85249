# findings.py - every code of tools/model/finding/finding.def has a section in docs/findings.md, and no other has one.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
codes = re.findall(r'^FINDING\(\w+, "([a-z-]+)"', (root / "tools/model/finding/finding.def").read_text(), re.M)
sections = re.findall(r"^## (\S+)$", (root / "docs/findings.md").read_text(), re.M)
problems = [f"docs/findings.md: no section on '{code}'" for code in codes if code not in sections]
problems += [f"docs/findings.md: '{section}' is no code of finding.def" for section in sections if section not in codes]
problems += [f"finding.def: '{code}' stands twice" for code in set(codes) if codes.count(code) > 1]
if not codes:
    problems.append("finding.def: no code was found")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
