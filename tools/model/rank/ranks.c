// ranks.c - loads the profiles of a job, judges, and puts loops and slow ranks into order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/rank/ranks.h"

#include "tools/analysis/stats/outliers.h"
#include "tools/model/rank/ranks_read.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/string_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/// The build that more than half of the ranks have; null: none.
static const char *usual_build(const struct ranks *ranks) {
  const char **all = memory_zeroed(ranks->count + 1, sizeof *all);
  const char *found = NULL;
  for (size_t i = 0; i < ranks->count; i++)
    all[i] = ranks->rows[i].build_id;
  qsort(all, ranks->count, sizeof *all, by_text);
  for (size_t first = 0, end; first < ranks->count; first = end) {
    for (end = first; end < ranks->count && strcmp(all[end], all[first]) == 0;)
      end++;
    if (2 * (end - first) > ranks->count)
      found = all[first];
  }
  free(all);
  return found;
}

static void describe(struct ranks *ranks, struct rank_facts *facts) {
  struct string_table hosts = {0};
  const char *usual = usual_build(ranks);
  for (size_t i = 0; i < ranks->count; i++) {
    struct rank_row *row = &ranks->rows[i];
    size_t host = string_table_add(&hosts, row->host);
    if (host == SIZE_MAX)
      memory_exhausted();
    row->is_odd = usual && strcmp(row->build_id, usual) != 0;
    facts[i] = (struct rank_facts){log1p(row->runnable_ns / row->cpu_ns),
                                   row->waited,
                                   row->cycle_ns,
                                   row->run_ns,
                                   (uint32_t)host,
                                   row->is_odd};
  }
  ranks->hosts = hosts.count;
  string_table_release(&hosts);
}

/// Most time lost to imbalance first. `view` is where rank_judge has it.
struct ordered {
  struct rank_loop loop;
  struct rank_loop_view view;
  size_t before;
};

static double key_of(const struct ordered *of) {
  return of->view.lost_ns.status == QUANTITY_OK ? of->view.lost_ns.value : -1;
}

static int by_lost(const void *left, const void *right) {
  const struct ordered *a = left, *b = right;
  if (key_of(a) != key_of(b))
    return key_of(a) > key_of(b) ? -1 : 1;
  return (a->loop.id > b->loop.id) - (a->loop.id < b->loop.id);
}

static void order_loops(struct ranks *ranks) {
  struct ordered *all = memory_zeroed(ranks->loop_count + 1, sizeof *all);
  size_t *place = memory_zeroed(ranks->loop_count + 1, sizeof *place);
  for (size_t i = 0; i < ranks->loop_count; i++)
    all[i] = (struct ordered){ranks->loops[i], ranks->judged.loops[i], i};
  qsort(all, ranks->loop_count, sizeof *all, by_lost);
  for (size_t i = 0; i < ranks->loop_count; i++) {
    ranks->loops[i] = all[i].loop;
    ranks->loops[i].number = i + 1;
    ranks->judged.loops[i] = all[i].view;
    place[all[i].before] = i;
  }
  for (size_t i = 0; i < ranks->judged.count; i++)
    ranks->judged.findings[i].loop = place[ranks->judged.findings[i].loop];
  free(all);
  free(place);
}

/// Each slow rank once, by the loop that costs it most: findings come most time first.
static void gather_slow(struct ranks *ranks) {
  size_t *place = memory_zeroed(ranks->count + 1, sizeof *place); // 1 + position
  ranks->slow = memory_zeroed(ranks->count + 1, sizeof *ranks->slow);
  for (size_t i = 0; i < ranks->judged.count; i++) {
    const struct rank_finding *finding = &ranks->judged.findings[i];
    size_t *at = &place[finding->rank];
    if (*at) {
      ranks->slow[*at - 1].others++;
      continue;
    }
    ranks->slow[ranks->slow_count++].worst = finding;
    *at = ranks->slow_count;
  }
  free(place);
}

static void sum_executions(struct ranks *ranks) {
  for (size_t l = 0; l < ranks->loop_count; l++)
    for (size_t i = 0; i < ranks->count; i++)
      if (__builtin_add_overflow(ranks->loops[l].executions, ranks->loops[l].cells[i].executions,
                                 &ranks->loops[l].executions))
        ranks->loops[l].executions = UINT64_MAX;
}

