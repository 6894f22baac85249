// machine.c - reads processor, hypervisor and kernel, and compares them with a profile's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/machine/machine.h"

#include <stdio.h>
#include <string.h>

void machine_read_line(const char *path, char *out, size_t bytes) {
  out[0] = 0;
  FILE *stream = fopen(path, "re");
  if (!stream)
    return;
  if (!fgets(out, (int)bytes, stream))
    out[0] = 0;
  fclose(stream);
  out[strcspn(out, "\n")] = 0;
}

void machine_read(struct machine *out) {
  rrt_cpu_read(&out->cpu);
  out->timer = harness_timer_name();
}

bool machine_matches(const struct machine *machine, const struct profile_env *env) {
  return strcmp(machine->cpu.model, env->cpu_model) == 0 &&
         strcmp(machine->cpu.hypervisor, env->hypervisor) == 0 &&
         strcmp(machine->cpu.clock_source, env->clock_source) == 0 &&
         strcmp(machine->timer, env->timer) == 0;
}
