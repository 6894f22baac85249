// json.c - builds and writes JSON values; the one file that calls the JSON library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/json.h"

#include "tools/support/character.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// struct json is jansson's json_t under our own name: no other file sees the library.
static json_t *inner(const struct json *value) { return (json_t *)value; }

static struct json *outer(json_t *value) {
  if (!value)
    memory_exhausted();
  return (struct json *)value;
}

static void check(int failed) {
  if (failed)
    memory_exhausted();
}

struct json *json_object_new(void) { return outer(json_object()); }

struct json *json_array_new(void) { return outer(json_array()); }

void json_free(struct json *value) { json_decref(inner(value)); }

struct json *json_put(struct json *object, const char *key, struct json *value) {
  check(json_object_set_new(inner(object), key, inner(value)));
  return value;
}

struct json *json_append(struct json *array, struct json *value) {
  check(json_array_append_new(inner(array), inner(value)));
  return value;
}

static struct json *string_new(const char *text) {
  json_t *string = json_string(text);
  if (string)
    return outer(string);
  struct text clean = {0};
  for (const char *s = text; *s;) {
    uint32_t point;
    size_t length = character_read(s, &point);
    if (length)
      text_add_bytes(&clean, s, length);
    else
      text_add(&clean, "\xef\xbf\xbd");
    s += length ? length : 1;
  }
  string = json_string(text_get(&clean));
  text_release(&clean);
  return outer(string);
}

void json_put_text(struct json *object, const char *key, const char *text) {
  json_put(object, key, string_new(text));
}

void json_put_text_or_null(struct json *object, const char *key, const char *text) {
  json_put(object, key, *text ? string_new(text) : outer(json_null()));
}

void json_put_number_or_null(struct json *object, const char *key, double number) {
  json_put(object, key, outer(isfinite(number) ? json_real(number) : json_null()));
}

void json_put_number(struct json *object, const char *key, double number) {
  json_put_number_or_null(object, key, number);
}

// Counts above 2^63 exist only in damaged profiles; readers lose digits above 2^53 anyway.
static struct json *count_new(uint64_t count) {
  return outer(json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count));
}

void json_put_count(struct json *object, const char *key, uint64_t count) {
  json_put(object, key, count_new(count));
}

void json_append_count(struct json *array, uint64_t count) { json_append(array, count_new(count)); }

void json_put_bool(struct json *object, const char *key, bool value) {
  json_put(object, key, outer(json_boolean(value)));
}

void json_put_null(struct json *object, const char *key) {
  json_put(object, key, outer(json_null()));
}

void json_append_text(struct json *array, const char *text) {
  json_append(array, string_new(text));
}

/// Writes a character that no screen may show, which can only stand in a string.
static void add_unshown(struct text *out, uint32_t point) {
  if (point > 0xffff)
    text_format(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((point - 0x10000) >> 10)),
                (unsigned)(0xdc00 + (point & 0x3ff)));
  else
    text_format(out, "\\u%04x", (unsigned)point);
}

bool json_write(const struct json *value, FILE *stream) {
  char *dumped =
      json_dumps(inner(value), JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
  if (!dumped)
    memory_exhausted();
  struct text out = {0};
  for (const char *s = dumped, *plain = s;; s++) {
    uint32_t point = (unsigned char)*s;
    size_t length = 1;
    if (*s && *s != 0x7f && !((unsigned char)*s & 0x80))
      continue;
    if (*s && (length = character_read(s, &point)) && character_is_shown(point)) {
      s += length - 1;
      continue;
    }
    text_add_bytes(&out, plain, (size_t)(s - plain));
    if (!*s)
      break;
    add_unshown(&out, point);
    s += length - 1;
    plain = s + 1;
  }
  free(dumped);
  text_add(&out, "\n");
  bool fine = fwrite(out.data, 1, out.length, stream) == out.length && fflush(stream) == 0;
  text_release(&out);
  return fine;
}
