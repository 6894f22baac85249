// glossary.c - reads the tables and sections of the pages, which are in the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/glossary.h"

#include "tools/support/nearest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

__asm__(".section .rodata\n"
        "glossary_page: .incbin \"docs/glossary.md\"\n .byte 0\n"
        "findings_page: .incbin \"docs/findings.md\"\n .byte 0\n"
        "columns_page: .incbin \"docs/columns.md\"\n .byte 0\n"
        ".previous\n");
extern const char glossary_page[] __attribute__((visibility("hidden")));
extern const char findings_page[] __attribute__((visibility("hidden")));
extern const char columns_page[] __attribute__((visibility("hidden")));

struct span {
  const char *data;
  size_t length;
};

static struct span between(const char *begin, const char *end) {
  return (struct span){begin, (size_t)(end - begin)};
}

/// Of a row of the glossary, or a section of the findings; false: there is no other.
///
/// at  where to look, moved behind it
static bool next_row(const char **at, struct span *term, struct span *meaning) {
  for (const char *line = *at, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    const char *bar = line + 2 < end ? strstr(line + 2, " | ") : NULL;
    if (strncmp(line, "| ", 2) != 0 || !bar || bar > end || strncmp(line, "| term", 6) == 0)
      continue;
    *term = between(line + 2, bar);
    *meaning = between(bar + 3, end - (end[-1] == '|' ? 2 : 0));
    *at = end;
    return true;
  }
  return false;
}

static bool next_section(const char **at, struct span *code, struct span *body) {
  const char *begin = strstr(*at, "\n## ");
  if (!begin)
    return false;
  const char *name = begin + strlen("\n## "), *end = name + strcspn(name, "\n");
  const char *next = strstr(end, "\n## ");
  *code = between(name, end);
  *at = next ? next : end + strlen(end);
  *body = between(end, *at);
  return true;
}

struct column {
  struct span section, key, title, what;
};

/// What stands at *at until `end` on its line; moves *at behind that. False: the line has no such.
static bool next_cell(const char **at, const char *end, struct span *out) {
  const char *stop = strstr(*at, end);
  if (!stop || stop > *at + strcspn(*at, "\n"))
    return false;
  *out = between(*at, stop);
  *at = stop + strlen(end);
  return true;
}

static bool next_column(const char **at, struct column *out) {
  struct span type;
  for (const char *line = *at, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    if (strncmp(line, "## ", 3) == 0)
      out->section = between(line + 3, end);
    if (strncmp(line, "| `", 3) != 0)
      continue;
    const char *cell = line + 3;
    if (!next_cell(&cell, "` | ", &out->key) || !next_cell(&cell, " | ", &out->title) ||
        !next_cell(&cell, " | ", &type) || !next_cell(&cell, " |", &out->what))
      continue;
    *at = end;
    return true;
  }
  return false;
}

// --- finding an entry ----------------------------------------------------------------------------

static bool is_same(struct span span, const char *word) {
  return span.length && strlen(word) == span.length &&
         strncasecmp(span.data, word, span.length) == 0;
}

/// Parts of a term: "median, p50; p95, p99".
static bool next_part(struct span *rest, struct span *part) {
  while (rest->length && strchr(",; ", *rest->data)) {
    rest->data++;
    rest->length--;
  }
  if (!rest->length)
    return false;
  size_t length = 0;
  while (length < rest->length && !strchr(",;", rest->data[length]))
    length++;
  *part = (struct span){rest->data, length};
  rest->data += length;
  rest->length -= length;
  return true;
}

static bool is_term(struct span term, const char *word) {
  if (is_same(term, word))
    return true;
  for (struct span part; next_part(&term, &part);)
    if (is_same(part, word))
      return true;
  return false;
}

/// Whether the word stands in backquotes behind the meaning, where the entry says what has the
/// term.
static bool is_named(struct span meaning, const char *word) {
  const char *end = meaning.data + meaning.length, *at = end;
  while (at > meaning.data && *at != '[')
    at--;
  for (const char *quote; (quote = memchr(at, '`', (size_t)(end - at)));) {
    const char *close = memchr(quote + 1, '`', (size_t)(end - quote - 1));
    if (!close)
      return false;
    if (is_same(between(quote + 1, close), word))
      return true;
    at = close + 1;
  }
  return false;
}

