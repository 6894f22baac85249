// page_struct_map.c - a struct's fields to scale in lines of a cache, as written and as advised.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>

/// Lines drawn of one struct at most.
#define LINES 24
#define BYTE 12.0
#define ROW 30.0
#define LEFT 46.0

/// Class by the field's part of all accesses: "h0" for none to "h4".
static const char *heat(const struct struct_use *use, const struct field_use *field) {
  static const char *const classes[] = {"h0", "h1", "h2", "h3", "h4"};
  double all = (double)use->reads + (double)use->writes, part = (double)field_use_sum(field) / all;
  return classes[!(part > 0) ? 0 : part < 0.01 ? 1 : part < 0.1 ? 2 : part < 0.3 ? 3 : 4];
}

/// A field where it is drawn.
struct placed {
  const struct field_use *field;
  uint64_t offset;
};

/// What is drawn as one: a struct, or a part of it.
struct map {
  const struct struct_use *use;
  struct placed *fields; ///< [count]
  size_t count;
  uint64_t bytes; ///< from one element to the next
};

/// The part of the field that lies in the line.
static void add_field(const struct map *map, const struct placed *placed, uint32_t line, double y,
                      struct text *out) {
  const struct field_use *field = placed->field;
  uint64_t start = placed->offset, end = start + field->member->size_bytes;
  uint64_t from = (uint64_t)line * STRUCT_LINE_BYTES, to = from + STRUCT_LINE_BYTES;
  uint64_t first = start > from ? start : from, last = end < to ? end : to;
  if (first >= last)
    return;
  double x = LEFT + BYTE * (double)(first - from), width = BYTE * (double)(last - first);
  text_format(out, "<g><title>");
  html_printf(out, "%s: %s reads, %s writes; bytes %llu to %llu", field->member->name,
              units_count((double)field->reads).data, units_count((double)field->writes).data,
              (unsigned long long)start, (unsigned long long)end - 1);
  text_format(out,
              "</title><rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"%.1f\" height=\"22\"/>",
              heat(map->use, field), x, y, width - 1);
  size_t letters = (size_t)(width / 7);
  if (letters >= 2) {
    struct text name = {0};
    text_add_name(&name, field->member->name);
    text_format(out, "<text x=\"%.0f\" y=\"%.0f\">", x + 3, y + 15);
    struct text shown = {0};
    text_add_bytes(&shown, text_get(&name), text_prefix(text_get(&name), letters));
    html_text(out, text_get(&shown));
    text_add(out, "</text>");
    text_release(&shown);
    text_release(&name);
  }
  text_add(out, "</g>");
}

static bool is_used(const struct map *map, uint32_t line) {
  uint64_t from = (uint64_t)line * STRUCT_LINE_BYTES, to = from + STRUCT_LINE_BYTES;
  for (size_t i = 0; i < map->count; i++) {
    const struct placed *p = &map->fields[i];
    if (field_use_sum(p->field) && p->offset < to &&
        p->offset + p->field->member->size_bytes > from)
      return true;
  }
  return false;
}

static void add_map(const struct map *map, const char *title, struct text *out) {
  uint32_t lines = (uint32_t)((map->bytes + STRUCT_LINE_BYTES - 1) / STRUCT_LINE_BYTES);
  uint32_t drawn = 0;
  struct text body = {0};
  for (uint32_t line = 0; line < lines && drawn < LINES; line++) {
    if (lines > LINES && !is_used(map, line))
      continue;
    double y = ROW * drawn++;
    double bytes = (double)(map->bytes - (uint64_t)line * STRUCT_LINE_BYTES);
    text_format(&body,
                "<text class=\"axis\" x=\"0\" y=\"%.0f\">%u</text><rect class=\"hole\" x=\"%.0f\" "
                "y=\"%.0f\" width=\"%.0f\" height=\"22\"><title>hole</title></rect>",
                y + 15, line * STRUCT_LINE_BYTES, LEFT, y, BYTE * fmin(bytes, STRUCT_LINE_BYTES));
    for (size_t i = 0; i < map->count; i++)
      add_field(map, &map->fields[i], line, y, &body);
  }
  text_format(out, "<svg class=\"struct\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
              LEFT + BYTE * STRUCT_LINE_BYTES, ROW * drawn);
  html_printf(out, "%s of %s in lines of 64 bytes", title, map->use->record->name);
  text_add(out, "\">");
  text_add(out, text_get(&body));
  text_add(out, "</svg>\n");
  if (drawn < lines)
    text_format(out, "<p class=\"faint\">%u more lines%s</p>\n", lines - drawn,
                drawn < LINES ? " without accesses" : "");
  text_release(&body);
}

