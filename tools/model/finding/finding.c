// finding.c - collects the findings of a run and puts them in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding.h"

#include "tools/model/finding/finding_parts.h"
#include "tools/model/remedy/remedy.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// Gains from which on a finding is of high and of medium severity.
#define HIGH_GAIN 0.05
#define MEDIUM_GAIN FINDING_LEAST

static const struct {
  const char *code;
  enum remedy remedy;
} kinds[FINDING_CODES] = {
#define FINDING(NAME, CODE, REMEDY) {CODE, REMEDY_##REMEDY},
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
      .gain = quantity_none(QUANTITY_UNSUPPORTED, "what the change would gain wasn't measured")};
  text_add(&finding->change, remedy_words(kinds[code].remedy));
  return finding;
}

double finding_gain_shown(const struct finding *finding) {
  return finding->proof < FINDING_MEASURED ? finding->gain.high : finding->gain.value;
}

static enum finding_severity severity_of(const struct finding *finding) {
  if (finding->proof == FINDING_REFUTED)
    return FINDING_LOW;
  if (finding->code == FINDING_UNOPTIMISED)
    return FINDING_HIGH;
  if (finding->gain.status == QUANTITY_OK)
    return finding_gain_shown(finding) >= HIGH_GAIN     ? FINDING_HIGH
           : finding_gain_shown(finding) >= MEDIUM_GAIN ? FINDING_MEDIUM
                                                        : FINDING_LOW;
  return finding->code == FINDING_FALSE_SHARING || finding->at_stake >= HIGH_GAIN ? FINDING_MEDIUM
                                                                                  : FINDING_LOW;
}

/// Known gains first, as they are shown, then what is at stake.
static double value_of(const struct finding *finding) {
  return finding->gain.status == QUANTITY_OK ? 1 + finding_gain_shown(finding) : finding->at_stake;
}

/// What makes all else doubtful, severity, what was measured, the gain.
static int compare(const void *left, const void *right) {
  const struct finding *a = left, *b = right;
  if ((a->code == FINDING_UNOPTIMISED) != (b->code == FINDING_UNOPTIMISED))
    return a->code == FINDING_UNOPTIMISED ? -1 : 1;
  bool is_refuted_a = a->proof == FINDING_REFUTED, is_refuted_b = b->proof == FINDING_REFUTED;
  if (is_refuted_a != is_refuted_b)
    return is_refuted_a ? 1 : -1;
  if (a->severity != b->severity)
    return a->severity < b->severity ? -1 : 1;
  bool is_measured_a = a->proof >= FINDING_MEASURED, is_measured_b = b->proof >= FINDING_MEASURED;
  if (is_measured_a != is_measured_b)
    return is_measured_a ? -1 : 1;
  if (value_of(a) != value_of(b))
    return value_of(a) > value_of(b) ? -1 : 1;
  if (a->code != b->code)
    return a->code < b->code ? -1 : 1;
  size_t length_a = strlen(a->about), length_b = strlen(b->about);
  return length_a != length_b ? (length_a < length_b ? -1 : 1) : strcmp(a->about, b->about);
}

static bool is_layout_of(const struct finding *finding, const char *structure) {
  return finding->proof != FINDING_REFUTED && strcmp(finding->about, structure) == 0 &&
         finding->code >= FINDING_LAYOUT_SPLIT && finding->code <= FINDING_LAYOUT_ORDER;
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
    text_printf(&symptom->change, "the layout of %s, as above", symptom->remedy);
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

void findings_order(struct findings *findings) {
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
  finding_layouts_add(m, out);
  finding_sites_add(m, out);
  findings_order(out);
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
