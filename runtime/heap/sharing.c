// sharing.c - collects lines that several threads touch, by allocation site.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   marks of a line    | 1w . 2w . 1r ...|     thread 1 writes word 0, thread 2 word 2: apart
//   sample by sample   apart  apart  -  apart  three of them in an object's life: noted, by its
//   site 0.2 ms later       1w . 2w                 both were there again: that often it happens
//
// An object that one thread hands over to another shows two of them once, or not at all: that's why
// it takes three intervals, and the marks must say that they were touched before (an object that
// comes to the place of another one starts with empty marks).
#include "runtime/heap/sharing.h"

#include "runtime/heap/frames.h"
#include "runtime/heap/line.h"
#include "runtime/heap/shadow_memory.h"
#include "runtime/heap/shared_line.h"
#include "runtime/heap/site.h"
#include "runtime/support/fork.h"
#include "runtime/support/stops.h"
#include "runtime/sys/sys.h"

enum {
  LINES = 8192, // that were seen shared lately
  WAYS = 8,
  KEPT = 1024, // what will be in the profile
  NEEDED = 3,  // intervals in an object's life
  STALE = 64,  // samples
  AGAIN = 256, // looks behind a sample
  NOBODY = UINT32_MAX,
};

/// A line of the program's memory.
struct line {
  uint8_t *marks;                      // null: free
  uint32_t number;                     // of the last look that saw it shared
  uint32_t kept;                       // 1 + place in `kept`, NOBODY, or 0 before it is noted
  uint32_t intervals[RRT_LINE_COMMON]; // [how - 1] of this object's life
  uint32_t touched;                    // words, a bit each
};

/// Of all intervals of a line in which it looked alike.
struct shape {
  uint32_t read, written, shared;
  uint64_t threads[2];
};

/// Lines of one site at one offset.
struct kept {
  uint32_t site, neighbour;
  const uint8_t *best; // the line that the shapes are of, and its intervals
  uint32_t best_intervals;
  struct shape shapes[RRT_LINE_COMMON]; // [how - 1]
  struct reticle_file_sharedline record;
};

static struct {
  struct line *lines; // [LINES]
  struct kept *kept;  // [KEPT], of which kept_count are in use
  uint32_t number;
  struct {
    const uint8_t *marks;
    struct kept *kept;
  } again[AGAIN]; // of which again_count are in use
} state;
static struct {
  uint32_t kept_count, again_count;
  uint64_t looks, look_ns, lines_lost;
} process RRT_PER_PROCESS;

void rrt_sharing_open(void) {
  if (!state.lines)
    state.lines = rrt_sys_map(LINES * sizeof *state.lines);
  if (!state.kept)
    state.kept = rrt_sys_map(KEPT * sizeof *state.kept);
  __atomic_store_n(&rrt_shadow.is_sharing, state.lines && state.kept, __ATOMIC_RELEASE);
}

// --- lines seen lately ---------------------------------------------------------------------------

static uint32_t intervals_of(const struct line *l) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < RRT_LINE_COMMON; i++)
    sum += l->intervals[i];
  return sum;
}

