// unit_topdown_cpu.c - which processor has which top-down tree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/topdown/topdown_cpu.h"

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
  check((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x11, 0, 0, false, false, TOPDOWN_ONE_KIND},
        "zen4"); // Genoa
  check((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x61, 0, 0, true, false, TOPDOWN_ONE_KIND}, "zen4");
  check((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0xa0, 0, 0, true, false, TOPDOWN_ONE_KIND},
        "zen4"); // Bergamo
  check((struct topdown_cpu){TOPDOWN_AMD, 0x1a, 0x02, 0, 0, true, false, TOPDOWN_ONE_KIND},
        "zen5"); // Turin
  check((struct topdown_cpu){TOPDOWN_AMD, 0x1a, 0x44, 0, 0, true, false, TOPDOWN_ONE_KIND}, "zen5");
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x01, 0, 0, true, false, TOPDOWN_ONE_KIND},
             "doesn't count"); // Milan
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x19, 0x50, 0, 0, true, false, TOPDOWN_ONE_KIND},
             "doesn't count");
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x17, 0x31, 0, 0, true, false, TOPDOWN_ONE_KIND},
             "no top-down tree");
  check_none((struct topdown_cpu){TOPDOWN_AMD, 0x1a, 0x50, 0, 0, true, false, TOPDOWN_ONE_KIND},
             "no top-down tree");
}

/// Two threads on, and the register PERF_METRICS, choose among the trees of a family.
static void test_intel(void) {
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x55, 0, 0, false, false, TOPDOWN_ONE_KIND},
        "skylake");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x55, 0, 0, true, false, TOPDOWN_ONE_KIND},
        "skylake_smt");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x55, 0, 0, true, true, TOPDOWN_ONE_KIND},
        "skylake_smt");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x9e, 0, 0, false, true, TOPDOWN_ONE_KIND},
        "skylake");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x6a, 0, 0, true, true, TOPDOWN_ONE_KIND},
        "icelake");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x8c, 0, 0, true, false, TOPDOWN_ONE_KIND},
        "icelake_counters");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x8f, 0, 0, true, true, TOPDOWN_ONE_KIND},
        "goldencove");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x8f, 0, 0, true, false, TOPDOWN_ONE_KIND},
        "goldencove_counters");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0xcf, 0, 0, true, false, TOPDOWN_ONE_KIND},
        "goldencove_counters");
  check((struct topdown_cpu){TOPDOWN_INTEL, 6, 0xad, 0, 0, true, true, TOPDOWN_ONE_KIND},
        "goldencove");
  check_none((struct topdown_cpu){TOPDOWN_INTEL, 6, 0x4f, 0, 0, true, true, TOPDOWN_ONE_KIND},
             "no top-down tree"); // Broadwell
}

/// Cores of two kinds: the large ones' tree, if the program stays on those.
static void test_two_kinds(void) {
  struct topdown_cpu cpu = {.vendor = TOPDOWN_INTEL, .family = 6, .model = 0x97};
  check(cpu, "goldencove_counters"); // the small cores are off
  cpu.kind = TOPDOWN_LARGE;
  check(cpu, "goldencove_counters");
  cpu.kind = TOPDOWN_BOTH;
  check_none(cpu, "cores of two kinds");
  cpu.kind = TOPDOWN_SMALL;
  check_none(cpu, "small cores only");
  bool allowed[24] = {[2] = true, [15] = true};
  CHECK_EQUAL(topdown_cpu_kind(allowed, 24, ""), TOPDOWN_ONE_KIND);
  CHECK_EQUAL(topdown_cpu_kind(allowed, 24, "0-15"), TOPDOWN_LARGE);
  CHECK_EQUAL(topdown_cpu_kind(allowed, 24, "0-3,15"), TOPDOWN_LARGE);
  CHECK_EQUAL(topdown_cpu_kind(allowed, 24, "0,2,4-14"), TOPDOWN_BOTH);
  CHECK_EQUAL(topdown_cpu_kind(allowed, 24, "3-14,16"), TOPDOWN_SMALL);
  CHECK_EQUAL(topdown_cpu_kind(allowed, 24, "nonsense"), TOPDOWN_SMALL);
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
  RUN(test_two_kinds);
  RUN(test_arm);
  return unit_status();
}
