// block_hot.c - tells a profile from other input, adds its hot blocks, writes results into it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_hot.h"

#include "tools/model/block/measured_block.h"
#include "tools/model/join/measurement_load.h"
#include "tools/model/loop/find_loop.h"
#include "tools/profile/regular.h"
#include "tools/store/study/study_file.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <string.h>

static bool is_profile(const char *path) {
  char magic[sizeof(RETICLE_FILE_MAGIC) - 1];
  FILE *stream = regular_fopen(path);
  bool same = stream && fread(magic, 1, sizeof(magic), stream) == sizeof(magic) &&
              memcmp(magic, RETICLE_FILE_MAGIC, sizeof(magic)) == 0;
  if (stream)
    fclose(stream);
  return same;
}

bool block_hot_is_meant(const char *operand) {
  size_t length = strlen(operand);
  bool is_rank = operand[0] == 'L' && length > 1 && strspn(operand + 1, "0123456789") == length - 1;
  return is_rank || is_profile(operand) || study_file_is(operand) ||
         (length > 5 && strcmp(operand + length - 5, ".prof") == 0);
}

/// The block that the report calls so, from its code.
static int add_block(const struct measurement *m, const char *id, struct block_jobs *jobs,
                     struct problems *problems) {
  const struct measured_block *block = block_report_find(m, id);
  if (!block) {
    problem_error(problems, "no block '%s': the profile has %zu measured ones", id, m->block_count);
    return PROBLEM_USAGE;
  }
  struct block_job *job = block_jobs_add_hex(jobs, block->block->code, 0);
  if (job->is_broken) {
    problem_error(problems, "%s: code of block %s: %s; the profile is damaged", m->input.paths[0],
                  id, job->problem);
    return PROBLEM_UNREADABLE;
  }
  job->address = block->block->address;
  job->module = text_copy(block->block->module);
  return PROBLEM_NONE;
}

int block_hot_add(struct block_hot *hot, const char *id, const char *path, size_t most,
                  struct block_jobs *jobs, struct problems *problems) {
  char *paths[] = {(char *)path};
  const struct measurement *m = &hot->measurement;
  int status = measurement_load(paths, path ? 1 : 0, &hot->measurement, problems);
  hot->is_loaded = true;
  if (status != PROBLEM_NONE)
    return status;
  if (id && id[0] == 'B' && strspn(id + 1, "0123456789") == strlen(id) - 1)
    return add_block(m, id, jobs, problems);
  const struct measured_loop *loop = id ? find_loop(m, id, problems) : NULL;
  if (id && !loop)
    return PROBLEM_USAGE;
  block_choose(m, loop, most, &hot->choice, jobs, problems);
  if (jobs->count)
    return PROBLEM_NONE;
  if (!hot->choice.quiet)
    problem_error(problems, "%s: no blocks of hot loops were found in it", m->input.paths[0]);
  return PROBLEM_FINDING;
}

bool block_hot_save(struct block_hot *hot, struct problems *problems) {
  return block_choice_save(&hot->choice, hot->measurement.input.paths[0], problems);
}

void block_hot_release(struct block_hot *hot) {
  block_choice_release(&hot->choice);
  if (hot->is_loaded)
    measurement_release(&hot->measurement);
  hot->is_loaded = false;
}
