// struct_advice.c - looks for a better order or a split of a struct, and what stands against it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/analysis/struct_advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Lines saved that are not worth a word: under 5 %.
#define LEAST_GAIN 1.05
/// What a line, and a visit whatever its lines, costs: in latencies of memory. Streams are fetched
/// ahead, independent misses overlap but each takes a translation of its address, a chain waits
/// once for each element, and a little longer for the slowest of several lines. Orders of
/// magnitude, checked against docs/method/fields.md.
static const double line_cost[] = {[EXPOSURE_UNKNOWN] = 1.0 / 4,
                                   [EXPOSURE_STREAMING] = 1.0 / 8,
                                   [EXPOSURE_INDEPENDENT] = 1.0 / 6,
                                   [EXPOSURE_DEPENDENT] = 1.0 / 7,
                                   [EXPOSURE_SAME] = 0};
static const double visit_cost[] = {[EXPOSURE_UNKNOWN] = 0,
                                    [EXPOSURE_STREAMING] = 0,
                                    [EXPOSURE_INDEPENDENT] = 1.0 / 6,
                                    [EXPOSURE_DEPENDENT] = 6.0 / 7,
                                    [EXPOSURE_SAME] = 0};
/// Loops that the search looks at.
#define SEARCH_LOOPS 24
/// Entries of the table of items by loops at most: 32 MB. Lighter loops are left out then.
#define SHARES_MOST ((size_t)1 << 22)
/// Work on all structs of a report, about three seconds, and the least on one of them.
#define REPORT_WORK UINT64_C(250000000)
#define LEAST_WORK 100000
/// What gains nothing is put together all the same where that costs the rest nothing.
#define LEAST_WEIGHT 1e-6

const char *exposure_name(enum exposure exposure) {
  switch (exposure) {
  case EXPOSURE_UNKNOWN:
    return "unknown";
  case EXPOSURE_STREAMING:
    return "streaming";
  case EXPOSURE_INDEPENDENT:
    return "independent";
  case EXPOSURE_DEPENDENT:
    return "dependent";
  case EXPOSURE_SAME:
    return "same";
  }
  return "unknown";
}

const char *advice_refusal(const struct profile_struct *record) {
  if (record->flags & RETICLE_STRUCT_UNION)
    return "it is a union: its fields have no order";
  if (record->flags & RETICLE_STRUCT_SYSTEM)
    return "it is defined in a system header: code that is not compiled here has its layout";
  if (record->flags & RETICLE_STRUCT_UNDESCRIBED)
    return "its declaration is not known: it was compiled without clang's plug-in action";
  if (record->flags & RETICLE_STRUCT_PACKED)
    return "it is packed: its layout is meant as it is";
  return NULL;
}

static uint32_t align_of(uint32_t flags, unsigned shift) {
  uint32_t log = flags >> shift & RETICLE_MEMBER_ALIGN_MASK;
  return log && log <= 32 ? UINT32_C(1) << (log - 1) : 0;
}

/// Where the member can't move: a base class's part, or the table of virtual functions.
static bool is_fixed(const struct profile_member *m) {
  return m->flags & (RETICLE_MEMBER_BASE | RETICLE_MEMBER_VPTR);
}

static bool continues(const struct profile_member *m, const struct profile_member *before) {
  return m->flags & RETICLE_MEMBER_CONTINUES ||
         (m->flags & before->flags & RETICLE_MEMBER_BITFIELD);
}

