// replay_warm.c - what is in the caches in front of a window: streams, chains, and what comes back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_list_parts.h"
#include "tools/analysis/struct/visit_recurrence.h"
#include "tools/profile/mix.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// RUN: elements in a row that make a stream. DRAWS: of places that are refused, at most.
/// LINKS_LEAST: that tell whether a chain is steady. ROW: visits of an element in a row, at most.
enum { RUN = 8, DRAWS = 100, LINKS_LEAST = 100, ROW = 8 };
/// Part of the links that are as before where a chain is.
#define LINKS_SAME 0.9

// Marsaglia's xorshift64 (Xorshift RNGs, 2003).
static uint64_t next_random(struct replay_builder *b) {
  b->random ^= b->random << 13;
  b->random ^= b->random >> 7;
  return b->random ^= b->random << 17;
}

static bool comes_in_a_row(const struct visit_place *place) {
  return place->exposure == EXPOSURE_STREAMING && place->visits > RUN * place->jumps;
}

static bool most_stream(const struct replay_input *in) {
  const struct visits *v = in->visits;
  double streams = 0, all = 0;
  for (size_t i = 0; i < v->place_count; i++) {
    double visits = (double)v->places[i].visits * in->weights[i];
    all += visits;
    streams += comes_in_a_row(&v->places[i]) ? visits : 0;
  }
  return streams > all / 2;
}

static double next_part(struct replay_builder *b) {
  return (double)(next_random(b) >> 11) * 0x1p-53;
}

/// A visit that was noted, which stands for as many of the run as its place has.
static size_t draw_visit(struct replay_builder *b) {
  const struct replay_input *in = b->space.input;
  for (unsigned tries = 0;; tries++) {
    size_t i = next_random(b) % in->visits->count;
    if (next_part(b) * b->most_weight <= in->weights[in->visits->all[i].place] || tries == DRAWS)
      return i;
  }
}

/// What visits write is written: to drop it costs a cache more than to drop what was only read.
static void add_warm_lines(struct replay_builder *b, const struct visit_place *place,
                           uint64_t element) {
  struct replay_lines l;
  replay_lines_find(b, place, element, &l);
  for (uint32_t i = 0; i < l.count; i++)
    b->out->warm[b->out->warm_count++] =
        (uint32_t)l.numbers[i] | REPLAY_FIRST | (l.written[i] ? REPLAY_WRITE : 0);
}

/// Where the element stands in visits->elements, which has it.
static size_t element_index(const struct visits *v, uint64_t element) {
  size_t low = 0, high = v->element_count;
  while (low + 1 < high) {
    size_t middle = low + (high - low) / 2;
    *(v->elements[middle] <= element ? &low : &high) = middle;
  }
  return low;
}

/// The same element each time for the same one of those of a group that no window has.
static uint64_t unseen_element(struct replay_builder *b, const struct visit_recurrence *recurrence,
                               uint32_t group, uint64_t elements) {
  double among = recurrence->groups[group].unseen;
  uint64_t most = among < 1 ? 0 : among < 0x1p60 ? (uint64_t)among : UINT64_C(1) << 60;
  uint64_t number = (most ? next_random(b) % most : 0) + ((uint64_t)group << 40);
  return replay_space_element(&b->space, profile_mix(number) % elements);
}

/// As many visits as the caches may know of.
static void add_warm_visits(struct replay_builder *b, uint64_t elements) {
  const struct visits *v = b->space.input->visits;
  struct visit_recurrence recurrence;
  visit_recurrence_make(v, b->space.input->size_bytes, &recurrence);
  uint64_t wanted = 2 * elements + 2 * v->count;
  for (; wanted && b->out->warm_count < REPLAY_WARM_MOST; wanted--) {
    size_t i = draw_visit(b);
    uint64_t element = next_part(b) < visit_recurrence_known(&recurrence, i)
                           ? v->all[i].element
                           : unseen_element(b, &recurrence, recurrence.group[i], elements);
    add_warm_lines(b, &v->places[v->all[i].place], element);
  }
  visit_recurrence_release(&recurrence);
}

/// All visits of an element in a row, of which a visit was drawn, made to another element: a stream
/// comes to each with all of them.
static void add_warm_row(struct replay_builder *b, uint64_t element) {
  const struct visits *v = b->space.input->visits;
  size_t first = draw_visit(b), last = first;
  uint64_t drawn = v->all[first].element;
  while (first > 0 && v->all[first - 1].element == drawn && last - first < ROW)
    first--;
  while (last + 1 < v->count && v->all[last + 1].element == drawn && last - first < ROW)
    last++;
  for (size_t i = first; i <= last && b->out->warm_count < REPLAY_WARM_MOST; i++)
    add_warm_lines(b, &v->places[v->all[i].place], element);
}

/// All elements in their order; of more than fit so many, evenly. Each window begins where its
/// first element is, so that this one was touched longest ago.
static void add_warm_stream(struct replay_builder *b, uint64_t elements) {
  const struct visits *v = b->space.input->visits;
  uint64_t step = 1 + 2 * elements / REPLAY_WARM_MOST;
  size_t next = 0;
  uint64_t *firsts = b->firsts; // [window_count] ascending, with the window in the low bits
  for (uint64_t n = 0; n < elements && b->out->warm_count < REPLAY_WARM_MOST; n += step) {
    uint64_t element = replay_space_element(&b->space, n);
    for (; next < v->window_count && firsts[2 * next] <= element; next++)
      b->out->windows[firsts[2 * next + 1]].warm = b->out->warm_count;
    add_warm_row(b, element);
  }
}

