// commands.h - the commands of the program; reticle.c lists them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_COMMANDS_H
#define RETICLE_TOOLS_CMD_COMMANDS_H

#include "tools/ui/options.h"

extern const struct command command_doctor;
extern const struct command command_dump;
extern const struct command command_merge;
extern const struct command command_report;
extern const struct command command_run;
extern const struct command command_show;

#endif
