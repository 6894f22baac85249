// layout_file.c - writes layout files and the struct's new declaration; hashes both.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memrchr
#include "tools/model/struct/layout_file.h"
#include "tools/store/input.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

static size_t item_at(const size_t *order, size_t i) { return order ? order[i] : i; }

void layout_file_add(const struct struct_advice *a, const size_t *order, uint32_t align_bytes,
                     struct text *out) {
  const struct profile_struct *record = a->use->record;
  text_printf(out, "reticle-layout 1\nstruct %s\nplace %s:%u\nsize %u\n", record->name,
              base_name(record->file), record->line, record->size_bytes);
  if (align_bytes)
    text_printf(out, "align %u\n", align_bytes);
  for (size_t i = 0; i < a->item_count; i++) {
    const struct advice_item *item = &a->items[item_at(order, i)];
    for (size_t k = 0; k < item->count; k++) {
      const struct profile_member *m = &item->first[k];
      text_printf(out, "field %u", m->offset_bytes);
      if (m->flags & RETICLE_MEMBER_BITFIELD)
        text_printf(out, ".%u", m->bit_offset);
      text_printf(out, " %u %s\n", m->size_bytes, m->name);
    }
  }
}

/// Behind `key` and a blank, if the line starts so; else null.
static const char *value_of(const char *line, const char *key) {
  size_t length = strlen(key);
  return strncmp(line, key, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

/// The first line with the key; null if there is none.
static const char *find_value(const char *text, const char *key) {
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *value = value_of(line, key);
    if (value)
      return value;
  }
  return NULL;
}

char *layout_file_struct(const char *text) {
  const char *name = find_value(text, "struct");
  if (strncmp(text, "reticle-layout 1\n", 17) != 0 || !name || !find_value(text, "field"))
    return NULL;
  struct text copy = {0};
  text_add_bytes(&copy, name, strcspn(name, "\n"));
  return copy.data;
}

/// The item with the field of that name at that place; item_count: none.
static size_t find_field(const struct struct_advice *a, const char *value) {
  unsigned long offset = strtoul(value, NULL, 10);
  size_t length = strcspn(value, "\n");
  const char *end = value + length, *name = end;
  while (name > value && name[-1] != ' ')
    name--;
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = 0; k < a->items[i].count; k++) {
      const struct profile_member *m = &a->items[i].first[k];
      if (m->offset_bytes == offset && strlen(m->name) == (size_t)(end - name) &&
          memcmp(m->name, name, (size_t)(end - name)) == 0)
        return i;
    }
  return a->item_count;
}

bool layout_file_order(const struct struct_advice *a, const char *text, size_t *order) {
  size_t count = 0;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *value = value_of(line, "field");
    size_t item = value ? find_field(a, value) : a->item_count, k = 0;
    if (value && item == a->item_count)
      return false;
    while (k < count && order[k] != item)
      k++;
    if (value && k == count)
      order[count++] = item;
  }
  return count == a->item_count;
}

static void add_part(struct text *out, const char *part, size_t length) {
  text_add_bytes(out, part, length);
  text_add_bytes(out, "", 1);
}

uint32_t layout_file_hash(const char *text) {
  static const char *const keys[] = {"struct", "place", "size", "align"};
  struct text all = {0};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const char *value = find_value(text, keys[i]);
    size_t length = value ? strcspn(value, "\n") : 0;
    const char *colon = value && i == 1 ? memrchr(value, ':', length) : NULL;
    if (colon) {
      add_part(&all, value, (size_t)(colon - value));
      length -= (size_t)(colon + 1 - value);
      value = colon + 1;
    }
    add_part(&all, value ? value : "0", value ? length : 1);
  }
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *name = value_of(line, "field");
    for (int skipped = 0; name && skipped < 2; skipped++)
      name = strchr(name, ' ') ? strchr(name, ' ') + 1 : NULL;
    if (name)
      add_part(&all, name, strcspn(name, "\n"));
  }
  uint64_t hash = reticle_checksum_end(
      reticle_checksum_add(RETICLE_CHECKSUM_START, all.data, all.length), all.length);
  text_release(&all);
  return (uint32_t)hash ? (uint32_t)hash : 1;
}

