// layout_values_list.c - changes one list of values by position, where that is sure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/layout_values_list.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

#define LEFT "initialised by position, and left as it is: "

/// One value: tokens [first, last].
struct value {
  size_t first, last;
};

static bool opens(const struct source_tokens *t, size_t at) {
  return source_token_is(t, at, "(") || source_token_is(t, at, "[") || source_token_is(t, at, "{");
}

void layout_value_leave(struct layout_value_search *s, size_t at, const char *reason) {
  struct layout_values *out = s->out;
  out->left = memory_resized(out->left, out->left_count + 1, sizeof *out->left);
  out->left[out->left_count++] =
      (struct layout_value_left){s->source, s->tokens->all[at].line, reason};
}

void layout_value_fields_read(const struct struct_advice *a, const size_t *items,
                              struct layout_value_search *s) {
  size_t *first = memory_zeroed(a->item_count + 1, sizeof *first);
  s->fields = memory_zeroed(a->use->field_count + 1, sizeof *s->fields);
  s->order = memory_zeroed(a->use->field_count + 1, sizeof *s->order);
  for (size_t i = 0; i < a->item_count; i++) {
    const struct advice_item *item = &a->items[i];
    bool is_bits = item->first->flags & RETICLE_MEMBER_BITFIELD;
    first[i] = s->field_count;
    for (size_t k = 0; k < (is_bits ? item->count : 1); k++)
      s->fields[s->field_count++] = (struct layout_value_field){
          &item->first[k],
          (is_bits || item->count == 1) && !(item->first->flags & RETICLE_MEMBER_UNION)};
  }
  first[a->item_count] = s->field_count;
  size_t filled = 0;
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = first[items[i]]; k < first[items[i] + 1]; k++)
      s->order[filled++] = k;
  free(first);
}

/// Cuts the list at its commas: values [count], which the caller frees. False: it is no list of
/// values.
static bool cut(const struct source_tokens *t, size_t open, struct value **values, size_t *out) {
  size_t end = source_token_behind(t, open) - 1, count = 0, room = 0,
         at = source_token_next(t, open);
  *values = NULL;
  while (at < end) {
    size_t first = at, last = at;
    while (at < end && !source_token_is(t, at, ",")) {
      if (source_token_is(t, at, ";"))
        return false;
      last = opens(t, at) ? source_token_behind(t, at) - 1 : at;
      at = source_token_code(t, last + 1);
    }
    if (count == room) {
      room = 2 * room + 16;
      *values = memory_resized(*values, room, sizeof **values);
    }
    (*values)[count++] = (struct value){first, last};
    at = at < end ? source_token_next(t, at) : at;
  }
  *out = count;
  return true;
}

/// The macro that the directive defines with a comma that divides values; [*length] of it.
static const char *dividing_macro(const struct source_tokens *t, size_t directive, size_t *length) {
  const char *at = t->text + t->all[directive].start, *end = t->text + t->all[directive].end;
  char kind[16];
  size_t depth = 0;
  source_directive_word(t, directive, kind, sizeof kind);
  if (strcmp(kind, "define") != 0)
    return NULL;
  at = (const char *)memchr(at, 'd', (size_t)(end - at)) + strlen("define");
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  const char *name = at;
  while (at < end && *at != ' ' && *at != '\t' && *at != '(' && *at != '\n')
    at++;
  *length = (size_t)(at - name);
  for (bool in_parameters = at < end && *at == '('; at < end; at++) {
    depth += *at == '(' || *at == '{' || *at == '[';
    depth -= depth && (*at == ')' || *at == '}' || *at == ']');
    if (*at == ',' && !depth && !in_parameters)
      return name;
    in_parameters = in_parameters && depth;
  }
  return NULL;
}

void layout_value_macros_read(struct layout_value_search *s) {
  for (size_t i = 0; i < s->sources->count; i++) {
    const struct source_tokens *t = &s->sources->all[i].tokens;
    for (size_t k = 0; k < t->count; k++) {
      size_t length;
      if (t->all[k].kind != SOURCE_DIRECTIVE || !dividing_macro(t, k, &length))
        continue;
      s->macros = memory_resized(s->macros, s->macro_count + 1, sizeof *s->macros);
      s->macros[s->macro_count++] = (struct layout_value_macro){t, k};
    }
  }
}

/// Whether the word is a macro for several values.
static bool is_several(const struct layout_value_search *s, size_t token) {
  const char *word = s->tokens->text + s->tokens->all[token].start;
  size_t length = s->tokens->all[token].end - s->tokens->all[token].start, bytes;
  for (size_t i = 0; i < s->macro_count; i++) {
    const char *name = dividing_macro(s->macros[i].tokens, s->macros[i].directive, &bytes);
    if (bytes == length && memcmp(name, word, length) == 0)
      return true;
  }
  return false;
}

static bool is_aggregate(const struct layout_value_search *s, const char *name) {
  const char *all = s->names->aggregates;
  size_t length = strlen(name);
  for (const char *at = all; (at = strstr(at, name)); at++)
    if (at > all && at[-1] == ' ' && at[length] == ' ')
      return true;
  return false;
}

