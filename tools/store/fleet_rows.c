// fleet_rows.c - values as COPY and arrays of PostgreSQL have them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/fleet_push.h"

#include "tools/store/fleet_names.h"
#include "tools/support/character.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void fleet_add_clean(struct text *out, const char *text, size_t most) {
  for (size_t n = 0; *text && (!most || n < most); n++) {
    uint32_t point;
    size_t length = character_read(text, &point);
    if (length)
      text_add_bytes(out, text, length);
    else
      text_add(out, "\xef\xbf\xbd");
    text += length ? length : 1;
  }
}

/// COPY's text: tabs and newlines end columns and rows.
static void add_copied(struct text *out, const char *text) {
  for (size_t run; *text; text += run) {
    run = strcspn(text, "\\\t\n\r");
    text_add_bytes(out, text, run);
    if (!text[run])
      break;
    char escape[] = {'\\', text[run] == '\t'   ? 't'
                           : text[run] == '\n' ? 'n'
                           : text[run] == '\r' ? 'r'
                                               : '\\'};
    text_add_bytes(out, escape, 2);
    run++;
  }
}

static struct text *column(struct fleet_run *run, enum fleet_table table) {
  struct text *rows = &run->rows[table];
  text_add(rows, "\t");
  return rows;
}

void fleet_value_text(struct fleet_run *run, enum fleet_table table, const char *text) {
  struct text *rows = column(run, table), clean = {0};
  if (!text) {
    text_add(rows, "\\N");
    return;
  }
  fleet_add_clean(&clean, text, 0);
  add_copied(rows, text_get(&clean));
  text_release(&clean);
}

void fleet_value_count(struct fleet_run *run, enum fleet_table table, uint64_t count) {
  // bigint has a sign.
  text_format(column(run, table), "%" PRIu64, count > INT64_MAX ? (uint64_t)INT64_MAX : count);
}

void fleet_value_known(struct fleet_run *run, enum fleet_table table, uint64_t count,
                       uint64_t missing) {
  if (count == missing)
    text_add(column(run, table), "\\N");
  else
    fleet_value_count(run, table, count);
}

void fleet_value_number(struct fleet_run *run, enum fleet_table table, double number) {
  if (isfinite(number))
    text_format(column(run, table), "%.17g", number);
  else
    text_add(column(run, table), "\\N");
}

void fleet_row_end(struct fleet_run *run, enum fleet_table table) {
  text_add(&run->rows[table], "\n");
}

/// An element of an array: '"a\"b"'.
static void add_element(struct text *out, const char *text, size_t most) {
  text_add(out, out->length ? "," : "{");
  if (!text) {
    text_add(out, "NULL");
    return;
  }
  struct text clean = {0};
  fleet_add_clean(&clean, text, most);
  text_add(out, "\"");
  for (const char *c = text_get(&clean); *c; c++) {
    if (*c == '"' || *c == '\\')
      text_add(out, "\\");
    text_add_bytes(out, c, 1);
  }
  text_add(out, "\"");
  text_release(&clean);
}

void fleet_run_set(struct fleet_run *run, const char *name, const char *value, size_t most) {
  add_element(&run->names, name, 0);
  add_element(&run->values, value, most);
}

void fleet_run_release(struct fleet_run *run) {
  text_release(&run->names);
  text_release(&run->values);
  for (size_t i = 0; i < FLEET_TABLES; i++)
    text_release(&run->rows[i]);
  free(run->loops);
  *run = (struct fleet_run){0};
}

void fleet_names_add(const struct fleet_loop *loop, struct text *arrays) {
  const char *const texts[FLEET_NAME_TEXTS] = {loop->function, loop->linkage, loop->inlined_from,
                                               loop->file};
  const int64_t numbers[FLEET_NAME_NUMBERS] = {(int64_t)loop->id, loop->line,  loop->column,
                                               loop->depth,       loop->flags, loop->work_class};
  for (size_t i = 0; i < FLEET_NAME_TEXTS; i++)
    add_element(&arrays[i], texts[i], 0);
  for (size_t i = 0; i < FLEET_NAME_NUMBERS; i++)
    text_format(&arrays[FLEET_NAME_TEXTS + i], "%s%" PRId64,
                arrays[FLEET_NAME_TEXTS + i].length ? "," : "{", numbers[i]);
}