/// Where the name stands in a declaration of the type: "int (*", "[4]", behind the rest.
static size_t name_place(const char *type) {
  const char *pointer = strstr(type, "(*");
  if (pointer)
    return (size_t)(pointer - type) + 2;
  // Not the brackets inside of a template's arguments.
  const char *angle = strrchr(type, '>');
  const char *bracket = strchr(angle ? angle : type, '[');
  return bracket ? (size_t)(bracket - type) : strlen(type);
}

static bool can_spell(const struct advice_item *item) {
  const struct profile_member *m = item->first;
  return !(m->flags & RETICLE_MEMBER_UNION) && *m->name && *m->type && !strchr(m->name, '/') &&
         !strstr(m->type, "unnamed") && !strstr(m->type, "anonymous") &&
         (item->count == 1 || m->flags & RETICLE_MEMBER_BITFIELD);
}

static void add_member(const struct profile_member *m, struct text *out) {
  size_t place = name_place(m->type), end = place;
  while (end && m->type[end - 1] == ' ')
    end--;
  text_add(out, "  ");
  text_add_bytes(out, m->type, end);
  if (end && m->type[end - 1] != '*')
    text_add(out, " ");
  text_printf(out, "%s%s", m->name, m->type + place);
  if (m->flags & RETICLE_MEMBER_BITFIELD)
    text_printf(out, " : %u", m->bit_size);
  text_add(out, ";\n");
}

const char *layout_declaration_add(const struct struct_advice *a, const size_t *order,
                                   uint32_t align_bytes, struct text *out) {
  const struct profile_struct *record = a->use->record;
  for (size_t i = 0; i < a->item_count; i++)
    if (!can_spell(&a->items[i]))
      return a->items[i].first->name;
  for (size_t i = 0; i < a->use->field_count; i++) {
    const struct profile_member *m = a->use->fields[i].member;
    if (m->flags & (RETICLE_MEMBER_BASE | RETICLE_MEMBER_VPTR))
      return m->name; // bases and functions are not known
  }
  const char *name = strrchr(record->name, ':');
  name = name ? name + 1 : record->name;
  if (strchr(name, '<') || strchr(name, '('))
    return record->name;
  text_add(out, "struct ");
  if (align_bytes)
    text_printf(
        out, record->flags & RETICLE_STRUCT_CXX ? "alignas(%u) " : "__attribute__((aligned(%u))) ",
        align_bytes);
  text_printf(out, "%s {\n", name);
  for (size_t i = 0; i < a->item_count; i++)
    for (size_t k = 0; k < a->items[item_at(order, i)].count; k++)
      add_member(&a->items[item_at(order, i)].first[k], out);
  text_add(out, "};\n");
  return NULL;
}

bool layout_command_add(const struct struct_advice *a, const size_t *order, struct text *out) {
  const struct profile_struct *record = a->use->record;
  if (!*record->file || strchr(record->name, '<') || strchr(record->name, '('))
    return false;
  for (size_t i = 0; i < a->item_count; i++)
    if (!can_spell(&a->items[i]) || a->items[i].first->flags & RETICLE_MEMBER_BITFIELD)
      return false;
  text_printf(out, "clang-reorder-fields --record-name=%s --fields-order=", record->name);
  layout_names_add(a, order, a->item_count, ",", out);
  text_add(out, " -i ");
  text_add_quoted(out, record->file);
  text_add(out, " --");
  return true;
}

void layout_names_add(const struct struct_advice *a, const size_t *order, size_t count,
                      const char *divider, struct text *out) {
  const char *before = "";
  for (size_t i = 0; i < count; i++) {
    const struct advice_item *item = &a->items[item_at(order, i)];
    for (size_t k = 0; k < item->count; k++, before = divider)
      text_printf(out, "%s%s", before, item->first[k].name);
  }
}

void layout_change_add(const struct struct_advice *a, const size_t *order, struct text *out) {
  if (order) {
    text_add(out, "order ");
    layout_names_add(a, order, a->item_count, ", ", out);
    return;
  }
  const char *before = "";
  text_printf(out, "%s {", a->is_copy ? "copy" : advice_kind_name(a->parts.kind));
  for (size_t i = 0; i < a->item_count; i++)
    if (a->is_hot[i]) {
      text_add(out, before);
      layout_names_add(a, &i, 1, " ", out);
      before = " ";
    }
  text_add(out, "}");
}
