// site_map.c - draws an object's words: read, written, untouched, and its fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//      0 #...####........  #id .note +px +qty
//     64 ................  .venue
// Where reads and writes are told apart, with those:
//      0 #...####........  b...rrww........  #id .note +px +qty
#include "tools/render/text/heap/site_map.h"

#include "tools/support/memory.h"

#include <stdlib.h>

enum { LINE_WORDS = 16, WORD_BYTES = 4 };

struct map_word {
  uint64_t heat, objects, reads, writes;
};

struct map {
  struct map_word *words; ///< [count] of the object, or of one element
  size_t count;
  uint64_t most;  ///< heat
  uint64_t bytes; ///< of the object, or of one element
  bool is_folded, has_kinds;
};

static void read_words(const struct site_use *use, const struct site_type *type, struct map *out) {
  out->bytes = use->record->max_bytes;
  out->is_folded = type->status == SITE_TYPE_KNOWN && type->is_array && type->structure &&
                   type->size_bytes && type->size_bytes % WORD_BYTES == 0 &&
                   2 * type->size_bytes <= use->record->max_bytes;
  if (out->is_folded)
    out->bytes = type->size_bytes;
  uint32_t words = use->word_count ? use->words[use->word_count - 1].word + 1 : 0;
  if (out->is_folded && words > out->bytes / WORD_BYTES)
    words = (uint32_t)(out->bytes / WORD_BYTES);
  out->words = memory_zeroed((size_t)words + 1, sizeof *out->words);
  out->count = words;
  for (size_t i = 0; words && i < use->word_count; i++) {
    struct map_word *word = &out->words[use->words[i].word % words];
    word->heat += use->words[i].heat;
    word->objects += use->words[i].objects;
    word->reads += use->words[i].reads;
    word->writes += use->words[i].writes;
  }
  for (size_t i = 0; i < words; i++)
    out->most = out->words[i].heat > out->most ? out->words[i].heat : out->most;
}

/// A word by how often it was touched, less than the most touched one.
static char mark_of(const struct map *map, size_t word) {
  if (word >= map->count || (!map->words[word].heat && !map->words[word].objects))
    return '.';
  uint64_t heat = map->words[word].heat;
  if (!heat)
    return ',';
  return heat * 2 >= map->most ? '#' : heat * 10 >= map->most ? '+' : '-';
}

/// How a word was touched.
static char kind_of(const struct map *map, size_t word) {
  const struct map_word *w = word < map->count ? &map->words[word] : NULL;
  if (!w || (!w->heat && !w->objects))
    return '.';
  return w->reads && w->writes ? 'b' : w->writes ? 'w' : w->reads ? 'r' : '?';
}

/// Of a field: its most touched word's.
static char mark_of_field(const struct map *map, const struct allocation_member *m) {
  size_t best = m->offset_bytes / WORD_BYTES;
  for (size_t i = best; i < map->count && i * WORD_BYTES < m->offset_bytes + m->size_bytes; i++)
    if (map->words[i].heat > map->words[best].heat ||
        (map->words[i].heat == map->words[best].heat &&
         map->words[i].objects > map->words[best].objects))
      best = i;
  return mark_of(map, best);
}

static void add_fields(const struct map *map, const struct allocation_struct *structure,
                       uint64_t first, struct text *out) {
  for (size_t i = 0; i < structure->member_count; i++) {
    const struct allocation_member *m = &structure->members[i];
    if (m->offset_bytes >= first && m->offset_bytes < first + LINE_WORDS * WORD_BYTES)
      text_printf(out, " %c%s", mark_of_field(map, m), m->name);
  }
}

static void add_line(const struct map *map, const struct site_type *type, size_t start,
                     const struct terminal *terminal, struct text *out) {
  struct text line = {0}, fields = {0};
  text_printf(&line, "  %5zu ", WORD_BYTES * start);
  for (size_t i = start; i < start + LINE_WORDS; i++)
    text_printf(&line, "%c", i * WORD_BYTES < map->bytes ? mark_of(map, i) : ' ');
  text_add(&line, map->has_kinds ? "  " : " ");
  for (size_t i = start; map->has_kinds && i < start + LINE_WORDS; i++)
    text_printf(&line, "%c", i * WORD_BYTES < map->bytes ? kind_of(map, i) : ' ');
  if (map->has_kinds)
    text_add(&line, " ");
  if (type->status == SITE_TYPE_KNOWN && type->structure)
    add_fields(map, type->structure, WORD_BYTES * start, &fields);
  size_t indent = line.length;
  if (!fields.length)
    text_trim(&line);
  text_add(out, text_get(&line));
  text_add_wrapped(out, text_get(&fields), indent, indent + 1, terminal->width);
  text_add(out, "\n");
  text_release(&line);
  text_release(&fields);
}

void site_map_add(const struct site_use *use, const struct site_type *type, bool has_kinds,
                  const struct terminal *terminal, struct text *out) {
  struct map map = {.has_kinds = has_kinds};
  read_words(use, type, &map);
  terminal_add(terminal, out, STYLE_HEADING,
               map.is_folded ? "its elements laid over one, 64 bytes a line"
                             : "its first words, 64 bytes a line");
  text_add(out,
           "\n  # hot  + a tenth of that or more  - less  , touched but in no sample  . never\n");
  if (has_kinds)
    text_add(out, "  then  w written  r read  b both  ? by code without shadow=detail\n");
  if (!map.count)
    text_add(out, "  none was touched\n");
  // All of a struct: what was never touched has names, too.
  size_t shown = map.count;
  if (map.count && type->status == SITE_TYPE_KNOWN && type->structure &&
      type->size_bytes / WORD_BYTES > shown)
    shown = type->size_bytes / WORD_BYTES;
  for (size_t start = 0; start < shown; start += LINE_WORDS)
    add_line(&map, type, start, terminal, out);
  uint64_t last = (uint64_t)WORD_BYTES * ((shown + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS);
  if (last < map.bytes)
    text_printf(out, "  %5llu on: never touched, or beyond the first 512 bytes\n",
                (unsigned long long)last);
  if (map.is_folded && use->record->max_bytes > 512)
    text_add(out, "  from the first 512 bytes of each array\n");
  free(map.words);
}
