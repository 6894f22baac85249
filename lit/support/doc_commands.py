# doc_commands.py - whether the commands that pages name can be typed: usage: doc_commands.py SOURCE BIN WORK PAGE... [-- PAGE...]
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Of each command of reticle, reticle-clang or reticle-flang, in a block or between backticks, the program itself reads
# the options: in front of --help or -###. Keys of RETICLE_OPTIONS and of the plug-in, and variables, are looked up. What
# stands in a block and only reads profiles is run in WORK, which has files by the names that pages use; not of pages
# behind --, which have tests of their own. Links must lead to files.
import pathlib
import re
import shlex
import subprocess
import sys

FENCE = re.compile(r"^```[^\n]*\n(.*?)^```", re.M | re.S)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^()\s#]+)(?:#[^()\s]*)?\)")
WRAPPERS = ("reticle-clang", "reticle-clang++", "reticle-flang")
ENDS = ("&&", "||", ";", "|", "&")
# The options that stand before the program end there.
STOPS_AT_OPERAND = ("run", "topdown")
# What can be wrong with a mention that leaves operands and values out.
MISTAKE = re.compile(r"unknown (option|command)|takes no value|is one of|needs a whole number")
PLACEHOLDER = re.compile(r"(?<!\w)(PID|STRUCT|COMMAND|FUNCTION|PROGRAM|LIBRARY)\b|@|\.\.\.")
# The others build, take minutes, or ask a process: tests of their own run them.
RUN = ("annotate", "block", "diff", "doctor", "export", "gates", "help", "layout", "merge", "report", "show", "topdown")


