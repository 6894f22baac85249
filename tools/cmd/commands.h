// commands.h - the commands of the program; tools/commands.c lists them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_COMMANDS_H
#define RETICLE_TOOLS_CMD_COMMANDS_H

#include "tools/ui/options.h"

#include <stdio.h>

extern const struct command command_annotate;
extern const struct command command_block;
extern const struct command command_calibrate;
extern const struct command command_check;
extern const struct command command_diff;
extern const struct command command_doctor;
extern const struct command command_dump;
extern const struct command command_explain;
extern const struct command command_export;
extern const struct command command_gates;
extern const struct command command_help;
extern const struct command command_history;
extern const struct command command_layout;
extern const struct command command_merge;
extern const struct command command_push;
extern const struct command command_ranks;
extern const struct command command_report;
extern const struct command command_run;
extern const struct command command_show;
extern const struct command command_study;
extern const struct command command_top;
extern const struct command command_topdown;
extern const struct command command_try;

/// All commands, ended by null: in the order of the list that help prints.
extern const struct command *const commands[];

/// The command of that name, or null after saying that there is none and which is near.
const struct command *commands_find(const char *name);

/// Prints the list of commands.
void commands_list(FILE *stream);

#endif
