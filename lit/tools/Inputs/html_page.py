# html_page.py - makes pages of profiles and looks at them: markup, what they may load, names, numbers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: html_page.py RETICLE FILE...     profiles or studies; each also with hostile names where it is a profile
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

HOSTILE = (b"</script><img src=x onerror=alert(1)>\" onload='x' & <b>\x1b[31m\r\n\xe2\x80\xae\xe2\x81\xa6<!--"
           + b"\xff" + b"a" * 300)
VOID = {"meta", "input"}
TAGS = {"html", "head", "meta", "title", "style", "body", "nav", "ul", "ol", "li", "a", "main", "header", "h1", "h2", "h3", "p",
        "section", "svg", "rect", "line", "circle", "path", "text", "g", "small", "div", "span", "b", "table", "thead", "tbody", "tr", "th",
        "td", "details", "summary", "figure", "figcaption", "dl", "dt", "dd", "code", "script"}


class Page(html.parser.HTMLParser):
    """Fails at what a page of ours never has."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts, self.rows, self.ids, self.links, self.nonces, self.policy = [], [], [], set(), set(), set(), ""
        self.table = None
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert tag in TAGS, f"<{tag}>"
        for name, value in attributes:
            assert name != "style" and not name.startswith("on") and name not in ("src", "srcset", "action"), f"{tag} {name}"
            assert name != "href" or value.startswith("#"), value
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag in ("style", "script"):
            self.nonces.add(given["nonce"])
        if tag == "script":
            self.scripts.append("")
        if tag == "tr" and self.table == "Loops":
            self.rows.append([])
        if tag == "td" and self.table == "Loops":
            self.rows[-1].append("")
        if "id" in given:
            assert given["id"] not in self.ids, f"id {given['id']} twice"
            self.ids.add(given["id"])
        if "href" in given:
            self.links.add(given["href"][1:])
        if given.get("role") == "region":
            self.table = given["aria-label"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open[-3:]}"
        self.open.pop()
        if tag == "table":
            self.table = None

    def handle_data(self, data):
        if self.open and self.open[-1] != "script":
            assert "<small>" not in data, f"markup of the page as text: {data[:80]}"  # hostile names have other tags
        for character in data:
            assert character == "\n" or unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp", "Cs"), repr(character)
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif self.table == "Loops" and self.rows and self.rows[-1] and "td" in self.open and "title" not in self.open:
            self.rows[-1][-1] += data

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")


def check(reticle, profile):
    subprocess.run([reticle, "report", "--html", "page.html", profile], check=True, capture_output=True)
    report = json.loads(subprocess.run([reticle, "report", "--json", profile], check=True, capture_output=True).stdout)
    page = Page(pathlib.Path("page.html").read_text(encoding="utf-8"))
    nonce, = page.nonces
    assert f"script-src 'nonce-{nonce}'" in page.policy and "default-src 'none'" in page.policy, page.policy
    assert page.links <= page.ids, f"links that lead nowhere: {page.links - page.ids}"
    data, _ = page.scripts
    assert json.loads(data) == report, "the data of the page aren't the report's"
    shown = {row[0]: row for row in page.rows if row}
    assert len(shown) >= len(report["loops"]), f"{len(shown)} of {len(report['loops'])} loops"
    for loop in report["loops"]:
        row = shown[loop["id"]]
        assert re.sub(r"\s", "", row[5]) == str(loop["executions"]), (row, loop["executions"])
    text = subprocess.run([reticle, "report", "--loops", "--all", profile], check=True, capture_output=True, text=True, errors="replace").stdout
    lines = dict(re.findall(r"^ *(L\d+) (.*)$", text, re.M))
    for loop in report["loops"]:
        says_the_same(loop, shown[loop["id"]], lines[loop["id"]])
    return len(report["loops"])


def says_the_same(loop, row, line):
    """A bound is one on the page, too, and what the text doesn't know the page doesn't."""
    if not loop["executions"]:
        return
    share, amplitude, lost = row[4], row[8], row[9]
    assert f" {share} " in line, (share, line)
    if loop["verdict"] in ("too_few", "below_floor"):
        assert amplitude == "n/a" and not re.search(r"\d", lost), (amplitude, lost, line)
    else:
        assert f" {amplitude} " in line and line.endswith(f" {lost}"), (amplitude, lost, line)


def hostile(reticle, profile):
    text = subprocess.run([reticle, "dump", "--text", profile], check=True, capture_output=True).stdout
    escaped = b"".join(b"\\x%02x" % byte for byte in HOSTILE)
    text = re.sub(rb'^(\w+ )"((?:[^"\\]|\\.)*)"', lambda m: m[1] + b'"' + (b"x" if b"\\" in m[2] else m[2][:12]) + escaped + b'"',
                  text, flags=re.M)
    pathlib.Path("hostile.txt").write_bytes(text)
    subprocess.run([reticle, "dump", "--binary", "-o", "hostile.prof", "hostile.txt"], check=True, capture_output=True)
    return "hostile.prof"


def main(reticle, *profiles):
    loops = 0
    for profile in profiles:
        loops += check(reticle, profile)
        if profile.endswith(".prof"):
            check(reticle, hostile(reticle, profile))
    print(f"fine: {len(profiles)} pages, {loops} loops")


if __name__ == "__main__":
    main(*sys.argv[1:])
