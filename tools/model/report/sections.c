// sections.c - the sections of a report: their columns, and the walk over their rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/measured_block.h"
#include "tools/model/heap/site_find.h"
#include "tools/model/heap/site_gap.h"
#include "tools/model/heap/site_type.h"
#include "tools/model/measurement/environment.h"
#include "tools/model/rank/waits.h"
#include "tools/model/report/section.h"
#include "tools/model/sample/call_tree.h"
#include "tools/model/stall/stalls.h"
#include "tools/model/struct/field_time.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/model/trial/program_trials.h"
#include "tools/profile/rank.h"

#include <inttypes.h>
#include <math.h>

static const char *work_class_name(uint32_t work_class) {
  switch (work_class) {
  case RETICLE_WORK_CLASS_F:
    return "fixed";
  case RETICLE_WORK_CLASS_P:
    return "paths";
  case RETICLE_WORK_CLASS_C:
    return "calls";
  default:
    return "unknown";
  }
}

static const char *burst_name(uint32_t timer_flags) {
  return !(timer_flags & RETICLE_TIMER_BURST)     ? "off"
         : timer_flags & RETICLE_TIMER_BURST_IDLE ? "of_no_use"
                                                  : "on";
}

static void set_whom(const struct waits_row *wait, struct value *out) {
  uint32_t whom = waits_whom(wait, &out->number);
  out->is_null = whom == RETICLE_WAIT_NOBODY;
  out->count = whom;
}

static void set_count(uint32_t count, struct value *out) {
  out->is_null = count == PROFILE_RANK_UNKNOWN;
  out->count = count;
}

enum rank_number { RANK_NUMBER, RANK_LOCAL };

static void set_rank(const struct profile_rank *rank, enum rank_number which, struct value *out) {
  set_count(!rank                  ? PROFILE_RANK_UNKNOWN
            : which == RANK_NUMBER ? rank->rank
                                   : rank->local_rank,
            out);
}

static void add_type(const struct measurement *m, const struct site_use *use, struct text *out) {
  struct site_type type = site_type_find(m, use);
  if (type.status != SITE_TYPE_UNKNOWN)
    site_type_add_name(&type, out);
}

static void add_loop(const struct measured_block *block, struct text *out) {
  if (block->loop)
    text_printf(out, "L%zu", block->loop->rank);
}

static const char *executions_reason(const struct block_in_place *place) {
  return place->reason   ? place->reason
         : place->shared ? "threads shared counters: may be too low"
                         : "";
}

static void add_suspects(const struct stall_row *row, struct text *out) {
  char letters[STALL_CAUSES + 2];
  stall_cause_letters(row->suspects, letters);
  text_add(out, letters);
}

/// Where the rows are one array: moves to element `next` of `count`.
static bool walk_array(struct row_cursor *cursor, const void *rows, size_t bytes, size_t count) {
  if (cursor->next >= count)
    return false;
  cursor->row = (const char *)rows + bytes * cursor->next++;
  return true;
}

#define WALK_ARRAY(name, rows, count)                                                              \
  static bool walk_##name(const struct report *report, struct row_cursor *cursor) {                \
    return walk_array(cursor, rows, sizeof *(rows), count);                                        \
  }
WALK_ARRAY(findings, report->findings->items, report->findings->count)
WALK_ARRAY(loops, report->m->loops, report->m->loop_count)
WALK_ARRAY(structs, report->m->structs.structs, report->m->structs.accessed)
WALK_ARRAY(sites, report->m->sites.sites, *site_gap(report->m) ? 0 : report->m->sites.count)
WALK_ARRAY(blocks, report->m->blocks, report->m->block_count)
WALK_ARRAY(trials, program_trials_get(report->m)->items, program_trials_get(report->m)->count)
WALK_ARRAY(processes, report->m->input.profile.processes, report->m->input.profile.process_count)
WALK_ARRAY(functions, report->m->samples.functions, report->m->samples.function_count)
WALK_ARRAY(calls, call_tree_get(report->m)->nodes, call_tree_get(report->m)->node_count)
WALK_ARRAY(waits, waits_get(report->m)->rows, waits_get(report->m)->row_count)
WALK_ARRAY(stalls, stalls_get(report->m)->rows, stalls_get(report->m)->count)

static bool walk_loadfiles(const struct report *report, struct row_cursor *cursor) {
  const struct samples *samples = &report->m->samples;
  while (walk_array(cursor, samples->files, sizeof *samples->files, samples->file_count))
    if (((const struct sampled_file *)cursor->row)->samples)
      return true;
  return false;
}

static bool walk_fields(const struct report *report, struct row_cursor *cursor) {
  const struct struct_uses *uses = &report->m->structs;
  for (; cursor->next < uses->accessed; cursor->next++, cursor->next_inside = 0) {
    const struct struct_use *use = &uses->structs[cursor->next];
    if (cursor->next_inside < use->field_count) {
      cursor->parent = use;
      cursor->row = &use->fields[cursor->next_inside++];
      return true;
    }
  }
  return false;
}

/// The nodes of each loop's tree.
static bool walk_topdown(const struct report *report, struct row_cursor *cursor) {
  const struct topdown_view *view = topdown_view_get(report->m);
  for (; cursor->next < view->loop_count; cursor->next++, cursor->next_inside = 0) {
    const struct topdown_loop *loop = &view->loops[cursor->next];
    if (!loop->reason && cursor->next_inside < view->tree->node_count) {
      cursor->row = &loop->result.nodes[cursor->next_inside++];
      return true;
    }
  }
  return false;
}

