// command.c - adds plug-in, options, runtime and libraries to the user's arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clang  [compile options]  [runtime]  what the user wrote
//
// All of ours comes first: clang takes the last of several -g options, so whatever the user says
// about debug information wins; "--" and a trailing -x stay what they were; and the runtime's
// objects are linked before the program's, so that its constructors are run in time.
#include "tools/driver/command.h"

#include <stdlib.h>
#include <string.h>

#include "tools/driver/arguments.h"
#include "tools/driver/path.h"

static const char *required(const char *path) {
  if (!path_exists(path))
    driver_fail("%s: not there; build or install Reticle again, or set RETICLE=off", path);
  return path;
}

static const char plugin_option[] = "-fplugin-arg-reticle-";

/// Flang has no -fplugin-arg-: its plug-in reads LLVM's options.
static void add_plugin_option(struct argument_list *command, enum driver_language language,
                              const char *setting) {
  if (language == DRIVER_FORTRAN) {
    argument_list_add(command, "-mllvm");
    argument_list_add(command, driver_format("-reticle=%s", setting));
  } else {
    argument_list_add(command, driver_format("%s%s", plugin_option, setting));
  }
}

/// Flang knows an option of LLVM's only once it has loaded the plug-in that brings it: -load.
static void add_plugin(struct argument_list *command, enum driver_language language,
                       const char *library) {
  const char *plugin = required(driver_format("%s/reticle.so", library));
  if (language != DRIVER_FORTRAN) {
    argument_list_add(command, driver_format("-fplugin=%s", plugin));
    return;
  }
  const char *const load[] = {"-Xflang", "-load", "-Xflang", plugin};
  for (size_t i = 0; i < sizeof load / sizeof *load; i++)
    argument_list_add(command, load[i]);
  argument_list_add(command, driver_format("-fpass-plugin=%s", plugin));
}

/// -g gives fields and types their names; it doesn't change the code. The plug-in and -g go unused
/// where only objects are linked or assembly is assembled, which is nothing to warn about.
static void add_compile_options(struct argument_list *command, enum driver_language language,
                                const char *library, bool code) {
  bool fortran = language == DRIVER_FORTRAN;
  if (!fortran)
    argument_list_add(command, "--start-no-unused-arguments");
  else if (!strstr(path_base(command->at[0]), "flang-new")) // which has no such option
    argument_list_add(command, "-Qunused-arguments");       // flang can't tell ours from the user's
  if (code) {
    add_plugin(command, language, library);
    static const struct {
      const char *variable, *key;
    } set[] = {{"RETICLE_FEATURES", "features"},   {"RETICLE_SHADOW", "shadow"},
               {"RETICLE_LAYOUT", "layout"},       {"RETICLE_IGNORELIST", "ignorelist"},
               {"RETICLE_PLACEMENT", "placement"}, {"RETICLE_STACKS", "stacks"},
               {"RETICLE_BOUND", "bound"},         {"RETICLE_FORMS", "forms"}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
      const char *value = getenv(set[i].variable);
      if (value && *value)
        add_plugin_option(command, language, driver_format("%s=%s", set[i].key, value));
    }
    argument_list_add(command, "-g");
  }
  if (fortran)
    return;
  // Last in the search, so that no header of the program or the system is hidden by one beside
  // ours.
  argument_list_add(command, "-idirafter");
  argument_list_add(command, driver_format("%s/include", path_directory(path_directory(library))));
  argument_list_add(command, "--end-no-unused-arguments");
}

/// Shared libraries get the runtime too (docs/decisions/0002-runtime-without-libc.md). There,
/// --export-dynamic-symbol keeps references to the entry points open for the first copy even under
/// -Bsymbolic; in executables it makes them visible to libraries. -Xlinker takes a path with
/// commas.
/// A static program has no use for it, and GNU ld leaves relocations of exported thread-local
/// variables in a static-pie program that crash its start.
static void add_runtime(struct argument_list *command, const char *archive, bool is_static) {
  argument_list_add(command, "-Wl,--push-state,--whole-archive");
  argument_list_add(command, "-Xlinker");
  argument_list_add(command, archive);
  argument_list_add(command, "-Wl,--no-whole-archive,--pop-state");
  if (!is_static)
    argument_list_add(command, "-Wl,--export-dynamic-symbol=__reticle_*");
}

