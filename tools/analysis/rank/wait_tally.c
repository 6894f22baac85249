// wait_tally.c - adds up waits by site, process and thread, and what was waited for each rank.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/wait_tally.h"

#include "tools/analysis/rank/wait_parts.h"
#include "tools/profile/rank.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *wait_grow(struct wait_tally *tally, int which, void **array, size_t *count, size_t bytes) {
  size_t *capacity = &tally->capacities[which];
  if (*count == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 16;
    *array = memory_resized(*array, *capacity, bytes);
  }
  void *added = (char *)*array + (*count)++ * bytes;
  memset(added, 0, bytes);
  return added;
}

#define GROW(tally, which, array, number)                                                          \
  wait_grow(tally, which, (void **)&(tally)->array, &(tally)->number, sizeof *(tally)->array)

// --- adding ------------------------------------------------------------------------------------

static char *copy(const char *text) {
  size_t bytes = strlen(text) + 1;
  return memcpy(memory_zeroed(bytes, 1), text, bytes);
}

static double run_of(uint64_t ticks, uint64_t hz) {
  return hz ? (double)ticks / (double)hz * 1e9 : NAN;
}

/// Of all processes that were merged into the profile; NaN: not known.
static double threads_of(const struct profile *profile) {
  return profile->account_count == 1 && profile->account->threads_ns != UINT64_MAX
             ? (double)profile->account->threads_ns
             : NAN;
}

static bool is_process(const struct wait_process *process, uint64_t start_time_s, uint64_t pid,
                       const char *host) {
  return !process->is_forgotten && process->start_time_s == start_time_s && process->pid == pid &&
         strcmp(process->host, host) == 0;
}

/// Position of the process, which records of a merged profile have in a row.
static size_t find_process(struct wait_tally *tally, const struct profile *profile,
                           uint64_t start_time_s, uint64_t pid, const char *host) {
  for (size_t i = tally->process_count; i-- > 0;)
    if (is_process(&tally->processes[i], start_time_s, pid, host))
      return i;
  struct wait_process *process = GROW(tally, WAIT_PROCESSES, processes, process_count);
  *process = (struct wait_process){.start_time_s = start_time_s,
                                   .pid = pid,
                                   .host = copy(host),
                                   .rank = PROFILE_RANK_UNKNOWN,
                                   .run_ns = NAN,
                                   .threads_ns = NAN};
  process->host_number = tally->process_count - 1;
  for (size_t i = tally->process_count - 1; i-- > 0;)
    if (strcmp(tally->processes[i].host, host) == 0) {
      process->host_number = tally->processes[i].host_number;
      break;
    }
  for (size_t i = 0; i < profile->rank_count; i++) {
    const struct profile_rank *rank = &profile->ranks[i];
    if (rank->start_time_s == start_time_s && rank->pid == pid && strcmp(rank->host, host) == 0)
      process->rank = rank->rank;
  }
  const struct profile_env *env = &profile->env;
  if (env->start_time_s == start_time_s && env->pid == pid) {
    process->run_ns = run_of(env->elapsed_ticks, env->timer_hz);
    process->threads_ns = threads_of(profile);
  }
  for (size_t i = 0; i < profile->process_count; i++) {
    const struct profile_process *of = &profile->processes[i];
    if (of->start_time_s == start_time_s && of->pid == pid && strcmp(of->host, host) == 0)
      process->run_ns = run_of(of->elapsed_ticks, of->timer_hz);
  }
  return tally->process_count - 1;
}

static size_t find_site(const struct wait_tally *tally, uint64_t id) {
  size_t i = 0;
  while (i < tally->site_count && tally->sites[i].id != id)
    i++;
  return i < tally->site_count ? i : SIZE_MAX;
}

static size_t get_site(struct wait_tally *tally, const struct profile_wait *from) {
  size_t at = find_site(tally, from->id);
  if (at != SIZE_MAX)
    return at;
  struct wait_site *site = GROW(tally, WAIT_SITES, sites, site_count);
  *site = (struct wait_site){.id = from->id,
                             .offset = from->offset,
                             .operation = copy(from->operation),
                             .module = copy(from->module),
                             .build_id = copy(from->build_id),
                             .kind = from->kind < RETICLE_WAIT_KINDS ? from->kind : 0,
                             .late_ns = NAN};
  return tally->site_count - 1;
}

static void add_source(struct wait_tally *tally, const struct profile_waitsource *from) {
  size_t i = 0;
  while (i < tally->source_count &&
         (tally->sources[i].source != from->source || tally->sources[i].state != from->state ||
          strcmp(tally->sources[i].name, from->name) != 0))
    i++;
  if (i == tally->source_count) {
    struct wait_source *source = GROW(tally, WAIT_SOURCES, sources, source_count);
    *source = (struct wait_source){
        .name = copy(from->name), .source = from->source, .state = from->state};
  }
  tally->sources[i].lost += from->lost;
  tally->sources[i].untracked += from->untracked;
  tally->sources[i].process_count++;
}

