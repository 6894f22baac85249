// calibration.c - what the algorithms for t_min and t_diff share: rows, filters, votes, the search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/calibration/calibration_parts.h"

#include "bench/calibration/forest_filter.h"
#include "tools/analysis/run/calibration_rules.h"
#include "tools/profile/error.h"

#include <math.h>
#include <stdlib.h>

struct calibration_options calibration_t_min_defaults(void) {
  return (struct calibration_options){.timings = 1000,
                                      .repeats = 30,
                                      .pairs = 80,
                                      .cv = 0.01,
                                      .alpha = 0.05,
                                      .step = 10000,
                                      .grid_first = 150,
                                      .grid_factor = 1.35,
                                      .ceiling = 1000000,
                                      .calls_max = 20000,
                                      .seed = 1};
}

struct calibration_options calibration_t_diff_defaults(void) {
  struct calibration_options options = calibration_t_min_defaults();
  options.step = 100;
  options.ceiling = 10000;
  options.calls_max = 400000;
  return options;
}

static bool usable(const struct calibration_source *source, size_t clock,
                   const struct calibration_options *options) {
  if (!source->measure || source->clocks < 1 || source->clocks > CALIBRATION_CLOCKS ||
      clock >= source->clocks)
    return false;
  for (size_t i = 0; i < source->clocks; i++) {
    const struct calibration_clock *c = &source->clock[i];
    if (!isfinite(c->cost) || !isfinite(c->tick) || c->tick < 0 || !isfinite(c->per_add) ||
        !(c->per_add > 0))
      return false;
  }
  return options->timings >= 20 && options->timings <= UINT32_MAX && options->repeats >= 1 &&
         options->pairs >= 1 && options->cv > 0 && options->alpha >= 0 && options->step >= 1 &&
         options->grid_first >= 1 && options->grid_factor > 1 && isfinite(options->grid_factor);
}

int calibration_search_init(struct calibration_search *search,
                            const struct calibration_source *source, size_t clock,
                            const struct calibration_options *options, size_t trials) {
  *search = (struct calibration_search){.source = source, .options = options, .clock = clock};
  if (!usable(source, clock, options))
    return RETICLE_E_VALUE;
  size_t n = options->timings;
  search->result.best = NAN;
  search->timings = calloc(2 * n * source->clocks, sizeof *search->timings);
  search->values = calloc(2 * n, sizeof *search->values);
  search->room = calloc(n, sizeof *search->room);
  search->keep = calloc(n, sizeof *search->keep);
  search->trials = calloc(trials, sizeof *search->trials);
  return search->timings && search->values && search->room && search->keep && search->trials
             ? 0
             : RETICLE_E_MEMORY;
}

void calibration_search_release(struct calibration_search *search) {
  free(search->timings);
  free(search->values);
  free(search->room);
  free(search->keep);
  free(search->trials);
}

int calibration_search_finish(struct calibration_search *search, int stopped,
                              struct calibration_result *out) {
  calibration_search_release(search);
  if (stopped < 0)
    return stopped;
  *out = search->result;
  return 0;
}

int calibration_stop(struct calibration_search *search, enum calibration_status status) {
  search->result.status = status;
  return CALIBRATION_STOPPED;
}

int calibration_measure(struct calibration_search *search, uint64_t adds, size_t n,
                        double *timings) {
  const struct calibration_source *source = search->source;
  struct calibration_result *result = &search->result;
  if (search->options->calls_max && result->calls >= search->options->calls_max)
    return calibration_stop(search, CALIBRATION_OUT_OF_TIME);
  result->calls++;
  int failed = source->measure(source->context, adds, n, timings);
  if (failed)
    return calibration_stop(search, failed < 0 ? CALIBRATION_FAILED : CALIBRATION_OUT_OF_TIME);
  for (size_t i = 0; i < n * source->clocks; i++) {
    timings[i] -= source->clock[i % source->clocks].cost;
    if (!isfinite(timings[i]))
      return calibration_stop(search, CALIBRATION_FAILED);
  }
  result->timings += n;
  return 0;
}