static void make_items(struct struct_advice *a) {
  const struct struct_use *use = a->use;
  uint32_t end_fixed = 0;
  for (size_t i = 0; i < use->field_count; i++) {
    const struct profile_member *m = use->fields[i].member;
    uint32_t end = m->offset_bytes + m->size_bytes;
    // A virtual base lies behind the fields, and moves with them.
    if (is_fixed(m)) {
      if (!a->item_count && end > end_fixed)
        end_fixed = end;
      continue;
    }
    if (a->item_count && continues(m, m - 1)) {
      a->items[a->item_count - 1].count++;
    } else {
      a->items[a->item_count++] = (struct advice_item){m, 1};
    }
    struct layout_item *item = &a->layout_items[a->item_count - 1];
    uint32_t start = a->items[a->item_count - 1].first->offset_bytes;
    item->size_bytes = end > start ? end - start : 0;
    uint32_t align = align_of(m->flags, RETICLE_MEMBER_ALIGN_SHIFT);
    item->align_bytes = align > item->align_bytes ? align : item->align_bytes;
    item->is_last = (m->flags & RETICLE_MEMBER_FLEXIBLE) || !m->size_bytes;
  }
  a->ascends = true;
  for (size_t i = 1; i < a->item_count; i++)
    a->ascends &= a->items[i - 1].first->offset_bytes + a->layout_items[i - 1].size_bytes <=
                      a->items[i].first->offset_bytes &&
                  a->layout_items[i - 1].size_bytes;
  // The first field of a derived class may lie in its base's padding.
  uint32_t first = a->item_count ? a->items[0].first->offset_bytes : 0;
  a->problem.prefix_bytes = end_fixed && end_fixed < first ? end_fixed : end_fixed ? first : 0;
}

static enum exposure exposure_of(uint32_t flags) {
  return flags & RETICLE_ACCESS_DEPENDENT     ? EXPOSURE_DEPENDENT
         : flags & RETICLE_ACCESS_STREAMING   ? EXPOSURE_STREAMING
         : flags & RETICLE_ACCESS_INDEPENDENT ? EXPOSURE_INDEPENDENT
         : flags & RETICLE_ACCESS_SAME        ? EXPOSURE_SAME
                                              : EXPOSURE_UNKNOWN;
}

static bool touches(const struct profile_access *access, const struct layout_item *item,
                    uint32_t start) {
  uint64_t first = access->offset_bytes, end = first + access->bytes;
  return item->size_bytes ? first < (uint64_t)start + item->size_bytes && end > start
                          : first >= start;
}

/// The first item that ends behind the access's start, where items lie one behind the other.
static size_t first_item(const struct struct_advice *a, const struct profile_access *access) {
  size_t low = 0, high = a->item_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    uint64_t end =
        (uint64_t)a->items[middle].first->offset_bytes + a->layout_items[middle].size_bytes;
    if (a->layout_items[middle].size_bytes && end <= access->offset_bytes)
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
      if (a->ascends && a->items[k].first->offset_bytes >= access->offset_bytes + access->bytes &&
          a->layout_items[k].size_bytes)
        break;
      if (touches(access, &a->layout_items[k], a->items[k].first->offset_bytes))
        l->share[k] = fmax(l->share[k], n);
    }
  }
  for (size_t k = 0; k < a->item_count; k++)
    l->visits = fmax(l->visits, l->share[k]);
  for (size_t k = 0; k < a->item_count; k++)
    l->share[k] = l->visits > 0 ? l->share[k] / l->visits : 0;
  // One access to the same address each time: the element is the same, whatever index the others
  // have.
  l->exposure = flags & RETICLE_ACCESS_SAME ? EXPOSURE_SAME : exposure_of(flags);
}

/// Leaves the heaviest loops in the search; the sums of others change nothing.
static void drop_light(struct struct_advice *a) {
  for (size_t i = 0; a->loop_count > SEARCH_LOOPS && i < a->loop_count; i++) {
    size_t heavier = 0;
    for (size_t k = 0; k < a->loop_count; k++)
      heavier += a->visits[k].weight > a->visits[i].weight;
    if (heavier >= SEARCH_LOOPS)
      a->visits[i].weight = 0;
  }
}