static void add_wait(struct wait_tally *tally, const struct profile *profile,
                     const struct profile_wait *from) {
  size_t process = find_process(tally, profile, from->start_time_s, from->pid, from->host);
  size_t site = get_site(tally, from);
  struct wait_cell *cell = GROW(tally, WAIT_CELLS, cells, cell_count);
  *cell = (struct wait_cell){site,        process,       from->thread,     from->calls,
                             from->bytes, from->time_ns, from->longest_ns, NAN};
}

void wait_add_blame(struct wait_tally *tally, size_t site, size_t process, uint32_t rank,
                    double time_ns) {
  struct wait_blame *blame = GROW(tally, WAIT_BLAMES, blames, blame_count);
  *blame = (struct wait_blame){site, process, rank, time_ns};
}

void wait_tally_add(struct wait_tally *tally, const struct profile *profile) {
  for (size_t i = 0; i < profile->waitsource_count; i++)
    add_source(tally, &profile->waitsources[i]);
  const struct profile_env *env = &profile->env;
  if (!isnan(threads_of(profile))) // also where the first of them has no waits
    find_process(tally, profile, env->start_time_s, env->pid, env->host);
  for (size_t i = 0; i < profile->wait_count; i++)
    add_wait(tally, profile, &profile->waits[i]);
  // Sites that no record of waits has are a mistake of the file.
  for (size_t i = 0; i < profile->waitpeer_count; i++) {
    const struct profile_waitpeer *peer = &profile->waitpeers[i];
    size_t process = find_process(tally, profile, peer->start_time_s, peer->pid, peer->host);
    size_t site = find_site(tally, peer->wait);
    if (site != SIZE_MAX && tally->sites[site].kind != RETICLE_WAIT_NOTHING)
      wait_add_blame(tally, site, process, peer->rank, (double)peer->time_ns);
  }
  for (size_t i = 0; i < profile->arrival_count; i++) {
    const struct profile_arrival *from = &profile->arrivals[i];
    size_t process = find_process(tally, profile, from->start_time_s, from->pid, from->host);
    struct wait_arrival arrival = {tally->processes[process].host_number,
                                   from->group,
                                   from->number,
                                   from->at_ns,
                                   from->time_ns,
                                   find_site(tally, from->wait),
                                   process,
                                   from->root};
    if (arrival.site != SIZE_MAX)
      wait_add_arrival(tally, &arrival);
  }
}

void wait_tally_forget(struct wait_tally *tally, const struct profile *profile) {
  for (size_t i = 0; i < tally->process_count; i++)
    if (is_process(&tally->processes[i], profile->env.start_time_s, profile->env.pid,
                   profile->env.host))
      tally->processes[i].is_forgotten = true;
}

// --- adding up ----------------------------------------------------------------------------------

static int by_site(const void *left, const void *right) {
  const struct wait_cell *a = left, *b = right;
  if (a->site != b->site)
    return a->site < b->site ? -1 : 1;
  if (a->process != b->process)
    return a->process < b->process ? -1 : 1;
  return (a->thread > b->thread) - (a->thread < b->thread);
}

static void drop_forgotten(struct wait_tally *tally) {
  size_t kept = 0;
  for (size_t i = 0; i < tally->cell_count; i++)
    if (!tally->processes[tally->cells[i].process].is_forgotten)
      tally->cells[kept++] = tally->cells[i];
  tally->cell_count = kept;
  kept = 0;
  for (size_t i = 0; i < tally->arrival_count; i++)
    if (!tally->processes[tally->arrivals[i].process].is_forgotten)
      tally->arrivals[kept++] = tally->arrivals[i];
  tally->arrival_count = kept;
  kept = 0;
  for (size_t i = 0; i < tally->blame_count; i++)
    if (!tally->processes[tally->blames[i].process].is_forgotten)
      tally->blames[kept++] = tally->blames[i];
  tally->blame_count = kept;
}

struct wait_cell *wait_find_cell(const struct wait_tally *tally, size_t site, size_t process) {
  struct wait_cell wanted = {.site = site, .process = process, .thread = RETICLE_WAIT_NO_THREAD};
  return tally->cell_count
             ? bsearch(&wanted, tally->cells, tally->cell_count, sizeof wanted, by_site)
             : NULL;
}

