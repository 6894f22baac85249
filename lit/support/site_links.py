# site_links.py - whether links of the site lead to pages and headings that it has: usage: site_links.py SITE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links of a page, and the ids that links may name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if found.get("id"):
            self.ids.add(found["id"])
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])


def main(site):
    site = pathlib.Path(site).resolve()
    # 404.html has absolute links: it is shown at any place.
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    problems = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.is_file():
                problems.append(f"{path.relative_to(site)}: {link}: no such file")
            elif anchor and target in pages and anchor not in pages[target].ids:
                problems.append(f"{path.relative_to(site)}: {link}: no such heading")
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")


main(*sys.argv[1:])
