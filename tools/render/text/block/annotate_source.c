// annotate_source.c - prints the sampled lines of each source file, with those between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/annotate_source.h"

#include "tools/model/sample/source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Lines around each sampled one.
#define AROUND 1

/// time_ns  that shares are of
static void add_line(uint64_t time_ns, const struct source_line *line, unsigned number,
                     const char *source, const struct terminal *terminal, struct text *out) {
  struct text text = {0};
  if (line)
    text_printf(&text, "  %5.1f %% %7llu %6u | ", 100 * (double)line->time_ns / (double)time_ns,
                (unsigned long long)line->samples, number);
  else
    text_printf(&text, "  %15s %6u | ", "", number);
  for (; *source && *source != '\n' && *source != '\r'; source++)
    if (*source == '\t') // a tab would be wider than what comes before it
      text_add(&text, "    ");
    else
      text_add_bytes(&text, source, 1);
  text.data[text_prefix(text_get(&text), terminal->width)] = 0;
  terminal_add(terminal, out, line ? STYLE_PLAIN : STYLE_FAINT, text.data);
  text_add(out, "\n");
  text_release(&text);
}

struct shown_lines {
  uint64_t time_ns;
  const struct source_file *file;
  const struct terminal *terminal;
  struct text *out;
  unsigned last; ///< line; 0: none yet
};

static void show_line(const struct source_line_seen *line, void *context) {
  struct shown_lines *shown = context;
  const char *missing = shown->file->problem ? "" : "(the file has no such line now)";
  if (line->text && shown->last && shown->last + 1 < line->number)
    text_add(shown->out, "  ...\n");
  add_line(shown->time_ns, line->sampled, line->number, line->text ? line->text : missing,
           shown->terminal, shown->out);
  shown->last = line->number;
}

static void add_file(const struct measurement *m, const struct source_line *lines, size_t count,
                     uint64_t time_ns, bool all, const struct terminal *terminal,
                     struct text *out) {
  struct source_file source;
  source_file_open(lines->file, &m->input.profile, &source);
  terminal_add(terminal, out, STYLE_HEADING, "source");
  text_add(out, "  ");
  terminal_printf(terminal, out, STYLE_FAINT, "%s", lines->file);
  if (source.problem) {
    text_printf(out, ": %s\n", source.problem);
  } else {
    if (source.is_newer)
      terminal_add(terminal, out, STYLE_CAUTION, " (newer than the profile: lines may differ)");
    text_add(out, "\n");
  }
  struct shown_lines shown = {time_ns, &source, terminal, out, 0};
  source_lines_visit(&source, lines, count, AROUND, all, show_line, &shown);
  source_file_close(&source);
}

void annotate_lines_add(const struct measurement *m, const struct source_line *lines, size_t count,
                        uint64_t time_ns, bool all, const struct terminal *terminal,
                        struct text *out) {
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && strcmp(lines[i].file, lines[end].file) == 0; end++)
      ;
    add_file(m, lines + i, end - i, time_ns, all, terminal, out);
  }
}

void annotate_source_add(const struct measurement *m, const struct sampled_function *function,
                         bool all, const struct terminal *terminal, struct text *out) {
  size_t count;
  struct source_line *lines = source_lines_of(function, &count);
  annotate_lines_add(m, lines, count, function->time_ns, all, terminal, out);
  if (!count) {
    terminal_add(terminal, out, STYLE_HEADING, "source");
    text_printf(out, "  unknown: %s\n",
                m->samples.files[function->file].has_lines
                    ? "no line is known for its code"
                    : "the file has no debug information: compile with -g");
  }
  free(lines);
}
