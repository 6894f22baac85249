#!/bin/sh
# quietly.sh - runs a command; fails if it fails, or says anything on stderr
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: quietly.sh COMMAND ARGUMENT...
said=$({ "$@" >/dev/null; } 2>&1)
status=$?
if [ -n "$said" ]; then
  printf '%s: said on stderr: %s\n' "$*" "$said"
  exit 1
fi
exit $status
