// arguments.c - finds the kind of a compiler's command line: preprocess, compile, link or nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what decides about our own additions is looked at; whether the command makes sense is
// clang's to say.
#include "tools/driver/arguments.h"

#include <string.h>

#include "include/reticle/test_program.h"

static const struct request_machine machines[] = {
    {{"x86_64", "amd64"}, "x86_64-linux-gnu", "gcc-x86-64-linux-gnu libc6-dev-amd64-cross"},
    {{"aarch64", "arm64"}, "aarch64-linux-gnu", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"},
};
enum {
#if defined(__x86_64__)
  THIS_MACHINE = 0,
#elif defined(__aarch64__)
  THIS_MACHINE = 1,
#else
#error "the runtime exists for x86-64 and AArch64"
#endif
  MACHINE_COUNT = sizeof machines / sizeof *machines,
};

/// Options whose value is the next argument; without this list "-MT -c" would read as -c.
static const char *const takes_value[] = {
    "-o",
    "--output",
    "-x",
    "--language",
    "-I",
    "-l",
    "-D",
    "-U",
    "-L",
    "-F",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-G",
    "-B",
    "-include",
    "--include",
    "-imacros",
    "-include-pch",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-isysroot",
    "-imultilib",
    "-cxx-isystem",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xclang",
    "-Xflang",
    "-module-dir",
    "-Xassembler",
    "-mllvm",
    "-Xanalyzer",
    "-target",
    "-arch",
    "--sysroot",
    "--param",
    "--config",
    "-rpath",
    "-dumpdir",
    "-Xpreprocessor",
    "-iframework",
    "-framework",
    "-Xarch_host",
    "-Xarch_device",
    "-iwithprefixbefore",
    "-working-directory",
    "-Xopenmp-target",
    "-Xcuda-ptxas",
    "-Xoffload-linker",
};

static const char *const no_code[] = {
    "-E",
    "--preprocess",
    "-M",
    "--dependencies",
    "-MM",
    "--user-dependencies",
    "-fsyntax-only",
    "--analyze",
    "-verify-pch",
    "-module-file-info",
    "-extract-api",
};

static const char *const no_link[] = {
    "-c",
    "--compile",
    "-S",
    "--assemble",
    "-r",
    "--precompile",
    "-emit-ast",
    "-rewrite-objc",
    "-emit-interface-stubs",
    "--emit-static-lib",
    "-Wl,-r",
    "-Wl,--relocatable",
};

/// Options that print something and stop, inputs or not.
static const char *const queries[] = {
    "--version", "-dumpversion", "-dumpmachine", "--help", "-help", "--help-hidden",
};

/// What clang takes for a header by its name, and turns into a precompiled one.
static const char *const header_endings[] = {
    ".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".tcc",
};

#define IS_ONE_OF(text, list) is_one_of(text, list, sizeof(list) / sizeof *(list))
static bool is_one_of(const char *text, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(text, list[i]) == 0)
      return true;
  return false;
}

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_header(const char *input, const char *language) {
  if (language && strcmp(language, "none") != 0)
    return strstr(language, "-header") != NULL;
  const char *dot = strrchr(input, '.');
  return dot && IS_ONE_OF(dot, header_endings);
}

/// Which machine a triple means; MACHINE_COUNT if there is no runtime for it. Its system must be
/// Linux: "x86_64" alone and "x86_64-linux-musl" are fine, "x86_64-w64-mingw32" isn't.
static size_t machine_of(const char *triple) {
  size_t length = strcspn(triple, "-");
  for (size_t i = 0; i < 2 * (size_t)MACHINE_COUNT; i++) {
    const char *name = machines[i / 2].names[i % 2];
    if (strlen(name) == length && strncmp(triple, name, length) == 0)
      return triple[length] && !strstr(triple + length, "linux") ? MACHINE_COUNT : i / 2;
  }
  return MACHINE_COUNT;
}

static void set_target(struct request *request, const char *option, const char *triple) {
  size_t machine = machine_of(triple);
  request->foreign_target = machine == MACHINE_COUNT ? option : NULL;
  bool is_cross = machine != MACHINE_COUNT && machine != THIS_MACHINE;
  request->cross_target = is_cross ? option : NULL;
  request->cross_machine = is_cross ? &machines[machine] : NULL;
}

