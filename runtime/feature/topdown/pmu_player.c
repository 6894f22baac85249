// pmu_player.c - plays the counters that the option pmu=fake:FILE names, in tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/topdown/pmu_player.h"

#include "runtime/feature/topdown/pmu_fake.h"
#include "runtime/support/message.h"
#include "runtime/sys/sys.h"

static struct rrt_pmu_fake_script script;

static void wrong_script(const char *path, uint32_t line, const char *why) {
  struct rrt_message m;
  rrt_message_start(&m, "warning: option pmu: ");
  rrt_text_add(&m.text, path);
  if (line) {
    rrt_text_add(&m.text, ": line ");
    rrt_text_add_number(&m.text, line);
  }
  rrt_text_add(&m.text, ": ");
  rrt_text_add(&m.text, why);
  rrt_text_add(&m.text, "; nothing is counted");
  rrt_message_send(&m);
}

static uint32_t start(const char *path) {
  static char text[RRT_PMU_FAKE_TEXT_BYTES];
  const char *wrong;
  long n = rrt_sys_read_file(path, text, sizeof text);
  if (n <= 0) {
    wrong_script(path, 0, n < 0 ? "can't be read" : "is empty");
    return 0;
  }
  if (n + 1 >= (long)sizeof text) {
    wrong_script(path, 0, "is longer than 16382 bytes");
    return 0;
  }
  uint32_t line = rrt_pmu_fake_parse(text, &script, &wrong);
  if (line)
    wrong_script(path, line, wrong);
  return line ? 0 : script.registers;
}

static int open_group(const struct rrt_topdown_group *asked, void *memory,
                      struct rrt_pmu_group *group) {
  return rrt_pmu_fake_open(&script, asked->codes, asked->code_count, asked->fields, memory, group);
}

static void reset(void *memory) { rrt_pmu_fake_reset(memory); }
static void set_empty(void *memory, int is_empty) { rrt_pmu_fake_set_empty(memory, is_empty); }

const struct rrt_pmu_player rrt_pmu_player = {
    .group_bytes = sizeof(struct rrt_pmu_fake),
    .start = start,
    .open = open_group,
    .reset = reset,
    .set_empty = set_empty,
};