static int make_loops(const struct profile *profile, struct struct_advice *a) {
  if (struct_loops_make(profile, a->use, &a->loops_used, &a->loop_count) != 0)
    return RETICLE_E_MEMORY;
  size_t most = SHARES_MOST / (a->item_count + 1);
  most = most > SEARCH_LOOPS ? most : SEARCH_LOOPS;
  if (a->loop_count > most) {
    struct_loops_drop(a->loops_used, most, &a->loop_count);
    a->is_bounded = true;
  }
  a->loops = calloc(a->loop_count + 1, sizeof *a->loops);
  a->visits = calloc(a->loop_count + 1, sizeof *a->visits);
  if (!a->loops || !a->visits)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < a->loop_count; i++) {
    struct advice_loop *l = &a->loops[i];
    l->loop = &a->loops_used[i];
    l->share = calloc(a->item_count + 1, sizeof *l->share);
    if (!l->share)
      return RETICLE_E_MEMORY;
    fill_loop(a, l);
    a->visits[i] =
        (struct layout_visit){.streaming = l->exposure == EXPOSURE_STREAMING,
                              .weight = l->visits * fmax(line_cost[l->exposure], LEAST_WEIGHT),
                              .share = l->share};
  }
  drop_light(a);
  return 0;
}

/// The struct's first member, or where it would stand: a merged profile has them by struct.
static const struct profile_member *first_member(const struct profile *profile, size_t structure) {
  size_t low = 0, high = profile->member_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (profile->members[middle].structure < structure)
      low = middle + 1;
    else
      high = middle;
  }
  return profile->members + low;
}

/// Fields that the struct that begins with x, and struct b, both begin with.
static size_t common_prefix(const struct profile *profile, const struct profile_member *x,
                            size_t b) {
  const struct profile_member *end = profile->members + profile->member_count;
  const struct profile_member *y = first_member(profile, b);
  size_t a = x < end ? x->structure : b;
  size_t n = 0;
  while (x < end && y < end && x->structure == a && y->structure == b &&
         x->offset_bytes == y->offset_bytes && strcmp(x->name, y->name) == 0 &&
         strcmp(x->type, y->type) == 0)
    n++, x++, y++;
  return n;
}

/// The first items that must stay: returns how many, and says why in pins.
static size_t find_pins(const struct profile *profile, struct struct_advice *a) {
  size_t members = 0;
  const struct profile_member *own = first_member(profile, a->use->index);
  for (size_t i = 0; a->use->record->flags & RETICLE_STRUCT_IN_UNION && i < profile->struct_count;
       i++)
    if (i != a->use->index && profile->structs[i].flags & RETICLE_STRUCT_IN_UNION) {
      size_t n = common_prefix(profile, own, i);
      members = n > members ? n : members;
    }
  if (members)
    a->pins |= ADVICE_PIN_PREFIX;
  size_t items = 0;
  for (size_t seen = 0; items < a->item_count && seen < members; items++)
    seen += a->items[items].count;
  const char *type = a->item_count ? a->items[0].first->type : "";
  if (!items && strncmp(type, "struct ", 7) == 0 && !strchr(type, '*') && !strchr(type, '[')) {
    a->pins |= ADVICE_PIN_HEADER;
    items = 1;
  }
  return items;
}

static int pin_wish(struct struct_advice *a, const char *name) {
  for (size_t i = 0; name && i < a->item_count; i++)
    for (size_t k = 0; k < a->items[i].count; k++)
      if (strcmp(a->items[i].first[k].name, name) == 0) {
        a->problem.pinned = i + 1 > a->problem.pinned ? i + 1 : a->problem.pinned;
        a->pins |= ADVICE_PIN_GIVEN;
        return 0;
      }
  return name ? -1 : 0;
}

