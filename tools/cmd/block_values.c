// block_values.c - captured initial values, from a text file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/block_values.h"

#include "tools/binary/decode.h"
#include "tools/ui/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 64 };

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

static struct harness_line *line_at(struct harness_state *state, struct harness_line *lines,
                                    uint64_t address) {
  for (size_t i = 0; i < state->line_count; i++)
    if (lines[i].address == address)
      return &lines[i];
  if (state->line_count == HARNESS_LINES_MOST)
    return NULL;
  struct harness_line *line = &lines[state->line_count++];
  line->address = address;
  for (size_t at = 0; at < LINE_BYTES; at += sizeof(state->fill))
    memcpy(line->bytes + at, &state->fill, sizeof(state->fill));
  return line;
}

/// Null, or what is wrong.
static const char *set_memory(struct harness_state *state, struct harness_line *lines,
                              const char *where, const char *digits) {
  uint8_t bytes[4096];
  uint64_t address;
  size_t count = bytes_of(digits, bytes, sizeof(bytes));
  if (!number(where, &address) || !count)
    return "needs an address and up to 4096 bytes in hexadecimal digits";
  for (size_t i = 0; i < count; i++) {
    struct harness_line *line = line_at(state, lines, (address + i) / LINE_BYTES * LINE_BYTES);
    if (!line)
      return "has more memory than 128 cache lines";
    line->bytes[(address + i) % LINE_BYTES] = bytes[i];
  }
  return NULL;
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

static const char *set(struct harness_state *state, struct harness_line *lines, const char *name,
                       const char *value, const char *more) {
  uint64_t *to = NULL;
  if (strcmp(name, "mem") == 0)
    return set_memory(state, lines, value, more);
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

bool block_values_read(const char *path, struct harness_state *out, struct harness_line **lines) {
  FILE *stream = fopen(path, "re");
  if (!stream) {
    message_error("%s: can't be read: %s", path, strerror(errno));
    return false;
  }
  harness_state_choose(HARNESS_CONSTANT, 0, NULL, out);
  *lines = calloc(HARNESS_LINES_MOST, sizeof(**lines));
  if (!*lines)
    message_out_of_memory();
  char *line = NULL;
  size_t capacity = 0;
  const char *problem = NULL;
  size_t at = 0;
  while (!problem && getline(&line, &capacity, stream) >= 0) {
    at++;
    line[strcspn(line, "#\n")] = 0;
    char *rest = line, *words[3];
    for (size_t i = 0; i < 3; i++)
      words[i] = strtok_r(rest, " \t\r", &rest);
    if (words[0])
      problem = set(out, *lines, words[0], words[1] ? words[1] : "", words[2] ? words[2] : "");
  }
  if (problem)
    message_error("%s:%zu: %s", path, at, problem);
  free(line);
  fclose(stream);
  out->lines = *lines;
  return !problem;
}