class Pages:
    def __init__(self, source, programs, work):
        self.source, self.programs, self.work = source, programs, work
        self.problems, self.checked, self.ran, self.done = [], 0, 0, {}
        self.runs = self.is_whole = False  # whether what is being read may be run, and has all of its operands
        text = (source / "include/reticle/options.def").read_text() + \
            (source / "include/reticle/compile_options.def").read_text()
        self.run_keys = set(re.findall(r"^RETICLE_OPTION\(\w+, (\w+)", text, re.M))
        self.compile_keys = set(re.findall(r"^RETICLE_COMPILE_OPTION\((\w+)", text, re.M))
        helps = "".join(self.call([wrapper, "--reticle-help"]).stdout for wrapper in WRAPPERS)
        self.variables = set(re.findall(r"\b(RETICLE\w*)=", helps)) | {"RETICLE_OPTIONS"}
        self.variables |= set(re.findall(r"^#   (RETICLE_\w+)=", (source / "bootstrap.sh").read_text(), re.M))

    def call(self, words):
        # Only what the page's first word names is ours; it is looked for where the build has put it.
        return subprocess.run([self.programs / words[0], *words[1:]], cwd=self.work, capture_output=True, text=True,
                              check=False, stdin=subprocess.DEVNULL, timeout=60)

    def say(self, place, command, answer):
        self.problems.append(f"{place}: {command}: {answer}")

    def check_settings(self, place, text):
        """Keys, and variables of the environment, wherever in a command they stand."""
        for key in re.findall(r"-fplugin-arg-reticle-(\w+)", text):
            if key not in self.compile_keys and key != "KEY":
                self.say(place, text, f"the plug-in has no option {key}")
        for name in re.findall(r"(?<![\w-])(RETICLE\w*)=", text):
            if name not in self.variables:
                self.say(place, text, f"no variable {name}")
        for value in re.findall(r"RETICLE_OPTIONS=([^\s'\"`]+)", text):
            for key in re.findall(r"(?:^|:)(\w+)(?==|$)", value):
                if key not in self.run_keys and key not in ("key", "report"):
                    self.say(place, text, f"RETICLE_OPTIONS has no {key}")

    def check_tool(self, place, words):
        if len(words) < 2 or words[1].isupper() or words[1] == "...":
            return
        at = next((i for i, word in enumerate(words) if word == "--"), len(words))
        if words[1] in STOPS_AT_OPERAND and at == len(words):
            at = next((i for i, word in enumerate(words) if i > 1 and not word.startswith("-")), len(words))
        version = ("--version", "--help", "-V", "-h")
        answer = self.call(words if words[1] in version else words[:at] + ["--help"] + words[at:])
        self.checked += 1
        if answer.returncode and (self.is_whole or MISTAKE.search(answer.stderr)):
            self.say(place, shlex.join(words), answer.stderr.strip() or f"status {answer.returncode}")
        elif not answer.returncode and self.runs and words[1] in RUN and not PLACEHOLDER.search(" ".join(words)):
            self.run(place, words)

    def run(self, place, words):
        expanded = []
        for word in words:
            matches = sorted(p.name for p in self.work.glob(word)) if re.search(r"[*?]", word) else []
            expanded += matches or [word]
        line = shlex.join(expanded)
        answer = self.done[line] = self.done.get(line) or self.call(expanded)  # once is enough
        self.ran += 1
        if answer.returncode == 2 and not self.is_whole:
            self.ran -= 1  # a mention: an operand is left out
        elif answer.returncode == 3 and not answer.stderr:
            pass  # the report says that the profile has nothing of what was asked for
        elif answer.returncode not in (0, 1, 4):  # fine, a finding, inconclusive
            self.say(place, shlex.join(words), answer.stderr.strip() or f"status {answer.returncode}")

    def check_wrapper(self, place, words):
        if len(words) == 1 or "-###" in words:
            return
        for word in words:
            if re.fullmatch(r"[\w.]+\.(c|cpp|o|a|f90|bc)", word):
                (self.work / word).touch()
        words = [word for word in words if word != "..."]
        answer = self.call(words + ([] if "--reticle-help" in words else ["-###"]))
        if "no flang for the plug-ins" in answer.stderr:
            return  # not installed here
        self.checked += 1
        mistakes = re.findall(r".*(?:error|warning): .*", answer.stderr)
        if answer.returncode or mistakes:
            self.say(place, shlex.join(words), "\n".join(mistakes) or f"status {answer.returncode}")

    def check_command(self, place, line):
        self.check_settings(place, line)
        line = re.sub(r"\s+#.*| \[F\.\.\.\]", "", line)
        try:
            lexer = shlex.shlex(line, posix=True, punctuation_chars=";|&<>")
            lexer.whitespace_split, lexer.commenters = True, ""
            words = list(lexer)
        except ValueError:
            return  # a quote goes on: part of another language
        command = []
        for word in [*words, ";"]:
            if word not in ENDS:
                command.append(word)
                continue
            while command and (re.match(r"\w+=", command[0]) or command[0] in ("$", "env", "then", "if", "do")):
                command.pop(0)
            while len(command) > 1 and command[-2] in (">", "<", ">>"):
                del command[-2:]
            if command and command[-1].isdigit() and ">" in words:
                command.pop()
            if command:
                command[0] = command[0].rsplit("/", 1)[-1]
                if command[0] == "reticle":
                    self.check_tool(place, command)
                elif command[0] in WRAPPERS:
                    self.check_wrapper(place, command)
            command = []

    def check_page(self, name, runs):
        text = (self.source / name).read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            number = text.count("\n", 0, match.start(1)) + 1
            is_session = re.search(r"^\$ ", match[1], re.M)
            self.runs, self.is_whole = runs, True
            for line in re.sub(r"\\\n", "\r", match[1]).split("\n"):
                if line.startswith("$ ") or not is_session:
                    typed = re.sub(r"^\s*(- |\$ )?", "", line)
                    self.check_command(f"{name}:{number}", typed.replace("\r", " "))
                number += 1 + line.count("\r")
        self.is_whole = False
        prose = FENCE.sub(lambda m: "\n" * m[0].count("\n"), text)
        for number, line in enumerate(prose.splitlines(), 1):
            for span in SPAN.findall(line):
                self.check_command(f"{name}:{number}", span)
            for target in LINK.findall(line):
                if not re.match(r"[a-z]+:", target) and not (self.source / name).parent.joinpath(target).exists():
                    self.problems.append(f"{name}:{number}: {target}: no such file")


def main(source, programs, work, *pages):
    checker = Pages(pathlib.Path(source), pathlib.Path(programs).resolve(), pathlib.Path(work).resolve())
    own_test = pages.index("--") if "--" in pages else len(pages)
    for at, page in enumerate(pages):
        if at != own_test:
            checker.check_page(page, at < own_test)
    for problem in checker.problems:
        print(problem)
    print(f"{checker.checked} commands read, {checker.ran} run, {len(checker.problems)} problems")
    sys.exit(1 if checker.problems else 0)


main(*sys.argv[1:])
