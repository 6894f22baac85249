# completion.bash - reticle on bash's command line: commands, options, and what those take.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Needs nothing but bash; where bash-completion is loaded, programs behind -- are completed by it.

@TABLES@

# Fills COMPREPLY with what of the kind $1 (a kind of the tables above, or words) begins with $2.
_reticle_fill() {
  local name
  COMPREPLY=()
  case $1 in
  NOTHING) ;;
  FILE) compopt -o default ;;
  PROFILE)
    compopt -o filenames -o plusdirs -o default # other files where there is no profile
    while IFS= read -r name; do
      case $name in *.prof | *.reticle) COMPREPLY+=("$name") ;; esac
    done < <(compgen -f -- "$2")
    ;;
  PROGRAM)
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -A command -- "$2" | sort -u)
    [[ $2 != */* ]] || compopt -o default
    ;;
  *) mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2") ;;
  esac
}

# Completes a program and its arguments, which begin at word $1, or profiles where those may stand there.
_reticle_program() {
  if [[ $program == EITHER ]]; then
    _reticle_fill PROFILE "${COMP_WORDS[COMP_CWORD]}"
    ((${#COMPREPLY[@]} == 0)) || return 0
  fi
  if declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    _reticle_fill PROGRAM "${COMP_WORDS[COMP_CWORD]}"
  else
    _reticle_fill FILE "${COMP_WORDS[COMP_CWORD]}"
  fi
}

# At which word another program begins, in $start; 0: at none up to here.
_reticle_start() {
  local i value
  start=0
  [[ $program ]] || return
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      start=$((i + 1))
      return
    elif [[ $program == FIRST && ${COMP_WORDS[i]} != -* ]]; then
      start=$i
      return
    elif [[ ${COMP_WORDS[i + 1]} == = ]]; then
      i=$((i + 2)) # --name=value is three words
    elif _reticle_value "$command" "${COMP_WORDS[i]}"; then
      i=$((i + 1))
    fi
  done
}

_reticle() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} commands options operand program value start
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _reticle_takes "$command"
  if ((COMP_CWORD == 1)); then
    _reticle_fill "$commands --help --version" "$word"
    return
  fi
  _reticle_start
  if ((start)); then
    _reticle_program "$start"
  elif _reticle_value "$command" "$before"; then
    _reticle_fill "$value" "$word"
  elif [[ $word == -* ]]; then
    _reticle_fill "$options" "$word"
  elif [[ $operand == COMMAND ]]; then
    _reticle_fill "$commands" "$word"
  else
    _reticle_fill "${operand:-NOTHING}" "$word"
  fi
}

complete -F _reticle reticle
