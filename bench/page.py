#!/usr/bin/env python3
# page.py - put measured results into the pages of docs/method
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: page.py OUT

Takes the results that bench/all.sh left in OUT and replaces, in docs/method/field_cost.md, loops.md, overhead.md, programs.md and timing.md,
what stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->` by OUT/NAME.md. Without that file the
page keeps what it has.
"""
import os
import re
import sys

import common

PAGES = ("field_cost.md", "loops.md", "overhead.md", "programs.md", "timing.md")


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__.splitlines()[0])
    for page in PAGES:
        path = os.path.join(common.ROOT, "docs", "method", page)
        with open(path, encoding="utf-8") as file:
            text = file.read()

        def fill(match):
            result = os.path.join(sys.argv[1], match.group(1) + ".md")
            if not os.path.exists(result):
                return match.group(0)
            with open(result, encoding="utf-8") as file:
                return f"<!-- {match.group(1)}: begin -->\n{file.read().strip()}\n<!-- {match.group(1)}: end -->"

        text = re.sub(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", fill, text, flags=re.S)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        common.note(f"wrote {os.path.relpath(path, common.ROOT)}")


main()
