// bound_cost.c - what a loop's accesses to memory cost it, from executions of its copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/bound/bound_cost.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/analysis/stats/student.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

enum { ENTRIES_MOST = 64 };
/// Executions that were run again and took so many times the mean, or one over that, say nothing of
/// the loop's time.
#define UNLIKE 3
/// A moved copy that takes so many times what it takes unmoved has work that depends on values, as
/// divisions have, which are others there: what memory costs can't be told beside that.
#define LONGER 1.25

/// Medians of one entry, by form, in ticks; NaN: there is none.
struct entry {
  double cold[RETICLE_BOUND_FORMS];   ///< of the first runs of children
  double second[RETICLE_BOUND_FORMS]; ///< of the second
  double warm[RETICLE_BOUND_FORMS];   ///< of later ones; of the second where there is no later one
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
    return "its executions are over in less than 1 us";
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
static struct quantity over(const double *numbers, size_t count) {
  double known[ENTRIES_MOST];
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(numbers[i]))
      known[n++] = numbers[i];
  if (!n)
    return quantity_none(QUANTITY_TOO_FEW, "no copy of the loop came to its end");
  qsort(known, n, sizeof *known, compare);
  return quantity_of(median_sorted(known, n), known[0], known[n - 1]);
}

static struct quantity times(const struct entry *entries, size_t count, uint32_t form,
                             double ns_per_tick) {
  double numbers[ENTRIES_MOST];
  for (size_t i = 0; i < count; i++)
    numbers[i] = entries[i].warm[form];
  return quantity_scaled(over(numbers, count), ns_per_tick);
}

/// A share of each entry's time. most: that it can't exceed, whatever caches hold in the program.
struct weighted_share {
  double value, low, high, most, weight;
};

/// Entries from which on the least and the most of them hold the median of others at 95 %.
enum { ENTRIES_TELLING = 6 };

/// By how much others may differ from so few, as if they were normal; one tells nothing of that.
static double error_of_few(const struct weighted_share *shares, size_t count) {
  double values[ENTRIES_TELLING];
  for (size_t i = 0; i < count; i++)
    values[i] = shares[i].value;
  return count == 1 ? INFINITY
                    : student_critical(0.05, (double)count - 1) *
                          statistics_deviation(values, count) / sqrt((double)count);
}

static int compare_shares(const void *left, const void *right) {
  return compare(&((const struct weighted_share *)left)->value,
                 &((const struct weighted_share *)right)->value);
}

/// The value below which so much of the weight is; shares in ascending order.
static double quantile(const struct weighted_share *shares, size_t count, double weight,
                       double part) {
  double below = 0;
  for (size_t i = 0; i + 1 < count; i++)
    if ((below += shares[i].weight) > part * weight)
      return shares[i].value;
  return shares[count - 1].value;
}

/// The median of their time, as a long one has more of it: one that was disturbed moves it little.
/// The interval has each one's own, and what the median of others may be, at 95 %.
static struct quantity median_share(struct weighted_share *shares, size_t count) {
  double weight = 0, squares = 0, low = INFINITY, high = 0;
  if (!count)
    return quantity_none(QUANTITY_TOO_FEW, "no copy of the loop came to its end");
  for (size_t i = 0; i < count; i++) {
    weight += shares[i].weight;
    squares += shares[i].weight * shares[i].weight;
  }
  double wide = STATISTICS_Z95 / 2 * sqrt(squares) / weight; // of entries that count as much
  qsort(shares, count, sizeof *shares, compare_shares);
  double value = quantile(shares, count, weight, 0.5);
  double least = quantile(shares, count, weight, 0.5 - wide),
         most = quantile(shares, count, weight, 0.5 + wide);
  for (size_t i = 0; i < count; i++)
    if (shares[i].value >= least && shares[i].value <= most) {
      low = fmin(low, shares[i].low);
      high = fmax(high, shares[i].high);
    }
  if (count < ENTRIES_TELLING) {
    double error = error_of_few(shares, count), possible = 0;
    for (size_t i = 0; i < count; i++)
      possible = fmax(possible, shares[i].most);
    low = fmax(0, fmin(low, value - error));
    high = fmax(high, fmin(possible, value + error));
  }
  return quantity_of(value, fmin(low, value), fmax(high, value));
}

/// The part of `whole` that goes when it takes `rest`: from 0 on; NaN: one of them isn't known.
static double gone(double whole, double rest) {
  double part = 1 - rest / whole;
  return part < 0 ? 0 : part;
}

