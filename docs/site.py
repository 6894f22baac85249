# site.py - for mkdocs: pages from outside of docs/, links that fit the site, folders in the navigation.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mkdocs knows docs/ alone. Here README.md, CHANGELOG.md and CONTRIBUTING.md join it, and whatever else of the tree a
# page links. Links are made to fit: of a path from the root "docs/" goes. A folder has no page, so
# a link to one becomes its text.
import logging
import pathlib
import re

from mkdocs.structure.files import File

DOCS = pathlib.Path(__file__).parent
ROOT = DOCS.parent
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(#[^()\s]*)?\)")
FENCE = re.compile(r"^(```.*?^```)", re.M | re.S)  # what stands between is left as it is
log = logging.getLogger("mkdocs.plugins.reticle")


def on_config(config):
    """Lists the pages of each folder that the navigation names; no page may be left out."""
    listed = set()

    def fill(item):
        if isinstance(item, list):
            return [fill(inner) for inner in item]
        if isinstance(item, dict):
            return {title: fill(inner) for title, inner in item.items()}
        pages = sorted(item + page.name for page in (DOCS / item).glob("*.md")) if item.endswith("/") else item
        listed.update(pages if isinstance(pages, list) else [pages])
        return pages

    config["nav"] = fill(config["nav"])
    for page in sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")):
        if page not in listed:
            log.warning("mkdocs.yml: nav: docs/%s isn't there; add it", page)
    return config


def _linked(page, target):
    """What the page links as `target`: its path, or None where that isn't in the tree."""
    path = page.parent.joinpath(target).resolve()
    return path if path.is_relative_to(ROOT) and path.exists() else None


def _is_address(target):
    return re.match(r"[a-z]+:", target)


def _add_outside(path, files, config):
    """Takes a file from outside of docs/ into the site, and those that it links."""
    name = str(path.relative_to(ROOT))
    if path.is_relative_to(DOCS) or files.get_file_from_path(name):
        return
    files.append(File(name, str(ROOT), config["site_dir"], config["use_directory_urls"]))
    if path.suffix == ".md":
        _add_links(path, files, config)


def _add_links(page, files, config):
    for _, _, target, _ in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        path = None if _is_address(target) else _linked(page, target)
        if path and path.is_file():
            _add_outside(path, files, config)


def on_files(files, config):
    for file in list(files):
        if file.src_path.endswith((".py", ".pyc")):
            files.remove(file)
    for name in TOP:
        _add_outside(ROOT / name, files, config)
    for page in DOCS.rglob("*.md"):
        _add_links(page, files, config)
    return files


def on_page_markdown(markdown, page, config, files):
    source = pathlib.Path(page.file.abs_src_path).resolve()

    def fix(match):
        image, text, target, anchor = match.groups()
        if _is_address(target):
            return match[0]
        path = _linked(source, target)
        if not path:
            log.warning("%s: %s: no such file", source.relative_to(ROOT), target)
        if not path or path.is_dir():
            return text
        there = path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT)
        up = "../" * page.file.src_path.count("/")
        return f"{image}[{text}]({up}{there}{anchor or ''})"

    return "".join(part if part.startswith("```") else LINK.sub(fix, part) for part in FENCE.split(markdown))
