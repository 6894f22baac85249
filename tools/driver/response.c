// response.c - splits response files into arguments as clang does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/response.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/driver/path.h"

/// A file that names itself ends here; clang reports it as an error of its own.
#define NESTING_MAX 20

void argument_list_add(struct argument_list *list, const char *argument) {
  if (list->count + 2 > list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    const char **larger = driver_allocate(capacity * sizeof *larger);
    if (list->count)
      memcpy(larger, list->at, list->count * sizeof *larger);
    list->at = larger;
    list->capacity = capacity;
  }
  list->at[list->count++] = argument;
  list->at[list->count] = NULL;
}

/// The whole file with a zero byte behind it, or null.
static char *read_file(const char *path) {
  FILE *file = fopen(path, "re");
  if (!file)
    return NULL;
  size_t used = 0, capacity = 4096;
  char *text = driver_allocate(capacity);
  for (size_t got; (got = fread(text + used, 1, capacity - used - 1, file)) > 0;) {
    used += got;
    if (used + 1 < capacity)
      continue;
    char *larger = driver_allocate(2 * capacity);
    memcpy(larger, text, used);
    text = larger;
    capacity *= 2;
  }
  bool failed = ferror(file);
  fclose(file);
  return failed ? NULL : text;
}

/// Takes one argument off `*text`, unquoting it in place: quoted text is never longer than its
/// source. Null at the end.
static char *next_argument(char **text) {
  char *from = *text;
  while (isspace((unsigned char)*from))
    from++;
  if (!*from)
    return NULL;
  char *argument = from, *to = from, quote = 0;
  for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
    if (*from == '\\' && from[1] && quote != '\'')
      *to++ = *++from;
    else if (quote ? *from == quote : (*from == '\'' || *from == '"'))
      quote = quote ? 0 : *from;
    else
      *to++ = *from;
  }
  *text = *from ? from + 1 : from;
  *to = 0;
  return argument;
}

static void expand_one(struct argument_list *list, const char *argument, int nesting) {
  char *text = argument[0] == '@' && nesting < NESTING_MAX ? read_file(argument + 1) : NULL;
  if (!text) {
    argument_list_add(list, argument);
    return;
  }
  for (char *inner; (inner = next_argument(&text));)
    expand_one(list, inner, nesting + 1);
}

void response_expand(struct argument_list *list, const char *const *arguments, size_t count) {
  for (size_t i = 0; i < count; i++)
    expand_one(list, arguments[i], 0);
}

void response_keep(struct argument_list *list, const char *const *arguments, size_t count) {
  struct stat status;
  for (size_t i = 0; i < count; i++) {
    const char *a = arguments[i];
    if (a[0] == '@' && stat(a + 1, &status) == 0 && !S_ISREG(status.st_mode))
      expand_one(list, a, 0);
    else
      argument_list_add(list, a);
  }
}
