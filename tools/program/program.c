// program.c - opens the executable, compares build-ids, counts instrumented functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/program/program.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *program_source_name(const struct coverage_source *source) {
  if (!*source->name)
    return "code without debug information";
  const char *slash = strrchr(source->name, '/');
  return slash && source->name[0] == '/' ? slash + 1 : source->name;
}

void program_compare(const char *path, struct elf_file *file, struct coverage_source *instrumented,
                     size_t count, struct program *out) {
  *out = (struct program){.file = file, .instrumented = instrumented};
  if (!code_units_read(path, file, &out->units) || !out->units.count)
    return;
  out->all = memory_zeroed(out->units.count, sizeof(*out->all));
  for (size_t i = 0; i < out->units.count; i++) {
    const struct code_unit *unit = &out->units.units[i];
    out->all[i] = (struct coverage_source){.name = unit->name,
                                           .directory = unit->directory,
                                           .functions = unit->functions,
                                           .bare = !unit->described};
  }
  coverage_compute(out->all, out->units.count, instrumented, count, &out->coverage);
  out->covered = true;
}

/// The module record of the executable, null if there is none.
static const struct profile_module *executable_module(const struct profile *profile) {
  for (size_t i = 0; i < profile->module_count; i++)
    if (strcmp(profile->modules[i].path, profile->env.executable) == 0)
      return &profile->modules[i];
  return NULL;
}

/// Says so if the file is not the one that ran. Returns true if it may be another one.
static bool changed(const struct profile *profile, const struct elf_file *file,
                    struct notes *notes) {
  const char *path = profile->env.executable;
  const struct profile_module *module = executable_module(profile);
  const char *now = elf_file_build_id(file);
  if (module && *module->build_id && *now) {
    if (strcmp(module->build_id, now) == 0)
      return false;
    notes_add(notes, "binary_changed",
              "%s was built again since the run (build id %.8s, then %.8s): coverage is not shown; "
              "run it again",
              path, now, module->build_id);
    return true;
  }
  struct stat status;
  if (stat(path, &status) == 0 && (uint64_t)status.st_mtime > profile->health.checkpoint_time_s) {
    notes_add(notes, "binary_changed",
              "%s is newer than the profile: coverage is not shown; run it again (link with "
              "-Wl,--build-id to be sure)",
              path);
    return true;
  }
  return false;
}

void program_read(const struct profile *profile, const char *path, struct program *out,
                  struct notes *notes) {
  *out = (struct program){0};
  struct elf_file *file;
  enum elf_file_status status = elf_file_open(path, &file);
  if (status != ELF_FILE_OK) {
    notes_add(notes, "binary_gone", "%s: %s: what was not instrumented can't be told", path,
              elf_file_error(status));
    return;
  }
  if (changed(profile, file, notes)) {
    elf_file_close(file);
    return;
  }
  struct coverage_source *instrumented =
      memory_zeroed(profile->object_count + 1, sizeof(*instrumented));
  for (size_t i = 0; i < profile->object_count; i++)
    instrumented[i] = (struct coverage_source){.name = profile->objects[i].source,
                                               .directory = profile->objects[i].directory};
  program_compare(path, file, instrumented, profile->object_count, out);
  if (profile_is_epochs_alone(profile)) // its objects are in the run's own file
    out->covered = false;
}

void program_release(struct program *program) {
  coverage_release(&program->coverage);
  code_units_release(&program->units);
  elf_file_close(program->file);
  free(program->all);
  free(program->instrumented);
  *program = (struct program){0};
}
