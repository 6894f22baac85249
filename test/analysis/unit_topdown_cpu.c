// unit_topdown_cpu.c - which processor has which top-down tree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/topdown_cpu.h"

static void check(struct topdown_cpu cpu, const char *tree) {
  bool has_erratum;
  const char *reason;
  const struct topdown_tree *found = topdown_cpu_tree(&cpu, &has_erratum, &reason);
  if (!found || strcmp(found->name, tree) != 0)
    UNIT_FAIL("%x/%x has %s, not %s", cpu.family, cpu.model, found ? found->name : reason, tree);
  CHECK(!found == (reason != NULL));
}

static void check_none(struct topdown_cpu cpu, const char *part) {
  bool has_erratum;
  const char *reason = "";
  CHECK(topdown_cpu_tree(&cpu, &has_erratum, &reason) == NULL);
  CHECK_CONTAINS(reason, part);
  CHECK(!has_erratum);
}

static void test_amd(void) {
  check((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x11, 0, 0, false, false}, "zen4"); // Genoa
  check((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x61, 0, 0, true, false}, "zen4");
  check((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0xa0, 0, 0, true, false}, "zen4"); // Bergamo
  check((struct topdown_cpu){TOPDOWN_AMD, 0x1a, 0x02, 0, 0, true, false}, "zen5"); // Turin
  check((struct topdown_cpu){TOPDOWN_AMD, 0x1a, 0x44, 0, 0, true, false}, "zen5");
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x01, 0, 0, true, false},
             "doesn't count"); // Milan
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x50, 0, 0, true, false}, "doesn't count");
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x17, 0x31, 0, 0, true, false}, "no top-down tree");
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x1a, 0x50, 0, 0, true, false}, "no top-down tree");
}

/// Two threads on, and the register PERF_METRICS, choose among the trees of a family.
static void test_intel(void) {
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x55, 0, 0, false, false}, "skylake");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x55, 0, 0, true, false}, "skylake_smt");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x55, 0, 0, true, true}, "skylake_smt");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x9e, 0, 0, false, true}, "skylake");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x6a, 0, 0, true, true}, "icelake");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x8c, 0, 0, true, false}, "icelake_counters");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x8f, 0, 0, true, true}, "goldencove");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x8f, 0, 0, true, false}, "goldencove_counters");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0xcf, 0, 0, true, false}, "goldencove_counters");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0xad, 0, 0, true, true}, "goldencove");
  check_none((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x97, 0, 0, true, true}, "two kinds");
  check_none((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x4f, 0, 0, true, true},
             "no top-down tree"); // Broadwell
}

static void test_arm(void) {
  bool has_erratum;
  const char *reason;
  struct topdown_cpu cpu = {.vendor = TOPDOWN_ARM, .model = 0xd49, .revision = 0};
  check(cpu, "neoverse_n2");
  topdown_cpu_tree(&cpu, &has_erratum, &reason);
  CHECK(has_erratum);
  cpu.revision = 3; // r0p3
  topdown_cpu_tree(&cpu, &has_erratum, &reason);
  CHECK(!has_erratum);
  cpu = (struct topdown_cpu){.vendor = TOPDOWN_ARM, .model = 0xd4f};
  check(cpu, "neoverse_v2");
  topdown_cpu_tree(&cpu, &has_erratum, &reason);
  CHECK(!has_erratum);
  cpu.model = 0xd0c; // N1 has no STALL_SLOT
  check_none(cpu, "no top-down tree");
  cpu.vendor = TOPDOWN_OTHER;
  check_none(cpu, "no top-down tree");
}

int main(void) {
  RUN(test_amd);
  RUN(test_intel);
  RUN(test_arm);
  return unit_status();
}
