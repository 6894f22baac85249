// finding.h - what a report found that is worth acting on: a code, a place, evidence, and a change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FINDING_FINDING_H
#define RETICLE_TOOLS_MODEL_FINDING_FINDING_H

#include "tools/analysis/stats/quantity.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// Stable codes: each has a section in docs/findings.md. The order breaks ties.
enum finding_code {
#define FINDING(NAME, CODE, REMEDY) FINDING_##NAME,
#include "tools/model/finding/finding.def"
#undef FINDING
  FINDING_CODES
};

/// By the gain: 5 % of the run's time and more, 1 % and more, less or not known. Medium, too, where
/// the gain isn't known and 5 % are at stake.
enum finding_severity { FINDING_HIGH, FINDING_MEDIUM, FINDING_LOW };

/// How sure it is that the change gains.
enum finding_proof {
  FINDING_UNPROVEN, ///< nothing but the finding itself
  FINDING_ESTIMATE, ///< a model says so
  FINDING_REPLAYED, ///< the accesses were replayed with the change
  FINDING_MEASURED, ///< the change was made, and the program measured
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
  struct quantity gain; ///< share of the run's time that the change saves, at most
  double at_stake; ///< where the gain isn't known: the share that it can't exceed; 0: not known
};

/// Start with findings_make, end with findings_release, before the measurement.
struct findings {
  struct finding
      *items; ///< [count] most to gain first, a remedy before what it mends; refuted ones last
  size_t count, capacity;
};

void findings_make(const struct measurement *m, struct findings *out);
void findings_release(struct findings *findings);

/// Appends one of that code, with its standard change, no place and no gain.
struct finding *findings_add(struct findings *findings, enum finding_code code);

/// The gain as reports show it: the most that it may be, where it wasn't measured. Of a known gain.
double finding_gain_shown(const struct finding *finding);
/// "loop-bimodal"
const char *finding_code_name(enum finding_code code);
/// "high", "medium" or "low".
const char *finding_severity_name(enum finding_severity severity);
/// "none", "estimate", "replayed", "measured", "proven" or "refuted".
const char *finding_proof_name(enum finding_proof proof);

#endif
