// calibrate.c - reticle calibrate: what the timers of this machine can tell, and what they cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block/calibrate_json.h"
#include "tools/render/text/block/calibrate_plot.h"
#include "tools/run/calibrate/calibrate_run.h"

#include "tools/cmd/commands.h"
#include "tools/profile/file_new.h"
#include "tools/render/text/block/calibrate_text.h"
#include "tools/store/floor_cache.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"
#include "tools/support/nearest.h"
#include "tools/support/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT_S = 60, LIMIT_QUICK_S = 5, LIMIT_LEAST_S = 2, MASK_MOST_TICKS = 100000 };

#define LIMIT_NOT_GIVEN UINT64_MAX

struct calibrate_options {
  bool json, quick, store;
  const char *timers, *flushes, *svg;
  uint64_t limit_s, mask_ticks;
};

/// Sets chosen[i] for each word of a list "a,b". Returns false after saying which word is unknown.
///
/// names  [count]; all are chosen where list is null
static bool choose(const struct command *command, const char *what, const char *list,
                   const char *const *names, size_t count, bool *chosen) {
  for (size_t i = 0; i < count; i++)
    chosen[i] = !list;
  while (list) {
    char word[32];
    size_t length = strcspn(list, ","), found = count;
    struct nearest nearest = {0};
    struct text known = {0};
    snprintf(word, sizeof(word), "%.*s", (int)length, list);
    for (size_t i = 0; i < count; i++) {
      nearest_add(&nearest, word, names[i]);
      text_printf(&known, "%s%s", i ? ", " : "", names[i]);
      found = strcmp(names[i], word) == 0 ? i : found;
    }
    if (found < count)
      chosen[found] = true;
    else if (nearest.name)
      options_misuse(command, "unknown %s '%s'; did you mean '%s'? known are %s", what, word,
                     nearest.name, text_get(&known));
    else
      options_misuse(command, "unknown %s '%s'; known are %s", what, word, text_get(&known));
    text_release(&known);
    if (found == count)
      return false;
    list = list[length] ? list + length + 1 : NULL;
  }
  return true;
}

static bool choose_all(const struct command *command, const struct calibrate_options *options,
                       struct calibration *c) {
  const char *timers[HARNESS_TIMER_COUNT], *flushes[CALIBRATE_FLUSHES];
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
    timers[i] = c->timers[i].timer->key;
  for (size_t i = 0; i < CALIBRATE_FLUSHES; i++)
    flushes[i] = c->flushes[i].key;
  const char *sizes = options->flushes ? options->flushes : options->quick ? "0,l1" : NULL;
  struct calibrate_request *request = &c->request;
  request->quick = options->quick;
  request->mask_ticks = (unsigned)options->mask_ticks;
  request->limit_s = options->limit_s != LIMIT_NOT_GIVEN ? (double)options->limit_s
                     : options->quick                    ? LIMIT_QUICK_S
                                                         : LIMIT_S;
  return choose(command, "timer", options->timers, timers, HARNESS_TIMER_COUNT, request->timers) &&
         choose(command, "flush size", sizes, flushes, CALIBRATE_FLUSHES, request->flushes);
}

/// Whether one of the timers that are asked for is there; else says why they aren't.
static bool has_timer(const struct calibration *c) {
  struct text reasons = {0};
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    const struct harness_timer *timer = c->timers[i].timer;
    if (!c->request.timers[i])
      continue;
    if (!timer->absent) {
      text_release(&reasons);
      return true;
    }
    text_printf(&reasons, "%s%s: %s", reasons.length ? "; " : "", timer->key, timer->absent);
  }
  message_error("calibrate: no timer to measure: %s", text_get(&reasons));
  text_release(&reasons);
  return false;
}

/// One line of progress that is written over again, on a terminal alone.
static void show_progress(const struct calibrate_flush *flush, double seconds, double limit_s) {
  static double last_s = -1;
  if (!isatty(STDERR_FILENO) || seconds < last_s + 0.2)
    return;
  last_s = seconds;
  fprintf(stderr, "\rreticle: calibrate: %-8s %3.0f s of at most about %.0f s", flush->name,
          seconds, limit_s);
  fflush(stderr);
}

