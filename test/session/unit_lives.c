// unit_lives.c - what threads lived, by two clocks and the readings of several threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel, the timer and the rest of the session are the test's: every number is exact.
#include "runtime/feature/account/account.h"
#include "runtime/feature/account/facts.h"
#include "runtime/feature/account/pressure.h"
#include "runtime/feature/feature.h"
#include "runtime/probe/clock/scripted.h"
#include "runtime/probe/known.h"
#include "runtime/probe/loop.h"
#include "runtime/probe/rate.h"
#include "runtime/session/registry.h"
#include "runtime/session/session.h"
#include "runtime/session/sideline.h"
#include "runtime/session/threads.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/support/text.h"
#include "test/unit.h"

#include <errno.h>

/// One tick of the timer is a nanosecond; the machine started BOOT_NS before the session.
enum { MS = 1000000, BOOT_NS = 1000 * MS, LEADER = 100, OTHER = 101, TASKS = 2 };

// --- the kernel --------------------------------------------------------------------------------

static struct {
  uint64_t now_ns; ///< since the session's start, of the kernel's own clock
  struct {
    uint32_t tid; ///< 0: none
    uint64_t born_ns, cpu_ns;
  } tasks[TASKS];
  uint64_t stolen; ///< in 1/100 s
  void (*on_tid)(void);
} kernel;

void rrt_sys_visit_folder(const char *path, uint32_t most, void (*visit)(const char *, void *),
                          void *context) {
  char name[16];
  CHECK_TEXT(path, "/proc/self/task");
  for (int i = 0; i < TASKS; i++)
    if (kernel.tasks[i].tid && most) {
      snprintf(name, sizeof name, "%u", kernel.tasks[i].tid);
      visit(name, context);
    }
}

long rrt_sys_read_file(const char *path, char *out, size_t bytes) {
  unsigned tid;
  char name[16];
  if (sscanf(path, "/proc/self/task/%u/%15s", &tid, name) != 2)
    return -ENOENT;
  for (int i = 0; i < TASKS; i++) {
    uint64_t birth = (BOOT_NS + kernel.tasks[i].born_ns) / (10 * MS);
    if (kernel.tasks[i].tid != tid)
      continue;
    if (strcmp(name, "schedstat") == 0)
      return snprintf(out, bytes, "%llu 0 1\n", (unsigned long long)kernel.tasks[i].cpu_ns);
    if (strcmp(name, "stat") == 0)
      return snprintf(out, bytes, "%u (a) b) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %llu 0\n", tid,
                      (unsigned long long)birth);
    return -ENOENT;
  }
  return -ENOENT;
}

uint64_t rrt_sys_thread_cpu_ns(uint32_t tid) {
  for (int i = 0; i < TASKS; i++)
    if (kernel.tasks[i].tid == tid)
      return kernel.tasks[i].cpu_ns;
  return 0;
}

uint64_t rrt_sys_cpu_ns(void) { return kernel.tasks[0].cpu_ns + kernel.tasks[1].cpu_ns; }
uint64_t rrt_sys_boot_ns(void) { return BOOT_NS + kernel.now_ns; }
uint64_t rrt_sys_monotonic_raw_ns(void) { return rrt_sys_boot_ns(); }
void rrt_sys_usage(struct rrt_sys_usage *out) { *out = (struct rrt_sys_usage){0}; }
void *rrt_sys_map(size_t bytes) { return calloc(1, bytes); }
void rrt_sys_unmap(void *memory, size_t bytes) {
  (void)bytes;
  free(memory);
}
size_t rrt_length(const char *text) { return strlen(text); }
void rrt_zero(void *memory, size_t bytes) { memset(memory, 0, bytes); }
void rrt_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
uint32_t rrt_sys_tid(void) {
  if (kernel.on_tid)
    kernel.on_tid();
  return OTHER;
}

// --- the rest of the session -------------------------------------------------------------------

struct rrt_session rrt_session;
struct rrt_options rrt_options = {.max_loops = 1};
struct rrt_probe_control rrt_probe;
int32_t rrt_boot_cells[RRT_BOOT_CELLS];
__thread char *__reticle_cells;
__thread struct rrt_thread *rrt_thread_self RRT_THREAD_LOCAL(thread_self);
uint64_t rrt_session_hz(void) { return UINT64_C(1000000000); }
uint32_t rrt_sideline_tid(void) { return 0; }
uint32_t rrt_facts_error(void) { return 0; }
uint32_t rrt_registry_numbers(void) { return 0; }
const struct rrt_feature *const rrt_features[] = {NULL};
void rrt_loops_abandon_all(struct rrt_thread *t) { (void)t; }
void rrt_pressure_watch(void) {}
int rrt_pressure_stolen(uint64_t *out) {
  *out = kernel.stolen;
  return 0;
}

static void start(void) {
  rrt_fork_clear();
  memset(&kernel, 0, sizeof kernel);
  rrt_session.pid = LEADER;
  rrt_session.start_ticks = rrt_scripted_ticks;
  kernel.tasks[0].tid = LEADER;
  rrt_account_start();
}

/// A checkpoint at that time. The timer and the kernel's clock go alike.
static struct reticle_file_account look(uint64_t ns) {
  struct reticle_file_account out;
  const struct reticle_file_env env = {.elapsed_ticks = ns, .timer_hz = rrt_session_hz()};
  kernel.now_ns = ns;
  rrt_account_read(&env, 0, &out);
  return out;
}

