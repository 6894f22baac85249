// string_table.c - a hash table from text to number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/string_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// FNV-1a.
static uint64_t hash_of(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static size_t *find(const struct string_table *table, const char *text) {
  size_t at = hash_of(text) & (table->slot_count - 1);
  while (table->slots[at] && strcmp(table->texts[table->slots[at] - 1], text) != 0)
    at = (at + 1) & (table->slot_count - 1);
  return &table->slots[at];
}

/// Makes room for one more text.
static int grow(struct string_table *table) {
  if (table->count < table->capacity)
    return 0;
  size_t capacity = 2 * table->capacity + 64,
         slot_count = table->slot_count ? table->slot_count : 128;
  while (slot_count < 2 * capacity)
    slot_count *= 2;
  char **texts = realloc(table->texts, capacity * sizeof(*texts));
  table->texts = texts ? texts : table->texts;
  size_t *slots = texts ? calloc(slot_count, sizeof(*slots)) : NULL;
  if (!slots)
    return -1;
  free(table->slots);
  table->slots = slots;
  table->slot_count = slot_count;
  table->capacity = capacity;
  for (size_t i = 0; i < table->count; i++)
    *find(table, table->texts[i]) = i + 1;
  return 0;
}

size_t string_table_add(struct string_table *table, const char *text) {
  if (grow(table) < 0)
    return SIZE_MAX;
  size_t *slot = find(table, text);
  if (!*slot) {
    char *copy = strdup(text);
    if (!copy)
      return SIZE_MAX;
    table->texts[table->count++] = copy;
    *slot = table->count;
  }
  return *slot - 1;
}

void string_table_release(struct string_table *table) {
  for (size_t i = 0; i < table->count; i++)
    free(table->texts[i]);
  free(table->texts);
  free(table->slots);
  *table = (struct string_table){0};
}
