// text.c - bounded text building without libc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/text.h"

#include "runtime/sys/sys.h"

void rrt_text_init(struct rrt_text *text, char *buffer, size_t bytes) {
  text->data = buffer;
  text->length = 0;
  text->capacity = bytes;
  text->cut = 0;
  buffer[0] = 0;
}

void rrt_text_add_bytes(struct rrt_text *text, const char *bytes, size_t count) {
  size_t room = text->capacity - 1 - text->length;
  if (count > room) {
    count = room;
    text->cut = 1;
  }
  rrt_copy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = 0;
}

void rrt_text_add(struct rrt_text *text, const char *string) {
  rrt_text_add_bytes(text, string, rrt_length(string));
}

void rrt_text_add_number(struct rrt_text *text, uint64_t number) {
  char digits[20];
  size_t n = sizeof digits;
  do
    digits[--n] = (char)('0' + number % 10);
  while (number /= 10);
  rrt_text_add_bytes(text, digits + n, sizeof digits - n);
}

void rrt_text_add_hex(struct rrt_text *text, uint64_t number, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    unsigned d = (number >> shift) & 15;
    char c = (char)(d < 10 ? '0' + d : 'a' + d - 10);
    rrt_text_add_bytes(text, &c, 1);
  }
}

size_t rrt_parse_number(const char *text, uint64_t *out) {
  uint64_t value = 0;
  size_t n = 0;
  for (; text[n] >= '0' && text[n] <= '9'; n++) {
    if (value > (UINT64_MAX - 9) / 10)
      return 0;
    value = value * 10 + (uint64_t)(text[n] - '0');
  }
  if (n)
    *out = value;
  return n;
}

size_t rrt_parse_hex(const char *text, uint64_t *out) {
  uint64_t value = 0;
  size_t n = 0;
  for (; n < 16; n++) {
    char c = text[n];
    if (c >= '0' && c <= '9')
      value = value << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value << 4 | (uint64_t)(c - 'a' + 10);
    else
      break;
  }
  if (n)
    *out = value;
  return n;
}
