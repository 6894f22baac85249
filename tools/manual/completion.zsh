#compdef reticle
# completion.zsh - reticle on zsh's command line: commands, options, and what those take.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

@TABLES@

_reticle_profiles() { _files -g '*.(reticle|prof)' }

# Completes a program and its arguments behind --, if there is one; with $1 profiles may stand there, too.
_reticle_program() {
  local at=${words[(i)--]}
  (( at < CURRENT )) || return 1
  if [[ -n $1 ]] && (( at + 1 == CURRENT )); then
    _alternative 'profiles:profile:_reticle_profiles' 'commands:program:_command_names -e'
    return 0
  fi
  shift $at words
  (( CURRENT -= at ))
  _normal
}

_reticle() {
  if (( CURRENT == 2 )); then
    _reticle_commands
    [[ $PREFIX != -* ]] || compadd -- --help --version
    return
  fi
  shift words
  (( CURRENT-- ))
  curcontext="${curcontext%:*:*}:reticle-${words[1]}:"
  _reticle_options "${words[1]}"
}

_reticle "$@"
