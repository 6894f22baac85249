// layout_patch_text.c - what a patch puts behind a declaration: assertions, and what is gained.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/layout_file.h"
#include "tools/model/struct/layout_visible.h"
#include "tools/rewrite/layout_patch.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// Assertions at most, besides that of the size.
#define GROUPS_MOST 8
/// The estimate holds for an order whose lines are the advised one's.
#define SAME 1.005

static void add_type(const struct layout_patch *p, struct text *out) {
  const struct profile_struct *record = p->advice->use->record;
  const char *name = strrchr(record->name, ':');
  bool needs_struct = p->has_tag && !(record->flags & RETICLE_STRUCT_CXX);
  text_printf(out, "%s%s", needs_struct ? "struct " : "", name ? name + 1 : record->name);
}

static bool has_offset(const struct profile_member *m) {
  return !(m->flags & (RETICLE_MEMBER_BITFIELD | RETICLE_MEMBER_UNION)) && *m->name &&
         !strchr(m->name, '/');
}

/// Whether offsetof may be asked for by anybody: no private fields, no classes among them.
static bool are_offsets_open(const struct layout_patch *p) {
  const struct struct_use *use = p->advice->use;
  if (!(use->record->flags & RETICLE_STRUCT_CXX))
    return true;
  for (size_t i = 0; i < p->body.count; i++)
    if (p->body.chunks[i].kind == LAYOUT_LABEL)
      return false;
  for (size_t i = p->body.open; i-- > 0;) {
    if (source_token_is(&p->source->tokens, i, "class"))
      return false;
    if (source_token_is(&p->source->tokens, i, ";") || source_token_is(&p->source->tokens, i, "}"))
      break;
  }
  for (size_t i = 0; i < use->field_count; i++)
    if (strpbrk(use->fields[i].member->type, "<:&"))
      return false;
  return true;
}

/// The item of the loop's that comes first; item_count: none.
static size_t first_of(const struct layout_patch *p, const struct advice_loop *loop) {
  for (size_t i = 0; i < p->advice->item_count; i++)
    if (loop->share[p->units.items[i]] > 0)
      return p->units.items[i];
  return p->advice->item_count;
}

/// The first field of each loop's group, each once.
static void add_groups(const struct layout_patch *p, const char *word, struct text *out) {
  const struct struct_advice *a = p->advice;
  bool *seen = memory_zeroed(a->item_count + 1, sizeof *seen);
  size_t count = 0;
  for (size_t v = 0; v < a->loop_count && count < GROUPS_MOST; v++) {
    size_t item = first_of(p, &a->loops[v]);
    const struct profile_member *m = item < a->item_count ? a->items[item].first : NULL;
    if (!m || seen[item] || !has_offset(m))
      continue;
    seen[item] = true;
    count++;
    text_printf(out, "%s(__builtin_offsetof(", word);
    add_type(p, out);
    text_printf(out, ", %s) == %llu, \"%s: first of what ", m->name,
                (unsigned long long)p->offsets[item], m->name);
    struct_loop_add_place(a->loops[v].loop, out);
    text_add(out, " uses\");\n");
  }
  free(seen);
}

static void add_asserts(const struct layout_patch *p, const char *word, struct text *out) {
  text_printf(out, "%s(sizeof(", word);
  add_type(p, out);
  text_printf(out, ") == %llu, \"size of %s\");\n", (unsigned long long)p->size_bytes,
              p->advice->use->record->name);
  if (are_offsets_open(p))
    add_groups(p, word, out);
}

/// "tried: 1.070x (1.050 to 1.090)", or false where this order has not been tried.
static bool add_tried(const struct layout_patch *p, struct text *out) {
  struct known_trial tried = known_trial_find(&p->measurement->input, p->advice->use);
  struct text file = {0};
  if (!tried.trial || tried.state == TRIAL_OTHER_STRUCT)
    return false;
  layout_file_add(p->advice, p->units.items, p->align_bytes, &file);
  bool is_same = layout_file_hash(text_get(&file)) == tried.trial->layout;
  text_release(&file);
  struct quantity gain = trial_gain(tried.trial);
  if (!is_same || gain.status != QUANTITY_OK)
    return false;
  text_printf(out, "tried: %.3fx of the program (%.3f to %.3f)%s", gain.value, gain.low, gain.high,
              tried.trial->verdict == RETICLE_TRIAL_GAIN    ? ""
              : tried.trial->verdict == RETICLE_TRIAL_WORSE ? ", slower"
                                                            : ", no measurable gain");
  if (tried.state != TRIAL_CURRENT)
    text_add(out, ", of another build");
  return true;
}

