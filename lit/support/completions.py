# completions.py - whether a shell completes all that the help says: usage: completions.py SHELL SHARE RETICLE
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

import commands
import complete


def main(shell, share, reticle):
    every = commands.read(reticle)
    expected = {"reticle ": [c.name for c in every], "reticle help ": [c.name for c in every]}
    for command in every:
        start = f"reticle {command.name} "
        # zsh takes letters and names apart as long as only one dash stands there.
        expected[start + "--"] = command.long
        expected[start + "-"] = command.letters
        for option, choices in command.choices.items():
            expected[f"{start}{option} "] = choices
            expected[f"{start}{option}="] = choices
    found = complete.candidates(shell, share, list(expected))
    problems = 0
    for (line, words), offered in zip(expected.items(), found, strict=True):
        plain = {word.split("=")[-1] if "=" in line else word.rstrip("=") for word in offered}
        if missing := set(words) - plain:
            print(f"{shell}: '{line}': not offered: {sorted(missing)}; offered: {sorted(plain)}")
            problems += 1
    if problems:
        sys.exit(1)
    print(f"{shell}: {len(expected)} lines completed")


main(*sys.argv[1:])