static void end_progress(void) {
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
}

/// What the cache holds beside the floor of the reports: the other flush sizes.
static void add_details(const struct calibration *c, struct text *out) {
  text_printf(out, "measured_by=calibrate\npair_ps=%lld\ntick_ps=%lld\n",
              llround(1000 * c->timers[HARNESS_TIMER_PROBE].pair_ns.value),
              llround(1000 * c->timers[HARNESS_TIMER_PROBE].step_ns));
  for (size_t f = 1; f < CALIBRATE_FLUSHES; f++) {
    const struct timing_floor *floor = &calibrate_ours(&c->flushes[f])->floor;
    if (floor->t_min_ns.status == QUANTITY_OK)
      text_printf(out, "t_min_%s_ps=%lld\n", c->flushes[f].key,
                  llround(1000 * floor->t_min_ns.value));
    if (floor->t_diff_ns.status == QUANTITY_OK)
      text_printf(out, "t_diff_%s_ps=%lld\n", c->flushes[f].key,
                  llround(1000 * floor->t_diff_ns.value));
  }
}

/// Why the floor is nothing to judge reports by; null if it is.
static const char *unfit(const struct calibration *c) {
  const struct calibrate_cell *ours = calibrate_ours(&c->flushes[0]);
  if (c->request.mask_ticks > 1)
    return "readings were cut (--mask-ticks)";
  if (!c->timers[HARNESS_TIMER_PROBE].used)
    return "the timer of the probes was not asked for";
  if (!c->flushes[0].used)
    return "nothing was measured without a flush (--flush 0)";
  if (ours->floor.t_min_ns.status != QUANTITY_OK || ours->floor.t_diff_ns.status != QUANTITY_OK)
    return "it was not reached; what was stored before stays";
  return NULL;
}

/// Stores the floor where it is one. Returns an exit status.
static int store(const struct calibration *c, bool wanted, struct calibrate_stored *stored) {
  static char reason[256];
  stored->reason = wanted ? unfit(c) : "--no-store";
  if (stored->reason)
    return EXIT_FINE;
  struct timing_floor floor = calibrate_ours(&c->flushes[0])->floor;
  struct text details = {0};
  floor.t_e_ns = c->timers[HARNESS_TIMER_PROBE].t_e_ns;
  floor.time_s = c->time_s;
  add_details(c, &details);
  char *path = floor_cache_path(&c->machine);
  int failed = floor_cache_write(&c->machine, &floor, text_get(&details));
  text_release(&details);
  if (!failed) {
    stored->path = path;
    return EXIT_FINE;
  }
  snprintf(reason, sizeof(reason), "%s", strerror(failed));
  stored->reason = reason;
  message_error("calibrate: %s: the floor can't be stored: %s; make that place writable, or set "
                "XDG_CACHE_HOME",
                path ? path : "neither XDG_CACHE_HOME nor HOME is set", strerror(failed));
  free(path);
  return EXIT_UNREADABLE;
}

static bool print(const struct calibration *c, const struct calibrate_stored *stored, bool json) {
  if (json)
    return calibrate_json(c, stored, stdout);
  struct terminal terminal = terminal_inspect(fileno(stdout));
  struct text out = {0};
  calibrate_text(c, stored, &terminal, &out);
  bool written = fwrite(text_get(&out), 1, out.length, stdout) == out.length && !fflush(stdout);
  text_release(&out);
  return written;
}

/// Before the measuring, which takes a minute.
static bool can_write(const char *path) {
  struct file_new file;
  int failed = file_new_open(path, &file);
  if (failed) {
    message_error("calibrate: %s: can't be written: %s", path, file_new_reason(failed));
    return false;
  }
  file_new_close(&file, ECANCELED);
  return true;
}

/// Returns 0 or an errno.
static int write_plot(const struct calibration *c, const char *path) {
  struct file_new file;
  struct text svg = {0};
  int failed = file_new_open(path, &file);
  if (failed)
    return failed;
  calibrate_plot(c, &svg);
  bool written = fwrite(text_get(&svg), 1, svg.length, file.stream) == svg.length;
  text_release(&svg);
  return file_new_close(&file, written ? 0 : errno);
}

