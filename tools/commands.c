// commands.c - the commands of the program reticle, in the order in which help lists them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"

const struct command *const commands[] = {
    &command_study,    &command_run,     &command_report,  &command_show,
    &command_annotate, &command_diff,    &command_check,   &command_ranks,
    &command_layout,   &command_try,     &command_block,   &command_calibrate,
    &command_doctor,   &command_gates,   &command_history, &command_top,
    &command_topdown,  &command_dump,    &command_merge,   &command_push,
    &command_export,   &command_explain, &command_help,    NULL};
