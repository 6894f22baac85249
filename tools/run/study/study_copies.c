// study_copies.c - runs a build in which loops stand in all their forms: which is faster?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two copies of a loop as it is tell what copies differ by without a change. The run is the unit:
// executions of one run share something, so that an interval over them is too narrow.
#include "include/reticle/abi.h"
#include "include/reticle/form.h"
#include "tools/profile/profile.h"
#include "tools/run/study/study_trials_parts.h"
#include "tools/store/study/study_trials.h"
#include "tools/support/memory.h"

#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// Runs, and builds with functions and copies at other places; of fewer builds where they take
/// long.
enum { RUNS = 8, RUNS_LEAST = 4, PLACES = 4 };
/// Runs that print something else, as processes and threads end in another order now and then: a
/// form that is wrong is drawn in each run.
enum { OTHERWISE_MOST = 2 };
/// Forms of one loop, beside it and its like.
enum { FORMS_MOST = 6 };
/// Of the time that is left, for this.
#define PART 0.4
/// Of a plain run: with probes, copies in the cache, and what they take to be read.
#define RUN_FACTOR 1.5
/// What is timed here matters more than what timing takes.
#define OPTIONS "probe_budget=3:facts=0:chain=0"

/// A copy: of what, and how it did.
struct slot {
  struct attempt *attempt; ///< null: the loop as it is
  int64_t change;          ///< in the file; 0: the first
  bool is_made;            ///< else it is the loop as it is
  uint64_t id;             ///< under which it is timed
  struct copy_bin *bins;   ///< [bin_count] of all runs
  size_t bin_count;
};

/// A loop that stands several times.
struct host {
  struct copy_place place;
  char loop[20];
  struct slot slots[2 + FORMS_MOST];             ///< as it is, once more, and in its forms
  struct copy_executions copies[2 + FORMS_MOST]; ///< of one run
  size_t count;
};

struct drawing {
  struct trials *trials;
  struct host *hosts; ///< [count]
  size_t count;
  struct text list;
  int status;         ///< of the plain runs
  struct text output; ///< the hash of what they print, which is the same in all; "": it isn't
};

static struct host *host_of(struct drawing *d, const struct copy_place *place) {
  for (size_t i = 0; i < d->count; i++)
    if (d->hosts[i].place.loop == place->loop)
      return &d->hosts[i];
  d->hosts = memory_resized(d->hosts, d->count + 1, sizeof *d->hosts);
  struct host *host = &d->hosts[d->count++];
  *host = (struct host){.place = *place, .count = 2};
  snprintf(host->loop, sizeof host->loop, "%016" PRIx64, place->loop);
  host->slots[0].id = reticle_copy_id(place->loop, RETICLE_COPY_SAME);
  host->slots[1].id = reticle_copy_id(place->loop, RETICLE_COPY_AGAIN);
  const struct study_trial again = {.form = "same",
                                    .setting = "",
                                    .loop = host->loop,
                                    .finding = "",
                                    .environment = "",
                                    .flags = "",
                                    .list = "",
                                    .reason = ""};
  host->slots[1].change = study_trial_add(&d->trials->study->file, &again);
  text_format(&d->list, "loop:%s=copies-%" PRIu64 "\n", host->loop, place->chunk);
  return host;
}

static void choose(struct drawing *d) {
  struct trials *t = d->trials;
  for (size_t i = FIRST_CHANGE; i < t->count; i++) {
    struct attempt *a = &t->items[i];
    if (!a->may_be_drawn || (a->rounds && !t->study->settings->allows_rounding))
      continue;
    struct host *host = host_of(d, &a->place);
    if (host->count == 2 + FORMS_MOST)
      continue;
    host->slots[host->count++] = (struct slot){
        .attempt = a, .change = a->id, .id = reticle_copy_id(a->loop_id, a->form->content)};
    text_add(&d->list, text_get(&a->list));
  }
}

static void take_loop(struct drawing *d, const struct profile_loop *loop, double tick_ns,
                      double pair_ns) {
  for (size_t h = 0; h < d->count; h++)
    for (size_t k = 0; k < d->hosts[h].count; k++) {
      struct copy_executions *to = &d->hosts[h].copies[k];
      if (d->hosts[h].slots[k].id != loop->id)
        continue;
      to->items = memory_resized(to->items, to->count + loop->raw_count + 1, sizeof *to->items);
      for (uint64_t i = 0; i < loop->raw_count; i++) {
        const struct profile_sample *sample = &loop->raw[i];
        double work = sample->work == RETICLE_WORK_UNKNOWN ? 0 : (double)sample->work;
        to->items[to->count++] = (struct copy_execution){
            fmax((double)sample->duration_ticks * tick_ns - pair_ns, 0), work, sample->weight};
      }
      to->executions += (double)loop->executions;
    }
}

