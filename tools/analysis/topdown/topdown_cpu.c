// topdown_cpu.c - looks up the tree of a processor by vendor, family and model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/topdown/topdown_cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEOVERSE_N2 = 0xd49, REPAIRED_REVISION = 3 };

static const struct core {
  enum topdown_vendor vendor;
  uint32_t family, low, high;
  const char *tree; ///< "": there is none
} cores[] = {
#define TOPDOWN_CORE(vendor, family, low, high, tree) {TOPDOWN_##vendor, family, low, high, tree},
#include "tools/analysis/topdown/topdown_cores.def"
#undef TOPDOWN_CORE
};

static const struct core *find(const struct topdown_cpu *cpu) {
  for (size_t i = 0; i < sizeof cores / sizeof *cores; i++)
    if (cores[i].vendor == cpu->vendor && cores[i].family == cpu->family &&
        cores[i].low <= cpu->model && cpu->model <= cores[i].high)
      return &cores[i];
  return NULL;
}

/// Which of a family's trees: how the counters are to be read differs.
static const struct topdown_tree *variant_of(const char *name, const struct topdown_cpu *cpu) {
  char variant[48];
  const char *more = "";
  if (!strcmp(name, "skylake") && cpu->has_two_threads)
    more = "_smt";
  else if (cpu->vendor == TOPDOWN_INTEL && strcmp(name, "skylake") != 0 &&
           !cpu->is_metrics_readable)
    more = "_counters";
  snprintf(variant, sizeof variant, "%s%s", name, more);
  return topdown_tree_find(variant);
}

const struct topdown_tree *topdown_cpu_tree(const struct topdown_cpu *cpu, bool *has_erratum,
                                            const char **reason) {
  const struct core *core = find(cpu);
  *has_erratum = false;
  *reason = NULL;
  if (!core)
    *reason = "no top-down tree is known for this processor";
  else if (cpu->kind == TOPDOWN_SMALL)
    *reason = "the program may run on the small cores only, which have no top-down tree";
  else if (cpu->kind == TOPDOWN_BOTH)
    *reason = "the program may run on cores of two kinds, whose counters differ";
  else if (!*core->tree)
    *reason = "this processor doesn't count dispatch slots by what blocks them: no top-down";
  if (*reason)
    return NULL;
  *has_erratum = cpu->vendor == TOPDOWN_ARM && cpu->model == NEOVERSE_N2 && cpu->variant == 0 &&
                 cpu->revision < REPAIRED_REVISION;
  return variant_of(core->tree, cpu);
}

/// Whether a list as "0-3,8" has that number.
static bool is_listed(const char *list, size_t number) {
  while (*list) {
    char *end;
    unsigned long low = strtoul(list, &end, 10), high = low;
    if (end == list)
      return false;
    if (*end == '-')
      high = strtoul(end + 1, &end, 10);
    if (low <= number && number <= high)
      return true;
    if (*end != ',')
      return false;
    list = end + 1;
  }
  return false;
}

enum topdown_kind topdown_cpu_kind(const bool *is_allowed, size_t count, const char *large) {
  bool has_large = false, has_small = false;
  if (!*large)
    return TOPDOWN_ONE_KIND;
  for (size_t i = 0; i < count; i++)
    if (is_allowed[i]) {
      has_large |= is_listed(large, i);
      has_small |= !is_listed(large, i);
    }
  return has_large && has_small ? TOPDOWN_BOTH : has_large ? TOPDOWN_LARGE : TOPDOWN_SMALL;
}