/// The language that an -x option sets, or null if `argument` is none.
static const char *language_of(const char *argument, const char *value) {
  if (strcmp(argument, "-x") == 0 || strcmp(argument, "--language") == 0)
    return value ? value : "none";
  if (starts_with(argument, "--language="))
    return argument + strlen("--language=");
  return starts_with(argument, "-x") ? argument + 2 : NULL;
}

/// The last target option wins, as in clang.
static void read_target(struct request *request, const char *argument, const char *value) {
  if (starts_with(argument, "--target="))
    set_target(request, argument, argument + strlen("--target="));
  else if (strcmp(argument, "-target") == 0 && value)
    set_target(request, value, value);
  else if (strcmp(argument, "-m32") == 0 || strcmp(argument, "-mx32") == 0)
    request->foreign_target = argument;
}

struct state {
  bool no_code, no_link, query, has_input, has_object;
  const char *language;
};

/// What only the linker reads; a command of nothing else links, too.
static bool is_linker_input(const char *argument) {
  return starts_with(argument, "-l") || starts_with(argument, "-Wl,") ||
         strcmp(argument, "-Xlinker") == 0;
}

static void read_option(struct state *state, struct request *request, const char *argument,
                        const char *value) {
  state->no_code |= IS_ONE_OF(argument, no_code);
  state->no_link |= IS_ONE_OF(argument, no_link);
  state->query |= IS_ONE_OF(argument, queries) || starts_with(argument, "-print-") ||
                  starts_with(argument, "--print-") || starts_with(argument, "--autocomplete=");
  // What a linker option asks for may come in either spelling.
  state->no_link |= strcmp(argument, "-Xlinker") == 0 && value &&
                    (strcmp(value, "-r") == 0 || strcmp(value, "--relocatable") == 0);
  request->is_without_libc |= strcmp(argument, "-nostdlib") == 0 ||
                              strcmp(argument, "-nodefaultlibs") == 0 ||
                              strcmp(argument, "-nolibc") == 0;
  request->is_static |= strcmp(argument, "-static") == 0 || strcmp(argument, "-static-pie") == 0;
  if (starts_with(argument, "-o"))
    request->is_test_program |= reticle_is_test_program(value ? value : argument + 2);
  if (is_linker_input(argument))
    state->has_input = state->has_object = true;
  const char *language = language_of(argument, value);
  if (language)
    state->language = language;
  read_target(request, argument, value);
}

struct request request_read(const char *const *arguments, size_t count) {
  struct request request = {.kind = REQUEST_NOTHING};
  struct state state = {0};
  // -cc1, -cc1as and -cc1gen-reproducer are clang calling itself, -fc1 is flang; they are only
  // valid in front.
  if (count && (starts_with(arguments[0], "-cc1") || starts_with(arguments[0], "-fc1")))
    return request;
  bool only_inputs = false; // behind "--"
  for (size_t i = 0; i < count; i++) {
    const char *argument = arguments[i];
    if (strstr(argument, "libreticle_rt"))
      request.has_runtime = true;
    if (only_inputs || argument[0] != '-' || !argument[1]) {
      state.has_input = true;
      request.is_test_program |= reticle_is_test_program(argument);
      state.has_object |= !is_header(argument, state.language);
    } else if (strcmp(argument, "--") == 0) {
      only_inputs = request.ends_in_inputs = true;
    } else {
      bool has_value = IS_ONE_OF(argument, takes_value) && i + 1 < count;
      if (has_value)
        i++;
      read_option(&state, &request, argument, has_value ? arguments[i] : NULL);
      if (has_value && strstr(arguments[i], "libreticle_rt"))
        request.has_runtime = true;
    }
  }
  if (!state.has_input || state.query)
    request.kind = REQUEST_NOTHING;
  else if (state.no_code)
    request.kind = REQUEST_PREPROCESS;
  else if (state.no_link || !state.has_object)
    request.kind = REQUEST_COMPILE;
  else
    request.kind = REQUEST_LINK;
  return request;
}
