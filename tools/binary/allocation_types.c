// allocation_types.c - reads the section of types, whose format is in include/reticle/abi.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/allocation_types.h"

#include "include/reticle/abi.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 9 };

struct allocation_types {
  char *text;
  struct allocation_place *places; ///< [place_count] by function, line, column
  struct allocation_struct *structs;
  struct allocation_member *members;
  size_t place_count, struct_count, member_count;
};

struct reader {
  struct allocation_types *out;
  size_t part; ///< first struct of the object file
  bool bad;    ///< number that is none in this line
};

static uint64_t number(struct reader *r, const char *text) {
  char *end;
  uint64_t value = strtoull(text, &end, 10);
  r->bad |= *text < '0' || *text > '9' || *end;
  return value;
}

static const struct allocation_struct *struct_at(struct reader *r, const char *text) {
  if (strcmp(text, "-") == 0)
    return NULL;
  uint64_t index = number(r, text);
  r->bad |= index >= r->out->struct_count - r->part;
  return r->bad ? NULL : &r->out->structs[r->part + index];
}

static void add_struct(struct reader *r, char *const *field) {
  struct allocation_types *t = r->out;
  // A bad one keeps its number.
  t->structs[t->struct_count++] =
      (struct allocation_struct){.size_bytes = number(r, field[1]),
                                 .line = (unsigned)number(r, field[2]),
                                 .name = field[3],
                                 .file = field[4],
                                 .members = t->members + t->member_count};
}

static void add_member(struct reader *r, char *const *field) {
  struct allocation_types *t = r->out;
  struct allocation_member m = {field[3], number(r, field[1]), number(r, field[2])};
  if (r->bad || t->struct_count == r->part)
    return;
  t->members[t->member_count++] = m;
  t->structs[t->struct_count - 1].member_count++;
}

static void add_place(struct reader *r, char *const *field, bool is_global) {
  struct allocation_place p = {.line = (unsigned)number(r, field[1])};
  if (!is_global)
    p.column = (unsigned)number(r, field[2]), field++; // the rest is the same
  p.flags = (unsigned)number(r, field[2]);
  p.structure = struct_at(r, field[3]);
  p.size_bytes = number(r, field[4]);
  p.type = field[5];
  p.function = field[6];
  p.file = field[7];
  if (!r->bad)
    r->out->places[r->out->place_count++] = p;
}

static size_t split(char *line, char **field) {
  size_t count = 0;
  while (line && count < FIELDS_MAX) {
    field[count++] = line;
    line = strchr(line, '\t');
    if (line)
      *line++ = 0;
  }
  return line ? 0 : count; // too many
}

static void read_line(struct reader *r, char *line) {
  char *field[FIELDS_MAX + 1] = {0};
  if (strcmp(line, RETICLE_TYPES_HEAD) == 0) {
    r->part = r->out->struct_count;
    return;
  }
  size_t count = split(line, field);
  r->bad = false;
  if (!count || field[0][0] == 0 || field[0][1])
    return;
  if (*field[0] == 'S' && count == 5)
    add_struct(r, field);
  else if (*field[0] == 'M' && count == 4)
    add_member(r, field);
  else if (*field[0] == 'A' && count == 9)
    add_place(r, field, false);
  else if (*field[0] == 'G' && count == 8)
    add_place(r, field, true);
}

static int compare(const struct allocation_place *a, const char *function, unsigned line,
                   unsigned column) {
  int order = strcmp(a->function, function);
  if (order)
    return order;
  if (a->line != line)
    return a->line < line ? -1 : 1;
  return (a->column > column) - (a->column < column);
}

static int compare_places(const void *left, const void *right) {
  const struct allocation_place *b = right;
  return compare(left, b->function, b->line, b->column);
}

struct allocation_types *allocation_types_read(const char *text, size_t bytes) {
  struct allocation_types *t = calloc(1, sizeof *t);
  size_t lines = 1;
  for (size_t i = 0; i < bytes; i++)
    lines += text[i] == '\n';
  if (t) {
    t->text = malloc(bytes + 1);
    t->places = calloc(lines, sizeof *t->places);
    t->structs = calloc(lines, sizeof *t->structs);
    t->members = calloc(lines, sizeof *t->members);
  }
  if (!t || !t->text || !t->places || !t->structs || !t->members) {
    allocation_types_release(t);
    return NULL;
  }
  memcpy(t->text, text, bytes);
  t->text[bytes] = 0;
  for (size_t i = 0; i < bytes; i++) // what linkers put between parts
    if (!t->text[i])
      t->text[i] = '\n';
  struct reader r = {.out = t};
  for (char *line = t->text, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end)
      *end++ = 0;
    read_line(&r, line);
  }
  qsort(t->places, t->place_count, sizeof *t->places, compare_places);
  return t;
}

void allocation_types_release(struct allocation_types *types) {
  if (!types)
    return;
  free(types->text);
  free(types->places);
  free(types->structs);
  free(types->members);
  free(types);
}

const struct allocation_place *allocation_types_find(const struct allocation_types *types,
                                                     const char *function, unsigned line,
                                                     unsigned column, size_t *count) {
  size_t low = 0, high = types->place_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(&types->places[middle], function, line, column) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *count = 0;
  while (low + *count < types->place_count &&
         compare(&types->places[low + *count], function, line, column) == 0)
    ++*count;
  return types->places + low;
}
