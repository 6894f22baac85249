// names.c - shortens functions, paths and processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/names.h"

#include "tools/support/demangle.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Template arguments that are shown.
enum { ARGUMENTS_MOST = 24 };

char *function_short_name(const char *linkage_name) {
  char *name = demangle(linkage_name);
  if (!name)
    memory_exhausted();
  demangle_shorten(name);
  return name;
}

const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

/// True for words that say nothing: "CPU", "Processor", "96-Core", "@", "2.50GHz".
static bool is_filler(const char *word, size_t length) {
  static const char *const fillers[] = {"CPU", "Processor", "@"};
  for (size_t i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++)
    if (strlen(fillers[i]) == length && memcmp(word, fillers[i], length) == 0)
      return true;
  return (length > 5 && memcmp(word + length - 5, "-Core", 5) == 0) ||
         (length > 3 && memcmp(word + length - 3, "GHz", 3) == 0);
}

void cpu_short_name(const char *cpu_model, const char *hypervisor, char *out, size_t bytes) {
  size_t used = 0;
  out[0] = 0;
  for (const char *word = cpu_model; *word;) {
    size_t length = strcspn(word, " ");
    // "Xeon(R)": the marks stand at the end of words.
    const char *mark = memchr(word, '(', length);
    size_t keep = mark ? (size_t)(mark - word) : length;
    if (keep && !is_filler(word, length) && used < bytes)
      used +=
          (size_t)snprintf(out + used, bytes - used, "%s%.*s", used ? " " : "", (int)keep, word);
    word += length;
    word += strspn(word, " ");
  }
  if (!used)
    used = (size_t)snprintf(out, bytes, "unknown CPU");
  if (*hypervisor && used < bytes)
    snprintf(out + used, bytes - used, " (VM)");
}

void name_cut_versions(char *name) {
  static const char *const marks[] = {"__cxx11::", "std::__1::", "[abi:cxx11]",
                                      "(anonymous namespace)::"};
  static const size_t kept[] = {0, 5, 0, 0}; // of it: "std::"
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    for (char *at = name; (at = strstr(at, marks[i]));) {
      const char *end = at + strlen(marks[i]);
      at += kept[i];
      memmove(at, end, strlen(end) + 1);
    }
}

/// Where the template arguments that begin there end; the same place where they don't.
static const char *arguments_end(const char *begin) {
  size_t depth = 0;
  for (const char *at = begin; *at; at++) {
    if (*at == '<')
      depth++;
    else if (*at == '>' && at[-1] != '-' && --depth == 0)
      return at + 1;
  }
  return begin;
}

void name_cut_arguments(char *name, size_t most_bytes) {
  static const char cut[] = "<...>", word[] = "operator";
  char *to = name;
  for (const char *at = name; *at;) {
    bool is_operator = (size_t)(to - name) >= sizeof word - 1 &&
                       memcmp(to - (sizeof word - 1), word, sizeof word - 1) == 0;
    const char *end = *at == '<' && !is_operator ? arguments_end(at) : at;
    if ((size_t)(end - at) > most_bytes && most_bytes >= sizeof cut - 1) {
      memcpy(to, cut, sizeof cut - 1);
      to += sizeof cut - 1;
      at = end;
    } else
      *to++ = *at++;
  }
  *to = 0;
}

void name_cut(char *name) {
  name_cut_versions(name);
  name_cut_arguments(name, ARGUMENTS_MOST);
}

static bool is_word(char c) { return c == '_' || isalnum((unsigned char)c); }

void name_cut_suffixes(char *name) {
  char *to = name;
  int depth = 0;
  for (const char *at = name; *at;) {
    bool is_number = depth && isdigit((unsigned char)*at) && (at == name || !is_word(at[-1]));
    depth += (*at == '<') - (*at == '>');
    if (!is_number) {
      *to++ = *at++;
      continue;
    }
    while (isdigit((unsigned char)*at))
      *to++ = *at++;
    size_t suffix = strspn(at, "ul");
    at += is_word(at[suffix]) ? 0 : suffix;
  }
  *to = 0;
}

bool name_is_meant(const char *name, const char *wanted) {
  if (strcmp(name, wanted) == 0)
    return true;
  char *cut = text_copy(name);
  name_cut(cut);
  bool is_meant = strcmp(cut, wanted) == 0;
  free(cut);
  return is_meant;
}
