// block_csv.h - results of blocks as CSV, in the order of the input.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_CSV_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_CSV_H

#include "tools/run/block/block_run.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdio.h>

/// Adds the row of a block; fields without a value are empty. A broken line has status "invalid".
void block_csv_row(const struct block_job *job, const struct harness_result *result,
                   struct text *out);

/// Opens the file for results, "-" for stdout, with its heading written. Null after saying why not.
///
/// resume  keep the rows that are there, as far as they belong to the first jobs
/// done    how many jobs these are
FILE *block_csv_open(const char *path, const struct block_jobs *jobs, bool resume, size_t *done,
                     struct problems *problems);

#endif
