# page_commands.py - the commands of a page: what stands in its blocks ```sh, as one script: usage: page_commands.py PAGE [C]
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# With a language, as C, the first block of that language instead.
import pathlib
import re
import sys


def main(page, language="sh"):
    blocks = re.findall(rf"^```{language.lower()}\n(.*?)^```", pathlib.Path(page).read_text(encoding="utf-8"), re.M | re.S)
    if not blocks:
        sys.exit(f"{page}: no block ```{language.lower()}")
    print("".join(["set -ex\n", *blocks] if language == "sh" else blocks[:1]), end="")


main(*sys.argv[1:])
