// struct_advice.c - works out how loops use a struct, which other layout pays, or why none does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/struct_advice_parts.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Lines saved that are not worth a word: under 5 %.
#define LEAST_GAIN 1.05
/// Entries of the table of items by loops at most: 32 MB. Lighter loops are left out then.
#define SHARES_MOST ((size_t)1 << 22)
/// Work on all structs of a report, about a second, and the least on one of them.
#define REPORT_WORK UINT64_C(100000000)
#define LEAST_WORK 100000
/// With fewer of the visits known to walk nothing tells whether there is more than one element.
#define WALKED_LEAST 0.1
/// Fewer visits in all take less time than any run can tell: ten latencies are about 1 us.
#define LEAST_VISITS 10
/// One visit outside of loops for so many of one element over and over is seldom: at most a latency
/// beside a thousand hits.
#define SELDOM 0.001
/// What gains nothing is put together all the same where that costs the rest nothing.
#define LEAST_WEIGHT 1e-6

const char *advice_refusal(const struct profile_struct *record) {
  if (record->flags & RETICLE_STRUCT_UNION)
    return "it is a union: its fields have no order";
  if (record->flags & RETICLE_STRUCT_SYSTEM)
    return "it is defined in a system header: code that is not compiled here has its layout";
  if (record->flags & RETICLE_STRUCT_UNDESCRIBED)
    return "its declaration is not known: it was compiled without clang's plug-in action";
  return NULL;
}

static enum exposure exposure_of(uint32_t flags) {
  return flags & RETICLE_ACCESS_DEPENDENT     ? EXPOSURE_DEPENDENT
         : flags & RETICLE_ACCESS_SEARCH      ? EXPOSURE_SEARCH
         : flags & RETICLE_ACCESS_STREAMING   ? EXPOSURE_STREAMING
         : flags & RETICLE_ACCESS_INDEPENDENT ? EXPOSURE_INDEPENDENT
         : flags & RETICLE_ACCESS_SAME        ? EXPOSURE_SAME
                                              : EXPOSURE_UNKNOWN;
}

static bool touches(const struct profile_access *access, const struct layout_item *item,
                    uint32_t start) {
  uint64_t first = access->offset_bytes, end = first + access->bytes;
  return (first < (uint64_t)start + item->size_bytes || item->is_last) && end > start;
}

