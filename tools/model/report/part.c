// part.c - whether a report has each of its parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/report/part.h"

#include "tools/model/heap/site_gap.h"
#include "tools/model/rank/waits.h"
#include "tools/model/struct/struct_find.h"
#include "tools/model/topdown/topdown_view.h"

// Of each part: whether a report on everything shows it, and whether it says more than why it is
// empty.

static bool shows_findings(const struct measurement *m) {
  return !m->input.study; // a study's first page has them
}
static bool has_findings(const struct measurement *m) {
  (void)m;
  return true;
}

static bool shows_loops(const struct measurement *m) {
  (void)m;
  return true;
}
static bool has_loops(const struct measurement *m) { return m->overview.gap == OVERVIEW_MEASURED; }

static bool shows_waits(const struct measurement *m) { return waits_matter(waits_get(m)); }
static bool has_waits(const struct measurement *m) { return waits_get(m)->tally.source_count; }

static bool shows_samples(const struct measurement *m) { return m->samples.taken; }
static bool has_samples(const struct measurement *m) { return m->samples.taken; }

static bool shows_structs(const struct measurement *m) { return m->structs.counted; }
static bool has_structs(const struct measurement *m) { return !*struct_gap(m); }

static bool shows_heap(const struct measurement *m) { return m->sites.marked; }
static bool has_heap(const struct measurement *m) { return !*site_gap(m); }

static bool shows_blocks(const struct measurement *m) { return m->block_count; }
static bool has_blocks(const struct measurement *m) { return m->block_count; }

static bool shows_topdown(const struct measurement *m) { return m->input.profile.topdown_count; }
static bool has_topdown(const struct measurement *m) { return topdown_view_get(m)->loop_count; }

static const struct {
  size_t most;
  bool (*shows)(const struct measurement *m), (*has)(const struct measurement *m);
} parts[] = {
#define PART(name, most, help) {most, shows_##name, has_##name},
#include "tools/model/report/parts.def"
};

size_t part_most(enum report_part part) { return parts[part].most; }

bool part_is_shown(const struct measurement *m, enum report_part part) {
  return parts[part].shows(m);
}

bool part_has_something(const struct measurement *m, enum report_part part) {
  return parts[part].has(m);
}
