// copy_times.c - means by bins of trip counts, pairs by run, and from which trip count on it pays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/trial/copy_times.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Left out at either end: interrupts and other processes make single executions long.
#define TRIMMED 0.1
/// Of the loop's time: what lies below a condition must be worth a word.
#define REST_LEAST 0.02

static unsigned bin_of(const struct copy_execution *e) {
  return e->work >= 1 ? (unsigned)fmin(floor(log2(e->work)), COPY_BIN_UNKNOWN - 1)
                      : COPY_BIN_UNKNOWN;
}

static double work_of(const struct copy_execution *e) { return e->work >= 1 ? e->work : 1; }

/// By bin, then by time of an iteration.
static int compare(const void *left, const void *right) {
  const struct copy_execution *a = left, *b = right;
  unsigned bin_a = bin_of(a), bin_b = bin_of(b);
  if (bin_a != bin_b)
    return bin_a < bin_b ? -1 : 1;
  double ns_a = a->ns / work_of(a), ns_b = b->ns / work_of(b);
  return (ns_a > ns_b) - (ns_a < ns_b);
}

/// Of a bin's executions, which lie in a row. NaN of too few.
static double mean_ns(const struct copy_execution *items, size_t count) {
  double ns = 0, work = 0;
  size_t cut = (size_t)(TRIMMED * (double)count);
  if (count < COPY_EXECUTIONS_LEAST)
    return NAN;
  for (size_t i = cut; i < count - cut; i++) {
    ns += items[i].weight * items[i].ns;
    work += items[i].weight * work_of(&items[i]);
  }
  return ns / work;
}

/// The first of a bin, from `at` on.
static size_t bin_end(const struct copy_executions *copy, size_t at, unsigned bin) {
  while (at < copy->count && bin_of(&copy->items[at]) <= bin)
    at++;
  return at;
}

/// Iterations of the bin, of all executions that the timed ones stand for.
static double bin_work(const struct copy_executions *copy, unsigned bin) {
  double weight = 0, work = 0;
  for (size_t i = 0; i < copy->count; i++) {
    weight += copy->items[i].weight;
    if (bin_of(&copy->items[i]) == bin)
      work += copy->items[i].weight * work_of(&copy->items[i]);
  }
  return weight > 0 ? work * copy->executions / weight : 0;
}

size_t copy_bins_make(struct copy_executions *copies, size_t count, size_t changed,
                      struct copy_bin *out) {
  struct copy_executions *plain = &copies[0], *other = &copies[changed];
  size_t made = 0, i = 0, k = 0;
  qsort(plain->items, plain->count, sizeof *plain->items, compare);
  qsort(other->items, other->count, sizeof *other->items, compare);
  for (unsigned bin = 0; bin < COPY_BINS; bin++) {
    size_t i_end = bin_end(plain, i, bin), k_end = bin_end(other, k, bin);
    double plain_ns = mean_ns(plain->items + i, i_end - i);
    double changed_ns = mean_ns(other->items + k, k_end - k);
    i = i_end;
    k = k_end;
    if (!(plain_ns > 0 && changed_ns > 0))
      continue;
    struct copy_bin *to = &out[made++];
    *to = (struct copy_bin){.log2 = bin, .plain_ns = plain_ns, .changed_ns = changed_ns};
    for (size_t c = 0; c < count; c++)
      to->work += bin_work(&copies[c], bin);
  }
  return made;
}

static size_t count_builds(const struct copy_bin *bins, size_t count) {
  size_t builds = 0;
  for (size_t i = 0; i < count; i++)
    builds += !i || bins[i].build != bins[i - 1].build;
  return builds;
}

size_t copy_pairs_make(const struct copy_bin *bins, size_t count, unsigned least, unsigned most,
                       struct change_pair *out) {
  size_t made = 0, kept = 0;
  bool by_build = count_builds(bins, count) >= COPY_BUILDS_LEAST;
  for (size_t i = 0; i < count; i++) {
    const struct copy_bin *bin = &bins[i], *before = i ? bin - 1 : NULL;
    if (!before || (by_build ? before->build != bin->build : before->run != bin->run))
      out[made++] = (struct change_pair){.build = bin->build};
    if (bin->log2 < least || bin->log2 > most)
      continue;
    out[made - 1].plain_s += bin->work * bin->plain_ns * 1e-9;
    out[made - 1].changed_s += bin->work * bin->changed_ns * 1e-9;
  }
  // Those without executions of these trip counts tell nothing.
  for (size_t i = 0; i < made; i++)
    if (out[i].plain_s > 0)
      out[kept++] = out[i];
  return kept;
}

size_t copy_runs_count(const struct copy_bin *bins, size_t count) {
  size_t runs = 0;
  for (size_t i = 0; i < count; i++)
    runs += !i || bins[i].run != bins[i - 1].run;
  return runs;
}

static struct quantity saved_between(const struct copy_bin *bins, size_t count, unsigned least,
                                     unsigned most, struct change_pair *room, double *seconds) {
  size_t pairs = copy_pairs_make(bins, count, least, most, room);
  *seconds = 0;
  for (size_t i = 0; i < pairs; i++)
    *seconds += room[i].plain_s;
  return change_saved(room, pairs);
}

struct copy_condition copy_condition_find(const struct copy_bin *bins, size_t count) {
  struct copy_condition found = {0};
  struct change_pair *room = memory_zeroed(count + 1, sizeof *room);
  double all_s, below_s, above_s;
  saved_between(bins, count, 0, COPY_BIN_UNKNOWN - 1, room, &all_s);
  for (unsigned at = 1; at < COPY_BIN_UNKNOWN; at++) {
    struct quantity below = saved_between(bins, count, 0, at - 1, room, &below_s);
    struct quantity above = saved_between(bins, count, at, COPY_BIN_UNKNOWN - 1, room, &above_s);
    if (below.status == QUANTITY_OK && above.status == QUANTITY_OK && above.low > 0 &&
        below.value <= 0 && below_s >= REST_LEAST * all_s)
      found = (struct copy_condition){true, at, below};
  }
  free(room);
  return found;
}
