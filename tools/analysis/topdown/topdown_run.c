// topdown_run.c - reads a run's counters, checks that each group could count, adds them up by loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/topdown/topdown_run.h"

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
                        unsigned most, const size_t *groups, size_t count, char *out,
                        size_t bytes) {
  size_t used = (size_t)snprintf(out, bytes, "%s/%.0f%s", tree->name, width > 0 ? width : 0,
                                 has_erratum ? "/erratum" : "");
  if (most && used < bytes)
    used += (size_t)snprintf(out + used, bytes - used, ",*%u", most);
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
  const char *part = strchr(events, '@');
  if (part)
    return 1 + (size_t)strtoul(strchr(part, '-') ? strchr(part, '-') + 1 : "", NULL, 10);
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
  run->coarse += record->coarse;
}

/// Whether no visit at all was read with these events, for want of registers.
static bool is_starved(const struct profile *profile, const char *events) {
  uint64_t visits = 0, not_scheduled = 0;
  for (size_t i = 0; i < profile->topdown_count; i++) {
    const struct profile_topdown *record = &profile->topdown[i];
    if (record->loop && strcmp(record->events, events) == 0) {
      visits += record->visits;
      not_scheduled += record->not_scheduled;
    }
  }
  return !visits && not_scheduled;
}

static enum topdown_state judge(const struct topdown_run *run, uint64_t clock) {
  if (!run->tree)
    return TOPDOWN_UNKNOWN_TREE;
  if (run->error && !run->visits)
    return run->error == EINVAL ? TOPDOWN_TOO_MANY : TOPDOWN_DENIED;
  if (run->backwards > run->visits || (run->visits && !clock))
    return TOPDOWN_INCONSISTENT;
  if (run->visits)
    return TOPDOWN_COUNTED;
  if (run->not_readable)
    return TOPDOWN_UNREADABLE;
  if (run->coarse)
    return TOPDOWN_SHORT;
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
    run->is_short |= record->error == EINVAL || is_starved(profile, record->events);
  }
  run->dropped = run->not_scheduled + run->not_readable + run->restless + run->partly +
                 run->backwards + run->switched + run->coarse;
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
         record->backwards + record->switched + record->coarse;
}

/// Which of a group's events a record has counts of: the first, and `count` from `first` on.
struct part {
  size_t first, count;
};

/// Returns false if the record is of another group.
static bool part_of(const struct profile_topdown *record, const char *codes, size_t event_count,
                    struct part *part) {
  size_t length = strlen(codes);
  unsigned long first, count;
  *part = (struct part){1, event_count - 1};
  if (strncmp(record->events, codes, length) != 0)
    return false;
  if (!record->events[length])
    return true;
  if (sscanf(record->events + length, "@%lu-%lu", &first, &count) != 2 || first < 1 ||
      first >= event_count || count > event_count - first)
    return false;
  *part = (struct part){first, count};
  return true;
}

/// Counts of a visit to a region without code, of the same part.
static void read_empty(const struct profile *profile, const char *events, double *empty) {
  double visits = 0;
  memset(empty, 0, TOPDOWN_GROUP_EVENTS_MOST * sizeof(*empty));
  for (size_t i = 0; i < profile->topdown_count; i++) {
    const struct profile_topdown *record = &profile->topdown[i];
    double read[TOPDOWN_GROUP_EVENTS_MOST];
    if (record->loop || strcmp(record->events, events) != 0)
      continue;
    read_counts(record, read);
    visits += (double)record->visits;
    for (size_t k = 0; k < TOPDOWN_GROUP_EVENTS_MOST; k++)
      empty[k] += read[k];
  }
  for (size_t k = 0; k < TOPDOWN_GROUP_EVENTS_MOST; k++)
    empty[k] = visits > 0 ? empty[k] / visits : 0;
}

/// Adds one of the loop's records of the group. There are several where visits read parts of it,
/// and in merged profiles.
static void add_record(const struct profile *profile, const struct profile_topdown *record,
                       const struct part *part, struct topdown_counts *counts) {
  double read[TOPDOWN_GROUP_EVENTS_MOST], empty[TOPDOWN_GROUP_EVENTS_MOST];
  double visits = (double)record->visits;
  counts->visits += record->visits;
  counts->dropped += dropped_of(record);
  if (!record->visits)
    return;
  read_counts(record, read);
  read_empty(profile, record->events, empty);
  double clock = read[0] - empty[0] * visits;
  for (size_t k = 0; k <= part->count; k++) {
    size_t i = k ? part->first + k - 1 : 0;
    counts->counts[i] =
        (isnan(counts->counts[i]) ? 0 : counts->counts[i]) + read[k] - empty[k] * visits;
    counts->clocks[i] += clock;
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
    size_t events[TOPDOWN_GROUP_EVENTS_MOST];
    size_t event_count = topdown_group_events(tree, group, events);
    char codes[CODES_BYTES];
    struct part part;
    topdown_run_codes(tree, group, codes, sizeof(codes));
    for (size_t i = 0; i < TOPDOWN_GROUP_EVENTS_MOST; i++)
      counts->counts[i] = NAN;
    for (size_t i = 0; i < profile->topdown_count; i++)
      if (profile->topdown[i].loop == loop &&
          part_of(&profile->topdown[i], codes, event_count, &part))
        add_record(profile, &profile->topdown[i], &part, counts);
    any |= counts->visits || counts->dropped;
  }
  return any;
}