void page_struct_map_add(const struct struct_use *use, struct text *out) {
  struct map map = {use, memory_zeroed(use->field_count + 1, sizeof *map.fields), use->field_count,
                    use->record->size_bytes};
  for (size_t i = 0; i < use->field_count; i++)
    map.fields[i] = (struct placed){&use->fields[i], use->fields[i].member->offset_bytes};
  add_map(&map, "Fields", out);
  free(map.fields);
}

// --- as advised --------------------------------------------------------------------------------

/// The fields of what moves as one, from that offset on.
static void place(const struct struct_advice *a, size_t item, uint64_t offset, struct map *map) {
  const struct advice_item *of = &a->items[item];
  for (size_t i = 0; i < map->use->field_count; i++) {
    const struct profile_member *member = map->use->fields[i].member;
    if (member >= of->first && member < of->first + of->count)
      map->fields[map->count++] = (struct placed){
          &map->use->fields[i], offset + member->offset_bytes - of->first->offset_bytes};
  }
}

static void place_order(const struct struct_advice *a, struct map *map) {
  uint64_t *offsets = memory_zeroed(a->item_count + 1, sizeof *offsets);
  map->bytes = layout_offsets(&a->problem, a->best.order, offsets);
  for (size_t i = 0; i < a->item_count; i++)
    place(a, i, offsets[i], map);
  free(offsets);
}

/// The hot items without holes between them, or the others in the order written.
static void place_part(const struct struct_advice *a, bool is_hot, struct map *map) {
  uint64_t at = 0, align = 1;
  size_t *order = memory_zeroed(a->item_count + 1, sizeof *order), count = 0;
  if (is_hot)
    count = layout_pack(&a->problem, a->is_hot, order);
  for (size_t i = 0; !is_hot && i < a->item_count; i++)
    if (!a->is_hot[i])
      order[count++] = i;
  for (size_t i = 0; i < count; i++) {
    const struct layout_item *item = &a->layout_items[order[i]];
    uint64_t needs = item->align_bytes ? item->align_bytes : 1;
    at = (at + needs - 1) / needs * needs;
    place(a, order[i], at, map);
    at += item->size_bytes;
    align = needs > align ? needs : align;
  }
  map->bytes = (at + align - 1) / align * align;
  free(order);
}

static void add_part(const struct struct_advice *a, bool is_hot, const char *title,
                     struct text *out) {
  struct map map = {.use = a->use,
                    .fields = memory_zeroed(a->use->field_count + 1, sizeof *map.fields)};
  place_part(a, is_hot, &map);
  if (map.bytes) {
    text_format(out, "<p class=\"place\">%s, %llu bytes", title, (unsigned long long)map.bytes);
    if (2 * map.bytes <= STRUCT_LINE_BYTES)
      text_format(out, ", %llu elements a line", STRUCT_LINE_BYTES / (unsigned long long)map.bytes);
    text_add(out, "</p>\n");
    add_map(&map, title, out);
  }
  free(map.fields);
}

void page_struct_advised_add(const struct struct_use *use, const struct struct_summary *summary,
                             struct text *out) {
  const struct struct_advice *a = &summary->all;
  if (summary->parts == ADVICE_SPLIT || summary->parts == ADVICE_ARRAY) {
    add_part(a, true, summary->parts == ADVICE_SPLIT ? "often used" : "in an array of its own",
             out);
    if (!a->is_copy)
      add_part(a, false, "the rest", out);
  } else if (summary->parts == ADVICE_NONE && summary->order.length) {
    struct map map = {.use = use,
                      .fields = memory_zeroed(use->field_count + 1, sizeof *map.fields)};
    place_order(a, &map);
    text_format(out, "<p class=\"place\">in the advised order, %llu bytes</p>\n",
                (unsigned long long)map.bytes);
    add_map(&map, "Advised order", out);
    free(map.fields);
  }
}
