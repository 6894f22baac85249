// struct_map.c - draws cache lines, holes, and the matrix of fields used together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/struct/struct_map.h"

#include <math.h>
#include <string.h>

#define LINE STRUCT_LINE_BYTES
/// Lines of a large struct that are drawn, and fields in the matrix.
#define LINES_SHOWN 16
#define MATRIX_FIELDS 8
#define MATRIX_NAME 7

/// Writes one field's bytes into the picture: its name as far as there is room, then its mark.
static void draw(const struct profile_member *m, bool is_used, uint64_t first, char *line) {
  uint64_t start = m->offset_bytes, end = start + m->size_bytes;
  size_t length = strlen(m->name);
  for (uint64_t at = start > first ? start : first; at < end && at < first + LINE; at++)
    line[at - first] = at - start >= length ? is_used ? '#' : '.'
                       : m->name[at - start] >= ' ' && m->name[at - start] < 0x7f
                           ? m->name[at - start]
                           : '?'; // a byte is a column
  // Where there is room for one, a bar ends the field.
  if (end > first && end <= first + LINE && end - start > 1)
    line[end - 1 - first] = '|';
}

/// Draws the line. Returns whether a field of it is used.
static bool draw_line(const struct struct_use *use, uint64_t first, char *line) {
  bool any = false;
  memset(line, ' ', LINE);
  line[LINE] = 0;
  for (size_t i = 0; i < use->field_count; i++) {
    const struct field_use *f = &use->fields[i];
    const struct profile_member *m = f->member;
    if (m->offset_bytes >= first + LINE || (uint64_t)m->offset_bytes + m->size_bytes <= first)
      continue;
    any |= field_use_sum(f) != 0;
    draw(m, field_use_sum(f) != 0, first, line);
  }
  return any;
}

/// The first line from `line` on that has a used field; `lines` if there is none.
static uint32_t next_used(const struct struct_use *use, uint32_t line, uint32_t lines) {
  uint32_t next = lines;
  for (size_t i = 0; i < use->field_count; i++) {
    const struct field_use *f = &use->fields[i];
    uint64_t start = f->member->offset_bytes, end = start + f->member->size_bytes;
    uint64_t at = start / LINE > line ? start / LINE : line;
    if (field_use_sum(f) && end > at * LINE && at < next)
      next = (uint32_t)at;
  }
  return next;
}

void struct_map_lines(const struct struct_use *use, const struct terminal *terminal,
                      struct text *out) {
  uint32_t lines = struct_lines(use->record), drawn = 0;
  bool is_large = lines > LINES_SHOWN;
  for (uint32_t l = 0; l < lines && drawn < LINES_SHOWN; l++) {
    char line[LINE + 1];
    if (is_large && (l = next_used(use, l, lines)) == lines)
      break;
    bool any = draw_line(use, (uint64_t)l * LINE, line);
    drawn++;
    terminal_printf(terminal, out, any ? STYLE_PLAIN : STYLE_FAINT, "  line %-3u|%s\n", l, line);
  }
  if (drawn < lines)
    terminal_printf(terminal, out, STYLE_FAINT, "  %u more lines%s\n", lines - drawn,
                    drawn < LINES_SHOWN ? " without accesses" : "");
}

void struct_map_holes(const struct struct_use *use, const struct terminal *terminal,
                      struct text *out) {
  uint64_t end = 0, sum = 0;
  struct text line = {0};
  const char *before = "";
  const struct profile_member *last = NULL;
  for (size_t i = 0; i <= use->field_count; i++) {
    const struct profile_member *m = i < use->field_count ? use->fields[i].member : NULL;
    uint64_t start = m ? m->offset_bytes : use->record->size_bytes;
    if (start > end && last) {
      text_printf(&line, "%s%llu behind %s", before, (unsigned long long)(start - end), last->name);
      before = ", ";
      sum += start - end;
    }
    if (m && (uint64_t)m->offset_bytes + m->size_bytes >= end) {
      end = (uint64_t)m->offset_bytes + m->size_bytes;
      last = m;
    }
  }
  if (sum) {
    struct text all = {0};
    text_printf(&all, "holes: %llu bytes: %s", (unsigned long long)sum, text_get(&line));
    text_add_wrapped(out, text_get(&all), 0, 7, terminal->width);
    text_add(out, "\n");
    text_release(&all);
  }
  text_release(&line);
}

/// Visits, over all loops, that touch both items.
static double together(const struct struct_advice *a, size_t x, size_t y) {
  double sum = 0;
  for (size_t i = 0; i < a->loop_count; i++)
    sum += a->loops[i].walk.visits * fmin(a->loops[i].share[x], a->loops[i].share[y]);
  return sum;
}

/// The items with most visits, in the order written. Returns how many.
static size_t hottest(const struct struct_advice *a, size_t *out) {
  size_t count = 0;
  for (size_t n = 0; n < MATRIX_FIELDS; n++) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < a->item_count; i++) {
      bool taken = false;
      for (size_t k = 0; k < count; k++)
        taken |= out[k] == i;
      if (!taken && together(a, i, i) > 0 &&
          (best == SIZE_MAX || together(a, i, i) > together(a, best, best)))
        best = i;
    }
    if (best == SIZE_MAX)
      break;
    out[count++] = best;
  }
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0 && out[k] < out[k - 1]; k--) {
      size_t kept = out[k];
      out[k] = out[k - 1];
      out[k - 1] = kept;
    }
  return count;
}

void struct_map_matrix(const struct struct_advice *a, const struct terminal *terminal,
                       struct text *out) {
  size_t item[MATRIX_FIELDS], count = hottest(a, item);
  if (count < 2)
    return;
  terminal_add(terminal, out, STYLE_HEADING,
               "together: of the row's visits, those that touch the column's field, in %\n");
  text_printf(out, "  %-*s", MATRIX_NAME * 2, "");
  for (size_t k = 0; k < count; k++)
    text_printf(out, " %*.*s", MATRIX_NAME, MATRIX_NAME, a->items[item[k]].first->name);
  text_add(out, "\n");
  for (size_t i = 0; i < count; i++) {
    text_printf(out, "  %-*.*s", MATRIX_NAME * 2, MATRIX_NAME * 2, a->items[item[i]].first->name);
    for (size_t k = 0; k < count; k++)
      text_printf(out, " %*.0f", MATRIX_NAME,
                  100 * together(a, item[i], item[k]) / together(a, item[i], item[i]));
    text_add(out, "\n");
  }
}
