// globals.c - registers modules, and takes their masks and global variables over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/globals.h"

#include "runtime/heap/shadow_scan.h"
#include "runtime/heap/site.h"
#include "runtime/heap/words.h"
#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

struct variable {
  uintptr_t address; // 0: gone
  uint64_t bytes;
  uint32_t site;
};

static struct {
  struct variable *variables; // [variable_capacity]
  uint32_t variable_count, variable_capacity;
  struct reticle_file_shadowunit *units; // [unit_capacity]
  uint32_t unit_count, unit_capacity;
} state;

// Room for so many more records. -1 without memory.
static int make_room(void **records, uint32_t *capacity, uint32_t count, uint32_t more,
                     size_t bytes) {
  if (count + more <= *capacity)
    return 0;
  uint32_t wanted = *capacity ? *capacity : 256;
  while (wanted < count + more)
    wanted *= 2;
  void *grown = *records ? rrt_sys_grow(*records, *capacity * bytes, wanted * bytes)
                         : rrt_sys_map(wanted * bytes);
  if (!grown)
    return -1;
  *records = grown;
  *capacity = wanted;
  return 0;
}

// Object files may bring one variable several times.
static int is_known(uintptr_t address) {
  for (uint32_t i = 0; i < state.variable_count; i++)
    if (state.variables[i].address == address)
      return 1;
  return 0;
}

static void add_variable(const struct reticle_global_desc *g) {
  if (!g->address || is_known((uintptr_t)g->address))
    return;
  uint32_t site = rrt_sites_add();
  if (!site)
    return;
  struct rrt_site *s = rrt_site_get(site);
  s->is_global = 1;
  s->name = rrt_strings_add(g->name);
  s->file = rrt_strings_add(g->file);
  s->line = g->line;
  s->objects = s->live = 1;
  rrt_words_make(s, g->size_bytes);
  s->bytes = s->live_bytes = s->peak_bytes = s->min_bytes = s->max_bytes = g->size_bytes;
  state.variables[state.variable_count++] =
      (struct variable){(uintptr_t)g->address, g->size_bytes, site};
}

static void add_unit(const struct reticle_shadow_desc *unit) {
  state.units[state.unit_count++] =
      (struct reticle_file_shadowunit){.source = rrt_strings_add(unit->source),
                                       .accesses = unit->accesses,
                                       .marked = unit->marked,
                                       .stack = unit->stack,
                                       .unmarked = unit->unmarked,
                                       .straddling = unit->straddling,
                                       .flags = unit->flags,
                                       .copied = unit->copied};
}

void rrt_globals_add(const struct reticle_shadow_module_desc *module) {
  const struct reticle_global_desc *g = module->globals_begin, *g_end = module->globals_end;
  const struct reticle_shadow_desc *u = module->units_begin, *u_end = module->units_end;
  if (g && make_room((void **)&state.variables, &state.variable_capacity, state.variable_count,
                     (uint32_t)(g_end - g), sizeof *state.variables) == 0)
    for (; g < g_end; g++)
      add_variable(g);
  if (u && make_room((void **)&state.units, &state.unit_capacity, state.unit_count,
                     (uint32_t)(u_end - u), sizeof *state.units) == 0)
    for (; u < u_end; u++)
      add_unit(u);
}

void rrt_globals_remove(const struct reticle_shadow_module_desc *module) {
  const struct reticle_global_desc *g = module->globals_begin, *end = module->globals_end;
  for (; g && g < end; g++)
    for (uint32_t i = 0; i < state.variable_count; i++)
      if (state.variables[i].address == (uintptr_t)g->address && state.variables[i].address) {
        struct rrt_site *s = rrt_site_get(state.variables[i].site);
        s->living_touched = 0;
        s->living = (struct rrt_use){0, 0};
        rrt_words_begin_living(s);
        rrt_scan_range(state.variables[i].site, state.variables[i].address,
                       state.variables[i].bytes, 1);
        s->live = s->live_bytes = 0;
        state.variables[i].address = 0;
      }
}

void rrt_globals_scan(int all) {
  for (uint32_t i = 0; i < state.variable_count; i++)
    if (state.variables[i].address)
      rrt_scan_range(state.variables[i].site, state.variables[i].address, state.variables[i].bytes,
                     all);
}

uint32_t rrt_globals_find(uintptr_t address, uintptr_t *begin, uintptr_t *end) {
  for (uint32_t i = 0; i < state.variable_count; i++) {
    const struct variable *v = &state.variables[i];
    if (v->address && address >= v->address && address - v->address < v->bytes) {
      *begin = v->address;
      *end = v->address + v->bytes;
      return v->site;
    }
  }
  return 0;
}

const struct reticle_file_shadowunit *rrt_globals_units(uint32_t *count) {
  *count = state.unit_count;
  return state.units;
}
