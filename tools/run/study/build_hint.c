// build_hint.c - reads a shell command word by word, and puts options and other words in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study/build_hint.h"

#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// A word, or what is between words; both as they are typed.
struct words {
  char **at; ///< [count]
  size_t count;
};

static void split(const char *command, struct words *out) {
  *out = (struct words){0};
  while (*command) {
    size_t length = strcspn(command, " \t\n;&|()");
    length = length ? length : strspn(command, " \t\n;&|()");
    out->at = memory_resized(out->at, out->count + 1, sizeof *out->at);
    struct text word = {0};
    text_add_bytes(&word, command, length);
    out->at[out->count++] = word.data;
    command += length;
  }
}

static void release(struct words *words) {
  for (size_t i = 0; i < words->count; i++)
    free(words->at[i]);
  free(words->at);
}

static void replace(struct words *words, size_t i, const char *word) {
  free(words->at[i]);
  words->at[i] = text_copy(word);
}

static void append(struct words *words, size_t i, const char *more) {
  struct text word = {0};
  text_add(&word, words->at[i]);
  text_add(&word, more);
  free(words->at[i]);
  words->at[i] = word.data;
}

/// Whether the program is that, or that of a version: clang, clang-19.
static bool is_program(const char *word, const char *name) {
  const char *base = base_name(word);
  size_t length = strlen(name);
  return strncmp(base, name, length) == 0 &&
         (!base[length] || (base[length] == '-' && isdigit((unsigned char)base[length + 1])));
}

static bool is_one_of(const char *word, const char *const *names) {
  for (; *names; names++)
    if (is_program(word, *names))
      return true;
  return false;
}

/// Whether the words from `i` to the end of its command hold one.
static bool has_option(const struct words *words, size_t i, const char *option) {
  for (; i < words->count && !strpbrk(words->at[i], ";&|()"); i++)
    if (strcmp(words->at[i], option) == 0)
      return true;
  return false;
}

/// Whether any of the words is that.
static bool has_word(const struct words *words, const char *word) {
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->at[i], word) == 0)
      return true;
  return false;
}

/// The word behind an option, null: there is none.
static const char *behind(const struct words *words, const char *option) {
  for (size_t i = 0; i + 2 < words->count; i++)
    if (strcmp(words->at[i], option) == 0)
      return words->at[i + 2];
  return NULL;
}

/// Another folder in the place of the one that was configured for another compiler.
static bool use_other_folder(struct words *words, struct text *out) {
  bool has_cmake = false, has_meson = false;
  for (size_t i = 0; i < words->count; i++) {
    has_cmake = has_cmake || is_program(words->at[i], "cmake");
    has_meson = has_meson || is_program(words->at[i], "meson");
  }
  const char *folder = behind(words, "-B");
  folder = folder || !has_cmake ? folder : behind(words, "--build");
  folder = folder || !has_meson ? folder : behind(words, "setup");
  folder = folder || !has_meson ? folder : behind(words, "-C");
  if (!folder || !(has_cmake || has_meson))
    return false;
  char *name = text_copy(folder);
  if (has_cmake && !behind(words, "-B"))
    text_format(out, "cmake -B %s-reticle && ", name);
  if (has_meson && !has_word(words, "setup"))
    text_format(out, "meson setup %s-reticle && ", name);
  for (size_t i = 0; i < words->count; i++)
    if (strcmp(words->at[i], name) == 0)
      append(words, i, "-reticle");
  free(name);
  return true;
}

static bool use_compiler(struct words *words, struct text *out) {
  static const char *const c[] = {"gcc", "cc", "clang", "icx", NULL};
  static const char *const cxx[] = {"g++", "c++", "clang++", "icpx", NULL};
  bool has_changed = use_other_folder(words, out);
  for (size_t i = 0; i < words->count && !has_changed; i++)
    if (is_program(words->at[i], "make") || is_program(words->at[i], "gmake")) {
      append(words, i, " CC=\"$CC\" CXX=\"$CXX\"");
      has_changed = true;
    }
  for (size_t i = 0; i < words->count; i++)
    if (is_one_of(words->at[i], c) || is_one_of(words->at[i], cxx)) {
      replace(words, i, is_one_of(words->at[i], c) ? "$CC" : "$CXX");
      has_changed = true;
    }
  return has_changed;
}

static bool build_anew(struct words *words) {
  bool has_changed = false;
  for (size_t i = 0; i < words->count; i++) {
    if ((is_program(words->at[i], "make") || is_program(words->at[i], "gmake")) &&
        !has_option(words, i, "-B") && !has_word(words, "clean")) {
      append(words, i, " -B");
      has_changed = true;
    } else if (strcmp(words->at[i], "--build") == 0 && i + 2 < words->count &&
               !has_option(words, i, "--clean-first")) {
      append(words, i + 2, " --clean-first");
      has_changed = true;
    } else if (is_program(words->at[i], "ninja") && !has_word(words, "clean")) {
      const char *folder = behind(words, "-C");
      struct text word = {0};
      text_format(&word, "ninja%s%s -t clean && %s", folder ? " -C " : "", folder ? folder : "",
                  words->at[i]);
      replace(words, i, text_get(&word));
      text_release(&word);
      has_changed = true;
    }
  }
  return has_changed;
}

bool build_hint_add(const char *command, enum build_fault fault, struct text *out) {
  struct words words;
  split(command, &words);
  bool has_changed = fault == BUILD_OTHER_COMPILER ? use_compiler(&words, out) : build_anew(&words);
  for (size_t i = 0; i < words.count && has_changed; i++)
    text_add(out, words.at[i]);
  release(&words);
  return has_changed;
}
