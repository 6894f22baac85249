// struct_time.c - adds up the samples of the functions that access a struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct_time.h"

#include <math.h>
#include <string.h>

static bool is_accessed_in(const struct measurement *m, const struct struct_use *use,
                           const char *function) {
  for (size_t i = 0; i < use->access_count; i++)
    if (strcmp(m->input.profile.accesses[use->first_access + i].function, function) == 0)
      return true;
  return false;
}

static bool is_instrumented(const struct profile *profile, const char *path) {
  for (size_t i = 0; i < profile->module_count; i++)
    if (profile->modules[i].instrumented && strcmp(profile->modules[i].path, path) == 0)
      return true;
  return false;
}

double struct_cpu_share(const struct measurement *m, const struct struct_use *use) {
  const struct samples *samples = &m->samples;
  double time_ns = 0;
  if (!samples->all_ns)
    return NAN;
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sampled_function *function = &samples->functions[i];
    if (*function->symbol
            ? is_accessed_in(m, use, function->symbol)
            : is_instrumented(&m->input.profile, samples->files[function->file].file->path))
      time_ns += (double)function->time_ns;
  }
  return time_ns / (double)samples->all_ns;
}