/// What the run's processes say of the copies. The files go.
static void take_profiles(struct drawing *d, const char *pattern) {
  glob_t files = {0};
  if (glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++) {
      struct profile profile = {0};
      struct profile_error error;
      bool fine = profile_read(files.gl_pathv[i], &profile, &error) == 0;
      if (!fine)
        problem_warning(d->trials->study->settings->problems, "study: %s", error.text);
      double tick_ns = fine ? 1e9 / (double)profile.env.timer_hz : 0;
      for (size_t l = 0; fine && l < profile.loop_count; l++)
        take_loop(d, &profile.loops[l], tick_ns, (double)profile.env.pair_ticks / 256 * tick_ns);
      profile_release(&profile);
      unlink(files.gl_pathv[i]);
    }
  globfree(&files);
}

static bool keep_bins(struct drawing *d, struct host *host, size_t at, unsigned run,
                      unsigned build) {
  struct copy_bin bins[COPY_BINS];
  struct slot *slot = &host->slots[at];
  size_t count = copy_bins_make(host->copies, host->count, at, bins);
  bool fine = true;
  slot->bins = memory_resized(slot->bins, slot->bin_count + count + 1, sizeof *bins);
  for (size_t i = 0; i < count; i++) {
    bins[i].run = run;
    bins[i].build = build;
    slot->bins[slot->bin_count++] = bins[i];
    const struct study_copy copy = {.loop = host->loop,
                                    .run = run,
                                    .build = build,
                                    .bin = bins[i].log2,
                                    .work = bins[i].work,
                                    .plain_ns = bins[i].plain_ns,
                                    .changed_ns = bins[i].changed_ns};
    fine = fine && study_copy_add(&d->trials->study->file, slot->change, &copy);
  }
  return fine;
}

/// Of one run, into the file.
static bool keep_run(struct drawing *d, unsigned run, unsigned build) {
  struct study_file *file = &d->trials->study->file;
  bool fine = study_file_begin(file);
  for (size_t h = 0; h < d->count; h++) {
    struct host *host = &d->hosts[h];
    for (size_t k = 1; k < host->count; k++)
      if (!host->slots[k].attempt || host->slots[k].is_made)
        fine = fine && keep_bins(d, host, k, run, build);
    for (size_t k = 0; k < host->count; k++) {
      free(host->copies[k].items);
      host->copies[k] = (struct copy_executions){0};
    }
  }
  return fine && study_file_commit(file);
}

/// One run; *is_fine: whether it does what it does without copies. As study_measure.
static int run_once(struct drawing *d, int64_t build, unsigned run, unsigned place, bool *is_fine) {
  struct study *study = d->trials->study;
  struct text options = {0}, pattern = {0}, printed = {0}, hash = {0};
  const struct study_role role = {.name = "copies", .features = "loop"};
  struct job job;
  uint64_t output = 0;
  text_format(&options, "report=0:verbosity=0:out=%s/copies.%%e.%%p.prof:" OPTIONS,
              study->directory);
  text_format(&pattern, "%s/copies.*.prof", study->directory);
  int status = trials_run(d->trials, build, &role, text_get(&options), &job, &printed, &output);
  text_format(&hash, "%016" PRIx64, output);
  *is_fine = status == PROBLEM_NONE && !job.failed && !job.is_late && WIFEXITED(job.status) &&
             WEXITSTATUS(job.status) == d->status &&
             (!d->output.length || strcmp(text_get(&hash), text_get(&d->output)) == 0);
  take_profiles(d, text_get(&pattern));
  if (*is_fine && !keep_run(d, run + 1, place))
    status = PROBLEM_UNREADABLE;
  text_release(&options);
  text_release(&pattern);
  text_release(&printed);
  text_release(&hash);
  return status;
}

/// What plain runs do. Where results may be rounded otherwise, as it is drawn, no two are alike.
static void read_plain(struct drawing *d) {
  struct statement *s = database_prepare(
      d->trials->study->file.database,
      "SELECT min(r.exit_status), min(r.output_hash), count(DISTINCT r.output_hash) FROM runs r "
      "JOIN builds b ON b.id=r.build WHERE b.name='plain'");
  if (statement_step(s)) {
    d->status = (int)statement_get_count(s, 0);
    if (statement_get_count(s, 2) == 1 && !d->trials->study->settings->allows_rounding)
      text_add(&d->output, statement_get_text(s, 1));
  }
  statement_finish(s);
}

/// Which forms there are, and the lines of the source. Where the compiler can't make one in a copy,
/// a build of its own may do more.
static void take_made(struct drawing *d, const char *path) {
  for (size_t h = 0; h < d->count; h++)
    for (size_t k = 2; k < d->hosts[h].count; k++) {
      struct slot *slot = &d->hosts[h].slots[k];
      char *made = trials_made_read(path, slot->attempt->loop, slot->attempt->form->content);
      slot->is_made = made && trials_is_made(made);
      if (slot->is_made && strchr(made, ' '))
        study_trial_made(&d->trials->study->file, slot->change, strchr(made, ' ') + 1);
      free(made);
    }
}