/// A later run as it is; of a loop that changes what it works on, which has none, of its copy.
static double warm_of(const struct entry *e) {
  double as_is = e->warm[RETICLE_BOUND_AS_IS];
  return isnan(as_is) ? e->warm[RETICLE_BOUND_REPLAYED] : as_is;
}

/// Executions as a whole: what they take when they have just run, and behind the fork.
struct range {
  double warm, cold;
};

static struct range range_of(const struct entry *entries, size_t count) {
  struct range sum = {0};
  double n = 0;
  for (size_t i = 0; i < count; i++) {
    double warm = warm_of(&entries[i]);
    if (isnan(warm))
      continue;
    sum.warm += warm;
    sum.cold += fmax(warm, entries[i].cold[RETICLE_BOUND_AS_IS]);
    n++;
  }
  return (struct range){sum.warm / n, sum.cold / n}; // NaN: not known
}

/// Where caches stand in the program: 0 as when it has just run, 1 as behind the fork; 0, too,
/// where that isn't known.
static double place_of(struct range range, double in_place) {
  double place = (in_place - range.warm) / (range.cold - range.warm);
  return place > 0 ? fmin(place, 1) : 0; // NaN: 0
}

/// What a run takes at that place between a later one and an earlier one, which is no shorter.
static double between(double warm, double earlier, double place) {
  return warm + place * (fmax(warm, earlier) - warm);
}

/// What all entries say of one.
struct setting {
  double place;   ///< see place_of
  bool is_placed; ///< that is known
  bool decides;   ///< the loop has branches on what it loads, which a processor learns
  double ratio; ///< time of the replayed copy over the loop's, where it is clearly another; else 1
};

/// Time of the replayed copy over the loop's: less by branches that are known early, more by
/// instructions of its own. Children differ by half, so that only all entries together tell.
static double ratio_of(const struct entry *entries, size_t count, double place, bool decides) {
  double replayed[ENTRIES_MOST], as_is[ENTRIES_MOST];
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(entries[i].warm[RETICLE_BOUND_AS_IS]) &&
        !isnan(entries[i].warm[RETICLE_BOUND_REPLAYED])) {
      const double *warm = entries[i].warm, *cold = entries[i].cold;
      // Each learns the branches at its own pace: what counts is where the program is.
      double at = decides ? place : 0;
      as_is[n] = between(warm[RETICLE_BOUND_AS_IS], cold[RETICLE_BOUND_AS_IS], at);
      replayed[n++] = between(warm[RETICLE_BOUND_REPLAYED], cold[RETICLE_BOUND_REPLAYED], at);
    }
  qsort(as_is, n, sizeof *as_is, compare);
  qsort(replayed, n, sizeof *replayed, compare);
  bool is_clear =
      n && (replayed[n - 1 - n / 4] < as_is[n / 4] || replayed[n / 4] > as_is[n - 1 - n / 4]);
  double ratio = is_clear ? median_sorted(replayed, n) / median_sorted(as_is, n) : 1;
  return decides ? ratio : fmax(1, ratio); // without such branches less is chance
}

/// What goes with the form, as a share of the loop: of one entry. The moved copy is compared with
/// itself where nothing is moved: both have the same instructions more than the loop, and know as
/// early where branches go.
static void share_of(const struct entry *e, uint32_t form, const struct setting *setting,
                     struct weighted_share *out) {
  double replayed = e->warm[RETICLE_BOUND_REPLAYED], warm = warm_of(e);
  double cold = fmax(e->cold[RETICLE_BOUND_AS_IS], warm);
  double as_is = between(warm, cold, setting->place), longer = as_is - warm;
  // What a run takes more than later ones is no matter of its data where the copy's second run,
  // whose data is in the cache, takes it, too: a processor learns branches from run to run.
  double least_rest = between(e->warm[form], e->second[form], setting->place), rest = least_rest;
  // The copies learn at another pace than the loop, and begin anew in each child: then first runs
  // are compared.
  if (setting->decides) {
    double own = between(replayed, e->cold[RETICLE_BOUND_REPLAYED], setting->place) - replayed;
    longer = fmin(longer, own); // NaN: there is no first one
    rest = between(e->warm[form], e->cold[form], setting->place);
  }
  // Its first run may have what a fork costs, too.
  double most_rest = between(least_rest, e->cold[form], setting->place);
  double whole = replayed + longer, same = gone(whole, rest);
  // Slower than the loop by these instructions, its own time may be less; faster by branches, a
  // part of the loop's is less.
  double other = setting->ratio < 1 ? same * setting->ratio : gone(as_is, rest);
  double most = gone(whole, least_rest);
  out->value = setting->ratio < 1 ? other : same;
  out->low = fmin(fmin(same, other), gone(whole, most_rest));
  // Were all the copy's instructions beside the loop's own time.
  double high = fmax(fmax(most, other), fmin(1, most * fmax(1, setting->ratio)));
  out->most = fmax(high, gone(cold, between(e->warm[form], e->second[form], 1)));
  out->high = setting->is_placed ? high : out->most;
  out->weight = as_is;
}

