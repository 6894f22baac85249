// export_chrome.c - writes trace events: processes, threads, loops' executions, samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/export_chrome.h"
#include "tools/support/names.h"

#include "tools/profile/merge/merge.h"
#include "tools/profile/rank.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Numbers of tracks: a thread's loops stand together.
#define TRACKS_OF_THREAD 100000

struct trace {
  struct json *events;
  const struct measurement *m;
  size_t written;
  // Of the file that is being written:
  uint64_t pid;
  double tick_us, pair_ticks, start_us;
  double when_us; ///< to which a sample's start is known
};

static const struct measured_loop *find(const struct measurement *m, uint64_t id) {
  for (size_t i = 0; i < m->loop_count; i++)
    if (m->loops[i].loop->id == id)
      return &m->loops[i];
  return NULL;
}

/// By thread, then by time; copies of a loop share its tracks.
static int compare(const void *left, const void *right) {
  const struct profile_sample *a = left, *b = right;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return (a->when > b->when) - (a->when < b->when);
}

static struct json *add_event(struct trace *trace, const char *phase, const char *name,
                              uint64_t track) {
  struct json *event = json_append(trace->events, json_object_new());
  json_put_text(event, "ph", phase);
  json_put_text(event, "name", name);
  json_put_count(event, "pid", trace->pid);
  json_put_count(event, "tid", track);
  return event;
}

static void name_track(struct trace *trace, const struct measured_loop *loop, uint32_t thread,
                       uint64_t track) {
  struct text name = {0};
  text_printf(&name, "thread %u: L%zu ", thread, loop->rank);
  measurement_add_name(loop, &name);
  text_add(&name, " ");
  measurement_add_place(loop->loop, &name);
  struct json *event = add_event(trace, "M", "thread_name", track);
  json_put_text(json_put(event, "args", json_object_new()), "name", text_get(&name));
  text_release(&name);
  event = add_event(trace, "M", "thread_sort_index", track);
  json_put_count(json_put(event, "args", json_object_new()), "sort_index", track);
}

static void add_sample(struct trace *trace, const struct measured_loop *loop,
                       const struct profile_sample *sample, uint64_t track, double *end_us) {
  struct text name = {0};
  measurement_add_name(loop, &name);
  struct json *event = add_event(trace, "X", text_get(&name), track);
  double start = trace->start_us + sample->when * trace->when_us;
  double ticks = fmax(0, (double)sample->duration_ticks - trace->pair_ticks);
  // Two samples of the same unit would lie on each other: the second began behind the first.
  if (start < *end_us && *end_us - start <= trace->when_us)
    start = *end_us;
  *end_us = fmax(*end_us, start + ticks * trace->tick_us);
  json_put_text(event, "cat", loop->region ? "region" : "loop");
  json_put_number(event, "ts", start);
  json_put_number(event, "dur", ticks * trace->tick_us);
  text_clear(&name);
  text_printf(&name, "L%zu", loop->rank);
  struct json *args = json_put(event, "args", json_object_new());
  json_put_text(args, "loop", text_get(&name));
  json_put_count(args, "thread", sample->thread);
  json_put_count(args, "stands_for_executions", sample->weight);
  if (sample->work == RETICLE_WORK_UNKNOWN)
    json_put_null(args, "iterations");
  else
    json_put_count(args, "iterations", sample->work);
  text_release(&name);
  trace->written++;
}

static void add_loop(struct trace *trace, const struct profile_loop *record) {
  const struct measured_loop *loop = find(trace->m, record->id);
  if (!loop || !record->raw_count)
    return;
  struct profile_sample *samples = memory_zeroed(record->raw_count, sizeof(*samples));
  memcpy(samples, record->raw, record->raw_count * sizeof(*samples));
  qsort(samples, record->raw_count, sizeof(*samples), compare);
  double end_us = -INFINITY;
  for (size_t i = 0; i < record->raw_count; i++) {
    uint64_t track = (uint64_t)samples[i].thread * TRACKS_OF_THREAD + loop->rank;
    if (!i || samples[i].thread != samples[i - 1].thread) {
      name_track(trace, loop, samples[i].thread, track);
      end_us = -INFINITY;
    }
    add_sample(trace, loop, &samples[i], track, &end_us);
  }
  free(samples);
}

/// Ranks in their order, and with their host, as process numbers say nothing of either.
static void name_process(struct trace *trace, const struct profile *profile) {
  const struct profile_rank *rank = profile_rank_only(profile);
  struct text name = {0};
  text_add(&name, base_name(profile->env.executable));
  if (rank)
    text_printf(&name, " rank %u on %s", rank->rank, rank->host);
  struct json *event = add_event(trace, "M", "process_name", 0);
  json_put_text(json_put(event, "args", json_object_new()), "name", text_get(&name));
  text_release(&name);
  if (!rank)
    return;
  event = add_event(trace, "M", "process_sort_index", 0);
  json_put_count(json_put(event, "args", json_object_new()), "sort_index", rank->rank);
}

static void add_process(struct trace *trace, const struct profile *profile) {
  const struct profile_env *env = &profile->env;
  name_process(trace, profile);
  trace->tick_us = 1e6 / (double)env->timer_hz;
  trace->when_us = ldexp(trace->tick_us, (int)(profile_when_shift(env) & 63));
  trace->pair_ticks = (double)env->pair_ticks / 256;
  trace->start_us =
      1e6 * (double)(int64_t)(env->start_time_s - trace->m->input.profile.env.start_time_s);
  // Copies that the optimiser made of a loop are one.
  struct profile merged;
  struct profile_error error;
  if (profile_merge(&profile, 1, &merged, &error) != 0)
    memory_exhausted();
  for (size_t i = 0; i < merged.loop_count; i++)
    add_loop(trace, &merged.loops[i]);
  profile_release(&merged);
}

static void add_processes(struct trace *trace, const struct profile *profiles, size_t count,
                          struct problems *problems) {
  const struct profile **pointers = memory_zeroed(count + 1, sizeof(*pointers));
  for (size_t i = 0; i < count; i++)
    pointers[i] = &profiles[i];
  size_t runs = profile_drop_repeats(pointers, count);
  for (size_t i = 0; i < runs; i++) {
    const struct profile_env *env = &pointers[i]->env;
    trace->pid = env->pid;
    for (size_t k = 0; k < i; k++) // of another machine, or an earlier one
      if (pointers[k]->env.pid == env->pid)
        trace->pid = (uint64_t)1 << 32 | i;
    if (env->timer_hz)
      add_process(trace, pointers[i]);
    else
      problem_warning(problems,
                      "export: process %llu was too short to measure its timer's rate: left out",
                      (unsigned long long)env->pid);
  }
  free(pointers);
}

struct json *export_chrome(const struct measurement *m, const struct profile *profiles,
                           size_t count, size_t *events, struct problems *problems) {
  struct json *document = json_object_new();
  json_put_text(document, "displayTimeUnit", "ns");
  struct json *other = json_put(document, "otherData", json_object_new());
  json_put_text(other, "tool", "reticle " RETICLE_VERSION);
  json_put_text(other, "note",
                "timed executions alone, a choice among all; each loop of a thread has a track; "
                "starts are known to 65536 ticks of the timer, and less well in runs of days");
  struct trace trace = {.m = m, .events = json_put(document, "traceEvents", json_array_new())};
  add_processes(&trace, profiles, count, problems);
  *events = trace.written;
  return document;
}
