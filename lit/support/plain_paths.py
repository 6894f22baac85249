# plain_paths.py - behaviour tests of a tree whose path has a space or the like.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN lines are shell commands with paths in them, which nobody quotes, and paths stand in patterns of
# FileCheck and grep. Where the tree's path isn't plain, tests see it through links whose names are.
import atexit
import os
import re
import shutil
import tempfile

import lit.formats

FOLDERS = ["source_dir", "build_dir", "bin_dir", "lib_dir", "plugin_dir", "unit_dir"]
LONGEST = 160  # of a path that names of sockets and lines of reports still hold


class LinkedShTest(lit.formats.ShTest):
    """As ShTest. lit resolves links when it looks for tests, so they come in when one is run."""

    def __init__(self, source_root, exec_root, **options):
        super().__init__(**options)
        self.roots = source_root, exec_root

    def execute(self, test, lit_config):
        test.suite.source_root, test.suite.exec_root = self.roots
        return super().execute(test, lit_config)


def is_plain(path):
    return len(path) <= LONGEST and re.fullmatch(r"[\w/.,@=-]+", path, re.ASCII) is not None


def make_links(source, build):
    links = tempfile.mkdtemp(prefix="reticle-lit-")
    owner = os.getpid()  # lit's workers are forks of it, and end before it does
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(links))
    os.symlink(source, os.path.join(links, "source"))
    os.symlink(build, os.path.join(links, "build"))
    return os.path.join(links, "source"), os.path.join(links, "build")


def replace(config):
    """Makes the paths in the configuration plain."""
    paths = {folder: getattr(config, "reticle_" + folder) for folder in FOLDERS}
    if all(is_plain(path) for path in paths.values()):
        return
    source, build = make_links(config.reticle_source_dir, config.reticle_build_dir)
    for folder, path in paths.items():
        below = os.path.relpath(path, paths["build_dir"])
        path = source if folder == "source_dir" else os.path.normpath(os.path.join(build, below))
        setattr(config, "reticle_" + folder, path)
