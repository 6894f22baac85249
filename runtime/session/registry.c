// registry.c - the instrumented modules of the process and their descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/registry.h"

#include "runtime/feature/loop/store.h"
#include "runtime/probe/loop.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/path.h"
#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

enum { MODULES_MAX = 1024 };
/// Exit status of a program that was compiled with two layouts of one struct.
enum { LAYOUT_MIXED = 125 };

// A module that was registered. `descs`, where its objects' descriptors begin, is null once it is
// unloaded; when the same module comes again (dlopen after dlclose), it gets its old numbers back.
struct module {
  const struct reticle_object_desc *descs; // of units there may be none: code without loops
  uint32_t first_loop, loop_count;
  uint32_t numbered; // loops of the first units, as many as there was room for
  uint64_t ids;      // checksum over the loops' ids and the objects' names
  uint32_t first_object, object_count;
};

// What is to be said of an object's layout when its module may be gone.
struct layout_of {
  uint64_t hash;              // 0: none
  uint32_t source, structure; // texts
};

static struct {
  struct module *modules;
  uint32_t module_count;
  struct reticle_file_object *objects;
  uint32_t object_count, object_capacity;
  uint64_t full;
  uint32_t generation;
  int layout_applied;      // some object has the struct
  struct layout_of layout; // of the process, by its first object
  char tool[RRT_PATH_BYTES];
} state;

int rrt_registry_open(void) {
  state.modules = rrt_sys_map(MODULES_MAX * sizeof *state.modules);
  state.object_capacity = 256;
  state.objects = rrt_sys_map(state.object_capacity * sizeof *state.objects);
  return state.modules && state.objects ? 0 : -1;
}

const struct reticle_file_object *rrt_registry_objects(uint32_t *count) {
  *count = state.object_count;
  return state.objects;
}
uint32_t rrt_registry_numbers(void) { return rrt_store.count; }
uint64_t rrt_registry_full(void) { return state.full; }
const char *rrt_registry_tool(void) { return state.tool; }
uint32_t rrt_registry_generation(void) {
  return __atomic_load_n(&state.generation, __ATOMIC_RELAXED);
}

int rrt_registry_covers(uint64_t low, uint64_t high) {
  for (uint32_t i = 0; i < state.module_count; i++)
    if ((uintptr_t)state.modules[i].descs >= low && (uintptr_t)state.modules[i].descs < high)
      return 1;
  return 0;
}

#define FOR_UNITS(u, m)                                                                            \
  for (struct reticle_unit_desc *u = (struct reticle_unit_desc *)(m)->units_begin;                 \
       u < (struct reticle_unit_desc *)(m)->units_end; u++)
#define FOR_OBJECTS(o, m)                                                                          \
  for (const struct reticle_object_desc *o = (m)->objects_begin;                                   \
       o < (const struct reticle_object_desc *)(m)->objects_end; o++)

// A program whose objects see one struct in two layouts would compute nonsense: it is ended.
_Noreturn static void end_mixed(const struct layout_of *with, const struct layout_of *without) {
  const char *text = rrt_strings_data();
  struct rrt_message m;
  rrt_message_start(&m, "error: ");
  rrt_text_add(&m.text, text + without->source);
  rrt_text_add(&m.text, without->hash ? " was compiled with another layout of struct "
                                      : " was compiled without the layout of struct ");
  rrt_text_add(&m.text, text + with->structure);
  rrt_text_add(&m.text, " that ");
  rrt_text_add(&m.text, text + with->source);
  rrt_text_add(&m.text, " has: the program would be wrong, so it is not run; compile all of it "
                        "with the same -fplugin-arg-reticle-layout (or RETICLE_LAYOUT)");
  rrt_message_send(&m);
  rrt_sys_exit_group(LAYOUT_MIXED);
}

static struct layout_of read_layout(const struct reticle_object_desc *o) {
  const struct reticle_layout_desc *l = o->layout;
  return (struct layout_of){l ? l->hash : 0, rrt_strings_add(o->source),
                            rrt_strings_add(l ? l->structure : "")};
}

