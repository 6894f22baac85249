// visit_cost.c - the time of loops and a function's instructions, over the visits that they made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/replay/visit_cost.h"

#include "tools/model/block/function_instructions.h"
#include "tools/model/loop/loop_own.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double visit_cost_runs(const struct measurement *m) {
  const struct profile *counts = m->input.study ? study_input_counts(m->input.study) : NULL;
  size_t runs = counts ? counts->merged_count : m->input.profile.merged_count;
  return runs ? (double)runs : 1;
}

/// Visits of the place, in all runs.
static double visits_of(const struct visit_cost_input *in, size_t place) {
  return (double)in->visits->places[place].visits * in->weights[place];
}

/// Loops around one another, at most.
#define NEST_MOST 8

/// The loop of a place and those around it in the function, the innermost first; 0 behind them.
struct nest {
  uint64_t loops[NEST_MOST + 1];
};

static struct nest *make_nests(const struct visit_cost_input *in) {
  const struct visits *v = in->visits;
  struct nest *nests = memory_zeroed(v->place_count + 1, sizeof *nests);
  for (size_t i = 0; i < v->place_count; i++) {
    uint64_t loop = v->places[i].loop;
    for (size_t k = 0; loop && k < NEST_MOST; k++) {
      nests[i].loops[k] = loop;
      loop = loop_own_outer(in->m, loop);
    }
  }
  return nests;
}

static bool is_in(const struct nest *nest, uint64_t loop) {
  for (const uint64_t *at = nest->loops; *at; at++)
    if (*at == loop)
      return true;
  return false;
}

/// The time of a place's loop and of those around it, each without the loops inside it, over the
/// visits that are made inside: what is done between two searches is a part of each of their
/// steps. NaN: not known.
static double nest_time(const struct visit_cost_input *in, const struct nest *nests, size_t place) {
  double ns = nests[place].loops[0] ? 0 : NAN;
  for (const uint64_t *loop = nests[place].loops; *loop; loop++) {
    double visits = 0;
    for (size_t k = 0; k < in->visits->place_count; k++)
      visits += is_in(&nests[k], *loop) ? visits_of(in, k) / visit_cost_runs(in->m) : 0;
    ns += visits > 0 ? loop_own_share(in->m, *loop) * in->program_ns / visits : NAN;
  }
  return ns;
}

/// What the program takes for each visit of a place, in ns; where its loops' times aren't known
/// what code that accesses the struct takes on average.
static void find_place_times(const struct visit_cost_input *in, double *place_ns) {
  const struct visits *v = in->visits;
  struct nest *nests = make_nests(in);
  double runs = visit_cost_runs(in->m), all = 0, sum_ns = 0;
  for (size_t i = 0; i < v->place_count; i++)
    all += visits_of(in, i) / runs;
  for (size_t i = 0; i < v->place_count; i++) {
    double ns = nest_time(in, nests, i);
    place_ns[i] = isnan(ns) ? in->code_ns / all : ns;
    sum_ns += place_ns[i] * visits_of(in, i) / runs;
  }
  for (size_t i = 0; i < v->place_count; i++)
    place_ns[i] *= fmin(1, in->code_ns / sum_ns);
  free(nests);
}

/// What a function executes in a run.
struct executed {
  double visits; ///< of the struct
  double instructions;
  double by_ns; ///< instructions in a ns
};

static struct executed executed_by(const struct visit_cost_input *in, const char *function) {
  const struct visits *v = in->visits;
  struct executed e = {0};
  double share = 0;
  for (size_t i = 0; i < v->place_count; i++)
    if (strcmp(v->places[i].function, function) == 0)
      e.visits += visits_of(in, i) / visit_cost_runs(in->m);
  e.instructions = function_instructions(in->m, function, &share);
  e.by_ns = e.instructions / (share * in->program_ns);
  return e;
}

/// The instructions of each place's function, over its visits; no more than it executes in the
/// place's time, where other code of it has most of them.
///
/// place  [place_count] in: ns of a visit; out: NaN: not known
static void find_place_instructions(const struct visit_cost_input *in, double *place) {
  const struct visits *v = in->visits;
  struct executed e = {0};
  const char *function = NULL;
  for (size_t i = 0; i < v->place_count; i++) {
    if (!function || strcmp(function, v->places[i].function) != 0)
      e = executed_by(in, v->places[i].function);
    function = v->places[i].function;
    place[i] = isnan(e.instructions) || !(e.visits > 0)
                   ? NAN
                   : fmin(e.instructions / e.visits, e.by_ns * place[i]);
  }
}

/// The mean of each window's visits, of places whose value is known; `none` where there are none.
static void find_windows(const struct visit_cost_input *in, const double *place, double none,
                         double *window) {
  const struct visits *v = in->visits;
  for (size_t w = 0; w < v->window_count; w++) {
    double sum = 0, weights = 0;
    for (size_t i = 0; i < v->windows[w].count; i++) {
      size_t at = v->windows[w].visits[i].place;
      sum += isnan(place[at]) ? 0 : place[at] * in->weights[at];
      weights += isnan(place[at]) ? 0 : in->weights[at];
    }
    window[w] = weights > 0 ? sum / weights : none;
  }
}

double visit_cost_find(const struct visit_cost_input *in, double *window_ns,
                       double *window_instructions) {
  const struct visits *v = in->visits;
  double *place = memory_zeroed(v->place_count + 1, sizeof *place), all_ns = 0;
  find_place_times(in, place);
  for (size_t w = 0; w < v->window_count; w++)
    for (size_t i = 0; i < v->windows[w].count; i++) {
      size_t at = v->windows[w].visits[i].place;
      all_ns += place[at] * in->weights[at];
    }
  find_windows(in, place, 0, window_ns);
  find_place_instructions(in, place);
  find_windows(in, place, NAN, window_instructions);
  free(place);
  return fmin(all_ns / visit_cost_runs(in->m) / in->program_ns, 1);
}
