// source.c - looks for the source file and prints the lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/source.h"

#include "tools/model/sample/source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define LINES_BEFORE 3
#define LINES_AFTER 6

/// Where the file should be: debug information spells it relative to the compilation directory.
static void add_path(const struct profile *profile, const struct profile_loop *loop,
                     struct text *path) {
  const char *directory =
      loop->object < profile->object_count ? profile->objects[loop->object].directory : "";
  if (loop->file[0] != '/' && *directory)
    text_format(path, "%s/", directory);
  text_add(path, loop->file);
}

static void add_line(const char *line, size_t number, bool marked, const struct terminal *terminal,
                     struct text *out) {
  struct text text = {0};
  text_printf(&text, "%s%5zu | ", marked ? ">" : " ", number);
  for (; *line && *line != '\n' && *line != '\r'; line++)
    if (*line == '\t') // a tab would be wider than what comes before it
      text_add(&text, "    ");
    else
      text_add_bytes(&text, line, 1);
  size_t fits = text_prefix(text_get(&text), terminal->width - 2);
  text_add(out, "  ");
  text.data[fits] = 0;
  terminal_add(terminal, out, marked ? STYLE_HEADING : STYLE_FAINT, text.data);
  text_add(out, "\n");
  text_release(&text);
}

static void add_lines(FILE *stream, uint32_t wanted, const struct terminal *terminal,
                      struct text *out) {
  char *line = NULL;
  size_t capacity = 0, number = 0;
  while (number < (size_t)wanted + LINES_AFTER && getline(&line, &capacity, stream) >= 0)
    if (++number + LINES_BEFORE >= wanted)
      add_line(line, number, number == wanted, terminal, out);
  if (number < wanted)
    text_printf(out, "  the file has only %zu lines\n", number);
  free(line);
}

void source_add(const struct profile *profile, const struct profile_loop *loop,
                const struct terminal *terminal, struct text *out) {
  terminal_add(terminal, out, STYLE_HEADING, "source");
  if (!*loop->file || !loop->line) {
    text_add(out, "  unknown: compile with -g\n");
    return;
  }
  struct text path = {0};
  add_path(profile, loop, &path);
  text_add(out, "  ");
  terminal_printf(terminal, out, STYLE_FAINT, "%s", text_get(&path));
  struct source_file source;
  source_file_open(text_get(&path), profile, &source);
  if (source.problem) {
    text_printf(out, ": %s\n", source.problem);
  } else {
    if (source.is_newer)
      terminal_add(terminal, out, STYLE_CAUTION, " (newer than the profile: lines may differ)");
    text_add(out, "\n");
    add_lines(source.stream, loop->line, terminal, out);
  }
  source_file_close(&source);
  text_release(&path);
}
