// layout_assert.c - writes static_assert lines for a struct's size and offsets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_assert.h"

#include "tools/model/struct/layout_visible.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// A macro for the type: a typedef may have the name, and the struct none.
static void add_macro(const struct profile_struct *record, struct text *out) {
  text_add(out, "RETICLE_TYPE_");
  for (const char *at = record->name; *at; at++)
    text_add_bytes(out, isalnum((unsigned char)*at) ? at : "_", 1);
}

static bool has_offset(const struct profile_member *m) {
  return !(m->flags & (RETICLE_MEMBER_BITFIELD | RETICLE_MEMBER_UNION | RETICLE_MEMBER_BASE |
                       RETICLE_MEMBER_VPTR)) &&
         *m->name && !strchr(m->name, '/');
}

/// The loop that visits the item most often; null: none.
static const struct advice_loop *loop_of(const struct struct_advice *a, size_t item) {
  const struct advice_loop *best = NULL;
  double most = 0;
  for (size_t v = 0; v < a->loop_count; v++) {
    double visits = a->loops[v].walk.visits * a->loops[v].share[item];
    if (visits > most) {
      most = visits;
      best = &a->loops[v];
    }
  }
  return best;
}

static void add_item(const struct struct_advice *a, size_t item, uint64_t offset, const char *macro,
                     struct text *out) {
  const struct advice_item *moved = &a->items[item];
  const struct advice_loop *loop = loop_of(a, item);
  if (!loop)
    return;
  for (size_t k = 0; k < moved->count; k++) {
    const struct profile_member *m = &moved->first[k];
    if (!has_offset(m))
      continue;
    text_printf(out, "static_assert(offsetof(%s, %s) == %llu, \"%s: used by ", macro, m->name,
                (unsigned long long)(offset + m->offset_bytes - moved->first->offset_bytes),
                m->name);
    struct_loop_add_place(loop->loop, out);
    text_add(out, "\");\n");
  }
}

void layout_assert_add(const struct struct_advice *a, uint32_t align_bytes, struct text *out) {
  const struct profile_struct *record = a->use->record;
  struct layout_problem problem = a->problem;
  uint64_t *offsets = memory_zeroed(a->item_count + 1, sizeof *offsets);
  struct text macro = {0};
  if (align_bytes > problem.align_bytes)
    problem.align_bytes = align_bytes;
  uint64_t bytes = layout_offsets(&problem, a->best.order, offsets);
  add_macro(record, &macro);
  text_printf(out, "// Include it behind the declaration of %s, %s:%u.\n", record->name,
              base_name(record->file), record->line);
  text_add(out, "#include <assert.h>\n#include <stddef.h>\n");
  text_printf(out, "#ifndef %s\n#define %s %s%s\n#endif\n", text_get(&macro), text_get(&macro),
              record->flags & RETICLE_STRUCT_CXX ? "" : "struct ", record->name);
  text_printf(out, "static_assert(sizeof(%s) == %llu, \"size of %s\");\n", text_get(&macro),
              (unsigned long long)bytes, record->name);
  for (size_t i = 0; i < a->item_count; i++)
    add_item(a, a->best.order[i], offsets[a->best.order[i]], text_get(&macro), out);
  text_release(&macro);
  free(offsets);
}
