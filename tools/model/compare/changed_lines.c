// changed_lines.c - reads a diff and a coverage report, line by line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/changed_lines.h"

#include "tools/support/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Places that are named in a text.
#define SHOWN_MOST 5

static void add_range(unsigned first, unsigned last, struct line_range **ranges, size_t *count) {
  if (*count && (*ranges)[*count - 1].last + 1 == first) {
    (*ranges)[*count - 1].last = last;
    return;
  }
  *ranges = memory_resized(*ranges, *count + 1, sizeof **ranges);
  (*ranges)[(*count)++] = (struct line_range){first, last};
}

static struct changed_file *add_file(const char *path, struct changed_lines *out) {
  out->files = memory_resized(out->files, out->count + 1, sizeof *out->files);
  out->files[out->count] = (struct changed_file){.path = text_copy(path)};
  return &out->files[out->count++];
}

/// "@@ -1,2 +3,4 @@": lines 3 to 6.
static void read_hunk(const char *line, struct changed_file *file) {
  const char *at = strstr(line, " +");
  char *end;
  if (!at || !file)
    return;
  unsigned long first = strtoul(at + 2, &end, 10), count = 1;
  if (*end == ',')
    count = strtoul(end + 1, &end, 10);
  if (first && count && first + count < UINT32_MAX)
    add_range((unsigned)first, (unsigned)(first + count - 1), &file->ranges, &file->range_count);
}

void changed_lines_read(FILE *diff, struct changed_lines *out) {
  char *line = NULL;
  size_t room = 0;
  struct changed_file *file = NULL;
  *out = (struct changed_lines){0};
  for (ssize_t length; (length = getline(&line, &room, diff)) > 0;) {
    line[strcspn(line, "\t\r\n")] = 0; // a path with blanks ends with a tab
    const char *path = line + 4 + 2 * (strncmp(line, "+++ ./", 6) == 0);
    if (strncmp(line, "+++ ", 4) == 0)
      file = strcmp(path, "/dev/null") == 0 ? NULL : add_file(path, out);
    else if (strncmp(line, "@@ ", 3) == 0)
      read_hunk(line, file);
  }
  free(line);
}

static struct changed_file *find(const char *path, char *const *known,
                                 struct changed_lines *lines) {
  char *real = realpath(path, NULL);
  struct changed_file *found = NULL;
  for (size_t i = 0; real && i < lines->count && !found; i++)
    if (known[i] && strcmp(known[i], real) == 0)
      found = &lines->files[i];
  free(real);
  return found;
}

static bool is_changed(const struct changed_file *file, unsigned line) {
  for (size_t i = 0; i < file->range_count; i++)
    if (line >= file->ranges[i].first && line <= file->ranges[i].last)
      return true;
  return false;
}

/// "DA:12,3": line 12 was executed 3 times.
static void count_line(const char *text, struct changed_file *file) {
  char *end;
  unsigned long line = strtoul(text, &end, 10);
  if (*end != ',' || line >= UINT32_MAX || !is_changed(file, (unsigned)line))
    return;
  file->with_code++;
  if (strtod(end + 1, NULL) > 0)
    file->executed++;
  else
    add_range((unsigned)line, (unsigned)line, &file->missed, &file->missed_count);
}

void changed_lines_count(FILE *lcov, const char *folder, struct changed_lines *lines) {
  char **known = memory_zeroed(lines->count + 1, sizeof *known), *line = NULL;
  size_t room = 0;
  struct changed_file *file = NULL;
  for (size_t i = 0; i < lines->count; i++) {
    struct text path = {0};
    text_format(&path, "%s/%s", folder, lines->files[i].path);
    known[i] = realpath(text_get(&path), NULL);
    text_release(&path);
  }
  for (ssize_t length; (length = getline(&line, &room, lcov)) > 0;) {
    line[strcspn(line, "\r\n")] = 0;
    if (strncmp(line, "SF:", 3) == 0)
      file = find(line + 3, known, lines);
    else if (file && strncmp(line, "DA:", 3) == 0)
      count_line(line + 3, file);
  }
  for (size_t i = 0; i < lines->count; i++) {
    lines->with_code += lines->files[i].with_code;
    lines->executed += lines->files[i].executed;
    free(known[i]);
  }
  free(known);
  free(line);
}

void changed_lines_add(const struct changed_lines *lines, struct text *out) {
  if (lines->unknown) {
    text_printf(out, "which are executed isn't known: %s", lines->unknown);
    return;
  }
  if (!lines->with_code) {
    text_add(out, "none with code");
    return;
  }
  text_printf(out, "%zu of %zu with code were executed", lines->executed, lines->with_code);
  size_t shown = 0, missed = 0;
  for (size_t i = 0; i < lines->count; i++)
    for (size_t k = 0; k < lines->files[i].missed_count; k++, missed++) {
      const struct line_range *range = &lines->files[i].missed[k];
      if (shown == SHOWN_MOST)
        continue;
      text_printf(out, "%s%s:%u", shown++ ? ", " : "; not ", lines->files[i].path, range->first);
      if (range->last > range->first)
        text_printf(out, "-%u", range->last);
    }
  if (missed > shown)
    text_printf(out, " and %zu more", missed - shown);
}

void changed_lines_release(struct changed_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) {
    free(lines->files[i].path);
    free(lines->files[i].ranges);
    free(lines->files[i].missed);
  }
  free(lines->files);
  free(lines->unknown);
  *lines = (struct changed_lines){0};
}
