# commands.py - the commands of reticle and their options, as its help prints them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import subprocess

OPTION = re.compile(r"^  (?:-(\w), )?--(\[no-\])?([\w-]+)(?: (\S+))?")


class Command:
    def __init__(self, reticle, name):
        text = subprocess.run([reticle, "help", name], capture_output=True, text=True, check=True).stdout
        options, _, examples = text.partition("\nExamples:\n")
        self.name = name
        self.examples = re.findall(r"^  (reticle .*?)(?:  .*)?$", examples, re.M)
        self.long, self.letters, self.choices = [], [], {}
        for letter, negated, long, value in (m.groups() for m in map(OPTION.match, options.splitlines()) if m):
            self.long += ["--" + long] + (["--no-" + long] if negated else [])
            self.letters += ["-" + letter] if letter else []
            if value and "|" in value:
                self.choices["--" + long] = value.split("|")


def read(reticle):
    text = subprocess.run([reticle, "help"], capture_output=True, text=True, check=True).stdout
    return [Command(reticle, name) for name in re.findall(r"^  (\w+) ", text, re.M)]