#define SECTION env
#define ROW const void *
#define COLUMNS "tools/model/report/columns/env.def"
#define PARENT NULL
#define WALK NULL
#define HELP "the machine, the process, the timer"
#include "tools/model/report/columns/section.def"

#define SECTION processes
#define ROW const struct profile_process *
#define COLUMNS "tools/model/report/columns/process.def"
#define PARENT NULL
#define WALK walk_processes
#define HELP "processes whose profiles were merged; of one alone, that one"
#include "tools/model/report/columns/section.def"

#define SECTION account
#define ROW const void *
#define COLUMNS "tools/model/report/columns/account.def"
#define PARENT NULL
#define WALK NULL
#define HELP "where the time of the run went"
#include "tools/model/report/columns/section.def"

#define SECTION coverage
#define ROW const void *
#define COLUMNS "tools/model/report/columns/coverage.def"
#define PARENT NULL
#define WALK NULL
#define HELP "how much of the program was compiled with the plug-in"
#include "tools/model/report/columns/section.def"

#define SECTION findings
#define ROW const struct finding *
#define COLUMNS "tools/model/report/columns/finding.def"
#define PARENT NULL
#define WALK walk_findings
#define HELP "what is worth acting on, most to gain first"
#include "tools/model/report/columns/section.def"

#define SECTION loops
#define ROW const struct measured_loop *
#define COLUMNS "tools/model/report/columns/loop.def"
#define PARENT NULL
#define WALK walk_loops
#define HELP "loops and regions, most time lost to variation first"
#include "tools/model/report/columns/section.def"

#define SECTION structs
#define ROW const struct struct_use *
#define COLUMNS "tools/model/report/columns/struct.def"
#define PARENT NULL
#define WALK walk_structs
#define HELP "structs, most accesses first"
#include "tools/model/report/columns/section.def"

#define SECTION fields
#define ROW const struct field_use *
#define COLUMNS "tools/model/report/columns/field.def"
#define PARENT &section_structs
#define WALK walk_fields
#define HELP "fields of each struct, in the order of the declaration"
#include "tools/model/report/columns/section.def"

#define SECTION sites
#define ROW const struct site_use *
#define COLUMNS "tools/model/report/columns/site.def"
#define PARENT NULL
#define WALK walk_sites
#define HELP "allocation sites and globals, most wasted bytes first"
#include "tools/model/report/columns/section.def"

#define SECTION blocks
#define ROW const struct measured_block *
#define COLUMNS "tools/model/report/columns/block.def"
#define PARENT NULL
#define WALK walk_blocks
#define HELP "machine blocks that were measured in isolation"
#include "tools/model/report/columns/section.def"

#define PLACE (*row)
#define SECTION in_place
#define ROW const struct block_in_place *
#define COLUMNS "tools/model/report/columns/in_place.def"
#define PARENT NULL
#define WALK NULL
#define HELP "a machine block in the program"
#include "tools/model/report/columns/section.def"
#undef PLACE

#define SECTION trials
#define ROW const struct program_trial *
#define COLUMNS "tools/model/report/columns/trial.def"
#define PARENT NULL
#define WALK walk_trials
#define HELP "changes that were made and measured: what pays, what does not, what was not tried"
#include "tools/model/report/columns/section.def"

#define SECTION loadfiles
#define ROW const struct sampled_file *
#define COLUMNS "tools/model/report/columns/loadfile.def"
#define PARENT NULL
#define WALK walk_loadfiles
#define HELP "load files with samples"
#include "tools/model/report/columns/section.def"

#define SECTION functions
#define ROW const struct sampled_function *
#define COLUMNS "tools/model/report/columns/function.def"
#define PARENT NULL
#define WALK walk_functions
#define HELP "functions with samples, most first"
#include "tools/model/report/columns/section.def"

#define SECTION calls
#define ROW const struct call_node *
#define COLUMNS "tools/model/report/columns/call.def"
#define PARENT NULL
#define WALK walk_calls
#define HELP "the call tree of samples: each function below its callers, what it called behind it"
#include "tools/model/report/columns/section.def"

#define SECTION stalls
#define ROW const struct stall_row *
#define COLUMNS "tools/model/report/columns/stall.def"
#define PARENT NULL
#define WALK walk_stalls
#define HELP "instructions that the processor waits for, most time first"
#include "tools/model/report/columns/section.def"

#define SECTION waits
#define ROW const struct waits_row *
#define COLUMNS "tools/model/report/columns/wait.def"
#define PARENT NULL
#define WALK walk_waits
#define HELP "calls of MPI, waits of OpenMP and for locks, by call site, most time first"
#include "tools/model/report/columns/section.def"

#define SECTION topdown
#define ROW const struct topdown_value *
#define COLUMNS "tools/model/report/columns/topdown.def"
#define PARENT NULL
#define WALK walk_topdown
#define HELP "what bounds each loop, node by node of the processor's tree: counted, or estimated"
#include "tools/model/report/columns/section.def"

#define SECTION health
#define ROW const void *
#define COLUMNS "tools/model/report/columns/health.def"
#define PARENT NULL
#define WALK NULL
#define HELP "what was lost on the way, and how the run ended"
#include "tools/model/report/columns/section.def"
