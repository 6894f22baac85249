// report.h - the summary of one or several profiles; `reticle run` prints it too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_REPORT_H
#define RETICLE_TOOLS_CMD_REPORT_H

#include "tools/model/finding/finding.h"
#include "tools/model/report/part.h"
#include "tools/store/study/study_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct report_options {
  const char *html;   ///< file to write the page into; null: none
  const char *since;  ///< time that the report is of, of a running process; null: all
  const char *csv;    ///< key of the section to write as CSV; null: none
  const char *rank;   ///< number of the rank that it is of; null: all
  const char *counts; ///< profile with counts of another build, or null
  bool json;
  bool quickfix;           ///< findings with a place alone, as a compiler's warnings
  bool all;                ///< every loop, also those that were never entered
  bool only[REPORT_PARTS]; ///< these parts; none: all that there is something of
  bool at_exit;   ///< called by the runtime: short, every line of the head with "reticle[pid]"
  uint64_t top;   ///< loops at most; 0: as many as fit a screen
  unsigned sort;  ///< enum loop_key
  unsigned share; ///< of CPU time, of wall-clock time
};

/// Prints the report on the stream.
///
/// paths   [count]; count may be 0: the newest profile here
/// stream  its descriptor decides on colour and width
///
/// Returns EXIT_FINE, or EXIT_UNREADABLE after saying why.
int report_print(char *const *paths, size_t count, const struct report_options *options,
                 FILE *stream);

/// Writes the report as a page. False after saying why it can't.
bool report_html_write(const struct measurement *m, const struct findings *findings,
                       const char *path);

/// Writes what the report on a study says into it, as tables for SQL (docs/study_file.md).
///
/// study  opened to be written
/// Returns false after saying what failed.
bool report_store(struct study_file *study);
/// The same after a finished study got another result, by its path; true for files that are none.
bool report_store_again(const char *path);

#endif
