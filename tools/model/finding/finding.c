// finding.c - collects the findings of a run and puts them in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding.h"

#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/remedy/remedy.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Gains from which on a finding is of high and of medium severity.
#define HIGH_GAIN 0.05
#define MEDIUM_GAIN FINDING_LEAST
/// Two ways to measure a share differ by so much; a gain beyond its place by more is none.
#define SHARE_ERROR 1.05
/// Where only what a place takes is known, it stands among gains as if so much of it could be
/// saved: half, the middle of none and all, where what takes it is known, and half of that of plain
/// heat.
#define CAUSE_KNOWN 0.5
#define HEAT_ALONE 0.25

static const struct {
  const char *code;
  enum remedy remedy;
  enum finding_base base;
} kinds[FINDING_CODES] = {
#define FINDING(NAME, CODE, REMEDY, BASE) {CODE, REMEDY_##REMEDY, FINDING_OF_##BASE},
#include "tools/model/finding/finding.def"
#undef FINDING
};

const char *finding_code_name(enum finding_code code) { return kinds[code].code; }

const char *finding_severity_name(enum finding_severity severity) {
  switch (severity) {
  case FINDING_HIGH:
    return "high";
  case FINDING_MEDIUM:
    return "medium";
  case FINDING_LOW:
    return "low";
  }
  return "unknown";
}

const char *finding_proof_name(enum finding_proof proof) {
  switch (proof) {
  case FINDING_UNPROVEN:
    return "none";
  case FINDING_ESTIMATE:
    return "estimate";
  case FINDING_REPLAYED:
    return "replayed";
  case FINDING_MEASURED:
    return "measured";
  case FINDING_PROVEN:
    return "proven";
  case FINDING_REFUTED:
    return "refuted";
  }
  return "unknown";
}

const char *finding_base_name(enum finding_base base) {
  return base == FINDING_OF_CPU ? "cpu-time" : "thread-time";
}

struct finding *findings_add(struct findings *findings, enum finding_code code) {
  if (findings->count == findings->capacity) {
    findings->capacity = 2 * findings->capacity + 16;
    findings->items = memory_resized(findings->items, findings->capacity, sizeof(*findings->items));
  }
  struct finding *finding = &findings->items[findings->count++];
  *finding = (struct finding){
      .code = code,
      .function = "",
      .file = "",
      .base = kinds[code].base,
      .share = NAN,
      .gain = quantity_none(QUANTITY_UNSUPPORTED, "what the change would gain wasn't measured")};
  if (kinds[code].remedy)
    text_add(&finding->change, remedy_words(kinds[code].remedy));
  return finding;
}

static bool is_known(const struct finding *finding) { return finding->gain.status == QUANTITY_OK; }

/// A change may save more than the waiting: the work that waits.
static bool is_stall(const struct finding *f) {
  return (f->code >= FINDING_STALL_MEMORY && f->code <= FINDING_STALL_FRONT_END) ||
         f->code == FINDING_STRIDE;
}

bool finding_is_gained(const struct finding *f) {
  return (f->proof == FINDING_MEASURED && !is_stall(f)) || f->proof == FINDING_PROVEN;
}

const char *finding_broken_rule(const struct finding *f) {
  double most = isnan(f->share) ? 1 : f->share;
  if (most > 1)
    return "a place takes more than all";
  if (f->at_stake > most || f->at_stake < 0)
    return "more at stake than the place takes";
  if (!is_known(f))
    return NULL;
  if (!(f->gain.low <= f->gain.value && f->gain.value <= f->gain.high))
    return "a gain outside of its interval";
  return f->gain.high > most ? "a gain above the share of its place" : NULL;
}

/// No gain is above what its place takes: what is far beyond was measured wrongly, and is none.
static void limit_to_place(struct finding *f) {
  f->share = fmin(f->share, 1); // stays NaN
  double most = isnan(f->share) ? 1 : f->share;
  f->at_stake = f->at_stake > 0 ? fmin(f->at_stake, most) : 0; // NaN: 0
  if (!is_known(f))
    return;
  if (!(f->gain.value <= SHARE_ERROR * most)) // NaN, of a damaged profile, is none either
    f->gain = quantity_none(QUANTITY_TOO_NOISY, "measured as more than its place takes");
  else
    f->gain = quantity_of(fmin(f->gain.value, most), f->gain.low, fmin(f->gain.high, most));
  bool is_open = is_known(f) && finding_is_open(f->gain.low, f->gain.high);
  f->is_possible |= f->proof < FINDING_MEASURED && is_open;
}

const char *finding_base_words(const struct finding *f) {
  return f->base == FINDING_OF_CPU ? " of the CPU time" : " of its threads' time";
}