// No thread begins or ends here.
void rrt_known_begin(struct rrt_thread *t) { (void)t; }
void rrt_known_leave(struct rrt_thread *t) { (void)t; }
uint64_t rrt_rate_set_up(struct rrt_thread *t, uint64_t begin_ticks) {
  (void)t;
  return begin_ticks;
}
void rrt_known_reuse(struct rrt_thread *t) { (void)t; }
void rrt_known_forked(struct rrt_thread *t) { (void)t; }
void rrt_sys_wait(uint32_t *word, uint32_t value, uint64_t timeout_ns) {
  (void)word, (void)value, (void)timeout_ns;
}
void rrt_sys_wake(uint32_t *word) { (void)word; }

// --- tests -------------------------------------------------------------------------------------

/// The kernel tells a birth in 1/100 s. A look that meets a thread of 1 ms on its last few steps
/// takes it for born just now, which is behind the end that the thread itself has read.
static void test_birth_behind_the_end(void) {
  start();
  kernel.tasks[1].tid = OTHER;
  kernel.tasks[1].born_ns = 20 * MS + 100000; // told as 20 to 30 ms
  CHECK_EQUAL(look(21 * MS + 200000).runnable_error, 0);
  kernel.tasks[1].tid = 0;
  rrt_account_ended(OTHER, rrt_session.start_ticks + 20 * MS + 300000,
                    rrt_session.start_ticks + 21 * MS + 100000, 700000, 0, 1);
  CHECK_EQUAL(look(40 * MS).threads_ns, 40 * MS + 800000);
}

/// Of an older thread the kernel's is the better one: it has what was before the first loop.
static void test_birth_before_the_first_loop(void) {
  start();
  kernel.tasks[1].tid = OTHER;
  kernel.tasks[1].born_ns = 25 * MS;
  look(100 * MS);
  kernel.tasks[1].tid = 0;
  rrt_account_ended(OTHER, rrt_session.start_ticks + 80 * MS, rrt_session.start_ticks + 125 * MS, 0,
                    0, 1);
  CHECK_EQUAL(look(200 * MS).threads_ns, 200 * MS + 100 * MS);
}

/// A thread that never met a look, and whose readings of the timer go backwards.
static void test_backwards(void) {
  start();
  look(10 * MS);
  rrt_account_ended(OTHER, rrt_session.start_ticks + 15 * MS, rrt_session.start_ticks + 14 * MS,
                    300000, 0, 1);
  CHECK_EQUAL(look(20 * MS).threads_ns, 20 * MS + 300000);
}

/// One of three short threads was asked what it waited: that stands for all, and adds to no life.
static void test_one_stands_for_others(void) {
  start();
  look(10 * MS);
  for (uint32_t i = 0; i < 3; i++)
    rrt_account_ended(OTHER + i, rrt_session.start_ticks + 15 * MS,
                      rrt_session.start_ticks + 16 * MS, 300000, i ? 0 : 200000, i ? 0 : 3);
  CHECK_EQUAL(look(20 * MS).threads_ns, 20 * MS + 3 * MS);
  CHECK_EQUAL(look(20 * MS).runnable_ns, 600000);
}

/// A machine that moved to another host may tell less than before.
static void test_stolen_falls(void) {
  start();
  kernel.stolen = 50;
  CHECK_EQUAL(look(10 * MS).stolen_ns, 0);
  kernel.stolen = 53;
  CHECK_EQUAL(look(20 * MS).stolen_ns, 30 * MS);
  kernel.stolen = 4;
  struct reticle_file_account all = look(30 * MS);
  CHECK_EQUAL(all.stolen_error, ERANGE);
  CHECK(all.stolen_ns == UINT64_MAX);
}

static uint64_t wall_ticks(void) {
  struct rrt_thread_totals totals;
  rrt_threads_totals(&totals);
  return totals.wall_ticks;
}

static uint64_t wall_ticks_meanwhile;
static void look_meanwhile(void) { wall_ticks_meanwhile = wall_ticks(); }

/// Another thread looks while one enters: its record is in the list before its start is known.
static void test_entering(void) {
  start();
  CHECK_EQUAL(rrt_threads_open(), 0);
  kernel.on_tid = look_meanwhile;
  wall_ticks_meanwhile = 1;
  struct rrt_thread *t = unit_need(rrt_threads_enter());
  CHECK_EQUAL(wall_ticks_meanwhile, 0);
  reticle_scripted_advance(700);
  CHECK_EQUAL(wall_ticks(), 700);
  rrt_scripted_ticks -= 800; // the looking thread read the clock before this one started
  CHECK_EQUAL(wall_ticks(), 0);
  reticle_scripted_advance(1100);
  rrt_threads_leave(t);
  CHECK_EQUAL(wall_ticks(), 1000);
  rrt_threads_free(t);
  CHECK_EQUAL(wall_ticks(), 1000);
  wall_ticks_meanwhile = 1;
  CHECK(rrt_threads_enter() == t); // the same record again
  CHECK_EQUAL(wall_ticks_meanwhile, 1000);
  rrt_scripted_ticks -= 50; // another CPU
  rrt_threads_leave(t);
  rrt_threads_free(t);
  CHECK_EQUAL(wall_ticks(), 1000);
  rrt_threads_close();
}

int main(void) {
  RUN(test_birth_behind_the_end);
  RUN(test_birth_before_the_first_loop);
  RUN(test_backwards);
  RUN(test_one_stands_for_others);
  RUN(test_stolen_falls);
  RUN(test_entering);
  return unit_status();
}
