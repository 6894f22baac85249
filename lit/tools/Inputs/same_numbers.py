# same_numbers.py - whether screen, table, card, page and JSON say the same of each loop of kept profiles.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   same_numbers.py TOOL PROFILE...
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CELLS = ("id", "function", "place", "durations", "share", "executions", "p50", "p95", "p95/p50", "lost", "verdict")
SHOWN = ("share", "p50", "p95", "p95/p50")


def run(tool, *arguments):
    return subprocess.run([tool, *arguments], check=True, capture_output=True, encoding="utf-8").stdout


def page_rows(tool, profile):
    """{id: {column: words}} of the page's table of loops"""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        run(tool, "report", "--html", str(page), profile)
        text = page.read_text(encoding="utf-8")
    rows = {}
    for row in re.findall(r'<tr><td><a href="#L\d+">.*?</tr>', text, re.S):
        cells = [html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.findall(r"<td.*?</td>", row, re.S)]
        if len(cells) == len(CELLS):
            rows[cells[0]] = dict(zip(CELLS, cells))
    return rows


def number(words):
    """What the words say, in ns or as a part: 3 digits"""
    found = re.fullmatch(r"[<>]?([\d.]+)([kM]?)(?: (ns|us|ms|s|%)|x)?", words)
    if not found:
        return None
    unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "%": 0.01, None: 1}[found[3]]
    return float(found[1]) * unit


def faults_of(loop, cells, table, screen, card):
    row = next((line for line in table.split("\n") if re.match(rf"  {loop['id']} ", line)), "")
    for column in SHOWN:
        if number(cells[column]) is not None and f" {cells[column]}" not in row.replace("*", ""):
            yield f"{column} {cells[column]} on the page, not in the table: {row}"
    p50 = loop["p50"]["value"]
    if p50 is not None and (told := number(cells["p50"])) and abs(told / p50 - 1) > 0.01:
        yield f"p50 {p50} ns in JSON, {cells['p50']} on the page"
    if number(cells["share"]) is not None and not re.search(rf"\btime +{re.escape(cells['share'])} ", card) \
            and cells["share"][0] not in "<>":
        yield f"share {cells['share']} on the page, not on the card"
    shown = re.search(rf"^ *(\S+ %) .* {loop['id']}, (\S+) executions?(?:, median (\S+ .?s))?", screen, re.M)
    if shown and "by samples" not in screen and shown[1] != cells["share"]:
        yield f"share {shown[1]} on the screen, {cells['share']} on the page"
    if shown and shown[3] and shown[3].lstrip("<") != cells["p50"]:
        yield f"median {shown[3]} on the screen, {cells['p50']} on the page"


def main(tool, *profiles):
    loops = faults = 0
    for profile in profiles:
        pages, table, screen = page_rows(tool, profile), run(tool, "report", "--all", "--loops", profile), \
            run(tool, "report", profile)
        for loop in json.loads(run(tool, "report", "--json", profile))["loops"]:
            cells = pages[loop["id"]]
            loops += 1
            for fault in faults_of(loop, cells, table, screen, run(tool, "show", loop["id"], profile)):
                faults += 1
                print(f"{pathlib.Path(profile).name} {loop['id']}: {fault}")
    print(f"{loops} loops, {faults} faults")


main(*sys.argv[1:])
