// struct_time.c - adds up what functions that access a struct may have waited for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/struct_time.h"

#include "tools/model/stall/stalls.h"

#include <math.h>
#include <string.h>

static bool is_accessed_in(const struct measurement *m, const struct struct_use *use,
                           const char *function) {
  for (size_t i = 0; i < use->access_count; i++)
    if (strcmp(m->input.profile.accesses[use->first_access + i].function, function) == 0)
      return true;
  return false;
}

struct struct_time struct_time_of(const struct measurement *m, const struct struct_use *use) {
  const struct samples *samples = &m->samples;
  double cpu_ns = 0, memory_ns = 0, all_ns = (double)samples->all_ns;
  if (!samples->all_ns)
    return (struct struct_time){NAN, NAN};
  const double *waited_ns = stalls_get(m)->memory_ns;
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sampled_function *function = &samples->functions[i];
    if (*function->symbol
            ? is_accessed_in(m, use, function->symbol)
            : measurement_is_instrumented(m, samples->files[function->file].file->path)) {
      cpu_ns += (double)function->time_ns;
      memory_ns += waited_ns[i];
    }
  }
  return (struct struct_time){cpu_ns / all_ns, memory_ns / all_ns};
}
