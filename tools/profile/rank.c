// rank.c - looks ranks and processes up; a merged profile has both in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/rank.h"

#include <string.h>

/// In the order of abi.def's fields with the rule FIRST, which merged profiles have.
static int compare(const struct profile_rank *rank, const struct profile_process *process) {
  if (rank->start_time_s != process->start_time_s)
    return rank->start_time_s < process->start_time_s ? -1 : 1;
  if (rank->pid != process->pid)
    return rank->pid < process->pid ? -1 : 1;
  return strcmp(rank->host, process->host);
}

const struct profile_rank *profile_rank_of(const struct profile *profile,
                                           const struct profile_process *process) {
  size_t low = 0, high = profile->rank_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(&profile->ranks[middle], process) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < profile->rank_count && compare(&profile->ranks[low], process) == 0
             ? &profile->ranks[low]
             : NULL;
}

const struct profile_rank *profile_rank_only(const struct profile *profile) {
  return profile->rank_count == 1 && profile->process_count <= 1 ? profile->ranks : NULL;
}

uint32_t profile_rank_size(const struct profile *profile) {
  uint32_t size = profile->rank_count ? profile->ranks[0].size : PROFILE_RANK_UNKNOWN;
  for (size_t i = 1; i < profile->rank_count; i++)
    if (profile->ranks[i].size != size)
      return PROFILE_RANK_UNKNOWN;
  return size;
}

const struct profile_process *profile_process_of(const struct profile *profile, uint32_t thread) {
  size_t low = 0, high = profile->process_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (profile->processes[middle].thread_first <= thread)
      low = middle;
    else
      high = middle;
  }
  return profile->process_count ? &profile->processes[low] : NULL;
}