// All objects of the process must have been compiled with the same what-if, or all without.
static void check_layouts(const struct reticle_module_desc *m) {
  FOR_OBJECTS(o, m) {
    const struct reticle_layout_desc *l = o->layout;
    if (!state.layout.source)
      state.layout = read_layout(o);
    state.layout_applied |= l && l->applied;
    if ((l ? l->hash : 0) == state.layout.hash)
      continue;
    struct layout_of other = read_layout(o);
    end_mixed(state.layout.hash ? &state.layout : &other,
              state.layout.hash ? &other : &state.layout);
  }
}

uint32_t rrt_registry_layout(void) {
  return state.layout_applied ? (uint32_t)state.layout.hash : 0;
}

void rrt_registry_finish(void) {
  if (!state.layout.hash || state.layout_applied || !rrt_options.verbosity)
    return;
  struct rrt_message m;
  rrt_message_start(&m, "warning: no file of this program has struct ");
  rrt_text_add(&m.text, rrt_strings_data() + state.layout.structure);
  rrt_text_add(&m.text, " where the layout file says: it ran as written; correct the line `place` "
                        "of the layout file, or write it again with `reticle layout`");
  rrt_message_send(&m);
}

static void measure(const struct reticle_module_desc *m, struct module *out) {
  out->descs = m->objects_begin;
  out->ids = RETICLE_CHECKSUM_START;
  FOR_UNITS(u, m) {
    const struct reticle_loop_desc *loops = u->loops;
    for (uint32_t i = 0; i < u->loop_count; i++)
      out->ids = reticle_checksum_add(out->ids, &loops[i].id, sizeof loops[i].id);
    out->loop_count += u->loop_count;
  }
  FOR_OBJECTS(o, m) {
    out->ids = reticle_checksum_add(out->ids, o->source, rrt_length(o->source));
    out->ids = reticle_checksum_add(out->ids, o->directory, rrt_length(o->directory));
    out->object_count++;
  }
}

static int add_objects(const struct reticle_module_desc *m, struct module *out) {
  while (state.object_capacity - state.object_count < out->object_count) {
    void *grown = rrt_sys_grow(state.objects, state.object_capacity * sizeof *state.objects,
                               state.object_capacity * 2 * sizeof *state.objects);
    if (!grown)
      return -1;
    state.objects = grown;
    state.object_capacity *= 2;
  }
  out->first_object = state.object_count;
  FOR_OBJECTS(o, m) {
    struct reticle_file_object *f = &state.objects[state.object_count++];
    f->source = rrt_strings_add(o->source);
    f->directory = rrt_strings_add(o->directory);
    f->compiler = rrt_strings_add(o->compiler);
    f->module = 0; // the writer knows the module's path
    f->functions = o->functions;
    f->functions_probed = o->functions_probed;
    f->loops = o->loops;
    f->loops_probed = o->loops_probed;
    f->loops_short = o->loops_short;
    f->loops_ignored = o->loops_ignored;
    f->loops_unsupported = o->loops_unsupported;
    f->opt_level = o->opt_level;
    if (!state.tool[0] && o->tool && rrt_length(o->tool) < sizeof state.tool)
      rrt_copy(state.tool, o->tool, rrt_length(o->tool) + 1);
  }
  return 0;
}

static void fill(struct rrt_store_loop *l, const struct reticle_loop_desc *d, uint32_t object,
                 uint32_t module) {
  l->record.id = d->id;
  l->record.function = rrt_strings_add(reticle_related(&d->function));
  l->record.inlined_from = rrt_strings_add(reticle_related(&d->inlined_from));
  l->record.file = rrt_strings_add(reticle_related(&d->file));
  l->record.line = d->line;
  l->record.column = d->column;
  l->record.depth = d->depth;
  l->record.work_class = d->work_class;
  l->record.flags = d->flags;
  l->record.object = object;
  l->module = module;
}

