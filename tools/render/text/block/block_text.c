// block_text.c - results of blocks as people read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/block_text.h"
#include "tools/support/units.h"

#include <math.h>
#include <string.h>

const struct table_column block_table_columns[] = {
    {"block", false, 16, false}, {"bytes", true, 0, false},    {"insns", true, 0, false},
    {"cycles", true, 0, false},  {"interval", true, 0, false}, {"accepted", true, 0, false},
    {"copies", true, 0, false},  {"pages", true, 0, false},    {"status", false, 0, false}};
const size_t block_table_column_count =
    sizeof(block_table_columns) / sizeof(block_table_columns[0]);

/// Places in a cache line are worth a word from here on: what two measurements may differ by, and
/// more.
#define PLACES_DIFFER 1.05

static enum style style_of(enum harness_status status) {
  return status == HARNESS_OK ? STYLE_GOOD : status == HARNESS_NOISY ? STYLE_CAUTION : STYLE_BAD;
}

/// A number of cycles with digits that it deserves.
static void add_cycles(struct text *out, double cycles) {
  text_printf(out, cycles < 10 ? "%.3f" : cycles < 100 ? "%.2f" : "%.1f", cycles);
}

static void add_status(struct text *out, const struct block_outcome *outcome) {
  const struct harness_result *result = &outcome->result;
  text_add(out, outcome->job->is_broken ? "invalid" : harness_status_text(result->status));
  if (result->detail)
    text_printf(out, ": %s", result->detail);
}

void block_table_add(const struct block_outcome *outcome, struct table *table) {
  const struct harness_result *result = &outcome->result;
  struct text cell = {0};
  table_add(table, STYLE_PLAIN, outcome->job->name);
  table_printf(table, STYLE_FAINT, "%zu", outcome->job->bytes);
  if (outcome->instructions)
    table_printf(table, STYLE_FAINT, "%zu", outcome->instructions);
  else // refused, or no code: not counted
    table_add(table, STYLE_FAINT, "");
  if (isnan(result->cycles)) {
    add_status(&cell, outcome);
    table_add_tail(table, style_of(result->status), text_get(&cell));
    text_release(&cell);
    return;
  }
  add_cycles(&cell, result->cycles);
  table_add(table, STYLE_PLAIN, text_get(&cell));
  text_clear(&cell);
  add_cycles(&cell, result->low);
  text_add(&cell, " to ");
  add_cycles(&cell, result->high);
  table_add(table, STYLE_FAINT, text_get(&cell));
  table_printf(table, STYLE_FAINT, "%.0f %%", 100 * result->accepted);
  table_printf(table, STYLE_FAINT, "%u", result->unroll_high);
  table_printf(table, STYLE_FAINT, "%u", result->pages);
  table_add(table, style_of(result->status), harness_status_text(result->status));
  text_release(&cell);
}

static void add_memory(struct text *out, const struct block_outcome *outcome) {
  const struct harness_result *result = &outcome->result;
  const struct block_accesses *accesses = &outcome->accesses;
  if (!result->pages) {
    text_add(out, "  touches no memory\n");
    return;
  }
  text_printf(out, "  %s touched, on %s of 4 KB", units_counted(result->pages, "page").data,
              units_counted(result->frames, "frame").data);
  if (result->pages > result->frames)
    text_add(out, ": pages share frames, and may fight for lines of the cache");
  if (accesses->steps)
    text_printf(out,
                "\n  %u loads and %u stores in %u instructions of two iterations: %u across cache "
                "lines, %u look like an earlier store (4 KB aliasing)",
                accesses->loads, accesses->stores, accesses->steps, accesses->misaligned,
                accesses->aliases);
  if (accesses->unknown)
    text_printf(out, "; %u addresses unknown", accesses->unknown);
  text_add(out, "\n");
}

static void add_misses(struct text *out, const struct harness_result *result) {
  if (!isnan(result->l1d_misses))
    text_printf(out, "  misses of the first caches in a run: %.1f of data, %.1f of code (PMU)\n",
                result->l1d_misses, result->l1i_misses);
  else if (result->pmu_error)
    text_printf(out, "  misses of the first caches not counted: no PMU (%s)\n",
                strerror(result->pmu_error));
}