void finding_add_gain(const struct finding *f, const char *of, struct text *out) {
  if (f->proof == FINDING_REFUTED)
    text_add(out, "refuted");
  else if (!is_known(f) && f->code >= FINDING_STRIDE)
    text_printf(out, "%stakes %s%s", f->is_possible ? "possible: " : "", units_share(f->share).data,
                of);
  else if (!is_known(f) && f->at_stake > 0)
    text_printf(out, "%s%s at most %s%s", f->is_possible ? "possible: " : "",
                is_stall(f) ? "costs" : "saves", units_share(f->at_stake).data, of);
  else if (!is_known(f))
    text_add(out, "gain not known");
  else {
    bool is_cost = f->proof == FINDING_MEASURED && is_stall(f);
    text_printf(out, "%s%s %s%s%s", f->is_possible ? "possible: " : "", is_cost ? "costs" : "saves",
                f->proof >= FINDING_MEASURED ? "" : "about ", units_share(f->gain.value).data, of);
    text_printf(out, " (%s", units_share(fmax(0, f->gain.low)).data);
    text_printf(out, " to %s, %s)", units_share(f->gain.high).data, finding_proof_name(f->proof));
  }
}

static enum finding_severity severity_of(const struct finding *finding) {
  if (finding->proof == FINDING_REFUTED)
    return FINDING_LOW;
  if (finding->code == FINDING_UNOPTIMISED)
    return FINDING_HIGH;
  if (is_known(finding) && !finding->is_possible)
    return finding->gain.value >= HIGH_GAIN     ? FINDING_HIGH
           : finding->gain.value >= MEDIUM_GAIN ? FINDING_MEDIUM
                                                : FINDING_LOW;
  return finding->code == FINDING_FALSE_SHARING || finding->at_stake >= HIGH_GAIN ? FINDING_MEDIUM
                                                                                  : FINDING_LOW;
}

bool finding_is_heat(const struct finding *f) {
  return f->code == FINDING_HOT || (f->code == FINDING_LIBRARY_CALL && !f->change.length);
}

/// What a finding ranks by: the middle of its gain, or what may be saved at most.
static double value_of(const struct finding *finding) {
  double heat = HEAT_ALONE * finding->heat;
  if (is_known(finding))
    return fmax(finding->gain.value, heat);
  double part = finding->code == FINDING_WORK_GROWS ? 1 // a square: nearly all of it
                : finding_is_heat(finding)          ? HEAT_ALONE
                                                    : CAUSE_KNOWN;
  double likely = finding->likely > 0 ? finding->likely : 1;
  return fmax(finding->at_stake * likely * part, heat);
}

/// What makes all else doubtful; what was measured; what is on a CPU, and what isn't; weak
/// evidence; what was refuted.
static int class_of(const struct finding *f) {
  return f->code == FINDING_UNOPTIMISED                           ? 0
         : f->proof == FINDING_REFUTED                            ? 5
         : finding_is_gained(f) && f->gain.value >= FINDING_LEAST ? 1
         : f->is_possible && !f->heat                             ? 4
         : kinds[f->code].base == FINDING_OF_THREADS              ? 3
                                                                  : 2;
}

static int compare(const void *left, const void *right) {
  const struct finding *a = left, *b = right;
  if (class_of(a) != class_of(b))
    return class_of(a) < class_of(b) ? -1 : 1;
  if (value_of(a) != value_of(b))
    return value_of(a) > value_of(b) ? -1 : 1;
  if (a->code != b->code)
    return a->code < b->code ? -1 : 1;
  size_t length_a = strlen(a->about), length_b = strlen(b->about);
  return length_a != length_b ? (length_a < length_b ? -1 : 1) : strcmp(a->about, b->about);
}

static bool is_layout_of(const struct finding *finding, const char *structure) {
  return finding->proof != FINDING_REFUTED && !finding->is_possible &&
         strcmp(finding->about, structure) == 0 && finding->code >= FINDING_LAYOUT_SPLIT &&
         finding->code <= FINDING_LAYOUT_ORDER;
}

/// Loops that wait for the fields of a struct stand behind the finding on its layout, and name it
/// instead of the change.
static void put_remedies_first(struct findings *findings) {
  for (size_t i = 0; i < findings->count; i++) {
    struct finding *items = findings->items;
    size_t at = 0;
    while (*items[i].remedy && at < findings->count && !is_layout_of(&items[at], items[i].remedy))
      at++;
    if (!*items[i].remedy || at == findings->count)
      continue;
    struct finding *symptom = &items[i];
    if (at > i) {
      struct finding layout = items[at];
      memmove(&items[i + 1], &items[i], (at - i) * sizeof(*items));
      items[i++] = layout;
      symptom = &items[i];
    }
    text_clear(&symptom->change);
    text_printf(&symptom->change, "the layout of %s: reticle show %s", symptom->remedy,
                symptom->remedy);
  }
}

