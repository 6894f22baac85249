// fields_table.c - descriptors of the feature `field`, as the profile file has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read at the first checkpoint, not at start: most of the time it takes is spent beside the
// program.
#include "runtime/feature/field/fields_table.h"

#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

struct array {
  char *data;
  uint32_t count, capacity; // records
};

static struct {
  struct array structs, members, accesses, units, executed, labels, executed_labels;
} state;

// Room for n more records; null without memory.
static void *extend(struct array *a, uint32_t n, size_t bytes) {
  uint32_t capacity = a->capacity ? a->capacity : 64;
  while (capacity - a->count < n)
    capacity *= 2;
  if (capacity != a->capacity) {
    void *grown = a->data ? rrt_sys_grow(a->data, a->capacity * bytes, capacity * bytes)
                          : rrt_sys_map(capacity * bytes);
    if (!grown)
      return NULL;
    a->data = grown;
    a->capacity = capacity;
  }
  a->count += n;
  return a->data + (a->count - n) * bytes;
}

struct rrt_field_access *rrt_fields_access(uint32_t i) {
  return (struct rrt_field_access *)state.accesses.data + i;
}

struct rrt_field_label *rrt_fields_label(uint32_t i) {
  return (struct rrt_field_label *)state.labels.data + i;
}

static int add_structs(const struct reticle_fields_desc *f) {
  const struct reticle_struct_desc *from = f->structs;
  const struct reticle_member_desc *member = f->members;
  const char *text = f->strings;
  uint32_t first = state.structs.count;
  struct reticle_file_struct *to = extend(&state.structs, f->struct_count, sizeof *to);
  struct reticle_file_member *out = extend(&state.members, f->member_count, sizeof *out);
  if (!to || !out)
    return -1;
  for (uint32_t i = 0; i < f->struct_count; i++) {
    to[i].id = from[i].id;
    to[i].name = rrt_strings_add(text + from[i].name);
    to[i].file = rrt_strings_add(text + from[i].file);
    to[i].line = from[i].line;
    to[i].size_bytes = from[i].size_bytes;
    to[i].flags = from[i].flags;
    for (uint32_t k = 0; k < from[i].member_count; k++) {
      const struct reticle_member_desc *m = &member[from[i].first_member + k];
      struct reticle_file_member *o = &out[from[i].first_member + k];
      o->structure = first + i;
      o->name = rrt_strings_add(text + m->name);
      o->type = rrt_strings_add(text + m->type);
      o->offset_bytes = m->offset_bytes;
      o->size_bytes = m->size_bytes;
      o->bit_offset = m->bit_offset;
      o->bit_size = m->bit_size;
      o->flags = m->flags;
    }
  }
  return 0;
}

static int add_accesses(const struct reticle_fields_desc *f, const struct rrt_field_module *m,
                        uint32_t first_struct) {
  const struct reticle_access_desc *from = f->accesses;
  const char *text = f->strings;
  uint64_t first_counter = (uint64_t)((const uint64_t *)f->counters - m->begin);
  struct rrt_field_access *to = extend(&state.accesses, f->access_count, sizeof *to);
  if (!to)
    return -1;
  for (uint32_t i = 0; i < f->access_count; i++) {
    struct reticle_file_access *r = &to[i].record;
    to[i].counter = first_counter + from[i].counter;
    r->block = from[i].block;
    r->loop = from[i].loop;
    r->structure = from[i].structure == UINT32_MAX ? UINT32_MAX : first_struct + from[i].structure;
    r->offset_bytes = from[i].offset_bytes;
    r->bytes = from[i].bytes;
    r->times = from[i].times;
    r->flags = from[i].flags;
    r->function = rrt_strings_add(text + from[i].function);
    r->file = rrt_strings_add(text + from[i].file);
    r->line = from[i].line;
    r->loop_line = from[i].loop_line;
  }
  return 0;
}

static int add_labels(const struct reticle_fields_desc *f, const struct rrt_field_module *m) {
  const struct reticle_label_desc *from = f->labels;
  uint64_t first_counter = (uint64_t)((const uint64_t *)f->counters - m->begin);
  struct rrt_field_label *to = extend(&state.labels, f->label_count, sizeof *to);
  if (!to)
    return -1;
  for (uint32_t i = 0; i < f->label_count; i++) {
    to[i].counter = first_counter + from[i].counter;
    to[i].record.function = from[i].function;
    to[i].record.label = from[i].label;
  }
  return 0;
}

void rrt_fields_describe(struct rrt_field_module *m) {
  if (m->described || !m->desc)
    return;
  m->described = 1;
  m->first_access = state.accesses.count;
  m->first_unit = state.units.count;
  m->first_label = state.labels.count;
  for (const struct reticle_fields_desc *f = m->desc->fields_begin;
       f < (const struct reticle_fields_desc *)m->desc->fields_end; f++) {
    uint32_t first_struct = state.structs.count;
    if (add_labels(f, m) < 0)
      break;
    if (!(f->flags & RETICLE_FIELDS_STRUCTS))
      continue;
    struct reticle_file_fieldunit *unit = extend(&state.units, 1, sizeof *unit);
    if (!unit || add_structs(f) < 0 || add_accesses(f, m, first_struct) < 0)
      break;
    unit->source = rrt_strings_add(f->source);
    unit->counters = f->counter_count;
    unit->named = f->named;
    unit->unnamed = f->unnamed;
  }
  m->access_count = state.accesses.count - m->first_access;
  m->unit_count = state.units.count - m->first_unit;
  m->label_count = state.labels.count - m->first_label;
}

void rrt_fields_mark_shared(const struct rrt_field_module *m) {
  struct reticle_file_fieldunit *unit = (struct reticle_file_fieldunit *)state.units.data;
  for (uint32_t i = m->first_unit; i < m->first_unit + m->unit_count; i++)
    unit[i].flags = m->shared ? RETICLE_FIELDUNIT_SHARED : 0;
  for (uint32_t i = m->first_label; i < m->first_label + m->label_count; i++)
    rrt_fields_label(i)->record.flags = m->shared ? RETICLE_COUNT_SHARED : 0;
}

/// Those of labels that were executed; a label's counters may make several records.
static void get_labels(struct rrt_fields_tables *out) {
  state.executed_labels.count = 0;
  struct reticle_file_count *to = extend(&state.executed_labels, state.labels.count, sizeof *to);
  uint32_t n = 0;
  for (uint32_t i = 0; to && i < state.labels.count; i++)
    if (rrt_fields_label(i)->record.count)
      to[n++] = rrt_fields_label(i)->record;
  out->counts = to;
  out->label_count = n;
}

void rrt_fields_tables_get(struct rrt_fields_tables *out) {
  get_labels(out);
  state.executed.count = 0;
  struct reticle_file_access *to = extend(&state.executed, state.accesses.count, sizeof *to);
  uint32_t n = 0;
  for (uint32_t i = 0; to && i < state.accesses.count; i++)
    if (rrt_fields_access(i)->record.count)
      to[n++] = rrt_fields_access(i)->record;
  out->structs = (const struct reticle_file_struct *)state.structs.data;
  out->members = (const struct reticle_file_member *)state.members.data;
  out->units = (const struct reticle_file_fieldunit *)state.units.data;
  out->accesses = to;
  out->struct_count = state.structs.count;
  out->member_count = state.members.count;
  out->unit_count = state.units.count;
  out->access_count = n;
}
