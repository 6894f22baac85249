// block_values.c - parses the file: registers, pages, vector registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_values.h"

#include "tools/binary/code/decode.h"
#include "tools/profile/regular.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char *word, uint64_t *out) {
  char *end;
  errno = 0;
  *out = strtoull(word, &end, 0);
  return *word && !*end && !errno;
}

/// Bytes from hexadecimal digits; the count, 0 if these are none or too many.
static size_t bytes_of(const char *digits, uint8_t *out, size_t most) {
  size_t length = strlen(digits);
  if (length % 2 || length / 2 > most || strspn(digits, "0123456789abcdefABCDEF") != length)
    return 0;
  for (size_t i = 0; i < length / 2; i++) {
    unsigned value;
    sscanf(digits + 2 * i, "%2x", &value);
    out[i] = (uint8_t)value;
  }
  return length / 2;
}

static struct block_values_page *page_at(struct block_values *values, uint64_t address) {
  for (size_t i = 0; i < values->page_count; i++)
    if (values->pages[i].address == address)
      return &values->pages[i];
  if (values->page_count == BLOCK_VALUES_PAGES_MOST)
    return NULL;
  struct block_values_page *page = &values->pages[values->page_count++];
  page->address = address;
  memset(page->set, 0, sizeof(page->set));
  return page;
}

/// Null, or what is wrong.
static const char *set_memory(struct block_values *values, const char *where, const char *digits) {
  uint8_t bytes[HARNESS_PAGE_BYTES];
  uint64_t address;
  size_t count = bytes_of(digits, bytes, sizeof(bytes));
  if (!number(where, &address) || !count)
    return "needs an address and up to 4096 bytes in hexadecimal digits";
  if (address + count < address)
    return "has memory beyond the last address";
  for (size_t i = 0; i < count; i++) {
    size_t at = (address + i) % HARNESS_PAGE_BYTES;
    struct block_values_page *page = page_at(values, address + i - at);
    if (!page)
      return "has memory on more than 64 pages";
    page->bytes[at] = bytes[i];
    page->set[at] = true;
  }
  return NULL;
}

static bool read_page(uint64_t address, uint8_t bytes[HARNESS_PAGE_BYTES], void *context) {
  const struct block_values *values = context;
  for (size_t i = 0; i < values->page_count; i++) {
    const struct block_values_page *page = &values->pages[i];
    if (page->address != address)
      continue;
    for (size_t at = 0; at < HARNESS_PAGE_BYTES; at++)
      bytes[at] = page->set[at] ? page->bytes[at]
                                : (uint8_t)(values->state.fill >> 8 * (at % sizeof(uint64_t)));
    return true;
  }
  return false;
}

static const char *set_vector(struct harness_state *state, const char *name, const char *digits) {
  uint8_t bytes[32] = {0};
  uint64_t index;
  size_t need = *name == 'y' ? 32 : 16;
  if (!number(name + 3, &index) || index > 15 || bytes_of(digits, bytes, need) != need)
    return *name == 'y' ? "needs ymm0 to ymm15 and 32 bytes" : "needs xmm0 to xmm15 and 16 bytes";
  memcpy(state->vectors[index], bytes, need);
  state->has_upper_halves |= need == 32;
  return NULL;
}

static const char *set(struct block_values *values, const char *name, const char *value,
                       const char *more) {
  struct harness_state *state = &values->state;
  uint64_t *to = NULL;
  if (strcmp(name, "mem") == 0)
    return set_memory(values, value, more);
  if (*more)
    return "has more than it needs: a name and a value";
  if (strncmp(name, "xmm", 3) == 0 || strncmp(name, "ymm", 3) == 0)
    return set_vector(state, name, value);
  for (unsigned i = 0; i < HARNESS_REGISTERS && !to; i++)
    to = strcmp(name, decode_register_name(i)) == 0 ? &state->registers[i] : NULL;
  to = strcmp(name, "fs") == 0      ? &state->fs_base
       : strcmp(name, "gs") == 0    ? &state->gs_base
       : strcmp(name, "flags") == 0 ? &state->flags
       : strcmp(name, "fill") == 0  ? &state->fill
                                    : to;
  if (!to)
    return "unknown name; known are rax to r15, fs, gs, flags, fill, xmm0 to ymm15 and mem";
  return number(value, to) ? NULL : "needs a number";
}

struct block_values *block_values_read(const char *path, struct problems *problems) {
  FILE *stream = regular_fopen_text(path);
  if (!stream) {
    problem_error(problems, "%s: can't be read: %s", path, regular_problem(errno));
    return NULL;
  }
  struct block_values *values = memory_zeroed(1, sizeof(*values));
  harness_state_choose(HARNESS_CONSTANT, 0, NULL, &values->state);
  char *line = NULL;
  size_t capacity = 0;
  const char *problem = NULL;
  size_t at = 0;
  while (!problem && getline(&line, &capacity, stream) >= 0) {
    at++;
    line[strcspn(line, "#\n")] = 0;
    char *rest = line, *words[4];
    for (size_t i = 0; i < 4; i++)
      words[i] = strtok_r(rest, " \t\r", &rest);
    if (words[0])
      problem = words[3]
                    ? "has more than it needs: mem, an address and its bytes"
                    : set(values, words[0], words[1] ? words[1] : "", words[2] ? words[2] : "");
  }
  int failed = ferror(stream) ? errno : 0;
  if (problem)
    problem_error(problems, "%s:%zu: %s", path, at, problem);
  else if (failed)
    problem_error(problems, "%s: can't be read: %s", path, strerror(failed));
  free(line);
  fclose(stream);
  if (problem || failed) {
    free(values);
    return NULL;
  }
  values->state.read_page = read_page;
  values->state.context = values;
  return values;
}
