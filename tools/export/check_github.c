// check_github.c - writes workflow commands and Markdown of a check for GitHub Actions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/check_forms.h"

#include <stdlib.h>
#include <string.h>

/// Escapes as the runner undoes it; properties also end at ':' and ','.
static void put_escaped(const char *string, bool is_property, FILE *stream) {
  struct text clean = {0};
  text_add_clean(&clean, string);
  for (const char *text = text_get(&clean); *text; text++)
    if (strchr("%\r\n", *text) || (is_property && strchr(":,", *text)))
      fprintf(stream, "%%%02X", (unsigned char)*text);
    else
      fputc(*text, stream);
  text_release(&clean);
}

/// One line on what is no regression: a reviewer needs no annotation for it.
static void put_others(const struct check_result *result, FILE *stream) {
  size_t counts[CHECK_VERDICTS] = {0};
  struct text line = {0};
  for (size_t i = 0; i < result->count; i++)
    counts[result->rows[i].judged.verdict]++;
  for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
    if (verdict != CHECK_REGRESSION && counts[verdict])
      text_printf(&line, "%s%zu %s", line.length ? ", " : "", counts[verdict],
                  check_verdict_name((enum check_verdict)verdict));
  if (line.length)
    fprintf(stream, "::notice title=reticle check::%s\n", text_get(&line));
  text_release(&line);
}

bool check_github_write(const struct check_result *result, const char *here, FILE *stream) {
  for (size_t i = 0; i < result->count; i++) {
    const struct check_row *row = &result->rows[i];
    const struct profile_loop *loop = check_row_loop(row);
    if (row->judged.verdict != CHECK_REGRESSION)
      continue;
    struct text message = {0}, title = {0};
    char *name = check_row_name(row);
    text_printf(&title, "%s: %s", check_verdict_name(row->judged.verdict), name);
    check_row_message(row, &message);
    fputs("::error ", stream);
    if (loop && *loop->file) {
      fputs("file=", stream);
      put_escaped(check_row_file(row, here), true, stream);
      fprintf(stream, ",line=%u,", loop->line ? loop->line : 1);
    }
    fputs("title=", stream);
    put_escaped(text_get(&title), true, stream);
    fputs("::", stream);
    put_escaped(text_get(&message), false, stream);
    fputc('\n', stream);
    text_release(&message);
    text_release(&title);
    free(name);
  }
  put_others(result, stream);
  return fflush(stream) == 0 && !ferror(stream);
}

/// Escapes what Markdown and its tables take for markup.
static void put_cell(const char *string, FILE *stream) {
  struct text clean = {0};
  text_add_clean(&clean, string);
  for (const char *text = text_get(&clean); *text; text++) {
    if (*text == '<')
      fputs("&lt;", stream);
    else if (*text == '&')
      fputs("&amp;", stream);
    else if (strchr("\r\n", *text))
      fputc(' ', stream);
    else if (strchr("|*_`\\[]~#", *text))
      fprintf(stream, "\\%c", *text);
    else
      fputc(*text, stream);
  }
  text_release(&clean);
}

bool check_markdown_write(const struct check_result *result, const char *here, FILE *stream) {
  fprintf(stream, "### Reticle: %s\n\n| verdict | where | what |\n|---|---|---|\n",
          check_verdict_name(result->verdict));
  for (size_t i = 0; i < result->count; i++) {
    const struct check_row *row = &result->rows[i];
    const struct profile_loop *loop = check_row_loop(row);
    if ((row->judged.verdict == CHECK_SAME && loop) || check_row_is_idle(result, row))
      continue;
    struct text message = {0};
    char *name = check_row_name(row);
    check_row_message(row, &message);
    fprintf(stream, "| %s | ", check_verdict_name(row->judged.verdict));
    put_cell(name, stream);
    if (loop && *loop->file) {
      fputs(" ", stream);
      put_cell(check_row_file(row, here), stream);
      fprintf(stream, ":%u", loop->line);
    }
    fputs(" | ", stream);
    put_cell(text_get(&message), stream);
    fputs(" |\n", stream);
    text_release(&message);
    free(name);
  }
  return fflush(stream) == 0 && !ferror(stream);
}
