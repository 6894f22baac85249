// site_names.c - opens the modules of a profile and names the frames of each stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/site_names.h"

#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/// Of the distribution, with debug information in a file apart: to unpack libc's takes 0.1 s, and
/// symbols name its functions, too.
static bool is_system_library(const struct site_module *module, bool instrumented) {
  static const char *const folders[] = {"/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/"};
  if (instrumented || elf_file_has_section(code_places_file(module->places), ".debug_info"))
    return false;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (starts_with(module->path, folders[i]))
      return true;
  return false;
}

static void open_module(struct site_module *module, bool instrumented, struct program_files *files,
                        struct notes *notes) {
  if (*module->path != '/')
    return;
  enum elf_file_status status;
  module->places = program_files_places(files, module->path, module->build_id, &status);
  if (!module->places) {
    notes_add(notes, "module_gone", "%s %s: allocations in it have no names", module->path,
              elf_file_error(status));
    return;
  }
  if (strcmp(elf_file_build_id(code_places_file(module->places)), module->build_id) != 0) {
    notes_add(notes, "module_changed",
              "%s was built again since the run: allocations in it have no names; run it again",
              module->path);
    module->places = NULL;
    return;
  }
  module->has_lines =
      !is_system_library(module, instrumented) && code_places_has_lines(module->places);
  size_t bytes;
  const char *text =
      elf_file_section(code_places_file(module->places), RETICLE_TYPES_SECTION, &bytes);
  if (text && !(module->types = allocation_types_read(text, bytes)))
    memory_exhausted();
}

static struct site_module *find_module(const struct site_names *names, const char *path,
                                       const char *build_id) {
  for (size_t i = 0; i < names->module_count; i++)
    if (strcmp(names->modules[i].path, path) == 0 &&
        strcmp(names->modules[i].build_id, build_id) == 0)
      return &names->modules[i];
  return NULL;
}

static void add_module(struct site_names *out, struct program_files *files, const char *path,
                       const char *build_id, bool instrumented, struct notes *notes) {
  if (find_module(out, path, build_id))
    return;
  out->modules = memory_resized(out->modules, (out->module_count + 1), sizeof *out->modules);
  struct site_module *module = &out->modules[out->module_count++];
  *module = (struct site_module){.path = path, .build_id = build_id};
  open_module(module, instrumented, files, notes);
}

void site_names_read(const struct profile *profile, struct program_files *files,
                     struct site_names *out, struct notes *notes) {
  *out = (struct site_names){0};
  for (size_t i = 0; profile->site_count && i < profile->module_count; i++)
    if (profile->modules[i].instrumented)
      add_module(out, files, profile->modules[i].path, profile->modules[i].build_id, true, notes);
  for (size_t i = 0; i < profile->siteframe_count; i++)
    add_module(out, files, profile->siteframes[i].module, profile->siteframes[i].build_id, false,
               notes);
}

static void append(struct site_caller **out, size_t *count, struct site_caller caller) {
  *out = memory_resized(*out, (*count + 1), sizeof **out);
  (*out)[(*count)++] = caller;
}

/// "(libfoo.so)": code without a name.
static void append_nameless(const struct site_module *module, struct site_caller **out,
                            size_t *count) {
  struct text name = {0};
  const char *slash = strrchr(module->path, '/');
  text_printf(&name, "(%s)", slash && slash[1] ? slash + 1 : *module->path ? module->path : "?");
  append(out, count,
         (struct site_caller){
             .function = text_copy(text_get(&name)), .file = "", .linkage = "", .module = module});
  text_release(&name);
}

/// Callers at one return address.
static void add_frame(const struct site_module *module, uint64_t offset, struct site_caller **out,
                      size_t *count) {
  struct code_frame frames[CODE_FRAMES_MAX];
  uint64_t address;
  // The call is the instruction before: the one behind may be another line's.
  if (!module->places || !code_places_address(module->places, offset - 1, &address)) {
    append_nameless(module, out, count);
    return;
  }
  size_t n = module->has_lines ? code_places_frames(module->places, address, frames) : 0;
  const struct elf_function *function = code_places_function(module->places, address);
  if (n && !*frames[n - 1].name && function) // line tables alone don't name it
    frames[n - 1].name = function->name;
  for (size_t i = 0; i < n; i++)
    append(out, count,
           (struct site_caller){.function = function_short_name(frames[i].name),
                                .file = frames[i].file,
                                .line = frames[i].line,
                                .column = frames[i].column,
                                .linkage = frames[i].name,
                                .module = module});
  if (n)
    return;
  if (function)
    append(out, count,
           (struct site_caller){.function = function_short_name(function->name),
                                .file = "",
                                .linkage = function->name,
                                .module = module});
  else
    append_nameless(module, out, count);
}

size_t site_callers(const struct site_names *names, const struct site_use *use,
                    struct site_caller **out) {
  size_t count = 0;
  *out = NULL;
  for (size_t i = 0; i < use->frame_count; i++)
    add_frame(find_module(names, use->frames[i].module, use->frames[i].build_id),
              use->frames[i].offset, out, &count);
  return count;
}

/// By where its source lies: headers of the system and of compilers. Without debug information, by
/// the namespace that C++ keeps for it.
bool site_is_library(const char *file, const char *linkage) {
  static const char *const folders[] = {"/usr/include/", "/usr/local/include/", "/usr/lib/",
                                        "/usr/lib64/", "/rustc/"};
  static const char *const names[] = {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (starts_with(file, folders[i]))
      return true;
  for (size_t i = 0; !*file && i < sizeof names / sizeof *names; i++)
    if (starts_with(linkage, names[i]))
      return true;
  return strstr(file, "/include/c++/") != NULL;
}

size_t site_own_caller(const struct site_caller *callers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!site_is_library(callers[i].file, callers[i].linkage))
      return i;
  return 0;
}

void site_callers_free(struct site_caller *callers, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(callers[i].function);
  free(callers);
}

void site_names_release(struct site_names *names) {
  for (size_t i = 0; i < names->module_count; i++)
    allocation_types_release(names->modules[i].types);
  free(names->modules);
  *names = (struct site_names){0};
}