/// Items that are written in some loop, and read-only ones in others: the written.
static int find_written(struct struct_advice *a) {
  bool *written = calloc(a->item_count + 1, sizeof *written);
  if (!written)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = 0; k < a->items[i].count; k++) { // fields are the members, in their order
      const struct field_use *f =
          &a->use->fields[a->items[i].first - a->use->fields[0].member + (ptrdiff_t)k];
      written[i] |= f->writes > f->reads / 16; // a few at the start don't count
    }
  a->problem.written = written;
  return 0;
}

/// Bytes used over bytes of the lines touched.
static struct quantity useful_of(const struct struct_advice *a) {
  double used = 0, fetched = 0;
  for (size_t v = 0; v < a->loop_count; v++) {
    const struct layout_visit *visit = &a->visits[v];
    for (size_t i = 0; i < a->item_count; i++) {
      uint32_t bytes = a->layout_items[i].size_bytes;
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

/// From so many lines a visit to fewer: between nothing and what lines alone would make of it.
static struct advice judge(const struct struct_advice *a, enum advice_kind kind, double lines) {
  double fixed = 0, weight = 0;
  for (size_t v = 0; v < a->loop_count; v++) {
    weight += a->visits[v].weight;
    fixed += a->loops[v].visits * visit_cost[a->loops[v].exposure];
  }
  double now = fixed + weight * a->lines_now, then = fixed + weight * lines, ratio = now / then;
  if (!(ratio >= LEAST_GAIN))
    return (struct advice){ADVICE_NONE, lines, quantity_of(1, 1, 1), 0};
  return (struct advice){kind, lines, quantity_of(sqrt(ratio), 1, ratio), now - then};
}

static int compare_heat(const void *left, const void *right, void *heat) {
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  double x = ((const double *)heat)[a], y = ((const double *)heat)[b];
  if (x != y)
    return x > y ? -1 : 1;
  return (a > b) - (a < b);
}

/// The items with heat, hottest first. Returns how many.
static size_t sort_by_heat(const struct struct_advice *a, double *heat, size_t *order) {
  size_t count = 0;
  for (size_t v = 0; v < a->loop_count; v++)
    for (size_t i = 0; a->visits[v].weight > 0 && i < a->item_count; i++)
      heat[i] += a->visits[v].weight * a->visits[v].share[i];
  for (size_t i = 0; i < a->item_count; i++)
    if (heat[i] > 0)
      order[count++] = i;
  qsort_r(order, count, sizeof *order, compare_heat, heat);
  return count;
}

/// The hot part that costs least: the hottest items, as many as pay.
static int find_split(struct struct_advice *a) {
  bool *tried = calloc(a->item_count + 1, sizeof *tried);
  double *heat = calloc(a->item_count + 1, sizeof *heat);
  size_t *order = calloc(a->item_count + 1, sizeof *order);
  a->is_hot = calloc(a->item_count + 1, sizeof *a->is_hot);
  double best = INFINITY;
  bool fine = tried && heat && order && a->is_hot;
  size_t most = fine ? sort_by_heat(a, heat, order) : 0;
  uint64_t step = a->item_count * (8 + SEARCH_LOOPS), work = 0; // layout_split_lines
  for (size_t n = 0; n < most && n + 1 < a->item_count; n++, work += step) {
    if (work > a->problem.work_most) {
      a->is_bounded = true;
      break;
    }
    tried[order[n]] = true;
    uint32_t bytes;
    double lines = layout_split_lines(&a->problem, tried, 0, &bytes);
    if (lines < best) {
      best = lines;
      a->hot_bytes = bytes;
      memcpy(a->is_hot, tried, a->item_count * sizeof *tried);
    }
  }
  a->work += work;
  free(tried);
  free(heat);
  free(order);
  a->split = isinf(best) ? (struct advice){ADVICE_NONE, NAN, quantity_of(1, 1, 1), 0}
                         : judge(a, ADVICE_SPLIT, best);
  return fine ? 0 : RETICLE_E_MEMORY;
}

/// Why no other layout could gain, whatever the loops do; null if one could.
static const char *reason_before_search(const struct struct_advice *a) {
  const char *refusal = advice_refusal(a->use->record);
  if (refusal)
    return refusal;
  if (a->item_count < 2)
    return "it has one field";
  if (a->use->record->size_bytes <= STRUCT_LINE_BYTES)
    return "it fits into one cache line";
  return NULL;
}

static const char *reason_of(const struct struct_advice *a) {
  const char *before = reason_before_search(a);
  if (before)
    return before;
  bool chained = false, walked = false;
  for (size_t i = 0; i < a->loop_count; i++) {
    const struct advice_loop *l = &a->loops[i];
    chained |= l->exposure == EXPOSURE_DEPENDENT;
    walked |= l->visits > 0 && line_cost[l->exposure] > 0;
  }
  if (!walked)
    return "no loop goes from one element to another";
  if (a->order.kind == ADVICE_NONE && a->split.kind == ADVICE_NONE)
    return chained ? "its loops follow a chain of pointers, each element waits for the one before, "
                     "and the fields used together already lie together"
                   : "the fields used together already lie together";
  return "";
}

uint64_t struct_advice_work_most(const struct struct_uses *uses) {
  uint64_t each = REPORT_WORK / (uses->accessed + 1);
  return each < LEAST_WORK ? LEAST_WORK : each > LAYOUT_WORK_MOST ? LAYOUT_WORK_MOST : each;
}

int struct_advise(const struct profile *profile, const struct struct_use *use,
                  const struct advice_wish *wish, struct struct_advice *a) {
  *a = (struct struct_advice){.use = use, .reason = ""};
  a->items = calloc(use->field_count + 1, sizeof *a->items);
  a->layout_items = calloc(use->field_count + 1, sizeof *a->layout_items);
  if (!a->items || !a->layout_items)
    return RETICLE_E_MEMORY;
  make_items(a);
  if (make_loops(profile, a) != 0)
    return RETICLE_E_MEMORY;
  uint32_t align = align_of(use->record->flags, RETICLE_STRUCT_ALIGN_SHIFT);
  a->problem.items = a->layout_items;
  a->problem.item_count = a->item_count;
  a->problem.visits = a->visits;
  a->problem.visit_count = a->loop_count;
  a->problem.align_bytes = align;
  a->problem.work_most = wish->work_most ? wish->work_most : LAYOUT_WORK_MOST;
  a->problem.pinned = find_pins(profile, a);
  if (pin_wish(a, wish->pin) != 0)
    return -1;
  size_t *written = calloc(a->item_count + 1, sizeof *written);
  if (!written)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < a->item_count; i++)
    written[i] = i;
  struct layout now = {0};
  if (wish->apart && find_written(a) != 0) {
    free(written);
    return RETICLE_E_MEMORY;
  }
  layout_evaluate(&a->problem, written, &now);
  free(written);
  a->lines_now = layout_lines(&a->problem, &now);
  a->useful = useful_of(a);
  if (wish->align_bytes > a->problem.align_bytes)
    a->problem.align_bytes = wish->align_bytes;
  struct layout_problem searched = a->problem;
  if (reason_before_search(a))
    searched.pinned = a->item_count; // nothing to search for
  if (layout_search(&searched, &a->best) != 0 || find_split(a) != 0)
    return RETICLE_E_MEMORY;
  a->is_bounded |= a->best.is_bounded;
  a->work += a->best.work;
  a->order = judge(a, ADVICE_ORDER, layout_lines(&a->problem, &a->best));
  a->reason = reason_of(a);
  if (*a->reason) {
    a->order = (struct advice){ADVICE_NONE, a->order.lines, quantity_of(1, 1, 1), 0};
    a->split = (struct advice){ADVICE_NONE, a->split.lines, quantity_of(1, 1, 1), 0};
  }
  return 0;
}

void struct_advice_release(struct struct_advice *a) {
  for (size_t i = 0; a->loops && i < a->loop_count; i++)
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
