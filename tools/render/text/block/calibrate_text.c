// calibrate_text.c - what reticle calibrate found, as tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/calibrate_text.h"

#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <string.h>

enum { COLUMNS = 1 + CALIBRATE_FLUSHES };

/// What one table shows of a cell.
typedef struct quantity pick(const struct calibrate_cell *cell);

static struct quantity pick_t_e(const struct calibrate_cell *cell) { return cell->floor.t_e_ns; }
static struct quantity pick_t_min(const struct calibrate_cell *cell) {
  return cell->floor.t_min_ns;
}
static struct quantity pick_t_diff(const struct calibrate_cell *cell) {
  return cell->floor.t_diff_ns;
}

static const char *word_for(struct quantity quantity) {
  return quantity.status == QUANTITY_TOO_NOISY ? "not reached"
         : quantity.status == QUANTITY_TOO_FEW ? "too few"
                                               : "n/a";
}

static void add_head(const struct calibration *c, struct text *out) {
  char name[128];
  cpu_short_name(c->machine.cpu.model, c->machine.cpu.hypervisor, name, sizeof(name));
  text_printf(out, "%s, TSC %.3f GHz, core %.3f GHz (an add %.3f ns), tick %s\n", name,
              c->clock.ticks_per_ns, 1 / c->clock.ns_per_add, c->clock.ns_per_add,
              units_duration(c->timers[HARNESS_TIMER_PROBE].step_ns).data);
  text_printf(out, "method robust, %.0f s", c->seconds);
  if (c->cpu >= 0)
    text_printf(out, ", all on CPU %d", c->cpu);
  if (c->request.mask_ticks > 1)
    text_printf(out, ", readings cut to %u ticks (test aid)", c->request.mask_ticks);
  text_add(out, "\n");
  for (size_t i = 0; i < CALIBRATE_FLUSHES; i++) {
    const struct calibrate_flush *flush = &c->flushes[i];
    if (!flush->used || !i)
      continue;
    text_printf(out, "  flush %s: %s, swept in %s; %zu x %zu timings of a load, %.0f s\n",
                flush->name, units_bytes((double)flush->bytes).data,
                units_duration(flush->sweep_ns).data, flush->rounds, flush->samples,
                flush->seconds);
  }
}

static void add_timers(const struct calibration *c, const struct terminal *terminal,
                       struct text *out) {
  static const struct table_column columns[] = {{.title = ""},
                                                {.title = ""},
                                                {.title = "pair", .right = true},
                                                {.title = "t_e", .right = true},
                                                {.title = "tick", .right = true}};
  struct table table;
  table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    const struct calibrate_timer *t = &c->timers[i];
    if (!t->asked)
      continue;
    table_add(&table, STYLE_PLAIN, t->timer->key);
    table_add(&table, STYLE_FAINT, t->timer->name);
    if (!t->used) {
      struct text why = {0};
      text_printf(&why, "unsupported: %s", t->timer->absent);
      table_add_tail(&table, STYLE_FAINT, text_get(&why));
      text_release(&why);
      continue;
    }
    table_add(&table, STYLE_PLAIN, units_duration(t->pair_ns.value).data);
    table_add(&table, STYLE_PLAIN, units_duration(t->t_e_ns.value).data);
    table_add(&table, STYLE_PLAIN, units_duration(t->step_ns).data);
  }
  table_print(&table, terminal, "TIMERS: cost of an empty pair", out);
  table_release(&table);
}

static void add_ratio(const struct calibration *c, struct table *table, pick *picked) {
  if (!c->timers[HARNESS_TIMER_PAPI].used || !c->timers[HARNESS_TIMER_PROBE].used)
    return;
  struct text name = {0};
  text_printf(&name, "papi / %s", c->timers[HARNESS_TIMER_PROBE].timer->key);
  table_add(table, STYLE_HEADING, text_get(&name));
  text_release(&name);
  for (size_t f = 0; f < CALIBRATE_FLUSHES; f++) {
    if (!c->flushes[f].asked)
      continue;
    struct quantity ratio = quantity_ratio(picked(calibrate_papi(&c->flushes[f])),
                                           picked(calibrate_ours(&c->flushes[f])));
    table_add(table, STYLE_PLAIN,
              ratio.status == QUANTITY_OK ? units_ratio(ratio.value).data : "n/a");
  }
}

static void add_cells(const struct calibration *c, const char *heading, pick *picked,
                      const struct terminal *terminal, struct text *out) {
  struct table_column columns[COLUMNS] = {{.title = ""}};
  size_t count = 1;
  for (size_t f = 0; f < CALIBRATE_FLUSHES; f++)
    if (c->flushes[f].asked)
      columns[count++] = (struct table_column){.title = c->flushes[f].name, .right = true};
  struct table table;
  table_init(&table, columns, count);
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    if (!c->timers[i].used)
      continue;
    table_add(&table, STYLE_PLAIN, c->timers[i].timer->key);
    for (size_t f = 0; f < CALIBRATE_FLUSHES; f++) {
      if (!c->flushes[f].asked)
        continue;
      struct quantity q = picked(&c->flushes[f].cells[i]);
      if (q.status == QUANTITY_OK)
        table_add(&table, STYLE_PLAIN, units_duration(q.value).data);
      else
        table_add(&table, STYLE_FAINT, word_for(q));
    }
  }
  add_ratio(c, &table, picked);
  text_add(out, "\n");
  table_print(&table, terminal, heading, out);
  table_release(&table);
}

/// Why cells are empty, each reason once.
static void add_reasons(const struct calibration *c, struct text *out) {
  const char *said[CALIBRATE_FLUSHES * HARNESS_TIMER_COUNT * 2];
  size_t count = 0;
  for (size_t f = 0; f < CALIBRATE_FLUSHES; f++)
    for (size_t i = 0; i < 2 * HARNESS_TIMER_COUNT; i++) {
      const struct calibrate_flush *flush = &c->flushes[f];
      const struct calibrate_cell *cell = &flush->cells[i / 2];
      const struct quantity *q = i % 2 ? &cell->floor.t_diff_ns : &cell->floor.t_min_ns;
      bool is_new = flush->asked && c->timers[i / 2].used && q->status != QUANTITY_OK;
      for (size_t s = 0; s < count; s++)
        is_new = is_new && strcmp(said[s], q->reason) != 0;
      if (!is_new)
        continue;
      said[count++] = q->reason;
      text_add(out, count == 1 ? "\n" : "");
      text_printf(out, "%s, %s: %s\n", word_for(*q), flush->name, q->reason);
    }
}

void calibrate_text(const struct calibration *c, const struct calibrate_stored *stored,
                    const struct terminal *terminal, struct text *out) {
  add_head(c, out);
  text_add(out, "\n");
  add_timers(c, terminal, out);
  add_cells(c, "T_MIN", pick_t_min, terminal, out);
  add_cells(c, "T_DIFF", pick_t_diff, terminal, out);
  add_cells(c, "T_E", pick_t_e, terminal, out);
  add_reasons(c, out);
  text_add(out, "\n");
  const struct timing_floor *floor = &calibrate_ours(&c->flushes[0])->floor;
  if (stored->path)
    text_printf(out, "floor of all reports here from now on: t_min %s, t_diff %s (%s)\n",
                units_duration(floor->t_min_ns.value).data,
                units_duration(floor->t_diff_ns.value).data, stored->path);
  else
    text_printf(out, "floor not stored: %s\n", stored->reason);
}
