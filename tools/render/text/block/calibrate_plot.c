// calibrate_plot.c - the distributions of what timers read, as a picture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/calibrate_plot.h"

#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/plot.h"

_Static_assert((int)HARNESS_TIMER_COUNT <= (int)PLOT_CURVES, "each timer has a look of its own");

/// Of each distribution so much of the largest values is left out, as in [timing2024] figure 2.
#define LEFT_OUT 0.005

static void fill_panel(const struct calibration *c, const struct calibrate_flush *flush,
                       struct text *title, struct plot_panel *panel) {
  text_printf(title, "%s", flush->name);
  if (flush->bytes)
    text_printf(title, " flushed (%s)", units_bytes((double)flush->bytes).data);
  panel->title = text_get(title);
  panel->note = flush->used ? NULL : text_get(&flush->reason);
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    const struct calibrate_cell *cell = &flush->cells[i];
    panel->curves[panel->curve_count++] = (struct plot_curve){
        .name = c->timers[i].timer->name,
        .look = (unsigned)i,
        .x = cell->deviations_ns,
        .n = cell->deviation_count - (size_t)(LEFT_OUT * (double)cell->deviation_count)};
  }
}

void calibrate_plot(const struct calibration *c, struct text *out) {
  struct plot_panel panels[CALIBRATE_FLUSHES] = {0};
  struct text titles[CALIBRATE_FLUSHES] = {0}, title = {0}, subtitle = {0};
  size_t count = 0;
  char name[128];
  for (size_t f = 0; f < CALIBRATE_FLUSHES; f++)
    if (c->flushes[f].asked) {
      fill_panel(c, &c->flushes[f], &titles[count], &panels[count]);
      count++;
    }
  cpu_short_name(c->machine.cpu.model, c->machine.cpu.hypervisor, name, sizeof(name));
  text_printf(&title, "%d dependent adds, timed", HARNESS_FIXED_ADDS);
  text_printf(&subtitle,
              "%s: share of the timings by measured less expected (%s); the largest "
              "0.5 %% are left out",
              name, units_duration(HARNESS_FIXED_ADDS * c->clock.ns_per_add).data);
  plot_distributions(out, text_get(&title), text_get(&subtitle), "measured less expected, ns",
                     panels, count);
  for (size_t i = 0; i < count; i++)
    text_release(&titles[i]);
  text_release(&title);
  text_release(&subtitle);
}