/// Builds and runs, as many as there is time for; *runs gets how many said something.
static int measure(struct drawing *d, unsigned most, unsigned places, unsigned *runs) {
  struct trials *t = d->trials;
  struct text made = {0};
  bool is_fine = true;
  unsigned otherwise = 0;
  int status = PROBLEM_NONE;
  *runs = 0;
  for (unsigned place = 0; place < places && status == PROBLEM_NONE && is_fine; place++) {
    char name[32];
    int64_t build = 0;
    snprintf(name, sizeof name, "trial copies.%u", place);
    const struct trial_build what = {.name = name,
                                     .features = "loop",
                                     .flags = "",
                                     .list = text_get(&d->list),
                                     .placement = place};
    text_clear(&made);
    status = trials_build_make(t, &what, &made, &build);
    is_fine = build != 0;
    take_made(d, text_get(&made));
    for (unsigned i = place; i < most && status == PROBLEM_NONE && is_fine; i += places) {
      status = run_once(d, build, *runs, place, &is_fine);
      *runs += is_fine;
      otherwise += !is_fine;
      is_fine = otherwise <= OTHERWISE_MOST;
    }
  }
  if (!is_fine && status == PROBLEM_NONE) {
    problem_note(t->study->settings->problems,
                 *runs ? "study: with loops in several forms the program did something else"
                       : "study: loops in several forms can't be built or run");
    *runs = 0;
  }
  text_release(&made);
  return status;
}

/// Of few runs nothing. *plain_s: that the loop takes in a run.
static struct quantity saved_of(const struct slot *slot, double *plain_s) {
  struct change_pair pairs[RUNS];
  size_t count = copy_pairs_make(slot->bins, slot->bin_count, 0, COPY_BIN_UNKNOWN, pairs);
  size_t runs = copy_runs_count(slot->bins, slot->bin_count);
  *plain_s = 0;
  for (size_t i = 0; i < count; i++)
    *plain_s += pairs[i].plain_s / (double)runs;
  return runs >= RUNS_LEAST ? change_saved(pairs, count)
                            : quantity_none(QUANTITY_TOO_FEW, "too few runs tell of it");
}

/// What makes its loop no faster is over.
static void judge(struct drawing *d, struct host *host) {
  struct trials *t = d->trials;
  double plain_s;
  struct quantity again = saved_of(&host->slots[1], &plain_s);
  if (again.status != QUANTITY_OK)
    return;
  double floor = fmax(fabs(again.low), fabs(again.high));
  for (size_t k = 2; k < host->count; k++) {
    struct attempt *a = host->slots[k].attempt;
    struct quantity saved = saved_of(&host->slots[k], &plain_s);
    if (saved.status != QUANTITY_OK)
      continue;
    a->claim = saved.value * plain_s / t->plain_cpu_s;
    a->is_drawn = saved.low > 0 && saved.value > floor && a->claim >= CHANGE_KEPT;
    a->is_over = !a->is_drawn;
  }
}

/// Of the ways to make one form of a loop, the best alone is worth builds and runs.
static void keep_best(struct drawing *d) {
  struct trials *t = d->trials;
  for (size_t i = FIRST_CHANGE; i < t->count; i++)
    for (size_t k = FIRST_CHANGE; k < t->count; k++) {
      struct attempt *a = &t->items[i], *b = &t->items[k];
      if (i != k && a->is_drawn && b->is_drawn && !a->is_over && !b->is_over &&
          a->form->id == b->form->id && a->loop_id == b->loop_id && b->claim <= a->claim)
        b->is_over = true;
    }
}

static void release(struct drawing *d) {
  for (size_t h = 0; h < d->count; h++)
    for (size_t k = 0; k < d->hosts[h].count; k++) {
      free(d->hosts[h].slots[k].bins);
      free(d->hosts[h].copies[k].items);
    }
  free(d->hosts);
  text_release(&d->list);
  text_release(&d->output);
}

int trials_copies_draw(struct trials *t) {
  struct drawing d = {.trials = t};
  unsigned runs = 0;
  double room_s = PART * trials_left_s(t), run_s = RUN_FACTOR * t->plain_s;
  unsigned places = PLACES;
  while (places > 1 && places * t->build_s + RUNS * run_s > room_s)
    places /= 2;
  double most = floor(fmin((room_s - places * t->build_s) / run_s, RUNS));
  int status = PROBLEM_NONE;
  if (most >= RUNS_LEAST)
    choose(&d);
  if (d.count) {
    read_plain(&d);
    problem_note(t->study->settings->problems,
                 "study: %zu of its loops, each in all its forms side by side: %.0f runs, in which "
                 "they are drawn at random",
                 d.count, most);
    status = measure(&d, (unsigned)most, places, &runs);
  }
  for (size_t h = 0; h < d.count && runs >= RUNS_LEAST && status == PROBLEM_NONE; h++)
    judge(&d, &d.hosts[h]);
  keep_best(&d);
  release(&d);
  return status;
}