void calibration_readings(const struct calibration_search *search, const double *timings, size_t n,
                          double *values) {
  for (size_t i = 0; i < n; i++)
    values[i] = timings[i * search->source->clocks + search->clock];
}

int calibration_filtered_row(struct calibration_search *search, uint64_t adds, double *values,
                             size_t *kept) {
  size_t n = search->options->timings;
  struct forest_filtered filtered;
  int stopped = calibration_measure(search, adds, n, search->timings);
  if (stopped)
    return stopped;
  int failed = forest_filter(search->timings, n, search->source->clocks, search->clock,
                             search->options->seed, search->keep, &filtered);
  if (failed)
    return failed;
  calibration_readings(search, search->timings, n, values);
  *kept = 0;
  for (size_t i = 0; i < n; i++)
    if (search->keep[i])
      values[(*kept)++] = values[i];
  search->result.dropped += filtered.dropped;
  return 0;
}

void calibration_note(struct calibration_search *search, double value) {
  search->result.best = fmin(search->result.best, value); // the other one where one is NaN
}

int calibration_climb(struct calibration_search *search,
                      int (*candidate)(struct calibration_search *search, uint64_t adds,
                                       bool *passes)) {
  struct calibration_result *result = &search->result;
  uint64_t ceiling = search->options->ceiling;
  for (uint64_t step = search->options->step; step >= 1; step /= 10) {
    uint64_t at = result->below; // the listing's start
    for (bool passes = false; !passes;) {
      if (step > ceiling || at > ceiling - step)
        return calibration_stop(search, CALIBRATION_NOT_REACHED);
      at += step;
      int stopped = candidate(search, at, &passes);
      if (stopped)
        return stopped;
      *(passes ? &result->adds : &result->below) = at;
    }
  }
  return 0;
}

int calibration_vote(struct calibration_search *search, uint64_t adds, size_t count,
                     int (*trial)(struct calibration_search *search, uint64_t adds, size_t i,
                                  double *value),
                     bool (*within)(const struct calibration_search *search, double value),
                     bool *passes) {
  size_t yes = 0, asked = 0;
  // The middle one is within exactly when more than count / 2 are.
  while (yes <= count / 2 && asked - yes < count - count / 2) {
    int stopped = trial(search, adds, asked, &search->trials[asked]);
    if (stopped)
      return stopped;
    yes += within(search, search->trials[asked++]);
  }
  *passes = yes > count / 2;
  calibration_note(search, calibration_middle(search->trials, asked));
  return 0;
}

double calibration_cost_paper(const double *timings, size_t n) {
  double least = timings[0];
  for (size_t i = 1; i < n; i++)
    least = fmin(least, timings[i]);
  return least;
}

struct quantity calibration_quantity(const struct calibration_result *result,
                                     const struct calibration_clock *clock) {
  double value = (double)result->adds * clock->per_add;
  switch (result->status) {
  case CALIBRATION_OK:
    return quantity_of(value, (double)result->below * clock->per_add, value);
  case CALIBRATION_NOT_REACHED:
    return quantity_none(QUANTITY_TOO_NOISY, "nothing up to the ceiling passes");
  case CALIBRATION_FAILED:
    return quantity_none(QUANTITY_UNSUPPORTED, "the clock could not be read");
  case CALIBRATION_OUT_OF_TIME:
    break;
  }
  return quantity_none(QUANTITY_TOO_FEW, "the time granted was used up");
}

const char *calibration_status_name(enum calibration_status status) {
  switch (status) {
  case CALIBRATION_OK:
    return "ok";
  case CALIBRATION_NOT_REACHED:
    return "not_reached";
  case CALIBRATION_FAILED:
    return "failed";
  case CALIBRATION_OUT_OF_TIME:
    return "out_of_time";
  }
  return "unknown";
}
