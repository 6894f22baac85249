// report.h - the summary of one or several profiles; `reticle run` prints it too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_REPORT_H
#define RETICLE_TOOLS_CMD_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct report_options {
  bool json;
  bool all;      ///< every loop, also those that were never entered
  bool findings; ///< only the section FINDINGS, all of them
  bool loops;    ///< only the section LOOPS
  bool structs;  ///< only the section STRUCTS
  bool heap;
  bool blocks;   ///< only the section BLOCKS
  bool samples;  ///< only the section SAMPLES
  bool topdown;  ///< only the section TOP-DOWN
  bool at_exit;  ///< called by the runtime: short, every line of the head with "reticle[pid]"
  uint64_t top;  ///< loops at most; 0: as many as fit a screen
  unsigned sort; ///< enum loop_key
};

/// Prints the report on the stream.
///
/// paths   [count]; count may be 0: the newest profile here
/// stream  its descriptor decides on colour and width
///
/// Returns EXIT_FINE, or EXIT_UNREADABLE after saying why.
int report_print(char *const *paths, size_t count, const struct report_options *options,
                 FILE *stream);

#endif