// The line's place, or that of the one that is missed least.
static struct line *place_of(uint8_t *marks) {
  uint32_t set = (uint32_t)(((uintptr_t)marks >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40) & ~7u;
  struct line *worst = NULL, *first = state.lines + set % LINES;
  uint32_t missed = UINT32_MAX;
  for (struct line *l = first; l < first + WAYS; l++) {
    if (l->marks == marks)
      return l;
    uint32_t worth = !l->marks || state.number - l->number > STALE ? 0 : intervals_of(l);
    if (worth < missed) {
      worst = l;
      missed = worth;
    }
  }
  process.lines_lost += missed > 1; // once is what handing over looks like
  *worst = (struct line){.marks = marks};
  return worst;
}

// --- lines for the profile -----------------------------------------------------------------------

static struct kept *keep(const struct rrt_line_object *object) {
  for (uint32_t i = 0; i < process.kept_count; i++) {
    struct kept *k = &state.kept[i];
    if (k->site == object->site && k->record.offset == object->offset_bytes &&
        k->record.own == object->own && k->neighbour == object->neighbour)
      return k;
  }
  if (process.kept_count == KEPT)
    return NULL;
  struct kept *k = &state.kept[process.kept_count];
  *k = (struct kept){.site = object->site, .neighbour = object->neighbour};
  k->record.offset = object->offset_bytes;
  k->record.first = object->first;
  k->record.own = object->own;
  __atomic_store_n(&process.kept_count, process.kept_count + 1, __ATOMIC_RELEASE);
  return k;
}

// It was seen often enough: whose is it?
static void note(struct line *l, const struct rrt_line_look *look) {
  struct rrt_line_object object;
  struct kept *k = NULL;
  if (rrt_line_find(l->marks, look, &object)) {
    k = keep(&object);
    process.lines_lost += !k;
  }
  l->kept = k ? 1 + (uint32_t)(k - state.kept) : NOBODY;
  if (!k)
    return;
  k->record.lines++;
  k->record.apart += l->intervals[RRT_LINE_APART - 1];
  k->record.mixed += l->intervals[RRT_LINE_MIXED - 1];
  k->record.common += l->intervals[RRT_LINE_COMMON - 1];
}

static void count(struct kept *k, enum rrt_line_how how) {
  k->record.apart += how == RRT_LINE_APART;
  k->record.mixed += how == RRT_LINE_MIXED;
  k->record.common += how == RRT_LINE_COMMON;
}

static void describe(struct kept *k, const struct line *l, const struct rrt_line_look *look) {
  uint32_t intervals = intervals_of(l);
  if (k->best != l->marks) {
    if (intervals <= k->best_intervals)
      return;
    rrt_zero(k->shapes, sizeof k->shapes);
    k->best = l->marks;
  }
  k->best_intervals = intervals;
  struct shape *s = &k->shapes[look->how - 1];
  s->read |= look->read;
  s->written |= look->written;
  s->shared |= look->shared;
  s->threads[0] |= look->threads[0];
  s->threads[1] |= look->threads[1];
}

// --- looks ---------------------------------------------------------------------------------------

static void see(uint8_t *marks, const struct rrt_line_look *look) {
  struct line *l = place_of(marks);
  if (l->touched & ~look->earlier) // another object has come
    *l = (struct line){.marks = marks};
  l->number = state.number;
  l->touched |= look->touched;
  l->intervals[look->how - 1]++;
  if (l->kept && l->kept != NOBODY)
    count(&state.kept[l->kept - 1], look->how);
  else if (!l->kept && intervals_of(l) >= NEEDED)
    note(l, look);
  if (!l->kept || l->kept == NOBODY)
    return;
  struct kept *k = &state.kept[l->kept - 1];
  describe(k, l, look);
  if (process.again_count < AGAIN) {
    state.again[process.again_count].marks = marks;
    state.again[process.again_count++].kept = k;
  }
}

static void look_at_pages(uint8_t *begin, uint8_t *end, void *context) {
  (void)context;
  for (uint8_t *marks = begin; marks < end; marks += RRT_LINE_WORDS) {
    struct rrt_line_look look;
    if (rrt_line_may_be_shared(marks) && rrt_line_look(marks, &look) != RRT_LINE_OWN)
      see(marks, &look);
  }
}

void rrt_sharing_look(void) {
  state.number++;
  process.again_count = 0;
  rrt_line_find_begin();
  rrt_shadow_memory_visit(look_at_pages, NULL);
}

int rrt_sharing_any(void) { return process.again_count != 0; }

void rrt_sharing_look_again(uint64_t sample_ns) {
  process.look_ns += rrt_stops_run_ns() - sample_ns;
  process.looks++;
  for (uint32_t i = 0; i < process.again_count; i++) {
    struct rrt_line_look look;
    state.again[i].kept->record.looks++;
    state.again[i].kept->record.hits += rrt_line_look(state.again[i].marks, &look) != RRT_LINE_OWN;
  }
  process.again_count = 0;
}

void rrt_sharing_forked(void) {
  if (!rrt_shadow.is_sharing)
    return;
  rrt_zero(state.lines, LINES * sizeof *state.lines);
}

// --- numbers -------------------------------------------------------------------------------------

void rrt_sharing_read(struct reticle_file_shadow *out) {
  out->detail = rrt_shadow.is_sharing;
  out->threads = __atomic_load_n(&rrt_shadow.threads, __ATOMIC_RELAXED);
  out->looks = process.looks;
  out->look_ns = process.look_ns;
  out->lines_lost = process.lines_lost;
}

// What the line was like most of the time.
static const struct shape *usual_shape(const struct kept *k) {
  const uint64_t counts[] = {k->record.apart, k->record.mixed, k->record.common};
  uint32_t most = 0;
  for (uint32_t i = 1; i < RRT_LINE_COMMON; i++)
    most = counts[i] > counts[most] ? i : most;
  return &k->shapes[most];
}

int rrt_sharing_line(uint32_t i, struct reticle_file_sharedline *out) {
  if (i >= __atomic_load_n(&process.kept_count, __ATOMIC_ACQUIRE))
    return 0;
  const struct kept *k = &state.kept[i];
  const struct shape *s = usual_shape(k);
  *out = k->record;
  out->site = rrt_frames_id(rrt_site_get(k->site));
  out->neighbour = k->neighbour ? rrt_frames_id(rrt_site_get(k->neighbour)) : 0;
  out->read = s->read;
  out->written = s->written;
  out->shared = s->shared;
  out->threads_low = s->threads[0];
  out->threads_high = s->threads[1];
  return 1;
}

uint64_t rrt_sharing_bytes(void) {
  return rrt_shadow.is_sharing ? LINES * sizeof *state.lines + KEPT * sizeof *state.kept : 0;
}