static int measure(struct calibration *c, const struct calibrate_options *options) {
  if (!has_timer(c) || (options->svg && !can_write(options->svg)))
    return EXIT_UNREADABLE;
  bool measured = calibrate_run(c, show_progress);
  end_progress();
  if (!measured) {
    message_error("calibrate: the timer doesn't advance evenly: nothing can be measured here");
    return EXIT_UNREADABLE;
  }
  struct calibrate_stored stored = {0};
  int status = store(c, options->store, &stored);
  if (!print(c, &stored, options->json)) {
    message_error("calibrate: not all of it could be written: %s", strerror(errno));
    status = EXIT_UNREADABLE;
  }
  free((char *)stored.path);
  int failed = options->svg ? write_plot(c, options->svg) : 0;
  if (failed) {
    message_error("calibrate: %s: not all of it could be written: %s", options->svg,
                  file_new_reason(failed));
    status = EXIT_UNREADABLE;
  }
  return status;
}

static const struct option_spec options[] = {
    {"json", 'j', OPTION_FLAG, NULL, offsetof(struct calibrate_options, json),
     "JSON on stdout (schema reticle-calibrate/1)"},
    {"svg", 0, OPTION_TEXT, "FILE", offsetof(struct calibrate_options, svg),
     "a picture of the distributions of measured less expected"},
    {"quick", 'q', OPTION_FLAG, NULL, offsetof(struct calibrate_options, quick),
     "flush sizes 0 and l1 alone unless --flush says which, within 5 s"},
    {"timer", 't', OPTION_TEXT, "LIST", offsetof(struct calibrate_options, timers),
     "only these timers, e.g. rdtscp,papi; see the first table for their names"},
    {"flush", 'f', OPTION_TEXT, "LIST", offsetof(struct calibrate_options, flushes),
     "only these flush sizes, of 0,l1,l2,l3: nothing, or four times that cache"},
    {"time-limit", 0, OPTION_COUNT, "S", offsetof(struct calibrate_options, limit_s),
     "about so many seconds at most (default 60, at least 2); what they are too few for is left "
     "out and says what it needs"},
    {"store", 0, OPTION_SWITCH, NULL, offsetof(struct calibrate_options, store),
     "keep the floor for all reports on this machine (default)"},
    {"mask-ticks", 0, OPTION_COUNT, "N", offsetof(struct calibrate_options, mask_ticks),
     "a test aid: cut readings to multiples of N ticks, as a timer with such steps gives them"},
};

static int run(const struct command *command, int argc, char **argv) {
  struct calibrate_options chosen = {.store = true, .limit_s = LIMIT_NOT_GIVEN};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return options_status(result);
  if (operands)
    return options_misuse(command, "takes no operands, but got '%s'", argv[1]);
  if (chosen.limit_s < LIMIT_LEAST_S)
    return options_misuse(command, "--time-limit: at least %d seconds, but got %llu", LIMIT_LEAST_S,
                          (unsigned long long)chosen.limit_s);
  if (chosen.mask_ticks > MASK_MOST_TICKS)
    return options_misuse(command, "--mask-ticks: at most %d, but got %llu", MASK_MOST_TICKS,
                          (unsigned long long)chosen.mask_ticks);
  struct calibration *calibration = memory_resized(NULL, sizeof(*calibration), 1);
  calibration_init(calibration);
  int status = EXIT_USAGE;
  if (choose_all(command, &chosen, calibration))
    status = measure(calibration, &chosen);
  calibration_release(calibration);
  free(calibration);
  return status;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .operands = "",
    .summary = "the timing floor of this machine: what its timers cost and can tell",
    .details = "Times chains of additions with each timer, hot and behind flushes of the caches, "
               "interleaved, in about a minute; keep other load away meanwhile. t_min is the "
               "shortest duration measured to 1 %, t_diff the smallest difference told apart.",
    .examples =
        (const struct command_example[]){
            {"reticle calibrate --quick", "the timers' floor, in five seconds"}, {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
