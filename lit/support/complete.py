# complete.py - what bash, zsh or fish offers behind a command line, as somebody who types would see it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: complete.py SHELL SHARE 'reticle report --so'   prints the candidates, a line each
#   SHARE  the folder with bash-completion/completions, zsh/site-functions, fish/vendor_completions.d
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

END = "-- end --"
BASH = """
source "$1"; shift
compopt() { printf '<%s>\\n' "${*//-o /}"; }
for line; do
  eval "COMP_WORDS=($line) COMP_CWORD=\\$((\\${#COMP_WORDS[@]} - 1)) COMPREPLY=()"
  _reticle
  printf '%s\\n' "${COMPREPLY[@]}" '""" + END + """'
done
"""
FISH = """
source $argv[1]
for line in $argv[2..]
  complete -C $line
  echo '""" + END + """'
end
"""
# A widget that completes as the usual one does, and writes down what is added.
ZSH = """
PROMPT= RPROMPT= fpath=("$RETICLE_FOLDER" $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  if [[ " ${@[1,(i)(-|--)]}" != *' -'[a-zA-Z]#[OAD]* ]]; then
    local -a hits
    builtin compadd -O hits "$@"
    print -rl -- $hits >> $RETICLE_ANSWERS
  fi
  builtin compadd "$@"
}
setopt extendedglob no_beep
zstyle ':completion:*' insert-tab false
_captured() { _main_complete; print -r -- '""" + END + """' >> $RETICLE_ANSWERS }
zle -C captured complete-word _captured
bindkey '^I' captured
bindkey '^U' kill-whole-line
print -r -- '""" + END + """' >> $RETICLE_ANSWERS
"""


def words_of(line):
    """As readline gives them to a function of bash: = is a word of its own; a blank at the end begins one."""
    words = re.findall(r'"[^"]*"|=|[^\s=]+', line)
    return " ".join("'" + w + "'" for w in words + ([""] if line.endswith(" ") else []))


def split_answers(text):
    """The candidates of each line, without descriptions and the blank that ends a word."""
    answers = text.split(END + "\n")[:-1]
    return [[c.split("\t")[0].rstrip() for c in a.splitlines() if c.strip()] for a in answers]


def run(shell, script, file, lines):
    done = subprocess.run([*shell, script, *([shell[0]] if shell[0] == "bash" else []), file, *lines],
                          capture_output=True, text=True, check=False, timeout=120)
    if done.stderr:
        sys.exit(f"{shell[0]}: {done.stderr}")
    return split_answers(done.stdout)


def wait_for(answers, count, terminal):
    """Reads what zsh draws, so that it doesn't wait, until it has written so many answers."""
    deadline = time.monotonic() + 120
    while answers.read_text().count(END + "\n") < count:
        if select.select([terminal], [], [], 0.02)[0]:
            os.read(terminal, 65536)
        if time.monotonic() > deadline:
            sys.exit("zsh: no answer")


def run_zsh(folder, lines):
    with tempfile.TemporaryDirectory() as work:
        answers = pathlib.Path(work, "answers")
        answers.write_text("")
        pathlib.Path(work, "setup").write_text(ZSH)
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(RETICLE_ANSWERS=str(answers), RETICLE_FOLDER=folder, TERM="vt100", ZDOTDIR=work)
            os.execlp("zsh", "zsh", "-f", "-i")
        os.write(terminal, f"source {work}/setup\n".encode())
        wait_for(answers, 1, terminal)
        for i, line in enumerate(lines):
            os.write(terminal, f"\x15{line}\t".encode())
            wait_for(answers, i + 2, terminal)
        os.write(terminal, b"\x15exit\n")
        os.close(terminal)
        os.waitpid(child, 0)
        return split_answers(answers.read_text())[1:]


def candidates(shell, share, lines):
    """A list of candidates for each line."""
    if shell == "zsh":
        return run_zsh(f"{share}/zsh/site-functions", lines)
    if shell == "fish":
        return run(["fish", "--no-config", "-c"], FISH, f"{share}/fish/vendor_completions.d/reticle.fish", lines)
    return run(["bash", "--norc", "-c"], BASH, f"{share}/bash-completion/completions/reticle",
               [words_of(line) for line in lines])


if __name__ == "__main__":
    print(*candidates(sys.argv[1], sys.argv[2], sys.argv[3:])[0], sep="\n")
