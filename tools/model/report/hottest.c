// hottest.c - chooses what takes most of the CPU time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/report/hottest.h"

#include "tools/support/names.h"

#include <math.h>

/// What takes less of the CPU time isn't worth a line, but for the first one.
#define SHARE_LEAST 0.01
/// A loop of which another in it takes so much is told by that one.
#define INSIDE_MOST 0.9

static void find_places(const struct measurement *m, const struct heat *heat, size_t most,
                        struct hottest *out) {
  out->kind = HOTTEST_PLACES;
  for (size_t i = 0; i < heat->place_count && i < most; i++) {
    const struct heat_place *place = &heat->places[i];
    struct quantity share = heat_share(heat, &place->time);
    if (i && !(share.value >= SHARE_LEAST))
      return;
    out->rows[out->count++] = (struct hottest_row){
        .share = told_share(share, false),
        .place = place,
        .loop = place->loop ? measurement_whole_loop(m, place->loop) : NULL,
    };
  }
}

/// Whether it does next to nothing but run another loop.
static bool is_wrapper(const struct measurement *m, const struct measured_loop *loop) {
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *inner = &m->loops[i];
    if (inner->share.status == QUANTITY_OK && !inner->stats.is_most && !inner->is_iteration &&
        inner->share.value >= INSIDE_MOST * loop->share.value &&
        measurement_outer_loop(m, inner) == loop)
      return true;
  }
  return false;
}

/// The next loop behind `last` in the order of the share that is told; null: none is worth a line.
static const struct measured_loop *next_loop(const struct measurement *m,
                                             const struct measured_loop *last) {
  const struct measured_loop *next = NULL;
  double most = last ? loop_told_share(last).value : INFINITY, largest = 0;
  double least = last ? SHARE_LEAST : 0;
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *loop = &m->loops[i];
    double share = loop_told_share(loop).value; // NaN: none
    bool is_behind = share < most || (share == most && loop > last);
    if (share >= least && share > largest && is_behind && !loop->is_iteration &&
        !is_wrapper(m, loop)) {
      next = loop;
      largest = share;
    }
  }
  return next;
}

static void add_loop(const struct measured_loop *loop, struct hottest *out) {
  out->rows[out->count++] = (struct hottest_row){.share = loop_told_share(loop), .loop = loop};
}

static void find_loops(const struct measurement *m, size_t most, struct hottest *out) {
  const struct measured_loop *loop = NULL;
  out->kind = HOTTEST_LOOPS;
  while (out->count < most && (loop = next_loop(m, loop)))
    add_loop(loop, out);
}

static void find_entered(const struct measurement *m, size_t most, struct hottest *out) {
  out->kind = HOTTEST_ENTERED;
  for (size_t i = 0; i < m->loop_count && out->count < most; i++)
    if (m->loops[i].stats.executions && !m->loops[i].is_iteration)
      add_loop(&m->loops[i], out);
}

void hottest_find(const struct measurement *m, size_t most, uint64_t samples, struct hottest *out) {
  const struct heat *heat = heat_get(m);
  most = most < HOTTEST_MOST ? most : HOTTEST_MOST;
  out->count = 0;
  if (!heat->reason && (m->input.study || heat->all.samples >= samples))
    find_places(m, heat, most, out);
  if (!out->count)
    find_loops(m, most, out);
  if (!out->count)
    find_entered(m, most, out);
  if (!out->count)
    out->kind = HOTTEST_NOTHING;
}

const struct measured_loop *hottest_loop(const struct hottest *hottest) {
  const struct measured_loop *first = NULL;
  for (size_t i = 0; i < hottest->count; i++) {
    const struct measured_loop *loop = hottest->rows[i].loop;
    if (loop && (hottest->kind == HOTTEST_PLACES || loop->stats.p50_ns.status == QUANTITY_OK))
      return loop;
    first = first ? first : loop;
  }
  return first;
}

void hottest_name(const struct hottest_row *row, struct text *name, struct text *where) {
  const struct heat_place *place = row->place;
  if (!place) {
    measurement_add_name(row->loop, name);
    measurement_add_place(row->loop->loop, where);
    return;
  }
  text_add(name, *place->function ? place->function : "(no symbol)");
  text_add(where, base_name(place->file));
  if (place->line)
    text_printf(where, ":%u", place->line);
}

const char *hottest_words(const struct measurement *m, enum hottest_kind kind) {
  switch (kind) {
  case HOTTEST_PLACES:
    return "of the CPU time, with what is called outside of the program";
  case HOTTEST_LOOPS:
    return m->shares_wall
               ? "loops, of the threads' wall-clock time, with what they call"
               : "loops, of the CPU time, with what they call (sample=1 tells functions, too)";
  case HOTTEST_ENTERED:
    return "that were entered; their shares can't be told";
  case HOTTEST_NOTHING:
    break;
  }
  return "";
}