static void judge(struct ranks *ranks) {
  struct rank_facts *facts = memory_zeroed(ranks->count + 1, sizeof *facts);
  const struct rank_cell **cells = memory_zeroed(ranks->loop_count + 1, sizeof *cells);
  for (size_t l = 0; l < ranks->loop_count; l++)
    cells[l] = ranks->loops[l].cells;
  describe(ranks, facts);
  rank_judge(cells, ranks->loop_count, facts, ranks->count, &ranks->judged);
  free(facts);
  free(cells);
  sum_executions(ranks);
  order_loops(ranks);
  gather_slow(ranks);
}

/// Ranks that several processes say to be, and those of the job that are missing.
static void note_ranks(struct ranks *ranks) {
  size_t named = 0, distinct = 0;
  ranks->size = ranks->count ? PROFILE_RANK_UNKNOWN : 0;
  for (size_t i = 0; i < ranks->count; i++) {
    bool is_rank = ranks->rows[i].rank != PROFILE_RANK_UNKNOWN;
    named += is_rank;
    distinct += is_rank && (!i || ranks->rows[i].rank != ranks->rows[i - 1].rank);
    if (is_rank && ranks->rows[i].size != PROFILE_RANK_UNKNOWN &&
        (ranks->size == PROFILE_RANK_UNKNOWN || ranks->rows[i].size > ranks->size))
      ranks->size = ranks->rows[i].size;
  }
  if (named < ranks->count)
    notes_add(&ranks->notes, "no_rank",
              "%zu of %zu profiles are of no rank (not started by mpirun or srun, or written by "
              "an older runtime): they are called by their process",
              ranks->count - named, ranks->count);
  if (distinct < named)
    notes_add(&ranks->notes, "same_rank",
              "%zu processes have a rank that others have too (children, or several jobs): each is "
              "a column of its own",
              named - distinct);
  if (distinct && ranks->size != PROFILE_RANK_UNKNOWN && distinct < ranks->size)
    notes_add(&ranks->notes, "missing_ranks", "%zu of the job's %u ranks have no profile here",
              ranks->size - distinct, ranks->size);
}

static void note(struct ranks *ranks, const struct ranks_reader *reader) {
  note_ranks(ranks);
  if (reader->repeated)
    notes_add(&ranks->notes, "repeated", "%zu files repeat a process of the others: counted once",
              reader->repeated);
  if (reader->epochs)
    notes_add(&ranks->notes, "epochs",
              "%zu files of closed epochs have samples alone, and no loops: left out",
              reader->epochs);
  if (ranks->count < OUTLIERS_LEAST)
    notes_add(&ranks->notes, "too_few_ranks",
              "%zu profiles: below %d nobody knows which is the slow one, and none is named",
              ranks->count, OUTLIERS_LEAST);
}

static void name_waits(struct ranks *ranks) {
  struct program_files *files = program_files_new(NULL, NULL);
  waits_finish(&ranks->waits, files);
  program_files_free(files);
  struct text gap = {0};
  for (size_t i = 0; waits_add_gap(&ranks->waits, i, &gap); i++, text_clear(&gap))
    notes_add(&ranks->notes, "waits", "%s", text_get(&gap));
  text_release(&gap);
}

void ranks_begin(struct ranks *out) {
  *out = (struct ranks){.texts = memory_zeroed(1, sizeof *out->texts), .executable = ""};
}

void ranks_finish(struct ranks_reader *reader) {
  struct ranks *out = reader->out;
  if (out->count)
    out->executable = out->rows[0].executable;
  judge(out);
  name_waits(out);
  note(out, reader);
}

int ranks_load(char *const *paths, size_t count, struct ranks *out, struct problems *problems) {
  ranks_begin(out);
  struct ranks_reader reader = {.out = out, .problems = problems};
  bool fine = true;
  for (size_t i = 0; fine && i < count; i++)
    fine = ranks_read_file(&reader, paths[i]);
  ranks_read_sort(&reader);
  if (!fine)
    return PROBLEM_UNREADABLE;
  ranks_finish(&reader);
  return PROBLEM_NONE;
}

void ranks_release(struct ranks *ranks) {
  for (size_t l = 0; l < ranks->loop_count; l++)
    free(ranks->loops[l].cells);
  free(ranks->loops);
  free(ranks->rows);
  free(ranks->slow);
  rank_judged_release(&ranks->judged);
  waits_release(&ranks->waits);
  notes_release(&ranks->notes);
  if (ranks->texts)
    string_table_release(ranks->texts);
  free(ranks->texts);
  *ranks = (struct ranks){0};
}