// A unit without numbers: its gates must know, or each entry would be a cold call.
static void refuse_unit(struct reticle_unit_desc *u) {
  struct reticle_loop_desc *loops = (struct reticle_loop_desc *)u->loops;
  u->cells_offset_bytes = 0;
  for (uint32_t i = 0; i < u->loop_count; i++)
    loops[i].index = UINT32_MAX;
}

static void number_unit(struct reticle_unit_desc *u, uint32_t first, int is_new, uint32_t object,
                        uint32_t module) {
  struct reticle_loop_desc *loops = (struct reticle_loop_desc *)u->loops;
  u->cells_offset_bytes = (uint64_t)first * sizeof(int32_t);
  for (uint32_t i = 0; i < u->loop_count; i++) {
    if (is_new)
      fill(&rrt_store.loops[first + i], &loops[i], object, module);
    __atomic_store_n(&loops[i].index, first + i + 1, __ATOMIC_RELEASE);
  }
}

// Numbers from the store, and the units' places in the cell tables, which go by the same numbers.
// Unit after unit until the numbers are used up.
static void number(const struct reticle_module_desc *m, const struct module *mod, int is_new) {
  uint32_t next = mod->first_loop, end = mod->first_loop + mod->numbered;
  FOR_UNITS(u, m) {
    const struct reticle_object_desc *first = m->objects_begin;
    const struct reticle_object_desc *own = reticle_related(&u->object);
    uint32_t object = mod->first_object + (uint32_t)(own - first);
    if (next + u->loop_count > end) {
      refuse_unit(u);
      next = end;
      continue;
    }
    number_unit(u, next, is_new, object, (uint32_t)(mod - state.modules));
    next += u->loop_count;
  }
}

// Loops of as many units as fit into `room`.
static uint32_t count_fitting(const struct reticle_module_desc *m, uint64_t room) {
  uint32_t count = 0;
  FOR_UNITS(u, m) {
    if (count + u->loop_count > room)
      break;
    count += u->loop_count;
  }
  return count;
}

static uint64_t room(void) {
  uint64_t limit = rrt_options.max_loops + 1; // number 0 is the calibration's
  if (limit > RRT_BOOT_CELLS)
    limit = RRT_BOOT_CELLS;
  return limit > rrt_store.count ? limit - rrt_store.count : 0;
}

static struct module *find_known(const struct module *like) {
  for (uint32_t i = 0; i < state.module_count; i++)
    if (!state.modules[i].descs && state.modules[i].loop_count == like->loop_count &&
        state.modules[i].ids == like->ids && state.modules[i].object_count == like->object_count)
      return &state.modules[i];
  return NULL;
}

void rrt_registry_add(const struct reticle_module_desc *m) {
  struct module fresh = {0};
  for (uint32_t i = 0; i < state.module_count; i++)
    if (state.modules[i].descs == m->objects_begin)
      return;
  check_layouts(m);
  measure(m, &fresh);
  __atomic_fetch_add(&state.generation, 1, __ATOMIC_RELAXED);
  struct module *mod = find_known(&fresh);
  if (mod) {
    mod->descs = fresh.descs;
    number(m, mod, 0);
    return;
  }
  if (state.module_count == MODULES_MAX) {
    FOR_UNITS(u, m) { refuse_unit(u); }
    state.full += fresh.loop_count;
    return;
  }
  if (add_objects(m, &fresh) == 0)
    fresh.numbered = count_fitting(m, room());
  if (fresh.numbered && !(fresh.first_loop = rrt_store_add_loops(fresh.numbered)))
    fresh.numbered = 0;
  state.full += fresh.loop_count - fresh.numbered;
  state.modules[state.module_count] = fresh;
  number(m, &state.modules[state.module_count++], 1);
}

void rrt_registry_remove(const struct reticle_module_desc *m) {
  for (uint32_t i = 0; i < state.module_count; i++)
    if (state.modules[i].descs == m->objects_begin)
      state.modules[i].descs = NULL;
}