/// An element of a chain, and the one that was visited behind it.
struct link {
  uint64_t element, next;
};

static int compare_links(const void *left, const void *right) {
  const struct link *a = left, *b = right;
  return a->element != b->element ? (a->element < b->element ? -1 : 1)
                                  : (a->next > b->next) - (a->next < b->next);
}

/// Links [count] ascending by element: whether elements that come again have the same one behind
/// them as before.
static bool are_steady(const struct link *links, size_t count) {
  size_t again = 0, same = 0;
  for (size_t i = 1; i < count; i++)
    if (links[i].element == links[i - 1].element) {
      again++;
      same += links[i].next == links[i - 1].next;
    }
  return again >= LINKS_LEAST && (double)same >= LINKS_SAME * (double)again;
}

/// Whether most visits go round along a chain that stays as it is, so that each element comes back
/// when all others were visited.
static bool is_cycle(const struct replay_input *in) {
  const struct visits *v = in->visits;
  struct link *links = memory_zeroed(v->count + 1, sizeof *links);
  size_t count = 0;
  double chained = 0, all = 0;
  for (size_t w = 0; w < v->window_count; w++) {
    const struct visit *before = NULL; // the last one along the chain, of another element
    for (size_t i = 0; i < v->windows[w].count; i++) {
      const struct visit *visit = &v->windows[w].visits[i];
      bool is_chain = v->places[visit->place].exposure == EXPOSURE_DEPENDENT;
      all += in->weights[visit->place];
      chained += is_chain ? in->weights[visit->place] : 0;
      if (!is_chain || (before && before->element == visit->element))
        continue;
      if (before)
        links[count++] = (struct link){before->element, visit->element};
      before = visit;
    }
  }
  qsort(links, count, sizeof *links, compare_links);
  bool is_steady = chained > all / 2 && are_steady(links, count);
  free(links);
  return is_steady;
}

/// Elements that no window has, as many as the windows tell of.
static double count_unseen(const struct visit_recurrence *recurrence) {
  double unseen = 0;
  for (size_t i = 0; i < recurrence->group_count; i++)
    unseen += recurrence->groups[i].unseen;
  return unseen;
}

/// The windows' elements, each once, and between windows those that no window has; each window
/// begins with its own.
static void add_warm_cycle(struct replay_builder *b, uint64_t elements) {
  const struct visits *v = b->space.input->visits;
  struct visit_recurrence recurrence;
  bool *placed = memory_zeroed(v->element_count + 1, sizeof *placed);
  visit_recurrence_make(v, b->space.input->size_bytes, &recurrence);
  double unseen = fmin(count_unseen(&recurrence), REPLAY_WARM_MOST),
         each = unseen / (double)v->window_count;
  uint64_t number = 0;
  for (size_t w = 0; w < v->window_count; w++) {
    const struct visit_window *window = &v->windows[w];
    b->out->windows[w].warm = b->out->warm_count;
    for (size_t i = 0; i < window->count && b->out->warm_count < REPLAY_WARM_MOST; i++) {
      const struct visit *visit = &window->visits[i];
      bool *is_placed = &placed[element_index(v, visit->element)];
      if (!*is_placed)
        add_warm_lines(b, &v->places[visit->place], visit->element);
      *is_placed = true;
    }
    for (; (double)number < each * (double)(w + 1) && b->out->warm_count < REPLAY_WARM_MOST;
         number++)
      add_warm_lines(b, &v->places[v->all[draw_visit(b)].place],
                     replay_space_element(&b->space, profile_mix(number) % elements));
  }
  free(placed);
  visit_recurrence_release(&recurrence);
}

static int compare_firsts(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

/// Lines as visits touch them in the long run: places as often as they visit, elements in a row, or
/// each as often as it comes back.
void replay_warm_make(struct replay_builder *b) {
  const struct visits *v = b->space.input->visits;
  uint64_t unseen = b->space.clusters[b->space.cluster_count - 1].slots;
  uint64_t elements = b->space.by_index ? b->space.slots : v->element_count + unseen;
  struct replay_list *out = b->out;
  out->warm = memory_zeroed(REPLAY_WARM_MOST + REPLAY_VISIT_LINES, sizeof *out->warm);
  b->firsts = memory_zeroed(2 * v->window_count + 2, sizeof *b->firsts);
  bool streams = most_stream(b->space.input), cycles = !streams && is_cycle(b->space.input);
  out->goes_round = streams || cycles;
  for (size_t i = 0; i < v->place_count; i++)
    if (v->places[i].visits && b->space.input->weights[i] > b->most_weight)
      b->most_weight = b->space.input->weights[i];
  for (size_t i = 0; i < v->window_count; i++) {
    b->firsts[2 * i] = v->windows[i].visits[0].element;
    b->firsts[2 * i + 1] = i;
  }
  qsort(b->firsts, v->window_count, 2 * sizeof *b->firsts, compare_firsts);
  if (cycles)
    add_warm_cycle(b, elements);
  else if (streams)
    add_warm_stream(b, elements);
  else
    add_warm_visits(b, elements);
}
