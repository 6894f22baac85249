// remarks.c - writes remarks: a type, a place, and a message in pieces that have keys.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/remarks.h"

#include "tools/model/loop/loop_told.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASS "reticle"
/// LLVM takes no remark without a function.
#define NO_FUNCTION "(no function)"
/// Alone in its argument: what people read between the values.
#define WORDS "String"

/// What stands in front of a remark's arguments.
struct remark_head {
  const char *type; ///< "Analysis", "Missed"
  const char *name;
  const char *file; ///< "" if unknown
  unsigned line, column;
  const char *function;    ///< linkage name where it is known; "" for none
  struct quantity hotness; ///< ns
};

/// In single quotes, where nothing but the quote itself is special. LLVM's reader takes no escapes,
/// so what isn't to be shown is escaped as it is everywhere.
static void add_quoted(const char *string, struct text *out) {
  struct text clean = {0};
  text_add_name(&clean, string);
  text_add(out, "'");
  for (const char *c = text_get(&clean); *c; c++)
    text_add_bytes(out, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
  text_add(out, "'");
  text_release(&clean);
}

static void add_head(const struct remark_head *head, struct text *out) {
  text_format(out, "--- !%s\nPass:            " PASS "\nName:            %s\n", head->type,
              head->name);
  if (*head->file && head->line) {
    text_add(out, "DebugLoc:        { File: ");
    add_quoted(head->file, out);
    text_format(out, ", Line: %u, Column: %u }\n", head->line, head->column);
  }
  text_add(out, "Function:        ");
  add_quoted(*head->function ? head->function : NO_FUNCTION, out);
  text_add(out, "\n");
  if (head->hotness.status == QUANTITY_OK)
    text_format(out, "Hotness:         %" PRIu64 "\n", quantity_count(head->hotness.value + 0.5));
  text_add(out, "Args:\n");
}

static void add_argument(const char *key, const char *value, struct text *out) {
  text_format(out, "  - %s: ", key);
  add_quoted(value, out);
  text_add(out, "\n");
}

static void add_number(const char *key, uint64_t value, struct text *out) {
  text_format(out, "  - %s: '%" PRIu64 "'\n", key, value);
}

static void add_end(struct text *out) { text_add(out, "...\n"); }

/// "verdict-below-floor"
static void add_verdict(const struct loop_stats *stats, struct text *out) {
  text_add(out, "verdict-");
  for (const char *c = loop_verdict_name(stats->verdict); *c; c++)
    text_add_bytes(out, *c == '_' ? "-" : c, 1);
}

static void add_times(const struct measurement *m, const struct measured_loop *loop,
                      struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  const char *least = stats->is_least ? "at least " : "";
  struct told share = loop_told_share(loop);
  struct text words = {0};
  if (!isnan(share.value)) {
    text_printf(&words, ": %s", share.is_least ? "at least " : share.is_most ? "at most " : "");
    add_argument(WORDS, text_get(&words), out);
    add_argument("Share", units_share(share.value).data, out);
    add_argument(WORDS, m->shares_wall ? " of the time, " : " of CPU time, ", out);
  } else {
    add_argument(WORDS, ": ", out);
  }
  add_number("Executions", stats->executions, out);
  bool has_mean = stats->mean_ns.status == QUANTITY_OK;
  text_clear(&words);
  text_printf(&words, " executions%s%s", has_mean ? " of " : "", has_mean ? least : "");
  add_argument(WORDS, text_get(&words), out);
  if (has_mean)
    add_argument("Mean", units_duration(stats->mean_ns.value).data, out);
  text_release(&words);
  add_argument(WORDS, "; ", out);
  add_argument("Verdict", loop_verdict_words(stats->verdict), out);
  add_argument(WORDS, ": ", out);
  add_argument("Reason", stats->reason, out);
}

static void add_loop(const struct measurement *m, const struct measured_loop *loop,
                     struct text *out) {
  const struct profile_loop *record = loop->loop;
  struct text text = {0};
  add_verdict(&loop->stats, &text);
  struct remark_head head = {.type = "Analysis",
                             .name = loop->stats.executions ? text_get(&text) : "not-entered",
                             .file = record->file,
                             .line = record->line,
                             .column = record->column,
                             .function = record->function,
                             .hotness = loop->stats.total_ns};
  add_head(&head, out);
  text_clear(&text);
  text_printf(&text, "L%zu, ", loop->rank);
  measurement_add_name(loop, &text);
  add_argument("Loop", text_get(&text), out);
  text_release(&text);
  if (loop->stats.executions) {
    add_times(m, loop, out);
  } else { // a number in each, so that LLVM's tools can sum them up
    add_argument(WORDS, ": ", out);
    add_number("Executions", 0, out);
    add_argument(WORDS, " executions", out);
  }
  add_end(out);
}

/// The loop that a finding is about; null if it is about something else.
static const struct measured_loop *loop_of(const struct measurement *m,
                                           const struct finding *finding) {
  for (size_t i = 0; *finding->about == 'L' && i < m->loop_count; i++)
    if (strtoull(finding->about + 1, NULL, 10) == m->loops[i].rank)
      return &m->loops[i];
  return NULL;
}

static void add_finding(const struct measurement *m, const struct finding *finding,
                        struct text *out) {
  const struct measured_loop *loop = loop_of(m, finding);
  struct remark_head head = {
      .type = finding->proof == FINDING_REFUTED ? "Analysis" : "Missed",
      .name = finding_code_name(finding->code),
      .file = finding->file,
      .line = finding->line,
      .column = loop && loop->loop->line == finding->line ? loop->loop->column : 0,
      .function = loop ? loop->loop->function : finding->function,
      .hotness = loop ? loop->stats.total_ns : quantity_none(QUANTITY_UNSUPPORTED, "no loop"),
  };
  add_head(&head, out);
  struct text about = {0};
  text_printf(&about, "%s%s%s", finding->about, *finding->about && finding->name.length ? ", " : "",
              text_get(&finding->name));
  if (about.length)
    add_argument("About", text_get(&about), out);
  if (about.length)
    add_argument(WORDS, ": ", out);
  text_release(&about);
  add_argument(WORDS, text_get(&finding->text), out);
  if (finding->change.length) {
    add_argument(WORDS, "; change: ", out);
    add_argument("Change", text_get(&finding->change), out);
  }
  struct text gain = {0};
  finding_add_gain(finding, finding_base_words(finding), &gain);
  add_argument(WORDS, "; ", out);
  add_argument("Gain", text_get(&gain), out);
  text_release(&gain);
  add_argument(WORDS, "; proof: ", out);
  add_argument("Proof", finding_proof_name(finding->proof), out);
  add_end(out);
}

size_t remarks_add(const struct measurement *m, const struct findings *findings, struct text *out) {
  for (size_t i = 0; i < m->loop_count; i++)
    add_loop(m, &m->loops[i], out);
  for (size_t i = 0; i < findings->count; i++)
    add_finding(m, &findings->items[i], out);
  return m->loop_count + findings->count;
}