/// "replayed: ...", of the change that `kind` names; false where it has not been.
static bool add_replayed(const struct layout_patch *p, enum advice_kind kind, struct text *out) {
  struct known_trial replay = known_replay_find(&p->measurement->input, p->advice->use, NULL);
  const char *name = advice_kind_name(kind);
  if (!replay.trial || replay.state == TRIAL_OTHER_STRUCT ||
      (strncmp(replay.trial->change, name, strlen(name)) != 0 &&
       !(kind == ADVICE_ARRAY && strncmp(replay.trial->change, "copy", 4) == 0)))
    return false;
  struct quantity gain = trial_gain(replay.trial);
  if (gain.status != QUANTITY_OK)
    return false;
  text_printf(out, "replayed: %.3fx of the program (%.3f to %.3f)", gain.value, gain.low,
              gain.high);
  return true;
}

static void add_gain(const struct layout_patch *p, const struct advice *advice, struct text *out) {
  if (advice->kind == ADVICE_ORDER && add_tried(p, out))
    return;
  if (add_replayed(p, advice->kind, out))
    return;
  if (advice->kind == ADVICE_ORDER && p->lines > SAME * advice->lines)
    text_add(out, "gain not known (not tried)");
  else
    text_printf(out, "gain 1.0x to %.1fx (estimate)", advice->gain.high);
}

void layout_patch_add_asserts(const struct layout_patch *p, struct text *out) {
  bool is_cxx = p->advice->use->record->flags & RETICLE_STRUCT_CXX;
  if (!p->is_reordered)
    return;
  text_printf(out, "\n/* Fields by use (reticle layout): cache lines a visit %.2f -> %.2f; ",
              p->advice->lines_now, p->lines);
  add_gain(p, &p->advice->order, out);
  text_add(out, ". */\n");
  // Other machines have other sizes.
  text_add(out, "#if defined(__LP64__)\n");
  // A header may be C's as well as C++'s.
  const char *extension = strrchr(p->source->path, '.');
  bool is_both = extension && extension[1] == 'h' && strstr(p->source->text, "__cplusplus");
  if (is_both)
    text_add(out, "#ifdef __cplusplus\n");
  if (is_both || is_cxx)
    add_asserts(p, "static_assert", out);
  if (is_both)
    text_add(out, "#else\n");
  if (is_both || !is_cxx)
    add_asserts(p, "_Static_assert", out);
  text_add(out, is_both ? "#endif\n#endif" : "#endif");
}

/// The fields of a unit in one line, without comments, if it is hot or not: with one field that is.
static void add_unit(const struct layout_patch *p, const struct layout_unit *unit, bool hot,
                     struct text *out) {
  const struct source_tokens *t = &p->source->tokens;
  const struct layout_chunk *first = &p->body.chunks[unit->first_chunk];
  size_t end = p->body.chunks[unit->last_chunk].last, before = 0;
  bool is_hot = false;
  for (size_t i = 0; i < unit->item_count; i++)
    is_hot |= p->advice->is_hot[unit->first_item + i];
  for (size_t i = first->first; is_hot == hot && i < end; i++) {
    const struct source_token *token = &t->all[i];
    bool is_other = unit->declarator != LAYOUT_NO_TOKEN &&
                    token->start >= first->declarators[0].start &&
                    (token->start < first->declarators[unit->declarator].start ||
                     token->start >= first->declarators[unit->declarator].end) &&
                    !source_token_is(t, i, ";");
    if (token->kind == SOURCE_COMMENT || token->kind == SOURCE_DIRECTIVE || is_other)
      continue;
    if (before && before < token->start && !source_token_is(t, i, ";"))
      text_add(out, " ");
    text_add_bytes(out, t->text + token->start, token->end - token->start);
    before = token->end;
  }
  if (before)
    text_add(out, " ");
}

static void add_struct(const struct layout_patch *p, const char *suffix, bool hot,
                       struct text *out) {
  const char *name = strrchr(p->advice->use->record->name, ':');
  text_printf(out, " *   struct %s_%s { ", name ? name + 1 : p->advice->use->record->name, suffix);
  for (size_t i = 0; i < p->units.count; i++)
    add_unit(p, &p->units.all[i], hot, out);
  text_add(out, "};\n");
}

void layout_patch_add_parts(const struct layout_patch *p, struct text *out) {
  const struct struct_advice *a = p->advice;
  if (a->parts.kind == ADVICE_NONE)
    return;
  text_printf(out, "\n/* %s of fields by use (reticle layout): cache lines a visit %.2f -> %.2f; ",
              a->parts.kind == ADVICE_SPLIT ? "Split"
              : a->parts.kind == ADVICE_SOA ? "Arrays"
              : a->is_copy                  ? "A copy"
                                            : "An array",
              a->lines_now, a->parts.lines);
  add_gain(p, &a->parts, out);
  if (a->parts.kind == ADVICE_SOA)
    text_add(out, ".\n * Each of these fields is an array of its own, under the same index:\n");
  else if (a->is_copy)
    text_add(out,
             ".\n * Beside the struct, under the same index, kept in step where it is written:\n");
  else
    text_add(out, ".\n * One array of each, under the same index:\n");
  add_struct(p, "hot", true, out);
  if (a->parts.kind != ADVICE_SOA && !a->is_copy)
    add_struct(p, "cold", false, out);
  text_add(out, " */");
}
