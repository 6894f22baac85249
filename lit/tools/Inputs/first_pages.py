# first_pages.py - the pages that the first block of a JSON result touches, as SYMBOL+OFFSET of an executable
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

symbols = {}
for line in subprocess.run(["nm", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
    words = line.split()
    if len(words) == 3 and words[2] in sys.argv[2:]:
        symbols[words[2]] = int(words[0], 16)
for block in json.load(sys.stdin)["blocks"]:
    places = []
    for page in block["page_list"]:
        address = int(page["address"], 16)
        name = max((s for s in symbols if symbols[s] <= address < symbols[s] + 16384), key=symbols.get, default=None)
        places.append(f"{name}+{address - symbols[name]}" if name else "elsewhere")
    print(block["name"], block["status"], *places)
