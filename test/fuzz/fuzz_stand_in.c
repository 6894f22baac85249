// fuzz_stand_in.c - stands in for what depends on machine or time: same input, same output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker takes these in place of the functions they are named for (--wrap). Blocks are not run,
// the floor is not measured, no program is started.
#include "runtime/harness/block/block_measure.h"
#include "runtime/harness/sample_cost.h"
#include "tools/machine/block_core.h"
#include "tools/machine/topdown_machine.h"
#include "tools/model/doctor/doctor.h"
#include "tools/store/floor_cache.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <time.h>

time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out) {
  if (out)
    *out = 1800000000;
  return 1800000000;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out) {
  (void)clock;
  *out = (struct timespec){.tv_sec = 1800000000};
  return 0;
}

// A core that is the same everywhere.
enum block_core __wrap_block_core_here(void);
enum block_core __wrap_block_core_here(void) { return BLOCK_CORE_ZEN4; }

void __wrap_topdown_machine_read(struct topdown_machine *out);
void __wrap_topdown_machine_read(struct topdown_machine *out) {
  *out = (struct topdown_machine){.tree = topdown_tree_find("zen4"), .width = 6};
}

// Where the build lies is in its text.
void __wrap_doctor_installation(struct checks *checks);
void __wrap_doctor_installation(struct checks *checks) { (void)checks; }

// Its times would be measured anew by each run.
void __wrap_doctor_machine(struct checks *checks);
void __wrap_doctor_machine(struct checks *checks) { (void)checks; }

int __wrap_harness_sample_cost(struct harness_sample_cost *out);
int __wrap_harness_sample_cost(struct harness_sample_cost *out) {
  *out = (struct harness_sample_cost){1000, 900, 1100};
  return 0;
}

int __wrap_gethostname(char *name, size_t bytes);
int __wrap_gethostname(char *name, size_t bytes) {
  strncpy(name, "host", bytes);
  return 0;
}

int __wrap_kill(pid_t process, int number);
int __wrap_kill(pid_t process, int number) {
  (void)process;
  (void)number;
  errno = ESRCH;
  return -1;
}

pid_t __wrap_fork(void);
pid_t __wrap_fork(void) {
  errno = EAGAIN;
  return -1;
}

int __wrap_posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const env[]);
int __wrap_posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[],
                        char *const env[]) {
  (void)process;
  (void)file;
  (void)actions;
  (void)attributes;
  (void)argv;
  (void)env;
  return ENOENT;
}

// The machine of the kept profiles, so that a floor is one for them, wherever they are read.
void __wrap_machine_read(struct machine *out);
void __wrap_machine_read(struct machine *out) {
  *out = (struct machine){
      .cpu = {.model = "AMD EPYC", .hypervisor = "KVMKVMKVM", .clock_source = "tsc"},
      .timer = "rdtscp;lfence to rdtscp"};
}

bool __wrap_floor_cache_read(const struct machine *machine, struct timing_floor *out);
bool __wrap_floor_cache_read(const struct machine *machine, struct timing_floor *out) {
  (void)machine;
  *out = (struct timing_floor){.t_e_ns = quantity_of(20, 20, 20),
                               .t_min_ns = quantity_of(50, 50, 50),
                               .t_diff_ns = quantity_of(3, 3, 3),
                               .time_s = 1799999000};
  return true;
}

static struct harness_blocks *const some = (struct harness_blocks *)16;

struct harness_blocks *__wrap_harness_blocks_open(int *error);
struct harness_blocks *__wrap_harness_blocks_open(int *error) {
  *error = 0;
  return some;
}

void __wrap_harness_blocks_close(struct harness_blocks *blocks);
void __wrap_harness_blocks_close(struct harness_blocks *blocks) { (void)blocks; }

void __wrap_harness_block_measure(struct harness_blocks *blocks, const struct harness_block *block,
                                  const struct harness_settings *settings,
                                  struct harness_result *result);
void __wrap_harness_block_measure(struct harness_blocks *blocks, const struct harness_block *block,
                                  const struct harness_settings *settings,
                                  struct harness_result *result) {
  (void)blocks;
  (void)settings;
  *result = (struct harness_result){.status = HARNESS_OK,
                                    .cycles = (double)block->bytes,
                                    .low = (double)block->bytes * 0.9,
                                    .high = (double)block->bytes * 1.1,
                                    .fastest = NAN,
                                    .slowest = NAN,
                                    .accepted = 1,
                                    .rounds = 40,
                                    .unroll_low = 100,
                                    .unroll_high = 200,
                                    .ticks_per_cycle = 1,
                                    .canary = 1,
                                    .l1d_misses = NAN,
                                    .l1i_misses = NAN,
                                    .fault_offset = UINT32_MAX};
}
