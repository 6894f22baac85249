// folded.c - writes stacks as lines of text, adds up equal ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/folded.h"

#include "tools/support/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  char *text;
  uint64_t samples;
};

/// A name may hold whatever divides frames or lines.
static void put_name(FILE *out, const char *name) {
  struct text clean = {0};
  text_add_name(&clean, name);
  for (const char *c = text_get(&clean); *c; c++)
    fputc(*c == ';' ? ':' : *c, out);
  text_release(&clean);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static void put_location(FILE *out, const struct stacks *stacks,
                         const struct stack_location *location) {
  for (size_t i = location->frame_count; i-- > 0;) {
    put_name(out, stacks->frames[location->frame_first + i].name);
    if (i)
      fputc(';', out);
  }
}

/// path: [stack_count] room
static char *text_of(const struct stacks *stacks, size_t stack, size_t *path) {
  char *text = NULL;
  size_t length, depth = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  const struct stack_location *innermost = &stacks->locations[stacks->stacks[stack].location];
  if (!stacks->has_callers && innermost->mapping != STACK_NO_MAPPING) {
    put_name(out, base_name(stacks->mappings[innermost->mapping].path));
    fputc(';', out);
  }
  for (size_t at = stack; at != STACK_NO_CALLER; at = stacks->stacks[at].caller)
    path[depth++] = at;
  while (depth--) {
    put_location(out, stacks, &stacks->locations[stacks->stacks[path[depth]].location]);
    if (depth)
      fputc(';', out);
  }
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

static int compare(const void *left, const void *right) {
  return strcmp(((const struct line *)left)->text, ((const struct line *)right)->text);
}

static int print(struct line *lines, size_t count, char **text, size_t *length) {
  FILE *out = open_memstream(text, length);
  if (!out)
    return -1;
  for (size_t i = 0, end; i < count; i = end) {
    uint64_t samples = 0;
    for (end = i; end < count && compare(&lines[i], &lines[end]) == 0; end++)
      samples += lines[end].samples;
    fprintf(out, "%s %" PRIu64 "\n", lines[i].text, samples);
  }
  return fclose(out) == 0 ? 0 : -1;
}

int folded_encode(const struct stacks *stacks, char **text, size_t *length) {
  struct line *lines = calloc(stacks->stack_count + 1, sizeof(*lines));
  size_t *path = calloc(stacks->stack_count + 1, sizeof(*path)), count = 0;
  int result = lines && path ? 0 : -1;
  for (size_t i = 0; result == 0 && i < stacks->stack_count; i++) {
    if (!stacks->stacks[i].samples)
      continue;
    lines[count] = (struct line){text_of(stacks, i, path), stacks->stacks[i].samples};
    result = lines[count++].text ? 0 : -1;
  }
  if (result == 0) {
    qsort(lines, count, sizeof(*lines), compare);
    result = print(lines, count, text, length);
  }
  for (size_t i = 0; i < count; i++)
    free(lines[i].text);
  free(lines);
  free(path);
  return result;
}
