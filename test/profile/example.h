// example.h - a small profile with everything in it, for tests of reader, writer, text and merge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_PROFILE_EXAMPLE_H
#define RETICLE_TEST_PROFILE_EXAMPLE_H

#include "test/unit.h"
#include "tools/profile/profile.h"
#include "tools/profile/text/text.h"

/// A profile and what it points to; not released.
struct example {
  struct profile profile;
  struct profile_object objects[2];
  struct profile_module modules[2];
  struct profile_loop loops[3];
  struct profile_hist hist[3];
  struct profile_sample raw[4];
};

static inline void example_init_process(struct profile *profile) {
  profile->env = (struct profile_env){
      .start_time_s = 1700000000,
      .elapsed_ticks = 2500000000,
      .cpu_ns = 900000000,
      .timer_hz = 2500000000,
      .step_ticks = 25,
      .pair_ticks = 100 * 256,
      .probe_ticks = 20000000,
      .pid = 4711,
      .parent_pid = 1,
      .thread_count = 2,
      .floor_t_e_ps = 40000,
      .floor_t_min_ps = 540000,
      .floor_t_diff_ps = 10000,
      .floor_time_s = 1690000000,
      .executable = "/home/u/b\xc3\xb6ok \"x\"\\",
      .arguments = "./book -n\t3",
      .host = "host",
      .cpu_model = "CPU",
      .hypervisor = "",
      .clock_source = "tsc",
      .timer = "lfence;rdtsc;lfence",
      .runtime_version = "0.1.0",
      .cpu_count = 2,
      .timer_flags = 3,
      .pmu_errno = UINT32_MAX,
      .probe_budget_permille = 10,
      .thread_ticks = 4000000000,
  };
  profile->health = (struct profile_health){.lost_samples = 1,
                                            .checkpoints = 3,
                                            .checkpoint_time_s = 1700000002,
                                            .memory_bytes = 8192,
                                            .ended_by = RETICLE_ENDED_EXIT,
                                            .sideline = 1};
}

static inline void example_init_tables(struct example *example) {
  for (int i = 0; i < 2; i++) {
    example->objects[i] = (struct profile_object){.source = i ? "in.c" : "book.c",
                                                  .directory = "/home/u",
                                                  .compiler = "clang 19.1.7",
                                                  .module = "/home/u/book",
                                                  .functions = 10,
                                                  .functions_probed = 8,
                                                  .loops = 20,
                                                  .loops_probed = 15,
                                                  .loops_short = 2,
                                                  .loops_ignored = 1,
                                                  .loops_unsupported = 2,
                                                  .opt_level = 2};
    example->modules[i] =
        (struct profile_module){.load_address = i ? 0x7f0000000000 : 0x555555554000,
                                .path = i ? "/lib/libz.so.1" : "/home/u/book",
                                .build_id = i ? "" : "0123abcd",
                                .instrumented = !i};
  }
}

static inline void example_init_entries(struct example *example) {
  example->hist[0] = (struct profile_hist){.bucket = 8, .samples = 1, .weight = 10};
  example->hist[1] = (struct profile_hist){.bucket = 40, .samples = 2, .weight = 20};
  example->hist[2] = (struct profile_hist){.bucket = 9, .samples = 1, .weight = 1};
  example->raw[0] =
      (struct profile_sample){.duration_ticks = 600, .work = 100, .when = 5, .weight = 10};
  example->raw[1] = (struct profile_sample){
      .duration_ticks = 625, .work = 100, .when = 6, .weight = 10, .thread = 1};
  example->raw[2] =
      (struct profile_sample){.duration_ticks = 650, .work = 104, .when = 7, .weight = 10};
  example->raw[3] = (struct profile_sample){
      .duration_ticks = 9, .work = RETICLE_WORK_UNKNOWN, .when = 1, .weight = 1};
}

