// rank_names.c - writes ranks, processes and threads as people name them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/rank/rank_names.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

static int by_text(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static size_t count_hosts(const struct profile *profile) {
  const char **hosts = memory_zeroed(profile->rank_count + 1, sizeof *hosts);
  size_t count = 0;
  for (size_t i = 0; i < profile->rank_count; i++)
    hosts[i] = profile->ranks[i].host;
  qsort(hosts, profile->rank_count, sizeof *hosts, by_text);
  for (size_t i = 0; i < profile->rank_count; i++)
    count += !i || strcmp(hosts[i - 1], hosts[i]) != 0;
  free(hosts);
  return count;
}

static void add_size(const struct profile *profile, struct text *out) {
  uint32_t size = profile_rank_size(profile);
  if (size != PROFILE_RANK_UNKNOWN)
    text_printf(out, " of %u", size);
}

bool rank_names_has_others(const struct profile *profile) {
  uint32_t size = profile_rank_size(profile);
  return profile_rank_only(profile) && size != PROFILE_RANK_UNKNOWN && size > 1;
}

void rank_names_add_job(const struct profile *profile, struct text *out) {
  const struct profile_rank *only = profile_rank_only(profile);
  if (only) {
    text_printf(out, "rank %u", only->rank);
    add_size(profile, out);
    text_printf(out, " on %s", only->host);
    return;
  }
  if (!profile->rank_count)
    return;
  size_t hosts = count_hosts(profile);
  text_printf(out, "%zu rank%s", profile->rank_count, profile->rank_count > 1 ? "s" : "");
  add_size(profile, out);
  if (hosts > 1)
    text_printf(out, " on %zu hosts", hosts);
  else
    text_printf(out, " on %s", profile->ranks[0].host);
}

void rank_names_add_process(const struct profile *profile, const struct profile_process *process,
                            struct text *out) {
  const struct profile_rank *rank = profile_rank_of(profile, process);
  if (rank)
    text_printf(out, "rank %u", rank->rank);
  else
    text_printf(out, "process %llu", (unsigned long long)process->pid);
}

void rank_names_add_thread(const struct profile *profile, uint32_t thread, struct text *out) {
  const struct profile_process *process = profile_process_of(profile, thread);
  if (!process || profile->process_count < 2) {
    text_printf(out, "thread %u", thread);
    return;
  }
  rank_names_add_process(profile, process, out);
  text_printf(out, " thread %u", thread - process->thread_first);
}
