// folded.c - writes stacks as lines of text, adds up equal ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/folded.h"

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
  for (; *name; name++)
    fputc(*name == ';' ? ':' : (unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name, out);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static char *text_of(const struct stacks *stacks, const struct stack *stack) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  if (stack->mapping != STACK_NO_MAPPING) {
    put_name(out, base_name(stacks->mappings[stack->mapping].path));
    fputc(';', out);
  }
  for (size_t i = stack->frame_count; i-- > 0;) {
    put_name(out, stacks->frames[stack->frame_first + i].name);
    if (i)
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
  size_t count = 0;
  int result = lines ? 0 : -1;
  for (; result == 0 && count < stacks->stack_count; count++) {
    lines[count] =
        (struct line){text_of(stacks, &stacks->stacks[count]), stacks->stacks[count].samples};
    if (!lines[count].text)
      result = -1;
  }
  if (result == 0) {
    qsort(lines, count, sizeof(*lines), compare);
    result = print(lines, count, text, length);
  }
  for (size_t i = 0; i < count; i++)
    free(lines[i].text);
  free(lines);
  return result;
}
