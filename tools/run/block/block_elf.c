// block_elf.c - finds the functions by name, and makes a job of each block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_elf.h"
#include "tools/support/names.h"

#include "tools/binary/block/block_map.h"
#include "tools/support/nearest.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>

/// Why a block has no isolated value; null if it may have one.
static const char *objection(const struct block *block, enum harness_status *status) {
  *status = HARNESS_CONTROL_FLOW;
  if (block->flags & BLOCK_HAS_CALL)
    return "the block calls a function";
  if (block->flags & BLOCK_BRANCH_INSIDE)
    return "jumps before its end";
  if (!block->body_bytes)
    return "nothing but a jump or a return";
  if (block->flags & BLOCK_SYSTEM_CALL) {
    *status = HARNESS_SYSTEM_CALL;
    return "makes a system call";
  }
  return NULL;
}

void block_jobs_add_block(struct block_jobs *jobs, const char *prefix, const char *module,
                          const struct block_function *function, const struct block *block) {
  struct text name = {0};
  enum harness_status status;
  text_printf(&name, "%s%s+0x%llx", prefix, function->name,
              (unsigned long long)(block->address - function->address));
  if (block->line)
    text_printf(&name, " %s:%u", base_name(block->file), block->line);
  struct block_job *job =
      block_jobs_add(jobs, text_get(&name), block->code, block->body_bytes, block->address);
  job->module = text_copy(module);
  const char *problem = objection(block, &status);
  if (problem)
    block_job_refuse(job, status, problem);
  text_release(&name);
}

static void say_unknown(struct block_map *map, const char *path, const char *function,
                        struct problems *problems) {
  struct nearest best = {0};
  size_t count;
  const char *const *names = block_map_names(map, &count);
  for (size_t i = 0; i < count; i++)
    nearest_add(&best, function, names[i]);
  if (best.name)
    problem_error(problems, "%s: no function '%s'; did you mean '%s'?", path, function, best.name);
  else if (count)
    problem_error(problems, "%s: no function '%s' among its %zu; nm --defined-only lists them",
                  path, function, count);
  else
    problem_error(problems,
                  "%s: stripped, so no function has a name; give an address within it, as in "
                  "--function 0x1234",
                  path);
}

static bool add_function(struct block_jobs *jobs, struct block_map *map, const char *path,
                         const struct block_function *function, struct problems *problems) {
  struct block_list list;
  struct block_map_error error;
  if (!block_map_read(map, function, &list, &error)) {
    problem_error(problems, "%s: %s: %s", path, function->name, error.text);
    return false;
  }
  for (size_t i = 0; i < list.count; i++)
    block_jobs_add_block(jobs, "", path, function, &list.blocks[i]);
  if (list.hidden_targets)
    problem_warning(problems,
                    "%s: %s: %zu jumps through tables, and no BB address map: blocks may start "
                    "elsewhere; compile it with reticle-clang",
                    path, function->name, list.hidden_targets);
  block_list_release(&list);
  return true;
}

bool block_jobs_read_elf(struct block_jobs *jobs, const char *path, const char *function,
                         struct problems *problems) {
  struct block_map *map;
  struct block_map_error error;
  if (!block_map_open(path, &map, &error)) {
    problem_error(problems, "%s: %s", path, error.text);
    return false;
  }
  if (block_map_warning(map))
    problem_warning(problems, "%s: %s", path, block_map_warning(map));
  struct block_function *functions;
  size_t count = block_map_find(map, function, &functions);
  bool good = count > 0;
  if (!count)
    say_unknown(map, path, function, problems);
  for (size_t i = 0; i < count && good; i++)
    good = add_function(jobs, map, path, &functions[i], problems);
  if (good && !jobs->count) {
    problem_error(problems, "%s: %s: has no code", path, function);
    good = false;
  }
  free(functions);
  block_map_close(map);
  return good;
}