/// The first item that ends behind the access's start, where items lie one behind the other.
static size_t first_item(const struct struct_advice *a, const struct profile_access *access) {
  size_t low = 0, high = a->item_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    uint64_t end =
        (uint64_t)a->items[middle].first->offset_bytes + a->layout_items[middle].size_bytes;
    if (!a->layout_items[middle].is_last && end <= access->offset_bytes)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The most accesses that any block makes to each item; of them, the most are the visits.
static void fill_loop(struct struct_advice *a, struct advice_loop *l) {
  uint32_t flags = 0;
  for (size_t i = 0; i < l->loop->access_count; i++) {
    const struct profile_access *access = l->loop->accesses[i];
    flags |= access->flags;
    if (access->offset_bytes == UINT32_MAX)
      continue;
    double n = (double)access->count * access->times;
    for (size_t k = a->ascends ? first_item(a, access) : 0; k < a->item_count; k++) {
      if (a->ascends && a->items[k].first->offset_bytes >= access->offset_bytes + access->bytes)
        break;
      if (touches(access, &a->layout_items[k], a->items[k].first->offset_bytes))
        l->share[k] = fmax(l->share[k], n);
    }
  }
  for (size_t k = 0; k < a->item_count; k++)
    l->walk.visits = fmax(l->walk.visits, l->share[k]);
  for (size_t k = 0; k < a->item_count; k++)
    l->share[k] = l->walk.visits > 0 ? l->share[k] / l->walk.visits : 0;
  // One access to the same address each time: the element is the same, whatever index the others
  // have.
  l->walk.exposure = flags & RETICLE_ACCESS_SAME ? EXPOSURE_SAME : exposure_of(flags);
}

/// Visits in one execution of the loop; several records are copies that the optimiser made.
static double run_of(const struct profile *profile, const struct advice_loop *l) {
  double executions = 0;
  for (size_t i = 0; l->loop->loop && i < profile->loop_count; i++)
    if (profile->loops[i].id == l->loop->loop)
      executions += (double)profile->loops[i].executions;
  return executions > 0 ? fmax(l->walk.visits / executions, 1) : NAN;
}

/// Leaves the heaviest loops in the search; the sums of others change nothing.
static void drop_light(struct struct_advice *a) {
  for (size_t i = 0; a->loop_count > ADVICE_LOOPS && i < a->loop_count; i++) {
    size_t heavier = 0;
    for (size_t k = 0; k < a->loop_count; k++)
      heavier += a->visits[k].weight > a->visits[i].weight;
    if (heavier >= ADVICE_LOOPS)
      a->visits[i].weight = 0;
  }
}

/// Of one object; one that no cache holds where that isn't known.
static uint32_t element_bytes(const struct struct_advice *a) {
  double bytes = advice_element_bytes(a);
  return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static void make_loops(const struct profile *profile, const struct visit_walks *walks,
                       struct struct_advice *a) {
  struct_loops_make(profile, a->use, &a->loops_used, &a->loop_count);
  size_t most = SHARES_MOST / (a->item_count + 1);
  most = most > ADVICE_LOOPS ? most : ADVICE_LOOPS;
  if (a->loop_count > most) {
    struct_loops_drop(a->loops_used, most, &a->loop_count);
    a->is_bounded = true;
  }
  a->loops = memory_zeroed(a->loop_count + 1, sizeof *a->loops);
  a->visits = memory_zeroed(a->loop_count + 1, sizeof *a->visits);
  for (size_t i = 0; i < a->loop_count; i++) {
    struct advice_loop *l = &a->loops[i];
    l->loop = &a->loops_used[i];
    l->share = memory_zeroed(a->item_count + 1, sizeof *l->share);
    fill_loop(a, l);
    l->walk.run = run_of(profile, l);
    l->walk.is_in_row = walks && l->loop->loop && visit_walks_in_row(walks, l->loop->loop);
    l->walk.stays =
        walks && l->loop->loop && visit_walks_stay(walks, l->loop->loop, element_bytes(a));
    double cost = fmax(element_line_cost(&l->walk), LEAST_WEIGHT);
    a->visits[i] =
        (struct layout_visit){.streaming = element_exposure(&l->walk) == EXPOSURE_STREAMING,
                              .weight = l->walk.visits * cost,
                              .share = l->share};
  }
  drop_light(a);
}

/// Items that are written in some loop, and read-only ones in others: the written.
static void find_written(struct struct_advice *a) {
  bool *written = memory_zeroed(a->item_count + 1, sizeof *written);
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = 0; k < a->items[i].count; k++) { // fields are the members, in their order
      const struct field_use *f =
          &a->use->fields[a->items[i].first - a->use->fields[0].member + (ptrdiff_t)k];
      written[i] |= f->writes > f->reads / 16; // a few at the start don't count
    }
  a->problem.written = written;
}

/// Bytes used over bytes of the lines touched. Of an object's end of any length it isn't known.
static struct quantity useful_of(const struct struct_advice *a) {
  double used = 0, fetched = 0;
  for (size_t v = 0; v < a->loop_count; v++) {
    const struct layout_visit *visit = &a->visits[v];
    for (size_t i = 0; i < a->item_count; i++) {
      uint32_t bytes = a->layout_items[i].size_bytes;
      if (a->is_open && a->layout_items[i].is_last && visit->weight * visit->share[i] > 0)
        return quantity_none(QUANTITY_UNSUPPORTED,
                             "how much of the array at its objects' ends is used isn't known");
      used += visit->weight * visit->share[i] * (bytes > STRUCT_LINE_BYTES ? 1 : bytes);
    }
    fetched += visit->weight;
  }
  fetched *= a->lines_now * STRUCT_LINE_BYTES;
  if (!(fetched > 0))
    return quantity_none(QUANTITY_UNSUPPORTED, "no loop goes through elements of it");
  double share = fmin(used / fetched, 1);
  return quantity_of(share, share, share);
}

struct advice advice_judge(const struct struct_advice *a, enum advice_kind kind, double lines,
                           double cost) {
  double ratio = cost > 0 ? a->cost_now / cost : NAN; // what costs nothing was not modelled
  if (!(ratio >= LEAST_GAIN))
    return (struct advice){ADVICE_NONE, lines, quantity_of(1, 1, 1), 0};
  return (struct advice){kind, lines, quantity_of(sqrt(ratio), 1, ratio), a->cost_now - cost};
}

const char *advice_kind_name(enum advice_kind kind) {
  static const char *const names[] = {[ADVICE_NONE] = "none",
                                      [ADVICE_ORDER] = "order",
                                      [ADVICE_SPLIT] = "split",
                                      [ADVICE_ARRAY] = "array",
                                      [ADVICE_SOA] = "soa"};
  return names[kind];
}

static bool is_one_line(const struct struct_advice *a) {
  return a->use->record->size_bytes <= STRUCT_LINE_BYTES;
}

/// Its bytes lie as something else has them: there is no other order, but it may be taken apart.
static bool is_packed(const struct struct_advice *a) {
  return a->use->record->flags & RETICLE_STRUCT_PACKED;
}

/// Whether some loop goes from one element to another: there are several.
static bool is_walked(const struct struct_advice *a) {
  for (size_t i = 0; i < a->loop_count; i++) {
    enum exposure how = a->loops[i].walk.exposure;
    if (a->loops[i].walk.visits > 0 && how != EXPOSURE_SAME && how != EXPOSURE_UNKNOWN)
      return true;
  }
  return false;
}

/// Part of the visits that loops make which go from one element to another.
static double walked_share(const struct struct_advice *a) {
  double walked = 0, all = 0;
  for (size_t i = 0; i < a->loop_count; i++) {
    const struct element_walk *walk = &a->loops[i].walk;
    bool is_walk = walk->exposure != EXPOSURE_SAME && walk->exposure != EXPOSURE_UNKNOWN;
    all += walk->visits;
    walked += is_walk ? walk->visits : 0;
  }
  return all > 0 ? walked / all : 0;
}

/// Why no other layout could gain, whatever the loops do; null if one could.
static const char *reason_before_search(const struct struct_advice *a) {
  const char *refusal = advice_refusal(a->use->record);
  if (refusal)
    return refusal;
  if (a->item_count < 2)
    return "it has one field";
  if (a->count.elements == 1 && !is_walked(a))
    return "there is one object of it: it is fetched once, and there are no elements to pack";
  if (a->fits_first_cache)
    return "all its elements fit into a first data cache (32 kB)";
  if (a->visits_fit)
    return "the elements that are visited, again and again, fit into a first data cache (32 kB)";
  return NULL;
}

static const char *reason_of(const struct struct_advice *a) {
  const char *before = reason_before_search(a);
  if (before)
    return before;
  bool chained = false;
  double moving = 0, all = 0;
  for (size_t i = 0; i < a->loop_count; i++) {
    const struct element_walk *walk = &a->loops[i].walk;
    chained |= walk->exposure == EXPOSURE_DEPENDENT;
    all += walk->visits;
    moving += walk->exposure != EXPOSURE_SAME ? walk->visits : 0;
  }
  if (!(moving > 0))
    return "no loop goes from one element to another";
  if (all < LEAST_VISITS)
    return "it is visited too seldom for any layout to matter";
  if (!is_walked(a) && isnan(a->count.elements) && moving < SELDOM * all)
    return "its loops use one element over and over";
  if (a->order.kind != ADVICE_NONE || a->parts.kind != ADVICE_NONE)
    return "";
  if (is_packed(a))
    return "it is packed: its order is meant as it is, and no part of it by itself would save any";
  if (isnan(a->count.more_bytes))
    return "its objects end in an array of any length: what a split of the fields in front would "
           "save isn't known, as no allocation site tells their sizes (feature shadow), and no "
           "order "
           "of them saves any";
  if (a->is_open)
    return "its objects end in data of any length, which stay in one piece, and neither an order "
           "nor a split of the fields in front saves any";
  if (!is_walked(a))
    return is_one_line(a) ? "it fits into one cache line"
                          : "no loop goes from one element to another, and the fields used "
                            "together already lie together";
  if (is_one_line(a))
    return "it fits into one cache line, and no part of it by itself would save any";
  return chained ? "its loops follow a chain of pointers, each element waits for the one before, "
                   "and the fields used together already lie together"
                 : "the fields used together already lie together";
}

uint64_t struct_advice_work_most(const struct struct_uses *uses) {
  uint64_t each = REPORT_WORK / (uses->accessed + 1);
  return each < LEAST_WORK ? LEAST_WORK : each > LAYOUT_WORK_MOST ? LAYOUT_WORK_MOST : each;
}

/// All that is known before another layout is looked for. Returns false where wish.pin is no field.
static bool describe(const struct profile *profile, const struct advice_wish *wish,
                     struct struct_advice *a) {
  advice_items_make(a);
  bool may_be_open = struct_is_open(a->use);
  a->count = wish->count ? *wish->count : (struct element_count){NAN, false, may_be_open ? NAN : 0};
  a->is_open = a->count.more_bytes != 0;
  a->problem.more_bytes = a->count.more_bytes;
  make_loops(profile, wish->walks, a);
  a->fits_first_cache = a->count.elements * advice_element_bytes(a) <= ELEMENT_FIRST_CACHE_BYTES;
  a->visits_fit = wish->walks && visit_walks_fit(wish->walks, element_bytes(a));
  a->problem.items = a->layout_items;
  a->problem.item_count = a->item_count;
  a->problem.visits = a->visits;
  a->problem.visit_count = a->loop_count;
  a->problem.align_bytes = advice_align_of(a->use->record->flags, RETICLE_STRUCT_ALIGN_SHIFT);
  a->problem.work_most = wish->work_most ? wish->work_most : LAYOUT_WORK_MOST;
  a->problem.pinned = advice_pins_find(profile, a);
  if (!advice_pin_wish(a, wish->pin))
    return false;
  if (wish->apart)
    find_written(a);
  size_t *written = memory_zeroed(a->item_count + 1, sizeof *written);
  for (size_t i = 0; i < a->item_count; i++)
    written[i] = i;
  a->cost_now = advice_cost(a, written, &a->lines_now);
  free(written);
  a->useful = useful_of(a);
  return true;
}

bool struct_advise(const struct profile *profile, const struct struct_use *use,
                   const struct advice_wish *wish, struct struct_advice *a) {
  *a = (struct struct_advice){.use = use, .reason = ""};
  a->items = memory_zeroed(use->field_count + 1, sizeof *a->items);
  a->layout_items = memory_zeroed(use->field_count + 1, sizeof *a->layout_items);
  a->is_hot = memory_zeroed(use->field_count + 1, sizeof *a->is_hot);
  if (!describe(profile, wish, a))
    return false;
  if (wish->align_bytes > a->problem.align_bytes)
    a->problem.align_bytes = wish->align_bytes;
  struct layout_problem searched = a->problem;
  bool is_over = reason_before_search(a) != NULL;
  if (is_over || is_one_line(a) || is_packed(a))
    searched.pinned = a->item_count; // nothing to search for
  layout_search(&searched, &a->best);
  a->is_bounded |= a->best.is_bounded;
  a->work += a->best.work;
  double lines, cost = advice_cost(a, a->best.order, &lines);
  a->order = advice_judge(a, ADVICE_ORDER, lines, cost);
  if (is_one_line(a) || is_packed(a))
    a->order = (struct advice){ADVICE_NONE, lines, quantity_of(1, 1, 1), 0};
  a->parts = (struct advice){ADVICE_NONE, NAN, quantity_of(1, 1, 1), 0};
  if (!is_over && is_walked(a) && !isnan(a->count.more_bytes))
    advice_parts_find(a);
  a->reason = reason_of(a);
  a->is_guess = isnan(a->count.elements) && walked_share(a) < WALKED_LEAST;
  if (*a->reason) {
    a->order = (struct advice){ADVICE_NONE, a->order.lines, quantity_of(1, 1, 1), 0};
    a->parts = (struct advice){ADVICE_NONE, a->parts.lines, quantity_of(1, 1, 1), 0};
  }
  return true;
}

void struct_advice_release(struct struct_advice *a) {
  for (size_t i = 0; i < a->loop_count; i++)
    free(a->loops[i].share);
  struct_loops_free(a->loops_used, a->loop_count);
  free(a->loops);
  free(a->visits);
  free(a->items);
  free(a->layout_items);
  free((bool *)a->problem.written);
  free(a->is_hot);
  layout_release(&a->best);
  *a = (struct struct_advice){0};
}
