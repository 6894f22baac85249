// bound_cost.c - what a loop's accesses to memory cost it, from executions of its copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/bound/bound_cost.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

enum { ENTRIES_MOST = 64 };

/// Medians of one entry, by form, in ticks; NaN: there is none.
struct entry {
  double cold[RETICLE_BOUND_FORMS], warm[RETICLE_BOUND_FORMS];
};

const char *bound_reason(uint32_t reason) {
  switch (reason) {
  case RETICLE_BOUND_CALLS:
    return "it calls functions";
  case RETICLE_BOUND_ATOMIC:
    return "it has atomic or volatile accesses";
  case RETICLE_BOUND_SHAPE:
    return "exceptions, assembly or computed jumps are in it";
  case RETICLE_BOUND_MERGED:
    return "the compiler has taken it away, or into other code";
  case RETICLE_BOUND_SHORT:
    return "its executions are over in less than 2 us";
  case RETICLE_BOUND_UNSEEN:
    return "it was not executed while executions were taken";
  case RETICLE_BOUND_DENIED:
    return "no child could be forked and confined here";
  case RETICLE_BOUND_LONG:
    return "an iteration takes too long";
  case RETICLE_BOUND_FAULTS:
    return "it faults in a child: it writes to memory that other processes see, calls the kernel, "
           "or can't run again on what it has changed";
  default:
    return NULL;
  }
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/// Of sorted values; NaN: there are none.
static double median_sorted(const double *values, size_t count) {
  if (!count)
    return NAN;
  return count & 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/// The median over entries of a number each, with the least and the most; those without one are
/// left out.
static struct quantity over(const double *numbers, size_t count, double low, double high) {
  double known[ENTRIES_MOST];
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(numbers[i]))
      known[n++] = numbers[i];
  if (!n)
    return quantity_none(QUANTITY_TOO_FEW, "no copy of the loop came to its end");
  qsort(known, n, sizeof *known, compare);
  return quantity_of(median_sorted(known, n), fmin(low, known[0]), fmax(high, known[n - 1]));
}

static struct quantity times(const struct entry *entries, size_t count, uint32_t form,
                             double ns_per_tick) {
  double numbers[ENTRIES_MOST];
  for (size_t i = 0; i < count; i++)
    numbers[i] = entries[i].warm[form];
  return quantity_scaled(over(numbers, count, NAN, NAN), ns_per_tick);
}

/// The part of `whole` that goes when it takes `rest`: from 0 on; NaN: one of them isn't known.
static double gone(double whole, double rest) {
  double part = 1 - rest / whole;
  return part < 0 ? 0 : part;
}

/// What goes with the form, as a share of the loop.
static struct quantity share(const struct entry *entries, size_t count, uint32_t form,
                             double in_place) {
  double values[ENTRIES_MOST], low = NAN, high = NAN;
  for (size_t i = 0; i < count; i++) {
    const struct entry *e = &entries[i];
    double replayed = e->warm[RETICLE_BOUND_REPLAYED], rest = e->warm[form];
    double same = gone(replayed, rest), cold = e->cold[RETICLE_BOUND_AS_IS];
    // One that changes what it works on has no later run as it is.
    double warm = isnan(e->warm[RETICLE_BOUND_AS_IS]) ? replayed : e->warm[RETICLE_BOUND_AS_IS];
    double as_is = isnan(in_place) ? warm : fmin(fmax(in_place, warm), fmax(cold, warm));
    // The moved copy has more to do, and knows earlier where branches go: the middle.
    values[i] = (gone(as_is, rest) + gone(replayed + as_is - warm, rest)) / 2;
    double most = gone(isnan(in_place) ? fmax(cold, warm) : as_is, rest);
    low = fmin(low, fmin(same, gone(warm, rest)));
    high = fmax(high, fmax(same, most));
  }
  return over(values, count, low, high);
}

/// By entry, form, the first run of a child or a later one, ticks.
static int compare_times(const void *left, const void *right) {
  const struct profile_boundtime *a = *(const struct profile_boundtime *const *)left;
  const struct profile_boundtime *b = *(const struct profile_boundtime *const *)right;
  if (a->entry != b->entry)
    return a->entry < b->entry ? -1 : 1;
  if (a->form != b->form)
    return a->form < b->form ? -1 : 1;
  if (!a->run != !b->run)
    return a->run ? 1 : -1;
  return (a->ticks > b->ticks) - (a->ticks < b->ticks);
}

/// How many of the rows are of one entry, form and kind of run, in the order of compare_times.
static size_t same(const struct profile_boundtime *const *rows, size_t count) {
  size_t n = 1;
  while (n < count && rows[n]->entry == rows[0]->entry && rows[n]->form == rows[0]->form &&
         !rows[n]->run == !rows[0]->run)
    n++;
  return n;
}

static double median_ticks(const struct profile_boundtime *const *rows, size_t count) {
  double low = (double)rows[(count - 1) / 2]->ticks, high = (double)rows[count / 2]->ticks;
  return (low + high) / 2;
}

/// The loop's rows, as medians; returns the number of entries.
static size_t read_entries(const struct profile *p, uint64_t id, struct entry *out,
                           struct bound_cost *cost) {
  const struct profile_boundtime **rows = memory_zeroed(p->boundtime_count + 1, sizeof *rows);
  size_t count = 0, entries = 0;
  for (size_t i = 0; i < p->boundtime_count; i++) {
    const struct profile_boundtime *t = &p->boundtimes[i];
    if (t->id == id && t->ticks && t->form < RETICLE_BOUND_FORMS && t->entry < ENTRIES_MOST)
      rows[count++] = t;
  }
  qsort(rows, count, sizeof *rows, compare_times);
  for (size_t i = 0; i < ENTRIES_MOST; i++)
    for (uint32_t form = 0; form < RETICLE_BOUND_FORMS; form++)
      out[i].cold[form] = out[i].warm[form] = NAN;
  for (size_t i = 0, n; i < count; i += n) {
    struct entry *e = &out[rows[i]->entry];
    n = same(rows + i, count - i);
    *(rows[i]->run ? &e->warm[rows[i]->form] : &e->cold[rows[i]->form]) = median_ticks(rows + i, n);
    cost->is_cut |= rows[i]->flags & RETICLE_BOUND_CUT;
    entries = rows[i]->entry + 1; // ascending
  }
  free(rows);
  return entries;
}

struct bound_cost bound_cost_of(const struct profile *profile, uint64_t id, double in_place_ns) {
  struct bound_cost cost = {.cold_ns = NAN, .reason = "it has no copies"};
  struct entry *entries = memory_zeroed(ENTRIES_MOST, sizeof *entries);
  double cold[ENTRIES_MOST], per_tick = 1e9 / (double)profile->env.timer_hz;
  size_t count = read_entries(profile, id, entries, &cost);
  for (size_t i = 0; i < profile->bound_count; i++)
    if (profile->bounds[i].id == id)
      cost.reason = bound_reason(profile->bounds[i].reason);
  if (!count || !profile->env.timer_hz) {
    cost.reason = cost.reason ? cost.reason : "no copy of it came to its end";
    free(entries);
    return cost;
  }
  for (size_t i = 0; i < count; i++)
    cold[i] = entries[i].cold[RETICLE_BOUND_AS_IS] * per_tick;
  cost.entries = count;
  cost.reason = NULL;
  cost.as_is_ns = times(entries, count, RETICLE_BOUND_AS_IS, per_tick);
  cost.is_changing = cost.as_is_ns.status != QUANTITY_OK;
  cost.first_ns = times(entries, count, RETICLE_BOUND_FIRST, per_tick);
  cost.second_ns = times(entries, count, RETICLE_BOUND_SECOND, per_tick);
  cost.cold_ns = over(cold, count, NAN, NAN).value;
  double in_place = cost.is_cut ? NAN : in_place_ns / per_tick;
  cost.memory = share(entries, count, RETICLE_BOUND_FIRST, in_place);
  cost.loads = share(entries, count, RETICLE_BOUND_LOADS, in_place);
  cost.stores = share(entries, count, RETICLE_BOUND_STORES, in_place);
  // More goes with one of them alone: what is stored is loaded again, or only seems to be in 4 KB.
  if (cost.memory.status == QUANTITY_OK)
    cost.memory.high = fmax(cost.memory.high, fmax(cost.loads.value, cost.stores.value));
  free(entries);
  return cost;
}
