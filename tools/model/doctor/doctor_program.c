// doctor_program.c - how a program was built, and how much of it is instrumented.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/doctor/doctor.h"

#include "include/reticle/abi.h"
#include "tools/binary/descriptors.h"
#include "tools/program/program.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <string.h>

/// Sources and libraries that are named; of more there is only the number.
#define NAMED 20

static const char part[] = "program";

static void check_kind(const char *path, const struct elf_file *file, struct checks *checks) {
  const char *id = elf_file_build_id(file);
  checks_add(checks, CHECK_OK, part, "kind", "%s: %s, build id %s", path,
             elf_file_kind_name(elf_file_kind(file)), *id ? id : "absent");
}

static void check_libraries(const struct elf_file *file, struct checks *checks) {
  size_t count;
  const char *const *needed = elf_file_needed(file, &count);
  struct text list = {0};
  for (size_t i = 0; i < count && i < NAMED; i++)
    text_printf(&list, " %s", needed[i]);
  if (count)
    checks_add(checks, CHECK_OK, part, "libraries",
               "%zu shared, not looked into (reticle doctor LIBRARY does):%s", count,
               text_get(&list));
  text_release(&list);
}

/// The runtime's version, by the symbol that it defines; 0: none.
static unsigned runtime_version(const struct elf_file *file) {
  static const char name[] = RETICLE_ABI_SYMBOL_NAME;
  const char *digits = strpbrk(name, "0123456789");
  for (unsigned version = RETICLE_ABI_VERSION; version; version--) {
    struct text symbol = {0};
    text_printf(&symbol, "%.*s%u%s", (int)(digits - name), name, version,
                digits + strspn(digits, "0123456789"));
    bool is_defined = elf_file_defines(file, text_get(&symbol));
    text_release(&symbol);
    if (is_defined)
      return version;
  }
  return 0;
}

static void check_runtime(const struct elf_file *file, struct checks *checks) {
  unsigned version = runtime_version(file);
  if (version == RETICLE_ABI_VERSION) {
    checks_add(checks, CHECK_OK, part, "runtime", "linked, ABI version %u", version);
  } else if (version) {
    checks_add(checks, CHECK_NOTE, part, "runtime",
               "linked, ABI version %u of an older Reticle: its profiles are read, its object "
               "files can't be linked with new ones",
               version);
  } else {
    checks_add(checks, CHECK_NOTE, part, "runtime",
               "%s is not defined here: it comes from a shared library, or the file is stripped",
               RETICLE_ABI_SYMBOL_NAME);
  }
}

static void check_instrumented(const struct elf_file *file, const struct descriptors *descriptors,
                               struct checks *checks) {
  if (!descriptors->count) {
    checks_add(checks, CHECK_PROBLEM, part, "instrumented",
               "no object file was compiled with the "
               "plug-in");
    checks_remedy(
        checks,
        "build with reticle-clang, or clang --config=PREFIX/lib/reticle/"
        "reticle.cfg; a mere -fplugin= or -fpass-plugin= instruments, but links no runtime");
    return;
  }
  uint64_t loops = 0, probed = 0;
  for (size_t i = 0; i < descriptors->count; i++) {
    loops += descriptors->objects[i].loops;
    probed += descriptors->objects[i].loops_probed;
  }
  checks_add(checks, probed ? CHECK_OK : CHECK_NOTE, part, "instrumented",
             "%s, probes at %llu of %llu loops",
             units_counted(descriptors->count, "object file").data, (unsigned long long)probed,
             (unsigned long long)loops);
  if (!probed)
    checks_remedy(checks, "nothing can be measured: instrument files that hold loops; "
                          "-fplugin-arg-reticle-remarks=1 says why loops are left out");
  check_runtime(file, checks);
}

static void check_optimisation(const struct descriptors *descriptors, struct checks *checks) {
  const char *first = NULL;
  size_t unoptimised = 0;
  for (size_t i = 0; i < descriptors->count; i++)
    if (descriptors->objects[i].opt_level == 0 && !unoptimised++)
      first = descriptors->objects[i].source;
  if (!descriptors->count)
    return;
  if (!unoptimised) {
    checks_add(checks, CHECK_OK, part, "optimisation", "no object file at -O0, built by %s",
               descriptors->objects[0].compiler);
    return;
  }
  checks_add(checks, CHECK_PROBLEM, part, "optimisation", "%zu of %zu object files at -O0: %s%s",
             unoptimised, descriptors->count, first, unoptimised > 1 ? ", ..." : "");
  checks_remedy(checks, "compile with -O2: times of -O0 are not representative");
}

static void check_coverage(const struct program *program, struct checks *checks) {
  const struct coverage *coverage = &program->coverage;
  if (!program->covered) {
    checks_add(checks, CHECK_NOTE, part, "coverage",
               "not known: the program is stripped (loops and "
               "their places are known all the same)");
    checks_remedy(checks, "link without -s, or look at the program before strip");
    return;
  }
  checks_add(checks, coverage->missing_count ? CHECK_NOTE : CHECK_OK, part, "coverage",
             "%zu of %zu functions are in instrumented object files",
             coverage->functions_instrumented, coverage->functions);
  if (!coverage->missing_count)
    return;
  checks_remedy(checks, "build these with reticle-clang too, if the program spends time in them:");
  for (size_t i = 0; i < coverage->missing_count && i < NAMED; i++) {
    const struct coverage_source *source = coverage->missing[i];
    bool place = *source->directory && source->name[0] != '/';
    checks_add(checks, CHECK_NOTE, part, "  not in", "%s of %s%s%s",
               units_counted(source->functions, "function").data, place ? source->directory : "",
               place ? "/" : "", *source->name ? source->name : program_source_name(source));
  }
  if (coverage->missing_count > NAMED)
    checks_add(checks, CHECK_NOTE, part, "  not in", "%zu more", coverage->missing_count - NAMED);
}

bool doctor_program(const char *path, struct checks *checks, struct problems *problems) {
  struct elf_file *file;
  enum elf_file_status status = elf_file_open(path, &file);
  struct descriptors descriptors;
  if (status != ELF_FILE_OK || !descriptors_read(path, &descriptors)) {
    problem_error(problems, "doctor: %s: %s", path, elf_file_error(status));
    elf_file_close(file);
    return false;
  }
  check_kind(path, file, checks);
  check_libraries(file, checks);
  check_instrumented(file, &descriptors, checks);
  check_optimisation(&descriptors, checks);
  struct coverage_source *sources = memory_zeroed(descriptors.count + 1, sizeof(*sources));
  for (size_t i = 0; i < descriptors.count; i++)
    sources[i] = (struct coverage_source){.name = descriptors.objects[i].source,
                                          .directory = descriptors.objects[i].directory};
  struct program program;
  program_compare(path, file, sources, descriptors.count, &program);
  check_coverage(&program, checks);
  program_release(&program);
  descriptors_release(&descriptors);
  return true;
}
