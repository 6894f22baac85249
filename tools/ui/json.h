// json.h - JSON output, and the one place that knows the JSON library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers own what is put into them. All functions end the process if there is no memory.
#ifndef RETICLE_TOOLS_UI_JSON_H
#define RETICLE_TOOLS_UI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// A JSON value.
struct json;

struct json *json_object_new(void);
struct json *json_array_new(void);
void json_free(struct json *value);

/// Puts a value under the key and takes it over. Returns the value, which lives as long as the
/// object, so that one can go on filling it.
struct json *json_put(struct json *object, const char *key, struct json *value);
/// Appends a value to the array and takes it over; returns it.
struct json *json_append(struct json *array, struct json *value);

/// Bytes that are no UTF-8 (paths may hold anything) become U+FFFD.
void json_put_text(struct json *object, const char *key, const char *text);
/// As json_put_text; null for "": unknown.
void json_put_text_or_null(struct json *object, const char *key, const char *text);
/// A finite number: the schemas have no null there. Null all the same if it isn't one.
void json_put_number(struct json *object, const char *key, double number);
/// As json_put_number, for keys that are null where the number is not known: not finite.
void json_put_number_or_null(struct json *object, const char *key, double number);
void json_put_count(struct json *object, const char *key, uint64_t count);
void json_put_bool(struct json *object, const char *key, bool value);
void json_put_null(struct json *object, const char *key);
void json_append_text(struct json *array, const char *text);
void json_append_count(struct json *array, uint64_t count);

/// Writes the value, keys in the order they were put, and a newline. Returns false if the stream
/// took not all of it.
bool json_write(const struct json *value, FILE *stream);

#endif
