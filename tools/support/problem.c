// problem.c - words a problem and gives it to who listens, or keeps it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/problem.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdarg.h>
#include <stdlib.h>

/// text: taken over
static void take(struct problems *problems, enum problem_grade grade, char *text) {
  struct problem problem = {.grade = grade, .text = text};
  if (problems->hear) {
    problems->hear(&problem, problems->context);
    free(text);
    return;
  }
  if (problems->count == problems->capacity) {
    problems->capacity = problems->capacity ? 2 * problems->capacity : 4;
    problems->items = memory_resized(problems->items, problems->capacity, sizeof *problems->items);
  }
  problems->items[problems->count++] = problem;
}

static void add(struct problems *problems, enum problem_grade grade, const char *format,
                va_list arguments) {
  struct text text = {0};
  if (!problems)
    return;
  text_vprintf(&text, format, arguments);
  take(problems, grade, text.data ? text.data : text_copy(""));
}

void problem_error(struct problems *problems, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(problems, PROBLEM_ERROR, format, arguments);
  va_end(arguments);
}

void problem_warning(struct problems *problems, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(problems, PROBLEM_WARNING, format, arguments);
  va_end(arguments);
}

void problem_note(struct problems *problems, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(problems, PROBLEM_NOTE, format, arguments);
  va_end(arguments);
}

void problem_lines(struct problems *problems, const char *lines) {
  if (problems)
    take(problems, PROBLEM_LINES, text_copy(lines));
}

void problems_release(struct problems *problems) {
  for (size_t i = 0; i < problems->count; i++)
    free(problems->items[i].text);
  free(problems->items);
  *problems = (struct problems){.hear = problems->hear, .context = problems->context};
}
