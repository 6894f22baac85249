# flame.py - the boxes of a page's flame graph, as a browser has them: depth, percent, name; hidden ones left out.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   flame.py DOM
import html
import pathlib
import re
import sys

flame = re.search(r'<svg class="flame".*?</div>', pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), re.S).group(0)
for attributes, title in re.findall(r"<svg ([^>]*)><title>([^<]*)</title>", flame):
    if " hidden=" in attributes:
        continue
    values = dict(re.findall(r'(\w+)="([^"]*)"', attributes))
    name = re.sub(r", [\d.<]+ %.*", "", html.unescape(title))
    print(f"{int(values['y']) // 18} {float(values['width'].rstrip('%')):.1f} {name}")