// --- showing it ----------------------------------------------------------------------------------

/// A paragraph without links and stress.
static void add_plain(struct span span, struct text *out) {
  for (size_t i = 0; i < span.length; i++) {
    const char *at = span.data + i;
    const char *link = *at == ']' && i + 1 < span.length && at[1] == '(' ? strchr(at, ')') : NULL;
    const char *open = *at == '[' ? memchr(at, ']', span.length - i) : NULL;
    if (link && link < span.data + span.length)
      i = (size_t)(link - span.data);
    else if (!(open && open[1] == '(') && *at != '*')
      text_add_bytes(out, *at == '\n' ? " " : at, 1);
  }
}

static void add_entry(struct span term, struct span meaning, size_t width, struct text *out) {
  text_add_bytes(out, term.data, term.length);
  text_add(out, "\n");
  for (const char *at = meaning.data, *end = at + meaning.length; at < end;) {
    while (at < end && *at == '\n')
      at++;
    const char *stop = at;
    while (stop < end && strncmp(stop, "\n\n", 2) != 0)
      stop++;
    struct text paragraph = {0};
    add_plain(between(at, stop), &paragraph);
    text_trim(&paragraph);
    if (paragraph.length) {
      text_add(out, "  ");
      text_add_wrapped(out, text_get(&paragraph), 2, 2, width);
      text_add(out, "\n");
    }
    text_release(&paragraph);
    at = stop;
  }
}

static void offer(struct span term, const char *word, struct nearest *best, char **nearest) {
  for (struct span part; next_part(&term, &part);) {
    char *name = strndup(part.data, part.length);
    const char *before = best->name;
    if (name)
      nearest_add(best, word, name);
    if (name && best->name != before) {
      free(*nearest);
      *nearest = name;
    } else
      free(name);
  }
}

bool glossary_explain(const char *word, size_t width, struct text *out, char **nearest) {
  const char *row = glossary_page, *section = findings_page;
  struct nearest best = {0};
  struct span term, meaning;
  bool is_known = false;
  *nearest = NULL;
  while (next_row(&row, &term, &meaning)) {
    if (is_term(term, word) || is_named(meaning, word)) {
      add_entry(term, meaning, width, out);
      is_known = true;
    }
    offer(term, word, &best, nearest);
  }
  while (next_section(&section, &term, &meaning)) {
    if (is_same(term, word)) {
      add_entry(term, meaning, width, out);
      is_known = true;
    }
    offer(term, word, &best, nearest);
  }
  const char *page = columns_page;
  for (struct column column = {0}; next_column(&page, &column);) {
    if (!is_same(column.key, word) && !is_same(column.title, word))
      continue;
    struct text title = {0};
    text_add_bytes(&title, column.title.length ? column.title.data : column.key.data,
                   column.title.length ? column.title.length : column.key.length);
    text_add(&title, ", of ");
    text_add_bytes(&title, column.section.data, column.section.length);
    add_entry((struct span){text_get(&title), title.length}, column.what, width, out);
    text_release(&title);
    is_known = true;
  }
  return is_known;
}

/// All entries of a page, by name.
static void add_names(const char *label, const char *page,
                      bool (*next)(const char **, struct span *, struct span *), size_t width,
                      struct text *out) {
  struct span name, meaning;
  struct text line = {0};
  while (next(&page, &name, &meaning)) {
    text_add(&line, line.length ? "; " : "");
    text_add_bytes(&line, name.data, name.length);
  }
  text_add(out, label);
  text_add_wrapped(out, text_get(&line), strlen(label), 2, width);
  text_add(out, "\n");
  text_release(&line);
}

void glossary_list(size_t width, struct text *out) {
  add_names("words: ", glossary_page, next_row, width, out);
  add_names("findings: ", findings_page, next_section, width, out);
}
