// ranks_json.c - writes ranks, slow ranks, and loops by ranks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/rank/ranks_json.h"

#include "tools/model/report/section.h"
#include "tools/render/json/json_quantity.h"
#include "tools/render/json/json_section.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_number(struct json *json, const char *key, uint32_t number) {
  if (number == PROFILE_RANK_UNKNOWN)
    json_put_null(json, key);
  else
    json_put_count(json, key, number);
}

static void put_rank(struct json *list, const struct rank_row *row) {
  struct json *json = json_append(list, json_object_new());
  put_number(json, "rank", row->rank);
  put_number(json, "local_rank", row->local_rank);
  json_put_count(json, "pid", row->pid);
  json_put_text(json, "host", row->host);
  json_put_text(json, "profile", row->path);
  json_put_text_or_null(json, "build_id", row->build_id);
  json_put_bool(json, "other_build", row->is_odd);
  json_put_text(json, "cpu_model", row->cpu_model);
  json_put_number_or_null(json, "run_ns", row->run_ns);
  json_put_number_or_null(json, "cpu_ns", row->cpu_ns);
  json_put_number_or_null(json, "runnable_ns", row->runnable_ns);
  json_put_number_or_null(json, "waiting", exp(row->waited.log));
  json_put_number_or_null(json, "page_faults", row->faults);
  json_put_number_or_null(json, "migrations", row->migrations);
  json_put_number_or_null(json, "core_cycle_ns", row->cycle_ns);
}

static void put_finding(struct json *json, const struct ranks *ranks,
                        const struct rank_finding *finding) {
  const struct rank_row *row = &ranks->rows[finding->rank];
  struct text reason = {0};
  put_number(json, "rank", row->rank);
  json_put_count(json, "pid", row->pid);
  json_put_text(json, "host", row->host);
  json_put_quantity(json, "factor", finding->factor, "ratio");
  json_put_text(json, "kind", rank_kind_name(finding->kind));
  json_put_quantity(json, "excess", finding->excess_ns, "ns");
  json_put_quantity(json, "work", finding->by[RANK_BY_WORK], "ratio");
  json_put_quantity(json, "cpu_time", finding->by[RANK_BY_CPU], "ratio");
  json_put_quantity(json, "waiting", finding->by[RANK_BY_WAIT], "ratio");
  json_put_bool(json, "by_host", finding->by_host);
  ranks_add_reason(ranks, finding, &reason);
  json_put_text(json, "reason", text_get(&reason));
  text_release(&reason);
}

static void put_id(struct json *json, const char *key, const struct rank_loop *loop) {
  char id[24];
  snprintf(id, sizeof id, "L%zu", loop->number);
  json_put_text(json, key, id);
}

static void put_cells(struct json *json, const struct ranks *ranks, const struct rank_loop *loop) {
  struct json *cells = json_put(json, "ranks", json_array_new());
  for (size_t i = 0; i < ranks->count; i++) {
    const struct rank_cell *cell = &loop->cells[i];
    struct json *item = json_append(cells, json_object_new());
    put_number(item, "rank", ranks->rows[i].rank);
    json_put_count(item, "executions", cell->executions);
    bool is_known = cell->executions;
    json_put_number_or_null(item, "total_ns", is_known ? cell->total_ns : NAN);
    json_put_number_or_null(item, "iterations", is_known ? cell->work : NAN);
    json_put_number_or_null(item, "cpu_ns", is_known ? exp(cell->asked.log) : NAN);
    json_put_number_or_null(item, "median_ns", is_known ? exp(cell->timed.log) : NAN);
    json_put_number_or_null(item, "waiting", is_known ? exp(cell->waited.log) : NAN);
  }
}

/// findings  [count] sorted by loop
static void put_loop(struct json *list, const struct ranks *ranks, size_t l, bool cells) {
  const struct rank_loop *loop = &ranks->loops[l];
  const struct rank_loop_view *view = &ranks->judged.loops[l];
  struct json *json = json_append(list, json_object_new());
  char stable[24];
  put_id(json, "id", loop);
  snprintf(stable, sizeof stable, "%016" PRIx64, loop->id);
  json_put_text(json, "stable_id", stable);
  json_put_text(json, "kind", *loop->region ? "region" : "loop");
  json_put_text(json, "unit", loop->is_iteration ? "iteration" : "execution");
  json_put_text(json, "function", *loop->region ? loop->region : loop->function);
  json_put_text(json, "file", loop->file);
  json_put_count(json, "line", loop->line);
  json_put_count(json, "column", loop->column);
  json_put_count(json, "executions", loop->executions);
  json_put_count(json, "entered", view->entered);
  json_put_quantity(json, "total", view->total_ns, "ns");
  json_put_quantity(json, "mean", view->mean_ns, "ns");
  json_put_quantity(json, "longest", view->most_ns, "ns");
  json_put_quantity(json, "imbalance", view->imbalance, "ratio");
  json_put_quantity(json, "lost", view->lost_ns, "ns");
  struct json *compared = json_put(json, "compared", json_object_new());
  json_put_count(compared, "work", view->compared[RANK_BY_WORK]);
  json_put_count(compared, "cpu_time", view->compared[RANK_BY_CPU]);
  json_put_count(compared, "waiting", view->compared[RANK_BY_WAIT]);
  json_put_text(json, "cpu_time_of", view->is_asked ? "asked" : "timed");
  struct json *slow = json_put(json, "slow_ranks", json_array_new());
  for (size_t i = 0; i < ranks->judged.count; i++)
    if (ranks->judged.findings[i].loop == l)
      put_finding(json_append(slow, json_object_new()), ranks, &ranks->judged.findings[i]);
  if (cells)
    put_cells(json, ranks, loop);
}

