// culprit_show.h - culprits and tallies as text and JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_CULPRIT_SHOW_H
#define RETICLE_TOOLS_CMD_CULPRIT_SHOW_H

#include "tools/cmd/function_code.h"
#include "tools/support/text.h"
#include "tools/ui/json.h"
#include "tools/ui/terminal.h"

/// Letters of the suspects, "?" where none is left.
///
/// letters  [CULPRIT_REASONS + 2]
void culprit_show_letters(uint32_t suspects, char *letters);

/// Whether cycles are known of enough of the time to name somebody, or to say "none".
bool culprit_show_is_known(const struct culprit_tally *tally);

/// "culprit: D-cache miss (0 to 91 % of its time), DTLB miss (0 to 91 %)", or "culprit: none; ...";
/// nothing where that isn't known.
void culprit_show_add(const struct culprit_tally *tally, struct text *out);

/// "memory: D-cache miss": group and name of who is named first, "none"; nothing where that isn't
/// known.
void culprit_show_short(const struct culprit_tally *tally, struct text *out);

/// "d: D-cache miss, D: DTLB miss": what these suspects' letters stand for; nothing without any.
void culprit_show_legend(uint32_t suspects, struct text *out);
/// The same of a function.
void culprit_show_letters_used(const struct function_code *code, struct text *out);

/// Time outside of the tally.
struct culprit_other {
  const char *name;
  double time;
};

/// All time of the tally and outside of it; 0: there are no shares.
double culprit_show_total(const struct culprit_tally *tally, const struct culprit_other *others,
                          size_t count);

/// Adds a table of all that the time went to; its parts make 100 %.
///
/// others  [count] those without time are left out
void culprit_show_table(const struct culprit_tally *tally, const struct culprit_other *others,
                        size_t count, const char *heading, const struct terminal *terminal,
                        struct text *out);
/// The table's parts, as shares; with "total".
void culprit_show_json_table(const struct culprit_tally *tally, const struct culprit_other *others,
                             size_t count, struct json *json);

/// Puts "culprits" and "culprits_reason", and the parts of the tally as "tally".
///
/// tally  null: not known, `reason` says why
void culprit_show_json(const struct culprit_tally *tally, const char *reason, struct json *json);

/// Puts "blamed", "stall" (cycles of an execution) and "suspects" of an instruction.
void culprit_show_json_stall(const struct function_code *code, size_t block, size_t instruction,
                             struct json *json);

#endif
