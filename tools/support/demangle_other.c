// demangle_other.c - linkage names of rustc and flang.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/demangle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_DIGITS 16

/// What rustc writes between dollar signs. Source: rustc's legacy symbol mangling.
static const struct {
  const char *code, *text;
} escapes[] = {{"SP", "@"}, {"BP", "*"}, {"RF", "&"}, {"LT", "<"},
               {"GT", ">"}, {"LP", "("}, {"RP", ")"}, {"C", ","}};

/// Where the last part of the name starts: "::h" and sixteen digits. Null if it isn't that.
static char *find_hash(char *name) {
  size_t length = strlen(name), part = strlen("::h") + HASH_DIGITS;
  char *hash = length > part ? name + length - part : NULL;
  if (!hash || strncmp(hash, "::h", 3) != 0 || strspn(hash + 3, "0123456789abcdef") != HASH_DIGITS)
    return NULL;
  return hash;
}

/// Writes what the escape at `from` ("$LT$", "$u20$") stands for; returns its length, 0 if unknown.
static size_t unescape(const char *from, char **to) {
  const char *end = strchr(from + 1, '$');
  size_t length = end ? (size_t)(end - from - 1) : 0;
  for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++)
    if (length == strlen(escapes[i].code) && memcmp(from + 1, escapes[i].code, length) == 0) {
      *(*to)++ = *escapes[i].text;
      return length + 2;
    }
  char *stop;
  unsigned long code = length > 1 && from[1] == 'u' ? strtoul(from + 2, &stop, 16) : 0;
  if (!code || stop != end || !isprint((int)(code & 0x7f)) || code > 0x7f)
    return 0;
  *(*to)++ = (char)code;
  return length + 2;
}

bool demangle_rust(char *name) {
  char *hash = find_hash(name), *to = name;
  if (!hash)
    return false;
  *hash = 0;
  for (const char *from = name; *from;) {
    // A part that would start with a sign has an underscore in front.
    bool at_start = from == name || from[-1] == ':';
    if (at_start && from[0] == '_' && from[1] == '$')
      from++;
    size_t length = *from == '$' ? unescape(from, &to) : 0;
    if (!length && from[0] == '.' && from[1] == '.') {
      *to++ = ':';
      *to++ = ':';
      length = 2;
    } else if (!length) {
      *to++ = *from;
      length = 1;
    }
    from += length;
  }
  *to = 0;
  return true;
}

/// Source: flang, "Bijective Internal Name Uniquing": _Q, then each part behind its letter.
char *demangle_fortran(const char *linkage_name) {
  if (strncmp(linkage_name, "_Q", 2) != 0 || !strchr("MSF", linkage_name[2]) || !linkage_name[2])
    return NULL;
  char *name = malloc(2 * strlen(linkage_name)), *to = name;
  bool is_whole = false;
  for (const char *from = linkage_name + 2; name && *from;) {
    if (!strchr("MSFP", *from))
      break; // of a type, a constant, a kind: no procedure
    is_whole = *from == 'P';
    from++;
    size_t length = strspn(from, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (!length)
      break;
    to += sprintf(to, "%s%.*s", to == name ? "" : "::", (int)length, from);
    from += length;
    is_whole = is_whole && !*from;
  }
  if (is_whole)
    return name;
  free(name);
  return NULL;
}
