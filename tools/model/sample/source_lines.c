// source_lines.c - sums samples by line, and reads the lines from the source file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/source_lines.h"
#include "tools/profile/regular.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare_lines(const void *left, const void *right) {
  const struct source_line *a = left, *b = right;
  int order = strcmp(a->file, b->file);
  return order ? order : (a->number > b->number) - (a->number < b->number);
}

static void add_place(const struct sampled_place *p, struct source_line *lines, size_t *count) {
  if (p->line)
    lines[(*count)++] =
        (struct source_line){p->source, p->line, p->record->samples, p->record->time_ns};
}

/// Sorts them, and adds up those of one line. Returns how many are left.
static size_t sum_lines(struct source_line *lines, size_t count) {
  size_t kept = 0;
  qsort(lines, count, sizeof(*lines), compare_lines);
  for (size_t i = 0; i < count; i++) {
    if (kept && compare_lines(&lines[kept - 1], &lines[i]) == 0) {
      lines[kept - 1].samples += lines[i].samples;
      lines[kept - 1].time_ns += lines[i].time_ns;
    } else {
      lines[kept++] = lines[i];
    }
  }
  return kept;
}

struct source_line *source_lines_of(const struct sampled_function *function, size_t *count) {
  struct source_line *lines = memory_zeroed(function->place_count + 1, sizeof(*lines));
  *count = 0;
  for (size_t i = 0; i < function->place_count; i++)
    add_place(&function->places[i], lines, count);
  *count = sum_lines(lines, *count);
  return lines;
}

static bool is_copy(const struct sampled_place *place, const char *name) {
  char *copy = place->copy ? function_short_name(place->copy) : NULL;
  bool is = copy && name_is_meant(copy, name);
  free(copy);
  return is;
}

struct source_line *source_lines_of_copy(const struct samples *samples, const char *name,
                                         size_t *count) {
  size_t most = 0;
  for (size_t i = 0; i < samples->function_count; i++)
    most += samples->functions[i].place_count;
  struct source_line *lines = memory_zeroed(most + 1, sizeof(*lines));
  *count = 0;
  for (size_t i = 0; i < samples->function_count; i++)
    for (size_t k = 0; k < samples->functions[i].place_count; k++)
      if (is_copy(&samples->functions[i].places[k], name))
        add_place(&samples->functions[i].places[k], lines, count);
  *count = sum_lines(lines, *count);
  return lines;
}

void source_file_open(const char *path, const struct profile *profile, struct source_file *out) {
  struct stat status;
  *out = (struct source_file){.stream = regular_fopen_text(path)};
  if (!out->stream || fstat(fileno(out->stream), &status) != 0) {
    out->problem = regular_problem(errno);
    source_file_close(out);
    return;
  }
  out->is_newer = (uint64_t)status.st_mtime > profile->health.checkpoint_time_s;
}

void source_file_close(struct source_file *file) {
  if (file->stream)
    fclose(file->stream);
  file->stream = NULL;
}

void source_lines_visit(const struct source_file *file, const struct source_line *lines,
                        size_t count, unsigned around, bool all,
                        void (*visit)(const struct source_line_seen *line, void *context),
                        void *context) {
  char *text = NULL;
  size_t capacity = 0, next = 0;
  for (unsigned number = 1;
       file->stream && (next < count || number <= lines[count - 1].number + around); number++) {
    if (getline(&text, &capacity, file->stream) < 0)
      break;
    bool is_sampled = next < count && lines[next].number == number;
    bool is_near = (next < count && lines[next].number <= number + around) ||
                   (next && number <= lines[next - 1].number + around) || (all && next);
    struct source_line_seen seen = {is_sampled ? &lines[next] : NULL, number, text};
    if (is_near)
      visit(&seen, context);
    next += is_sampled;
  }
  free(text);
  for (; next < count; next++) {
    struct source_line_seen seen = {&lines[next], lines[next].number, NULL};
    visit(&seen, context);
  }
}
