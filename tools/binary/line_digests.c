// line_digests.c - reads the file tables of DWARF 5's .debug_line, which have the files' MD5.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdw reads these tables too, but hands out no digests. Layout: DWARF 5, section 6.2.4.
#include "tools/binary/source_files.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define FORMATS_MOST 16

/// What is left of a table; fails for good where it ends too early.
struct reader {
  const uint8_t *at, *end;
  bool is_bad;
};

struct strings {
  const char *text;
  size_t bytes;
};

struct format {
  uint64_t content, form;
};

struct entry {
  const char *path;
  uint64_t directory;
  const uint8_t *md5;
};

static const uint8_t *take(struct reader *r, uint64_t bytes) {
  const uint8_t *from = r->at;
  if (r->is_bad || (uint64_t)(r->end - r->at) < bytes) {
    r->is_bad = true;
    return NULL;
  }
  r->at += bytes;
  return from;
}

static uint64_t take_number(struct reader *r, unsigned bytes) {
  const uint8_t *from = take(r, bytes);
  uint64_t value = 0;
  for (unsigned i = 0; from && i < bytes; i++)
    value |= (uint64_t)from[i] << 8 * i;
  return value;
}

static uint64_t take_leb(struct reader *r) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint64_t byte = take_number(r, 1);
    value |= (byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  r->is_bad = true;
  return 0;
}

static const char *text_at(const struct strings *strings, uint64_t offset) {
  return offset < strings->bytes && memchr(strings->text + offset, 0, strings->bytes - offset)
             ? strings->text + offset
             : NULL;
}

/// One value of an entry; forms that no compiler uses here are bad.
static void take_value(struct reader *r, const struct format *format, const struct strings *strings,
                       struct entry *out) {
  const char *text = NULL;
  uint64_t number = 0;
  switch (format->form) {
  case DW_FORM_line_strp:
    text = text_at(strings, take_number(r, 4));
    break;
  case DW_FORM_string:
    text = (const char *)r->at;
    while (take_number(r, 1) && !r->is_bad)
      ;
    break;
  case DW_FORM_udata:
    number = take_leb(r);
    break;
  case DW_FORM_data1:
    number = take_number(r, 1);
    break;
  case DW_FORM_data2:
    number = take_number(r, 2);
    break;
  case DW_FORM_data16:
    out->md5 = take(r, 16);
    return;
  default:
    r->is_bad = true;
  }
  if (format->content == DW_LNCT_path)
    out->path = text;
  else if (format->content == DW_LNCT_directory_index)
    out->directory = number;
}

static size_t take_formats(struct reader *r, struct format *formats) {
  size_t count = take_number(r, 1);
  if (count > FORMATS_MOST)
    r->is_bad = true;
  for (size_t i = 0; i < count && !r->is_bad; i++) {
    formats[i].content = take_leb(r);
    formats[i].form = take_leb(r);
  }
  return r->is_bad ? 0 : count;
}

static struct entry take_entry(struct reader *r, const struct format *formats, size_t count,
                               const struct strings *strings) {
  struct entry entry = {0};
  for (size_t i = 0; i < count; i++)
    take_value(r, &formats[i], strings, &entry);
  return entry;
}

/// The path of directory `wanted` of the table that starts at r; null if there is none.
static const char *directory_at(struct reader r, const struct strings *strings, uint64_t wanted) {
  struct format formats[FORMATS_MOST];
  size_t count = take_formats(&r, formats);
  uint64_t entries = take_leb(&r);
  for (uint64_t i = 0; i < entries && !r.is_bad; i++) {
    struct entry entry = take_entry(&r, formats, count, strings);
    if (i == wanted && !r.is_bad)
      return entry.path;
  }
  return NULL;
}

static void add_entry(const struct entry *entry, const struct reader *directories,
                      const struct strings *strings, struct binary_sources *out) {
  const char *root = directory_at(*directories, strings, 0);
  const char *directory = directory_at(*directories, strings, entry->directory);
  if (!entry->path || !entry->md5 || !root || !directory)
    return;
  if (*directory == '/' || *entry->path == '/') {
    source_files_add(out, directory, entry->path, entry->md5);
    return;
  }
  // Directories are relative to the first one, which is that of the compilation.
  char *whole = source_files_path(root, directory);
  source_files_add(out, whole, entry->path, entry->md5);
  free(whole);
}

static void add_table(struct reader r, const struct strings *strings, struct binary_sources *out) {
  struct format formats[FORMATS_MOST];
  take(&r, 2); // sizes of an address and a segment selector
  take(&r, 4); // length of the header
  take(&r, 5); // of instructions: least length, most operations, is_stmt, line base and range
  uint64_t opcodes = take_number(&r, 1);
  take(&r, opcodes ? opcodes - 1 : 0);
  struct reader directories = r;
  size_t count = take_formats(&r, formats);
  uint64_t entries = take_leb(&r);
  for (uint64_t i = 0; i < entries && !r.is_bad; i++)
    take_entry(&r, formats, count, strings);
  count = take_formats(&r, formats);
  entries = take_leb(&r);
  for (uint64_t i = 0; i < entries && !r.is_bad && count; i++) {
    struct entry entry = take_entry(&r, formats, count, strings);
    if (!r.is_bad)
      add_entry(&entry, &directories, strings, out);
  }
}

void line_digests_add(const uint8_t *line, size_t line_bytes, const char *text, size_t string_bytes,
                      struct binary_sources *out) {
  struct reader r = {line, line + line_bytes, false};
  struct strings strings = {text, string_bytes};
  while (r.at < r.end && !r.is_bad) {
    uint64_t length = take_number(&r, 4);
    const uint8_t *unit = length < 0xfffffff0 ? take(&r, length) : NULL; // no 64-bit DWARF
    if (!unit)
      break;
    struct reader table = {unit, unit + length, false};
    if (take_number(&table, 2) == 5)
      add_table(table, &strings, out);
  }
}