static void add_fault(struct text *out, const struct harness_result *result) {
  if (result->fault_offset != UINT32_MAX)
    text_printf(out, "  at byte %u", result->fault_offset);
  if (result->status == HARNESS_BAD_ADDRESS)
    text_printf(out, "%s 0x%llx", result->fault_offset != UINT32_MAX ? ", address" : "  at address",
                (unsigned long long)result->fault_address);
  if (result->error)
    text_printf(out, "  %s", strerror(result->error));
  if (result->status == HARNESS_NOT_PERMITTED)
    text_add(out, "\n  in a container: docker run --cap-add=SYS_PTRACE --security-opt "
                  "seccomp=unconfined");
  text_add(out, "\n");
}

void block_card_add(const struct block_outcome *outcome, const struct harness_settings *settings,
                    const struct terminal *terminal, struct text *out) {
  const struct harness_result *result = &outcome->result;
  struct text status = {0};
  text_add_clean(out, outcome->job->name);
  if (!isnan(result->cycles)) {
    text_add(out, "  ");
    add_cycles(out, result->cycles);
    text_add(out, " cycles (");
    add_cycles(out, result->low);
    text_add(out, " to ");
    add_cycles(out, result->high);
    text_add(out, ")");
  }
  text_add(out, "  ");
  add_status(&status, outcome);
  terminal_add(terminal, out, style_of(result->status), text_get(&status));
  text_release(&status);
  text_add(out, "\n");
  if (outcome->job->problem)
    return;
  if (isnan(result->cycles)) {
    add_fault(out, result);
    return;
  }
  text_printf(out,
              "  %zu bytes, %s; %u and %u %s compared; %.0f %% of %u rounds "
              "undisturbed, canary %.2f cycles\n",
              outcome->job->bytes, units_counted(outcome->instructions, "instruction").data,
              result->unroll_low, result->unroll_high, settings->loop ? "iterations" : "copies",
              100 * result->accepted, result->rounds, result->canary);
  if (settings->loop && outcome->loop_register < 0)
    text_add(out, "  the loop counts in memory: the block names all of r8 to r15\n");
  if (result->slowest > PLACES_DIFFER * result->fastest) {
    text_add(out, "  where it lies matters: ");
    add_cycles(out, result->fastest);
    text_add(out, " cycles in the best of eight places in a cache line, ");
    add_cycles(out, result->slowest);
    text_add(out, " in the worst\n");
  }
  if (settings->decode)
    text_add(out, "  each run decodes its instructions anew\n");
  if (result->attempt)
    text_printf(out, "  with initial values number %u: the ones asked for don't run\n",
                result->attempt);
  add_memory(out, outcome);
  add_misses(out, result);
}

void block_code_add(const struct block_outcome *outcome, const struct terminal *terminal,
                    struct text *out) {
  const struct block_job *job = outcome->job;
  const struct harness_result *result = &outcome->result;
  for (size_t at = 0; at < job->bytes;) {
    char line[256];
    size_t length = block_job_text(job, at, job->address, line, sizeof(line));
    text_printf(out, "  %4zx  %s", at, line);
    for (unsigned i = 0; i < result->pages; i++)
      if (result->page_list[i].block_offset == at)
        terminal_printf(terminal, out, STYLE_FAINT, "  ; page 0x%llx, frame %u",
                        (unsigned long long)result->page_list[i].address,
                        result->page_list[i].frame);
    if (result->fault_offset == at)
      terminal_printf(terminal, out, STYLE_BAD, "  ; %s", harness_status_text(result->status));
    text_add(out, "\n");
    if (!length)
      return;
    at += length;
  }
}

void block_counts_add(const struct block_counts *counts, struct text *out) {
  text_printf(out, "%zu of %zu blocks have a value", counts->measured, counts->all);
  const char *between = ": ";
  for (size_t i = 0; i < HARNESS_STATUS_COUNT; i++) {
    if (!counts->by_status[i])
      continue;
    text_printf(out, "%s%zu %s", between, counts->by_status[i],
                harness_status_text((enum harness_status)i));
    between = ", ";
  }
  if (counts->broken)
    text_printf(out, "%s%zu broken lines", between, counts->broken);
  text_printf(out, "; %.1f s, %.0f a second\n", counts->seconds,
              counts->seconds > 0 ? (double)counts->all / counts->seconds : 0.0);
}
