// options.h - run-time options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_OPTIONS_H
#define RETICLE_RUNTIME_SUPPORT_OPTIONS_H

#include <stdint.h>

enum { RRT_OPTION_TEXT_BYTES = 1024 };

#define RRT_OPTION_BOOL(name) uint64_t name;
#define RRT_OPTION_U64(name) uint64_t name;
#define RRT_OPTION_PERCENT(name) uint64_t name;
#define RRT_OPTION_TIME(name) uint64_t name;
#define RRT_OPTION_CHOICE(name) uint64_t name;
#define RRT_OPTION_TEXT(name) char name[RRT_OPTION_TEXT_BYTES];
#define RRT_OPTION_FILE(name) char name[RRT_OPTION_TEXT_BYTES];

/// Words of the options with choices, in the order of their rows.
enum rrt_children { RRT_CHILDREN_OWN, RRT_CHILDREN_MERGE, RRT_CHILDREN_NONE };
enum rrt_report_ranks { RRT_REPORT_RANKS_FIRST, RRT_REPORT_RANKS_ALL };

/// One member for each line of options.def; FILE values as given, % not yet replaced.
struct rrt_options {
#define RETICLE_OPTION(type, name, initial, low, high, unit, help) RRT_OPTION_##type(name)
#include "include/reticle/options.def"
};
extern struct rrt_options rrt_options;

/// Sets the options, silently: built-in values < __reticle_default_options() < RETICLE_OPTIONS.
/// What is wrong keeps the value it had. privileged  1: values that name files are ignored
void rrt_options_read(char *const *environment, int privileged);

/// Says what was wrong in them, one warning each, and prints the help where asked for. Call it once
/// it is known where messages go.
void rrt_options_complain(char *const *environment, int privileged);

/// A program may define it to change the built-in values. Same syntax as RETICLE_OPTIONS.
const char *__reticle_default_options(void);

#endif
