// budgets.c - reads budgets, and finds the one of a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/budgets.h"

#include "tools/profile/regular.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Characters of a stable id that name it.
#define ID_LEAST 6

bool budget_parse(const char *text, double *limit) {
  char *end;
  double percent = strtod(text, &end);
  end += strspn(end, " \t");
  if (end == text || *end++ != '%' || end[strspn(end, " \t\r\n")] || !(percent >= 0) ||
      percent > 1e6)
    return false;
  *limit = percent / 100;
  return true;
}

/// Takes a line; false if it is none.
static bool take(char *line, struct budgets *out) {
  line[strcspn(line, "#\r\n")] = 0;
  line += strspn(line, " \t");
  if (!*line)
    return true;
  // The limit is behind the last blank in front of its number, as names of functions have blanks.
  char *at = line + strlen(line);
  while (at > line && strchr(" \t%", at[-1]))
    at--;
  while (at > line && !strchr(" \t", at[-1]))
    at--;
  struct budget budget;
  if (at == line || !budget_parse(at, &budget.limit))
    return false;
  while (at > line && strchr(" \t", at[-1]))
    at--;
  *at = 0;
  budget.name = text_copy(line);
  out->items = memory_resized(out->items, out->count + 1, sizeof *out->items);
  out->items[out->count++] = budget;
  return true;
}

bool budgets_read(const char *path, struct budgets *out, struct problems *problems) {
  char line[4096];
  size_t number = 0;
  bool fine = true;
  *out = (struct budgets){0};
  FILE *stream = regular_fopen_text(path);
  if (!stream) {
    problem_error(problems, "%s: %s", path, regular_problem(errno));
    return false;
  }
  while (fine && number++ < SIZE_MAX && fgets(line, sizeof line, stream))
    fine = take(line, out);
  fclose(stream);
  if (!fine) {
    problem_error(problems,
                  "%s:%zu: not a budget: give a function, a file or a loop's id, and how much "
                  "longer it may take: parse_line 5%%",
                  path, number);
    budgets_release(out);
  }
  return fine;
}

/// Whether the name is the path, or its end behind a slash.
static bool is_file(const char *path, const char *name) {
  size_t all = strlen(path), length = strlen(name);
  return all >= length && strcmp(path + all - length, name) == 0 &&
         (all == length || path[all - length - 1] == '/');
}

static bool is_function(const struct profile_loop *loop, const char *name) {
  const char *own = *loop->inlined_from ? loop->inlined_from : loop->function;
  char *shown = function_short_name(own);
  bool is = strcmp(own, name) == 0 || strcmp(shown, name) == 0 || strcmp(loop->function, name) == 0;
  free(shown);
  return is;
}

const struct budget *budgets_find(const struct budgets *budgets, const struct profile_loop *loop) {
  char id[24];
  snprintf(id, sizeof id, "%016" PRIx64, loop->id);
  for (size_t i = budgets->count; i-- > 0;) {
    const char *name = budgets->items[i].name;
    if ((strlen(name) >= ID_LEAST && strncmp(id, name, strlen(name)) == 0) ||
        is_file(loop->file, name) || is_function(loop, name))
      return &budgets->items[i];
  }
  return NULL;
}

void budgets_release(struct budgets *budgets) {
  for (size_t i = 0; i < budgets->count; i++)
    free(budgets->items[i].name);
  free(budgets->items);
  *budgets = (struct budgets){0};
}
