// topdown_run.c - see topdown_run.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/topdown_run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODES_BYTES = 128 };

void topdown_run_codes(const struct topdown_tree *tree, size_t group, char *out, size_t bytes) {
  size_t events[TOPDOWN_GROUP_EVENTS_MOST], used = 0;
  size_t count = topdown_group_events(tree, group, events);
  out[0] = 0;
  for (size_t i = 0; i < count && used < bytes; i++)
    used += (size_t)snprintf(out + used, bytes - used, "%s%" PRIx64, i ? "+" : "",
                             tree->events[events[i]].config);
}

bool topdown_run_option(const struct topdown_tree *tree, double width, bool has_erratum,
                        const size_t *groups, size_t count, char *out, size_t bytes) {
  size_t used = (size_t)snprintf(out, bytes, "%s/%.0f%s", tree->name, width > 0 ? width : 0,
                                 has_erratum ? "/erratum" : "");
  for (size_t i = 0; i < count && used < bytes; i++) {
    char codes[CODES_BYTES];
    topdown_run_codes(tree, groups[i], codes, sizeof(codes));
    used += (size_t)snprintf(out + used, bytes - used, ",%s", codes);
  }
  return used < bytes;
}

/// NAME/WIDTH[/erratum]; of a bare name the rest is the tree's.
static void read_tree(const char *text, struct topdown_run *run) {
  char name[48];
  size_t length = strcspn(text, "/");
  snprintf(name, sizeof(name), "%.*s", length < sizeof(name) ? (int)length : 0, text);
  run->tree = topdown_tree_find(name);
  text += length;
  char *end = NULL;
  if (*text == '/')
    run->width = strtod(text + 1, &end);
  run->has_erratum = end && !strcmp(end, "/erratum");
}

static size_t counters_in(const char *events) {
  size_t count = 1;
  for (; *events; events++)
    count += *events == '+';
  return count;
}

static void add_group(const struct profile_topdown *record, struct topdown_run *run) {
  run->threads_missed += record->threads_missed;
  run->lost += record->lost;
  run->is_fake |= (record->flags & RETICLE_TOPDOWN_FAKE) != 0;
  if (record->error && !run->error) {
    run->error = record->error;
    run->counters = counters_in(record->events);
  }
}

static void add_loop(const struct profile_topdown *record, struct topdown_run *run) {
  run->visits += record->visits;
  run->not_scheduled += record->not_scheduled;
  run->not_readable += record->not_readable;
  run->restless += record->restless;
  run->partly += record->partly;
  run->backwards += record->backwards;
  run->switched += record->switched;
}

static enum topdown_state judge(const struct topdown_run *run, uint64_t clock) {
  if (!run->tree)
    return TOPDOWN_UNKNOWN_TREE;
  if (run->error && !run->visits)
    return run->error == EINVAL ? TOPDOWN_TOO_MANY : TOPDOWN_DENIED;
  if (run->backwards > run->visits || (run->visits && !clock))
    return TOPDOWN_LYING;
  if (run->visits)
    return TOPDOWN_COUNTED;
  if (run->not_readable)
    return TOPDOWN_UNREADABLE;
  return run->dropped ? TOPDOWN_HELD : TOPDOWN_NO_VISITS;
}

void topdown_run_read(const struct profile *profile, struct topdown_run *run) {
  uint64_t clock = 0;
  *run = (struct topdown_run){.state = TOPDOWN_NOT_ASKED};
  if (!profile->topdown_count)
    return;
  const char *tree = profile->topdown[0].tree;
  read_tree(tree, run);
  bool is_mixed = false;
  for (size_t i = 0; i < profile->topdown_count; i++) {
    const struct profile_topdown *record = &profile->topdown[i];
    is_mixed |= strcmp(record->tree, tree) != 0;
    if (record->loop)
      add_loop(record, run);
    else
      add_group(record, run);
    clock += record->loop ? record->count0 : 0;
  }
  run->dropped = run->not_scheduled + run->not_readable + run->restless + run->partly +
                 run->backwards + run->switched;
  run->state = is_mixed ? TOPDOWN_MIXED : judge(run, clock);
}

static void read_counts(const struct profile_topdown *record, double *counts) {
  const uint64_t all[TOPDOWN_GROUP_EVENTS_MOST] = {
      record->count0, record->count1, record->count2,  record->count3,
      record->count4, record->count5, record->count6,  record->count7,
      record->count8, record->count9, record->count10, record->count11};
  for (size_t i = 0; i < TOPDOWN_GROUP_EVENTS_MOST; i++)
    counts[i] = (double)all[i];
}

static uint64_t dropped_of(const struct profile_topdown *record) {
  return record->not_scheduled + record->not_readable + record->restless + record->partly +
         record->backwards + record->switched;
}

/// Adds a record of the group: the loop's, or the empty region's. Merged profiles may have several.
static void add_record(const struct profile_topdown *record, size_t event_count,
                       struct topdown_counts *counts, uint64_t *empty_visits) {
  double read[TOPDOWN_GROUP_EVENTS_MOST];
  read_counts(record, read);
  double *into = record->loop ? counts->counts : counts->empty;
  for (size_t i = 0; i < event_count && record->visits; i++)
    into[i] = (isnan(into[i]) ? 0 : into[i]) + read[i];
  if (record->loop) {
    counts->visits += record->visits;
    counts->dropped += dropped_of(record);
  } else {
    *empty_visits += record->visits;
  }
}

bool topdown_run_loop(const struct profile *profile, const struct topdown_run *run, uint64_t loop,
                      struct topdown_input *input) {
  const struct topdown_tree *tree = run->tree;
  bool any = false;
  memset(input, 0, sizeof(*input));
  input->width = run->width;
  input->has_erratum = run->has_erratum;
  for (size_t group = 0; group < tree->group_count; group++) {
    struct topdown_counts *counts = &input->groups[group];
    uint64_t empty_visits = 0;
    size_t events[TOPDOWN_GROUP_EVENTS_MOST];
    size_t event_count = topdown_group_events(tree, group, events);
    char codes[CODES_BYTES];
    topdown_run_codes(tree, group, codes, sizeof(codes));
    for (size_t i = 0; i < TOPDOWN_GROUP_EVENTS_MOST; i++)
      counts->counts[i] = NAN;
    for (size_t i = 0; i < profile->topdown_count; i++)
      if ((profile->topdown[i].loop == loop || !profile->topdown[i].loop) &&
          !strcmp(profile->topdown[i].events, codes))
        add_record(&profile->topdown[i], event_count, counts, &empty_visits);
    for (size_t i = 0; i < event_count; i++)
      counts->empty[i] = empty_visits ? counts->empty[i] / (double)empty_visits : 0;
    any |= counts->visits || counts->dropped;
  }
  return any;
}