static void add_cell(struct wait_tally *tally, const struct wait_cell *cell) {
  struct wait_site *site = &tally->sites[cell->site];
  const struct wait_cell *before = site->cell_count ? cell - 1 : NULL;
  if (!site->cell_count)
    site->cells = cell;
  size_t at = site->cell_count++;
  site->calls += cell->calls;
  site->bytes += cell->bytes;
  site->time_ns += cell->time_ns;
  if (cell->longest_ns > site->longest_ns)
    site->longest_ns = cell->longest_ns;
  site->run_ns += tally->processes[cell->process].run_ns;
  site->process_count += !before || before->process != cell->process;
  site->thread_count += cell->thread != RETICLE_WAIT_NO_THREAD;
  if (cell->time_ns < site->cells[site->least].time_ns)
    site->least = at;
  if (cell->time_ns > site->cells[site->most].time_ns)
    site->most = at;
  if (cell->thread == RETICLE_WAIT_NO_THREAD && site->kind != RETICLE_WAIT_LOCK)
    tally->processes[cell->process].mpi_ns += cell->time_ns;
}

static bool is_pthread(const struct wait_site *site) {
  return site->kind == RETICLE_WAIT_LOCK && site->cells->thread == RETICLE_WAIT_NO_THREAD;
}

/// Which threads wait for a lock isn't kept: its share is of all that there are.
static void share_locks(struct wait_tally *tally) {
  double threads_ns = NAN;
  for (size_t i = 0; i < tally->process_count; i++)
    if (!tally->processes[i].is_forgotten && !isnan(tally->processes[i].threads_ns))
      threads_ns = (isnan(threads_ns) ? 0 : threads_ns) + tally->processes[i].threads_ns;
  for (size_t i = 0; i < tally->site_count; i++)
    if (tally->sites[i].cell_count && is_pthread(&tally->sites[i]))
      tally->sites[i].run_ns = threads_ns;
}

static int by_place(const void *left, const void *right) {
  const struct wait_blame *a = left, *b = right;
  if (a->site != b->site)
    return a->site < b->site ? -1 : 1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_blame(const void *left, const void *right) {
  const struct wait_blame *a = left, *b = right;
  if (a->site != b->site)
    return a->site < b->site ? -1 : 1;
  if (a->time_ns != b->time_ns)
    return a->time_ns > b->time_ns ? -1 : 1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static void settle_blames(struct wait_tally *tally) {
  size_t kept = 0;
  if (!tally->blame_count)
    return;
  qsort(tally->blames, tally->blame_count, sizeof *tally->blames, by_place);
  for (size_t i = 1; i < tally->blame_count; i++) {
    if (by_place(&tally->blames[kept], &tally->blames[i]) == 0)
      tally->blames[kept].time_ns += tally->blames[i].time_ns;
    else
      tally->blames[++kept] = tally->blames[i];
  }
  tally->blame_count = kept + 1;
  qsort(tally->blames, tally->blame_count, sizeof *tally->blames, by_blame);
  for (size_t i = 0; i < tally->blame_count; i++) {
    struct wait_site *site = &tally->sites[tally->blames[i].site];
    if (!site->blamed_count++)
      site->blamed = &tally->blames[i];
    site->blamed_ns += tally->blames[i].time_ns;
  }
}

static int by_time(const void *left, const void *right) {
  const struct wait_site *a = left, *b = right;
  if (a->time_ns != b->time_ns)
    return a->time_ns > b->time_ns ? -1 : 1;
  return (a->id > b->id) - (a->id < b->id);
}

static void release_site(struct wait_site *site) {
  free(site->operation);
  free(site->module);
  free(site->build_id);
}

/// Those of processes that were forgotten.
static void drop_unused_sites(struct wait_tally *tally) {
  size_t kept = 0;
  for (size_t i = 0; i < tally->site_count; i++) {
    if (tally->sites[i].cell_count)
      tally->sites[kept++] = tally->sites[i];
    else
      release_site(&tally->sites[i]);
  }
  tally->site_count = kept;
}

void wait_tally_finish(struct wait_tally *tally) {
  drop_forgotten(tally);
  if (tally->cell_count)
    qsort(tally->cells, tally->cell_count, sizeof *tally->cells, by_site);
  for (size_t i = 0; i < tally->cell_count; i++)
    add_cell(tally, &tally->cells[i]);
  share_locks(tally);
  wait_compare_arrivals(tally);
  settle_blames(tally);
  // Cells and blames say which site by its position before.
  drop_unused_sites(tally);
  if (tally->site_count)
    qsort(tally->sites, tally->site_count, sizeof *tally->sites, by_time);
}

void wait_tally_release(struct wait_tally *tally) {
  for (size_t i = 0; i < tally->process_count; i++)
    free(tally->processes[i].host);
  for (size_t i = 0; i < tally->site_count; i++)
    release_site(&tally->sites[i]);
  for (size_t i = 0; i < tally->source_count; i++)
    free(tally->sources[i].name);
  free(tally->processes);
  free(tally->sites);
  free(tally->sources);
  free(tally->cells);
  free(tally->blames);
  free(tally->arrivals);
  *tally = (struct wait_tally){0};
}