/// A runtime for another machine lies in a folder by that machine's name.
static const char *runtime_for(const struct request *request, const char *library) {
  if (!request->cross_machine)
    return required(driver_format("%s/libreticle_rt.a", library));
  const struct request_machine *machine = request->cross_machine;
  const char *path = driver_format("%s/%s/libreticle_rt.a", library, machine->triple);
  if (!path_exists(path))
    driver_fail("%s: no runtime for that machine (%s); install its libc (apt-get install %s) and "
                "build Reticle again, or set RETICLE=off",
                request->cross_target, path, machine->packages);
  return path;
}

/// Behind everything of the user's, so that a libc named there by hand comes first. Where it isn't
/// installed, or for another machine, the linker names what is missing.
static void add_substitutes(struct argument_list *command, const struct request *request,
                            const char *library) {
  const char *archive = driver_format("%s/libreticle_rt_free.a", library);
  if (request->kind != REQUEST_LINK || !request->is_without_libc || request->ends_in_inputs ||
      request->is_test_program || request->cross_machine || !path_exists(archive))
    return;
  argument_list_add(command, "-Xlinker");
  argument_list_add(command, archive);
}

static void add_all(struct argument_list *command, const char *const *arguments, size_t count) {
  for (size_t i = 0; i < count; i++)
    argument_list_add(command, arguments[i]);
}

/// What the user wrote.
static void add_given(struct argument_list *command, enum driver_language language, bool plain,
                      const struct argument_list *given) {
  size_t length = strlen(plugin_option);
  for (size_t i = 0; i < given->count; i++) {
    bool is_ours = strncmp(given->at[i], plugin_option, length) == 0;
    if (language != DRIVER_FORTRAN || !is_ours)
      argument_list_add(command, given->at[i]);
    else if (!plain)
      add_plugin_option(command, language, given->at[i] + length);
  }
}

/// What measures nothing needs no runtime.
static bool is_unmeasured(void) {
  const char *features = getenv("RETICLE_FEATURES");
  return features && strcmp(features, "none") == 0;
}

/// A test program gets clang's own answer: but for reticle.h nothing of ours is in its command.
static void add_ours(struct argument_list *command, const struct request *request,
                     enum driver_language language, const char *library, bool is_fallback) {
  bool is_test = request->is_test_program;
  add_compile_options(command, language, library, request->kind != REQUEST_PREPROCESS && !is_test);
  if (request->kind == REQUEST_LINK && !request->has_runtime && (!is_test || is_fallback) &&
      !is_unmeasured())
    add_runtime(command, runtime_for(request, library), request->is_static);
}

/// Which lines are executed. Programs that test the compiler get its own answer.
static void add_coverage(struct argument_list *command, const struct request *request) {
  if (request->kind == REQUEST_NOTHING || request->kind == REQUEST_PREPROCESS ||
      request->is_test_program)
    return;
  argument_list_add(command, "--start-no-unused-arguments");
  argument_list_add(command, "-fprofile-instr-generate");
  argument_list_add(command, "-fcoverage-mapping");
  argument_list_add(command, "--end-no-unused-arguments");
}

struct argument_list command_make(struct compiler compiler, enum driver_language language,
                                  const char *library, enum command_kind kind,
                                  const char *const *given, size_t given_count,
                                  struct argument_list *fallback) {
  struct argument_list command = {0}, expanded = {0}, kept = {0};
  argument_list_add(&command, compiler.path);
  response_keep(&kept, given, given_count);
  response_expand(&expanded, kept.at, kept.count);
  struct request request = request_read(expanded.at, expanded.count);
  // Not in front of -cc1, which must be the first argument.
  bool is_cc1 = expanded.count && strncmp(expanded.at[0], "-cc1", 4) == 0;
  if (compiler.needs_driver_mode && !is_cc1)
    argument_list_add(&command, "--driver-mode=g++");
  bool plain = kind != COMMAND_OURS;
  if (kind == COMMAND_COVERAGE && !is_cc1 && language != DRIVER_FORTRAN)
    add_coverage(&command, &request);
  if (!plain && request.kind != REQUEST_NOTHING) {
    if (request.kind == REQUEST_LINK && request.foreign_target && !request.is_test_program)
      driver_fail(
          "%s: Reticle has no runtime for that target (it has for x86_64 and aarch64 with Linux); "
          "set RETICLE=off",
          request.foreign_target);
    if (request.kind == REQUEST_LINK && request.is_test_program && !request.foreign_target) {
      add_all(fallback, (const char *const *)command.at, command.count);
      add_ours(fallback, &request, language, library, true);
      add_given(fallback, language, false, &kept);
    }
    add_ours(&command, &request, language, library, false);
  }
  add_given(&command, language, plain || request.is_test_program, &kept);
  if (!plain)
    add_substitutes(&command, &request, library);
  return command;
}
