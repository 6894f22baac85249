// code_units.c - counts functions by compile unit or symbol table; the runtime's left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code/code_units.h"

#include <stdlib.h>
#include <string.h>

/// True for what crt1.o, crti.o, crtbegin.o and libc_nonshared.a add to programs.
static bool is_startup(const char *name) {
  static const char *const names[] = {"_start",
                                      "_init",
                                      "_fini",
                                      "frame_dummy",
                                      "_dl_relocate_static_pie",
                                      "register_tm_clones",
                                      "deregister_tm_clones",
                                      "__do_global_dtors_aux",
                                      "__libc_csu_init",
                                      "__libc_csu_fini",
                                      "call_weak_fn",
                                      "atexit",
                                      "at_quick_exit",
                                      "pthread_atfork",
                                      "__pthread_atfork"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool starts_with(const char *string, const char *prefix) {
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

static bool ends_with(const char *string, const char *suffix) {
  size_t length = strlen(string), end = strlen(suffix);
  return length >= end && strcmp(string + length - end, suffix) == 0;
}

/// True for what clang makes for itself in objects whose functions are all the program's: no
/// plug-in could have more of them, and debug information has none.
static bool is_helper(const char *name) {
  static const char *const starts[] = {
      "__clang_call_terminate", // of noexcept functions
      "_ZTW",                   // access to a thread_local variable
      "__llvm_retpoline_",      // -mretpoline
      "__llvm_lvi_thunk_",      // -mlvi-hardening
      "asan.module_",           // -fsanitize=...
      "hwasan.module_",
      "msan.module_",
      "tsan.module_",
      "sancov.module_",
      "__llvm_profile_", // -fprofile-instr-generate
      "__llvm_gcov_",    // --coverage
      "llvm_gcov_",
  };
  for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
    if (starts_with(name, starts[i]))
      return true;
  return ends_with(name, ".resolver"); // of __attribute__((target_clones))
}

/// True for the arithmetic that the processor lacks, of libgcc.a or compiler-rt: __udivti3,
/// __muldc3, __floattidf. Their names end in a mode of GCC's machine description and perhaps the
/// number of operands.
static bool is_arithmetic(const char *name) {
  static const char *const modes[] = {"si", "di", "ti", "hf", "bf", "sf", "df",
                                      "xf", "tf", "sc", "dc", "xc", "tc"};
  size_t length = strlen(name),
         letters = strspn(name + (length > 2 ? 2 : 0), "abcdefghijklmnopqrstuvwxyz");
  if (!starts_with(name, "__") || letters < 4)
    return false;
  const char *end = name + 2 + letters;
  if (*end && (end[1] || *end < '2' || *end > '5'))
    return false;
  for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
    if (strncmp(end - 2, modes[i], 2) == 0)
      return true;
  return false;
}

/// What is known while functions are counted.
struct counting {
  const struct elf_function *functions; ///< [function_count] ascending by address
  size_t function_count;
  const struct dwarf_unit **described; ///< [function_count] null: no debug information
  bool *ours;                          ///< [function_count] of Reticle's runtime, or the plug-in's
  bool *helpers;                       ///< [function_count] the compiler's own
  const struct dwarf_units *dwarf;
  struct code_unit *units; ///< the described ones first
  bool *runtime;           ///< [count] the unit belongs to the runtime
  size_t *file_numbers;    ///< [count] elf_function.file_number; SIZE_MAX for described units
  size_t count;
};

static bool counting_init(struct counting *counting, const struct dwarf_units *dwarf,
                          const struct elf_function *functions, size_t n) {
  // A unit for each function that has no debug information is the worst case.
  size_t most = dwarf->count + n + 1;
  *counting = (struct counting){.functions = functions,
                                .function_count = n,
                                .described = calloc(n + 1, sizeof(*counting->described)),
                                .ours = calloc(n + 1, sizeof(*counting->ours)),
                                .helpers = calloc(n + 1, sizeof(*counting->helpers)),
                                .dwarf = dwarf,
                                .units = calloc(most, sizeof(*counting->units)),
                                .runtime = calloc(most, sizeof(*counting->runtime)),
                                .file_numbers = calloc(most, sizeof(*counting->file_numbers))};
  if (!counting->described || !counting->ours || !counting->helpers || !counting->units ||
      !counting->runtime || !counting->file_numbers)
    return false;
  for (; counting->count < dwarf->count; counting->count++) {
    const struct dwarf_unit *unit = &dwarf->units[counting->count];
    counting->file_numbers[counting->count] = SIZE_MAX;
    counting->units[counting->count] =
        (struct code_unit){.name = unit->name, .directory = unit->directory, .described = true};
  }
  for (size_t i = 0; i < n; i++)
    counting->described[i] = dwarf_units_find(dwarf, functions[i].address);
  return true;
}

/// Marks functions by any of their names: malloc is __reticle_of_malloc, too, in a program whose
/// allocations are counted. Which of the names a list of addresses has is chance.
static void mark_aliases(struct counting *counting, struct elf_file *file) {
  size_t n, at = 0;
  const struct elf_function *names = elf_file_function_names(file, &n);
  for (size_t i = 0; i < n; i++) {
    while (at < counting->function_count && counting->functions[at].address < names[i].address)
      at++;
    if (at == counting->function_count || counting->functions[at].address != names[i].address)
      continue;
    counting->ours[at] |= starts_with(names[i].name, "__reticle_");
    counting->helpers[at] |=
        !counting->described[at] && (is_helper(names[i].name) || is_arithmetic(names[i].name));
  }
}

/// Marks the runtime's functions. Those without debug information lie together, as they come from
/// one archive: everything from the first rrt_ to the last one in a stretch of such functions.
static void mark_runtime(struct counting *counting) {
  for (size_t from = 0, to; from < counting->function_count; from = to + 1) {
    size_t first = SIZE_MAX, last = 0;
    for (to = from; to < counting->function_count && !counting->described[to]; to++)
      if (starts_with(counting->functions[to].name, "rrt_")) {
        first = first == SIZE_MAX ? to : first;
        last = to;
      }
    for (size_t i = first; i <= last && first != SIZE_MAX; i++)
      counting->ours[i] = true;
  }
  for (size_t i = 0; i < counting->function_count; i++)
    counting->ours[i] |= starts_with(counting->functions[i].name, "rrt_") ||
                         starts_with(counting->functions[i].name, "__reticle_");
}

/// The unit for functions that stand under this file symbol; they come in runs, so the one found
/// last is looked at first.
static size_t symbol_unit(struct counting *counting, const struct elf_function *function,
                          size_t *last) {
  if (*last < counting->count && counting->file_numbers[*last] == function->file_number)
    return *last;
  for (size_t i = counting->dwarf->count; i < counting->count; i++)
    if (counting->file_numbers[i] == function->file_number)
      return *last = i;
  counting->file_numbers[counting->count] = function->file_number;
  counting->units[counting->count] = (struct code_unit){.name = function->file, .directory = ""};
  return *last = counting->count++;
}

static void count_functions(struct counting *counting) {
  size_t last = SIZE_MAX;
  for (size_t i = 0; i < counting->function_count; i++) {
    const struct elf_function *function = &counting->functions[i];
    const struct dwarf_unit *described = counting->described[i];
    bool nameless = !described && !function->file_number;
    if (counting->helpers[i] ||
        (!described && (is_startup(function->name) || (nameless && counting->ours[i]))))
      continue;
    size_t unit = described ? (size_t)(described - counting->dwarf->units)
                            : symbol_unit(counting, function, &last);
    counting->units[unit].functions += !counting->ours[i];
    // What the plug-in emits (constructors) doesn't make a unit the runtime's.
    counting->runtime[unit] |= counting->ours[i] && !starts_with(function->name, "__reticle_");
  }
}

/// Length of the directory in a path, its slash included.
static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

/// Length of the directory around that one; 0: there is none.
static size_t around_length(const char *path) {
  size_t length = directory_length(path);
  while (length > 1 && path[length - 2] != '/')
    length--;
  return length > 1 ? length - 1 : 0;
}

static bool same_start(const struct code_unit *a, const struct code_unit *b,
                       size_t (*length_of)(const char *path)) {
  size_t length = length_of(a->name);
  return length == length_of(b->name) && memcmp(a->name, b->name, length) == 0 &&
         strcmp(a->directory, b->directory) == 0;
}

/// A unit of the runtime may hold no rrt_ function (it replaces _exit, say, or is a feature whose
/// functions are all called by address): it is known by the company it keeps, in its folder or in
/// those beside it.
static bool is_runtime(const struct counting *counting, size_t unit) {
  if (counting->runtime[unit])
    return true;
  const struct code_unit *mine = &counting->units[unit];
  for (size_t i = 0; i < counting->dwarf->count && unit < counting->dwarf->count; i++)
    if (counting->runtime[i] &&
        (same_start(&counting->units[i], mine, directory_length) ||
         (around_length(mine->name) && same_start(&counting->units[i], mine, around_length))))
      return true;
  return false;
}

bool code_units_read(const char *path, struct elf_file *file, struct code_units *out) {
  *out = (struct code_units){0};
  if (!dwarf_units_read(path, &out->dwarf))
    return false;
  size_t n;
  const struct elf_function *functions = elf_file_functions(file, &n);
  struct counting counting;
  bool done = counting_init(&counting, &out->dwarf, functions, n);
  if (done) {
    mark_runtime(&counting);
    mark_aliases(&counting, file);
    count_functions(&counting);
    out->units = calloc(counting.count + 1, sizeof(*out->units));
    done = out->units != NULL;
  }
  for (size_t i = 0; done && i < counting.count; i++) {
    bool assembler = i < out->dwarf.count && out->dwarf.units[i].assembler;
    if (counting.units[i].functions && !assembler && !is_runtime(&counting, i))
      out->units[out->count++] = counting.units[i];
  }
  free(counting.described);
  free(counting.ours);
  free(counting.helpers);
  free(counting.units);
  free(counting.runtime);
  free(counting.file_numbers);
  return done;
}

void code_units_release(struct code_units *units) {
  free(units->units);
  dwarf_units_release(&units->dwarf);
  *units = (struct code_units){0};
}