static void add_run(const struct measurement *m, struct findings *findings) {
  const struct overview *overview = &m->overview;
  if (!overview->objects_unoptimised)
    return;
  struct finding *finding = findings_add(findings, FINDING_UNOPTIMISED);
  text_printf(&finding->text, "%llu of %zu object files were compiled with -O0",
              (unsigned long long)overview->objects_unoptimised, m->input.profile.object_count);
}

void findings_limit(struct findings *findings) {
  for (size_t i = 0; i < findings->count; i++)
    limit_to_place(&findings->items[i]);
}

/// What may gain something, and not 1 %, is no row.
static bool is_worthless(const struct finding *f) {
  return f->is_possible && is_known(f) && f->gain.value < FINDING_LEAST;
}

static void drop_worthless(struct findings *findings) {
  size_t kept = 0;
  for (size_t i = 0; i < findings->count; i++) {
    if (is_worthless(&findings->items[i]))
      finding_release(&findings->items[i]);
    else
      findings->items[kept++] = findings->items[i];
  }
  findings->count = kept;
}

void findings_order(struct findings *findings) {
  findings_limit(findings);
  drop_worthless(findings);
  for (size_t i = 0; i < findings->count; i++)
    findings->items[i].severity = severity_of(&findings->items[i]);
  if (findings->count)
    qsort(findings->items, findings->count, sizeof(*findings->items), compare);
  put_remedies_first(findings);
}

void findings_make(const struct measurement *m, struct findings *out) {
  *out = (struct findings){0};
  add_run(m, out);
  finding_faults_add(m, out);
  finding_pressure_add(m, out);
  finding_waits_add(m, out);
  finding_loops_add(m, out);
  finding_stalls_add(m, out);
  finding_layouts_add(m, out);
  finding_sites_add(m, out);
  finding_vector_add(m, out);
  finding_heat_add(m, out);
  findings_order(out);
  finding_trials_add(m, out);
}

double finding_base_ns(const struct measurement *m) {
  const struct account *account = &m->account;
  return account->user_ns.status == QUANTITY_OK && account->system_ns.status == QUANTITY_OK
             ? account->user_ns.value + account->system_ns.value
         : m->samples.all_ns ? (double)m->samples.all_ns
                             : NAN;
}

struct finding *finding_of_loop(struct findings *findings, const struct measured_loop *loop,
                                enum finding_code code) {
  for (size_t i = 0; i < findings->count; i++)
    if (findings->items[i].code == code && findings->items[i].about[0] == 'L' &&
        strtoul(findings->items[i].about + 1, NULL, 10) == loop->rank)
      return &findings->items[i];
  return NULL;
}

double finding_iterations(const struct profile_loop *loop) {
  double sum = 0, weight = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++) {
    const struct profile_sample *sample = &loop->raw[i];
    if (sample->work == RETICLE_WORK_UNKNOWN || sample->flags & RETICLE_SAMPLE_TAGGED)
      return NAN;
    sum += (double)sample->weight * (double)sample->work;
    weight += (double)sample->weight;
  }
  return weight > 0 ? sum / weight : NAN;
}

double finding_loop_share(const struct measurement *m, const struct measured_loop *loop,
                          enum finding_base *base) {
  struct quantity sampled = heat_loop_share(m, loop);
  bool is_of_cpu = sampled.status == QUANTITY_OK || !m->shares_wall;
  *base = is_of_cpu ? FINDING_OF_CPU : FINDING_OF_THREADS;
  if (sampled.status == QUANTITY_OK)
    return sampled.value;
  struct quantity share = loop->share;
  return share.status != QUANTITY_OK ? NAN : loop->stats.is_most ? share.high : share.value;
}

double finding_loop_likely(const struct measurement *m, const struct measured_loop *loop) {
  bool is_bound = loop->stats.is_most && loop->share.status == QUANTITY_OK &&
                  loop->share.high > 0 && heat_loop_share(m, loop).status != QUANTITY_OK;
  return is_bound ? loop->share.value / loop->share.high : 1;
}

void finding_release(struct finding *finding) {
  text_release(&finding->name);
  text_release(&finding->text);
  text_release(&finding->change);
}

void findings_release(struct findings *findings) {
  for (size_t i = 0; i < findings->count; i++)
    finding_release(&findings->items[i]);
  free(findings->items);
  *findings = (struct findings){0};
}