static struct quantity share(const struct entry *entries, size_t count, uint32_t form,
                             const struct setting *setting) {
  struct weighted_share shares[ENTRIES_MOST];
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    share_of(&entries[i], form, setting, &shares[n]);
    n += !isnan(shares[n].value);
  }
  return median_share(shares, n);
}

/// The first run of a child; the second, for which a loop that stores may still find its caches as
/// copies of pages left them; later ones, by which a processor has learned branches.
static uint32_t turn_of(const struct profile_boundtime *t) { return t->run < 2 ? t->run : 2; }

/// By entry, form, turn, ticks.
static int compare_times(const void *left, const void *right) {
  const struct profile_boundtime *a = *(const struct profile_boundtime *const *)left;
  const struct profile_boundtime *b = *(const struct profile_boundtime *const *)right;
  if (a->entry != b->entry)
    return a->entry < b->entry ? -1 : 1;
  if (a->form != b->form)
    return a->form < b->form ? -1 : 1;
  if (turn_of(a) != turn_of(b))
    return turn_of(a) < turn_of(b) ? -1 : 1;
  return (a->ticks > b->ticks) - (a->ticks < b->ticks);
}

/// How many of the rows are of one entry, form and turn, in the order of compare_times.
static size_t same(const struct profile_boundtime *const *rows, size_t count) {
  size_t n = 1;
  while (n < count && rows[n]->entry == rows[0]->entry && rows[n]->form == rows[0]->form &&
         turn_of(rows[n]) == turn_of(rows[0]))
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
      out[i].cold[form] = out[i].second[form] = out[i].warm[form] = NAN;
  for (size_t i = 0, n; i < count; i += n) {
    struct entry *e = &out[rows[i]->entry];
    n = same(rows + i, count - i);
    uint32_t form = rows[i]->form, turn = turn_of(rows[i]);
    double *turns[] = {e->cold, e->second, e->warm};
    turns[turn][form] = median_ticks(rows + i, n);
    if (turn == 1)
      e->warm[form] = e->second[form]; // until a later turn comes
    cost->is_cut |= rows[i]->flags & RETICLE_BOUND_CUT;
    cost->decides |= rows[i]->flags & RETICLE_BOUND_DECIDES;
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
  cost.cold_ns = over(cold, count).value;
  double in_place = cost.is_cut ? NAN : in_place_ns / per_tick;
  struct range range = range_of(entries, count);
  if (in_place * UNLIKE < range.warm || in_place > UNLIKE * range.cold) // NaN: not known
    cost.reason = "the executions that were run again are no usual ones";
  struct quantity replayed_ns = times(entries, count, RETICLE_BOUND_REPLAYED, per_tick);
  if (cost.first_ns.status == QUANTITY_OK && cost.first_ns.value > LONGER * replayed_ns.value)
    cost.reason = "its work depends on values, which are others in a moved copy";
  double place = place_of(range, in_place);
  const struct setting setting = {place, !isnan(in_place), cost.decides,
                                  ratio_of(entries, count, place, cost.decides)};
  cost.memory = share(entries, count, RETICLE_BOUND_FIRST, &setting);
  cost.loads = share(entries, count, RETICLE_BOUND_LOADS, &setting);
  cost.stores = share(entries, count, RETICLE_BOUND_STORES, &setting);
  // More goes with one of them alone: what is stored is loaded again, or only seems to be in 4 KB.
  if (cost.memory.status == QUANTITY_OK)
    cost.memory.high = fmax(cost.memory.high, fmax(cost.loads.value, cost.stores.value));
  free(entries);
  return cost;
}
