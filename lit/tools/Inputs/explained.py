# explained.py - each column of docs/columns.md, by key and title, is a word of reticle explain: explained.py RETICLE PAGE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import re
import subprocess
import sys

rows = re.findall(r"^\| `([^`]+)` \| ([^|]*)\| ", pathlib.Path(sys.argv[2]).read_text(), re.M)
words = sorted({word.strip() for row in rows for word in row if word.strip()})
wrong = [w for w in words if subprocess.run([sys.argv[1], "explain", w], capture_output=True, check=False).returncode]
print(f"{len(words)} columns, not explained: {wrong}")
