// machine.c - what this machine is: the facts that a timing floor belongs to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/machine.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

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

#if defined(__x86_64__)

#define TIMER_NAME "lfence;rdtscp;lfence"

/// Cuts leading and trailing blanks off.
static void trim(char *text) {
  size_t lead = strspn(text, " "), length = strlen(text + lead);
  memmove(text, text + lead, length + 1);
  while (length && text[length - 1] == ' ')
    text[--length] = 0;
}

/// Sources: AMD64 Architecture Programmer's Manual 3, appendix E; Intel SDM 2A, CPUID.
static void read_processor(struct machine *out) {
  unsigned a, b, c, d, brand[13] = {0};
  __cpuid(0, a, b, c, d);
  bool intel = b == signature_INTEL_ebx;
  __cpuid(0x80000000, a, b, c, d);
  unsigned highest = a;
  for (unsigned i = 0; i < 3 && highest >= 0x80000004; i++)
    __cpuid(0x80000002 + i, brand[4 * i], brand[4 * i + 1], brand[4 * i + 2], brand[4 * i + 3]);
  snprintf(out->cpu_model, sizeof(out->cpu_model), "%s", (const char *)brand);
  trim(out->cpu_model);
  if (highest >= 0x80000007) {
    __cpuid(0x80000007, a, b, c, d);
    out->invariant = d >> 8 & 1;
  }
  out->serializing = intel;
  if (highest >= 0x80000021) {
    __cpuid(0x80000021, a, b, c, d);
    out->serializing |= a >> 2 & 1;
  }
  __cpuid(1, a, b, c, d);
  if (c >> 31 & 1) { // a hypervisor is there
    unsigned signature[4] = {0};
    __cpuid(0x40000000, a, signature[0], signature[1], signature[2]);
    const char *name = (const char *)signature;
    snprintf(out->hypervisor, sizeof(out->hypervisor), "%s", *name ? name : "unnamed");
  }
}

#else

#define TIMER_NAME "isb;cntvct_el0;isb"

/// The architecture defines the counter as invariant and ISB as a context synchronisation event.
static void read_processor(struct machine *out) {
  out->invariant = out->serializing = true;
  machine_read_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", out->cpu_model,
                    sizeof(out->cpu_model));
  machine_read_line("/sys/hypervisor/type", out->hypervisor, sizeof(out->hypervisor));
}

#endif

void machine_read(struct machine *out) {
  *out = (struct machine){.timer = TIMER_NAME};
  read_processor(out);
  machine_read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                    out->clock_source, sizeof(out->clock_source));
}

bool machine_matches(const struct machine *machine, const struct profile_env *env) {
  return strcmp(machine->cpu_model, env->cpu_model) == 0 &&
         strcmp(machine->hypervisor, env->hypervisor) == 0 &&
         strcmp(machine->clock_source, env->clock_source) == 0 &&
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
