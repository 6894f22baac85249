# diff_page.py - looks at a page of `reticle diff --html`: markup, what it may load, and its numbers beside the JSON's
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: diff_page.py PAGE JSON
import json
import pathlib
import sys

import html_page

page = html_page.Page(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
loops = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))["loops"]
nonce, = page.nonces
assert f"script-src 'nonce-{nonce}'" in page.policy and "default-src 'none'" in page.policy, page.policy
assert page.links <= page.ids, page.links - page.ids
rows = [row for row in page.rows if row]
assert [row[0] for row in rows] == [loop["id"] for loop in loops], (rows, loops)
for row, loop in zip(rows, loops):
    assert row[3] == loop["verdict"], (row, loop["verdict"])
    ratio = loop["mean"]["ratio"]["value"]
    if ratio is None:
        assert row[4] == "n/a", row
    else:
        shown = row[4].replace("\u2009", "").replace(" %", "")
        value = float(shown[1:]) if shown[0] == "x" else 1 / float(shown[1:]) if shown[0] == "/" else 1 + float(shown) / 100
        assert abs(value - ratio) < 0.006 * ratio, (row, ratio)
print(f"fine: {len(rows)} loops")
