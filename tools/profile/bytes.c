// bytes.c - grows the block, and remembers that there was no memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/bytes.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned char *bytes_extend(struct bytes *bytes, size_t count) {
  if (bytes->failed || count == 0)
    return NULL;
  if (count > bytes->capacity - bytes->count) {
    size_t capacity = bytes->capacity ? bytes->capacity : 4096;
    while (capacity - bytes->count < count && capacity <= SIZE_MAX / 2)
      capacity *= 2;
    unsigned char *grown = capacity - bytes->count < count ? NULL : realloc(bytes->data, capacity);
    if (!grown) {
      bytes->failed = true;
      return NULL;
    }
    bytes->data = grown;
    bytes->capacity = capacity;
  }
  unsigned char *room = bytes->data + bytes->count;
  memset(room, 0, count);
  bytes->count += count;
  return room;
}

void bytes_add(struct bytes *bytes, const void *data, size_t count) {
  unsigned char *room = bytes_extend(bytes, count);
  if (room)
    memcpy(room, data, count);
}

void bytes_align(struct bytes *bytes) { bytes_extend(bytes, (8 - bytes->count % 8) % 8); }

void bytes_print(struct bytes *bytes, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof line)
    bytes->failed = true; // callers print names and numbers, never text of the profile
  else
    bytes_add(bytes, line, (size_t)length);
}

void bytes_release(struct bytes *bytes) {
  free(bytes->data);
  *bytes = (struct bytes){0};
}