static inline void example_init_loops(struct example *example) {
  for (int i = 0; i < 3; i++)
    example->loops[i] = (struct profile_loop){.id = UINT64_C(0x0123456789abcdef) + (uint64_t)i,
                                              .function = "notional",
                                              .inlined_from = "notional",
                                              .file = "book.c",
                                              .line = 8 + (uint32_t)i,
                                              .column = 3,
                                              .depth = 1,
                                              .work_class = RETICLE_WORK_CLASS_F,
                                              .flags = RETICLE_LOOP_HAS_TRIP_COUNT,
                                              .object = i == 2,
                                              .min_ticks = UINT64_MAX};
  struct profile_loop *loop = &example->loops[0];
  loop->hist = &example->hist[0];
  loop->hist_count = 2;
  loop->raw = &example->raw[0];
  loop->raw_count = 3;
  loop->executions = 30;
  loop->samples = 3;
  loop->weight = 30;
  loop->sum_ticks = 1875;
  loop->weighted_ticks = 18750;
  loop->min_ticks = 600;
  loop->max_ticks = 650;
  loop = &example->loops[2];
  loop->hist = &example->hist[2];
  loop->hist_count = 1;
  loop->raw = &example->raw[3];
  loop->raw_count = 1;
  loop->executions = 5;
  loop->samples = loop->weight = 1;
  loop->sum_ticks = loop->weighted_ticks = loop->min_ticks = loop->max_ticks = 9;
}

/// Samples at three addresses of two files. files: [2], addresses: [3]
static inline void example_init_addresses(struct profile *profile,
                                          struct profile_sampling *sampling,
                                          struct profile_loadfile *files,
                                          struct profile_address *addresses) {
  *sampling = (struct profile_sampling){.engine = RETICLE_SAMPLING_PERF,
                                        .period_ns = 2004008,
                                        .samples = 11,
                                        .time_ns = 22044088,
                                        .unmapped = 1,
                                        .cpu_ns = 23000000};
  files[0] = (struct profile_loadfile){.path = "/app", .build_id = "aa"};
  files[1] = (struct profile_loadfile){.path = "/lib.so", .build_id = ""};
  addresses[0] = (struct profile_address){.offset = 0x40, .samples = 7, .time_ns = 14028056};
  addresses[1] = (struct profile_address){.offset = 0x44, .samples = 1, .time_ns = 2004008};
  addresses[2] =
      (struct profile_address){.loadfile = 1, .offset = 0x40, .samples = 2, .time_ns = 4008016};
  profile->sampling = sampling;
  profile->loadfiles = files;
  profile->addresses = addresses;
  profile->sampling_count = 1;
  profile->loadfile_count = 2;
  profile->address_count = 3;
}

/// Two measured blocks, the second without a value. blocks: [2]
static inline void example_init_blocks(struct profile *profile, struct profile_block *blocks) {
  blocks[0] = (struct profile_block){.loop = UINT64_C(0x0123456789abcdef),
                                     .address = 0x1040,
                                     .offset = 0x20,
                                     .cycles = 3000,
                                     .cycles_low = 2990,
                                     .cycles_high = 3010,
                                     .module = "/home/u/book",
                                     .function = "notional",
                                     .file = "book.c",
                                     .line = 9,
                                     .code = "480fafc0",
                                     .instructions = 1,
                                     .status = "ok",
                                     .reason = "",
                                     .accepted_permille = 920,
                                     .rounds = 8,
                                     .rank = 1};
  blocks[1] = blocks[0];
  blocks[1].address = 0x1050;
  blocks[1].cycles = blocks[1].cycles_low = blocks[1].cycles_high = UINT64_MAX;
  blocks[1].status = "control_flow";
  blocks[1].reason = "the block calls a function";
  blocks[1].rank = 2;
  profile->blocks = blocks;
  profile->block_count = 2;
}

static inline void example_init(struct example *example) {
  *example = (struct example){0};
  struct profile *profile = &example->profile;
  profile->version = 1;
  profile->merged_count = 1;
  example_init_process(profile);
  example_init_tables(example);
  example_init_entries(example);
  example_init_loops(example);
  profile->objects = example->objects;
  profile->object_count = 2;
  profile->modules = example->modules;
  profile->module_count = 2;
  profile->loops = example->loops;
  profile->loop_count = 3;
}

/// The text form, to compare profiles by; the caller frees it.
static inline char *example_text(const struct profile *profile) {
  char *text = NULL;
  size_t count = 0;
  CHECK_EQUAL(profile_text_encode(profile, &text, &count), 0);
  return unit_need(text);
}

/// Whether two profiles say the same.
static inline bool example_are_equal(const struct profile *a, const struct profile *b) {
  char *x = example_text(a), *y = example_text(b);
  bool are_equal = strcmp(x, y) == 0;
  free(x);
  free(y);
  return are_equal;
}

#endif
