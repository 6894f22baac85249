// code_units.c - the functions of an executable, grouped by the source they come from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/code_units.h"

#include <stdlib.h>
#include <string.h>

/// True for what crt1.o, crti.o and crtbegin.o add to every program.
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
                                      "call_weak_fn"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool starts_with(const char *string, const char *prefix) {
  return strncmp(string, prefix, strlen(prefix)) == 0;
}

/// What is known of a unit while its functions are counted.
struct counting {
  struct code_unit *units;
  bool *runtime; ///< [count]: the unit belongs to Reticle's runtime
  size_t count;  ///< the described ones first
  size_t described;
  size_t capacity;
};

/// The unit for functions that stand under this file symbol; they come in runs, so the last one
/// found is looked at first. Returns SIZE_MAX if there is no memory.
static size_t symbol_unit(struct counting *counting, const char *file, size_t *last) {
  if (*last < counting->count && strcmp(counting->units[*last].name, file) == 0)
    return *last;
  for (size_t i = counting->described; i < counting->count; i++)
    if (strcmp(counting->units[i].name, file) == 0)
      return *last = i;
  if (counting->count == counting->capacity) {
    size_t capacity = 2 * counting->capacity + 16;
    struct code_unit *units = realloc(counting->units, capacity * sizeof(*units));
    counting->units = units ? units : counting->units;
    bool *runtime = units ? realloc(counting->runtime, capacity * sizeof(*runtime)) : NULL;
    counting->runtime = runtime ? runtime : counting->runtime;
    if (!runtime)
      return SIZE_MAX;
    counting->capacity = capacity;
  }
  counting->runtime[counting->count] = false;
  counting->units[counting->count] = (struct code_unit){.name = file, .directory = ""};
  return *last = counting->count++;
}

static bool count_functions(struct counting *counting, const struct dwarf_units *dwarf,
                            const struct elf_function *functions, size_t n) {
  size_t last = SIZE_MAX;
  for (size_t i = 0; i < n; i++) {
    const struct elf_function *function = &functions[i];
    const struct dwarf_unit *described = dwarf_units_find(dwarf, function->address);
    if (!described && is_startup(function->name))
      continue;
    // What the plug-in emits into a unit (constructors) is no function of the source.
    bool ours = starts_with(function->name, "__reticle_");
    if (!described && ours)
      continue;
    size_t unit = described ? (size_t)(described - dwarf->units)
                            : symbol_unit(counting, function->file, &last);
    if (unit == SIZE_MAX)
      return false;
    counting->units[unit].functions += !ours;
    if (starts_with(function->name, "rrt_"))
      counting->runtime[unit] = true;
  }
  return true;
}

bool code_units_read(const char *path, struct elf_file *file, struct code_units *out) {
  *out = (struct code_units){0};
  if (!dwarf_units_read(path, &out->dwarf))
    return false;
  size_t n;
  const struct elf_function *functions = elf_file_functions(file, &n);
  size_t described = out->dwarf.count;
  struct counting counting = {.units = calloc(described + 1, sizeof(*counting.units)),
                              .runtime = calloc(described + 1, sizeof(*counting.runtime)),
                              .count = described,
                              .described = described,
                              .capacity = described + 1};
  bool done = counting.units && counting.runtime;
  for (size_t i = 0; done && i < described; i++)
    counting.units[i] = (struct code_unit){.name = out->dwarf.units[i].name,
                                           .directory = out->dwarf.units[i].directory,
                                           .described = true};
  done = done && count_functions(&counting, &out->dwarf, functions, n);
  for (size_t i = 0; done && i < counting.count; i++) {
    bool assembler = i < described && out->dwarf.units[i].assembler;
    if (counting.units[i].functions && !counting.runtime[i] && !assembler)
      counting.units[out->count++] = counting.units[i];
  }
  out->units = counting.units;
  free(counting.runtime);
  return done;
}

void code_units_release(struct code_units *units) {
  free(units->units);
  dwarf_units_release(&units->dwarf);
  *units = (struct code_units){.dwarf = {.fd = -1}};
}