static void put_slow(struct json *report, const struct ranks *ranks) {
  struct json *list = json_put(report, "slow_ranks", json_array_new());
  for (size_t i = 0; i < ranks->slow_count; i++) {
    const struct slow_rank *slow = &ranks->slow[i];
    struct json *json = json_append(list, json_object_new());
    put_id(json, "loop", &ranks->loops[slow->worst->loop]);
    put_finding(json, ranks, slow->worst);
    json_put_count(json, "other_loops", slow->others);
  }
  struct json *commons = json_put(report, "in_common", json_object_new());
  for (enum rank_kind kind = 0; kind < RANK_KINDS; kind++) {
    struct text common = {0};
    ranks_add_common(ranks, kind, &common);
    json_put_text_or_null(commons, rank_kind_name(kind), text_get(&common));
    text_release(&common);
  }
}

/// Each rank's part of a site, and whom the site waited for.
static void put_wait_cells(struct json *json, const struct waits_row *row) {
  const struct wait_site *site = row->site;
  struct json *cells = json_put(json, "ranks", json_array_new());
  for (size_t i = 0; i < site->cell_count; i++) {
    const struct wait_cell *cell = &site->cells[i];
    const struct wait_process *process = &row->of->tally.processes[cell->process];
    struct json *item = json_append(cells, json_object_new());
    put_number(item, "rank", process->rank);
    json_put_count(item, "pid", process->pid);
    put_number(item, "thread", cell->thread);
    json_put_count(item, "calls", cell->calls);
    json_put_count(item, "bytes", cell->bytes);
    json_put_count(item, "time_ns", cell->time_ns);
    json_put_number_or_null(item, "late_ns", cell->late_ns);
  }
  struct json *blamed = json_put(json, "waited_for_ranks", json_array_new());
  for (size_t i = 0; i < site->blamed_count; i++) {
    struct json *item = json_append(blamed, json_object_new());
    json_put_count(item, "rank", site->blamed[i].rank);
    json_put_number(item, "time_ns", site->blamed[i].time_ns);
  }
}

static void put_waits(struct json *report, const struct waits *waits, bool cells) {
  struct json *list = json_put(report, "waits", json_array_new());
  for (size_t i = 0; i < waits->row_count; i++) {
    struct json *json = json_append(list, json_object_new());
    json_put_columns(json, &section_waits, NULL, &waits->rows[i]);
    if (cells)
      put_wait_cells(json, &waits->rows[i]);
  }
}

bool ranks_json_write(const struct ranks *ranks, bool cells, FILE *stream) {
  struct json *report = json_object_new();
  json_put_text(report, "schema", "reticle-ranks/1");
  json_put_text(report, "executable", ranks->executable);
  put_number(report, "size", ranks->size);
  json_put_count(report, "hosts", ranks->hosts);
  json_put_text_or_null(report, "job", ranks->count ? ranks->rows[0].job : "");
  struct json *design = json_put(report, "design", json_object_new());
  json_put_number(design, "family_error", RANK_FAMILY_ERROR);
  json_put_count(design, "comparisons", ranks->judged.tests);
  struct json *rows = json_put(report, "ranks", json_array_new());
  for (size_t i = 0; i < ranks->count; i++)
    put_rank(rows, &ranks->rows[i]);
  put_slow(report, ranks);
  struct json *loops = json_put(report, "loops", json_array_new());
  for (size_t l = 0; l < ranks->loop_count; l++)
    put_loop(loops, ranks, l, cells);
  put_waits(report, &ranks->waits, cells);
  struct json *warnings = json_put(report, "warnings", json_array_new());
  for (size_t i = 0; i < ranks->notes.count; i++) {
    struct json *json = json_append(warnings, json_object_new());
    json_put_text(json, "code", ranks->notes.items[i].code);
    json_put_text(json, "text", ranks->notes.items[i].text);
  }
  bool written = json_write(report, stream);
  json_free(report);
  return written;
}
