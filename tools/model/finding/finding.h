// finding.h - what a report found that is worth acting on: a code, a place, evidence, and a change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FINDING_FINDING_H
#define RETICLE_TOOLS_MODEL_FINDING_FINDING_H

#include "tools/analysis/stats/quantity.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// Stable codes: each has a section in docs/findings.md. The order breaks ties.
enum finding_code {
#define FINDING(NAME, CODE, REMEDY, BASE) FINDING_##NAME,
#include "tools/model/finding/finding.def"
#undef FINDING
  FINDING_CODES
};

/// What a finding's shares are of.
enum finding_base {
  FINDING_OF_CPU,     ///< the program's CPU time, user and kernel, of all threads
  FINDING_OF_THREADS, ///< the time that its threads lived: what isn't on a CPU, and all where CPU
                      ///< time isn't known
};

/// By the middle of the gain: 5 % of the time and more, 1 % and more, less or not known. Medium,
/// too, where the gain isn't known and 5 % are at stake.
enum finding_severity { FINDING_HIGH, FINDING_MEDIUM, FINDING_LOW };

/// How sure it is that the change gains.
enum finding_proof {
  FINDING_UNPROVEN, ///< nothing but the finding itself
  FINDING_ESTIMATE, ///< a model says so
  FINDING_REPLAYED, ///< the accesses were replayed with the change
  FINDING_MEASURED, ///< the change was made, and the program measured; of a stall: the loop ran
                    ///< without
  FINDING_PROVEN,   ///< measured, and the change is known to keep what the program does
  FINDING_REFUTED,  ///< the change was made and did not gain
};

struct finding {
  enum finding_code code;
  enum finding_severity severity;
  enum finding_proof proof;
  char about[24];       ///< "L1", "S1", "A1"; "" for the whole run
  char remedy[24];      ///< "S1": the change is that struct's layout; "" for none
  struct text name;     ///< of what it is about: a function, a struct, an allocation site
  const char *function; ///< of the place; "" if unknown or none
  const char *file;     ///< "" if unknown
  unsigned line;        ///< 0 if unknown
  struct text text;     ///< the evidence, one sentence without a full stop
  struct text change;   ///< what to do, the same
  enum finding_base base;
  double share;         ///< of its place: no gain is above; NaN: not known, or the whole run
  struct quantity gain; ///< share of the base that the change saves; its value ranks
  double at_stake;  ///< where the gain isn't known: the share that it can't exceed; 0: not known
  double likely;    ///< part of what is at stake that ranks: the middle of an upper bound; 0: all
  double heat;      ///< what its place takes, where this is the only row that says so; else 0
  bool is_possible; ///< weak evidence: no gain may be, or it isn't known to a factor of 4
  bool is_doubted_by_load; ///< possible only as the machine was busy
};

/// Start with findings_make, end with findings_release, before the measurement.
struct findings {
  /// [count] what was measured, then by the middle of the gain, a remedy before what it mends; then
  /// what isn't on a CPU, what is possible, and what was refuted.
  struct finding *items;
  size_t count, capacity;
};

void findings_make(const struct measurement *m, struct findings *out);
void findings_release(struct findings *findings);

/// Appends one of that code, with its standard change, no place and no gain.
struct finding *findings_add(struct findings *findings, enum finding_code code);

/// Whether the program was measured with the change: not only what a stall costs.
bool finding_is_gained(const struct finding *finding);
/// " of the CPU time": what its shares are of.
const char *finding_base_words(const struct finding *finding);
/// "saves 12 % of the CPU time (9.1 % to 15 %, measured)", "costs 71 % ...", "takes 62 % of the CPU
/// time".
///
/// of  finding_base_words, or "" where that is said before
void finding_add_gain(const struct finding *finding, const char *of, struct text *out);
/// The rule that the finding's numbers break, "gain above 1"; null: none.
const char *finding_broken_rule(const struct finding *finding);
/// "loop-bimodal"
const char *finding_code_name(enum finding_code code);
/// "high", "medium" or "low".
const char *finding_severity_name(enum finding_severity severity);
/// "cpu-time" or "thread-time".
const char *finding_base_name(enum finding_base base);
/// "none", "estimate", "replayed", "measured", "proven" or "refuted".
const char *finding_proof_name(enum finding_proof proof);

#endif
