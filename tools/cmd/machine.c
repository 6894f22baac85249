// machine.c - what this machine is: the facts that a timing floor belongs to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/machine.h"

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

/// True for words that say nothing: "CPU", "Processor", "96-Core", "@", "2.50GHz".
static bool is_filler(const char *word, size_t length) {
  static const char *const fillers[] = {"CPU", "Processor", "@"};
  for (size_t i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++)
    if (strlen(fillers[i]) == length && memcmp(word, fillers[i], length) == 0)
      return true;
  return (length > 5 && memcmp(word + length - 5, "-Core", 5) == 0) ||
         (length > 3 && memcmp(word + length - 3, "GHz", 3) == 0);
}

void machine_short_name(const char *cpu_model, const char *hypervisor, char *out, size_t bytes) {
  size_t used = 0;
  out[0] = 0;
  for (const char *word = cpu_model; *word;) {
    size_t length = strcspn(word, " ");
    // "Xeon(R)": the marks stand at the end of words.
    const char *mark = memchr(word, '(', length);
    size_t keep = mark ? (size_t)(mark - word) : length;
    if (keep && !is_filler(word, length) && used < bytes)
      used +=
          (size_t)snprintf(out + used, bytes - used, "%s%.*s", used ? " " : "", (int)keep, word);
    word += length;
    word += strspn(word, " ");
  }
  if (!used)
    used = (size_t)snprintf(out, bytes, "unknown CPU");
  if (*hypervisor && used < bytes)
    snprintf(out + used, bytes - used, " (VM)");
}
