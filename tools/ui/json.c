// json.c - JSON output, and the one place that knows the JSON library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/ui/json.h"

#include "tools/ui/messages.h"
#include "tools/ui/text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

// struct json is jansson's json_t under our own name: no other file sees the library.
static json_t *inner(const struct json *value) { return (json_t *)value; }

static struct json *outer(json_t *value) {
  if (!value)
    message_out_of_memory();
  return (struct json *)value;
}

static void check(int failed) {
  if (failed)
    message_out_of_memory();
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

/// Length of the well-formed UTF-8 sequence at the start, 0 if there is none.
/// Source: Unicode 15, table 3-7.
static size_t utf8_length(const unsigned char *s) {
  if (s[0] < 0x80)
    return 1;
  size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4)
    return 0;
  for (size_t i = 1; i < length; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
  bool surrogate = s[0] == 0xed && s[1] > 0x9f;
  bool too_large = s[0] == 0xf4 && s[1] > 0x8f;
  return overlong || surrogate || too_large ? 0 : length;
}

static struct json *string_new(const char *text) {
  json_t *string = json_string(text);
  if (string)
    return outer(string);
  struct text clean = {0};
  for (const char *s = text; *s;) {
    size_t length = utf8_length((const unsigned char *)s);
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

void json_put_number(struct json *object, const char *key, double number) {
  json_put(object, key, outer(isfinite(number) ? json_real(number) : json_null()));
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

bool json_write(const struct json *value, FILE *stream) {
  int failed = json_dumpf(inner(value), stream,
                          JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
  return !failed && fputc('\n', stream) != EOF && fflush(stream) == 0;
}