/// Why the values can't be told to be one for each field; null: they are.
static const char *doubt(const struct layout_value_search *s, const struct value *values,
                         size_t count) {
  const struct source_tokens *t = s->tokens;
  if (count > s->field_count)
    return LEFT "it has more values than the struct has fields";
  for (size_t i = 0; i < count; i++) {
    const struct layout_value_field *field = &s->fields[i];
    bool is_braced = source_token_is(t, values[i].first, "{");
    if (!field->has_name)
      return LEFT "a struct or union without a name has a value in it";
    if (!is_braced && is_aggregate(s, field->member->name) &&
        t->all[values[i].first].kind != SOURCE_STRING)
      return LEFT "a struct's or array's own braces may be left out in it";
    if (t->all[values[i].first].kind == SOURCE_WORD && is_several(s, values[i].first))
      return LEFT "a macro in it stands for several values";
  }
  return NULL;
}

static bool has_directive(const struct source_tokens *t, size_t open) {
  size_t end = source_token_behind(t, open);
  for (size_t i = open; i < end && i < t->count; i++)
    if (t->all[i].kind == SOURCE_DIRECTIVE)
      return true;
  return false;
}

static void name_values(struct layout_value_search *s, const struct value *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct text name = {0};
    text_format(&name, ".%s = ", s->fields[i].member->name);
    size_t at = s->tokens->all[values[i].first].start;
    source_edits_add(&s->source->edits, at, at, text_get(&name));
    text_release(&name);
  }
}

static void permute_values(struct layout_value_search *s, const struct value *values,
                           size_t count) {
  const struct source_tokens *t = s->tokens;
  for (size_t i = 0; i < count; i++) {
    const struct value *from = &values[s->order[i]], *to = &values[i];
    size_t start = t->all[from->first].start;
    struct text text = {0};
    text_add_bytes(&text, t->text + start, t->all[from->last].end - start);
    if (s->order[i] != i)
      source_edits_add(&s->source->edits, t->all[to->first].start, t->all[to->last].end,
                       text_get(&text));
    text_release(&text);
  }
}

static bool are_moved(const struct layout_value_search *s, size_t count) {
  for (size_t i = 0; i < count && i < s->field_count; i++)
    if (s->order[i] != i)
      return true;
  return false;
}

/// How many values stand in front of the first one with a name.
static size_t plain_values(const struct source_tokens *t, const struct value *values,
                           size_t count) {
  size_t plain = 0;
  while (plain < count && !source_token_is(t, values[plain].first, "."))
    plain++;
  return plain;
}

static bool are_named(const struct source_tokens *t, const struct value *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!source_token_is(t, values[i].first, "."))
      return false;
  return true;
}

/// The values of one struct.
static void change(struct layout_value_search *s, size_t open, const struct value *values,
                   size_t all) {
  const struct source_tokens *t = s->tokens;
  size_t count = plain_values(t, values, all);
  bool is_zero =
      all == 1 && source_token_is(t, values[0].first, "0") && values[0].first == values[0].last;
  bool rest_is_named = are_named(t, values + count, all - count);
  if (!all || is_zero || (!count && rest_is_named && !s->names->is_cxx))
    return;
  const char *reason = has_directive(t, open)            ? LEFT "a preprocessor line stands in it"
                       : all > count && s->names->is_cxx ? LEFT
                           "C++ wants the names in the order of the fields"
                       : !rest_is_named ? LEFT "values without a name stand behind one with a name"
                                        : doubt(s, values, count);
  // How many values there are is in doubt, too.
  if (!are_moved(s, reason ? s->field_count : count))
    return;
  if (s->source->is_changed)
    reason = LEFT "the file has changed since the program was built; build again";
  else if (!reason && s->names->is_cxx && count < s->field_count)
    reason = LEFT "C++ without names needs a value for each field";
  if (reason) {
    layout_value_leave(s, open, reason);
    return;
  }
  if (s->names->is_cxx)
    permute_values(s, values, count);
  else
    name_values(s, values, count);
  s->out->changed++;
}

void layout_value_list(struct layout_value_search *s, size_t open, unsigned depth) {
  const struct source_tokens *t = s->tokens;
  struct value *values;
  size_t count;
  if (!cut(t, open, &values, &count))
    count = 0;
  if (!depth)
    change(s, open, values, count);
  for (size_t i = 0; depth && i < count; i++) {
    size_t at = values[i].first;
    bool is_zero = count == 1 && source_token_is(t, at, "0");
    while (source_token_is(t, at, "[")) // [3] = {...}
      at = source_token_code(t, source_token_behind(t, at));
    if (source_token_is(t, at, "="))
      at = source_token_next(t, at);
    if (source_token_is(t, at, "{"))
      layout_value_list(s, at, depth - 1);
    else if (!is_zero)
      layout_value_leave(s, at, LEFT "braces of a struct are left out in it, or a macro has them");
  }
  free(values);
}
