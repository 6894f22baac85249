// session.c - start, checkpoint and end of measuring in this process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/session.h"

#include "include/reticle/test_program.h"

#include "runtime/feature/feature.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/loop.h"
#include "runtime/probe/rate.h"
#include "runtime/session/children.h"
#include "runtime/session/drain.h"
#include "runtime/session/epoch.h"
#include "runtime/session/out.h"
#include "runtime/session/place.h"
#include "runtime/session/registry.h"
#include "runtime/session/sideline.h"
#include "runtime/session/threads.h"
#include "runtime/session/unload.h"
#include "runtime/support/deadline.h"
#include "runtime/support/environment.h"
#include "runtime/support/maps.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/stops.h"
#include "runtime/support/strings.h"
#include "runtime/sys/cpu.h"
#include "runtime/sys/sys.h"

#include <errno.h>
#include <sys/auxv.h>

extern char **environ;

struct rrt_session rrt_session;
__attribute__((visibility("default"))) const char RETICLE_ABI_SYMBOL = 1;

// After the one at start.
enum { NEXT_CHECKPOINT_MS = 10 };

static void set_probe(void) {
  rrt_probe.target_samples = (uint32_t)rrt_options.target_samples;
  rrt_probe.period = (uint32_t)rrt_options.period;
  rrt_probe.mask_ticks = (uint32_t)rrt_options.mask_ticks;
  rrt_probe.budget_permille = (uint32_t)rrt_options.probe_budget;
  rrt_probe.cpu_permille = 1000;
  rrt_probe.drain = rrt_drain_own;
  rrt_probe.renew = rrt_threads_renew;
}

// Returns ticks of the timer for a microsecond, about: until its rate is known the time limits are
// set for 2.5 GHz; a factor of two in them doesn't matter.
static uint64_t set_time_limits(void) {
#if defined(__x86_64__) && !defined(RRT_SCRIPTED_CLOCK)
  const uint64_t ticks_per_us = 2500;
#elif defined(__aarch64__) && !defined(RRT_SCRIPTED_CLOCK)
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
  const uint64_t ticks_per_us = hz / 1000000 ? hz / 1000000 : 1;
#else
  const uint64_t ticks_per_us = 1000;
#endif
  rrt_probe.nested_after_ticks = rrt_options.nested_after_us * ticks_per_us;
  rrt_probe.credit_ticks = 100 * ticks_per_us;
  rrt_probe.first_ticks = (int64_t)(RRT_RATE_FIRST_US * ticks_per_us);
  return ticks_per_us;
}

#if defined(__aarch64__) && !defined(RRT_SCRIPTED_CLOCK)
// glibc's since 2.35; the size is 0 where the kernel has none. The second word of the area is the
// number of the CPU.
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static void find_cpu_number(void) {
  if (&__rseq_size && &__rseq_offset && __rseq_size)
    rrt_timer_cpu_offset = __rseq_offset + (ptrdiff_t)sizeof(uint32_t);
}
#else
static void find_cpu_number(void) {}
#endif

static int open_parts(void) {
  return rrt_threads_open() || rrt_features_open() || rrt_strings_open() || rrt_registry_open();
}

static void switch_off(const char *why, uint64_t verbosity) {
  if (rrt_options.verbosity >= verbosity)
    rrt_say(why, NULL);
  rrt_session.state = RRT_SESSION_OFF;
  rrt_probe.enter = rrt_threads_enter; // gates find out that nothing is on
}

// Now, as the program may write over its arguments, and may leave the folders that lead to /proc.
// 1 if nobody wants this program measured.
static int read_names(struct rrt_session *s) {
  char text[RRT_PATH_BYTES];
  long n = rrt_sys_read_file("/proc/thread-self/cmdline", text, sizeof text);
  for (long i = 0; i + 1 < n; i++)
    if (!text[i])
      text[i] = ' ';
  s->arguments = rrt_strings_add(text);
  rrt_sys_readlink("/proc/thread-self/exe", text, sizeof text);
  s->executable = rrt_strings_add(text);
  return reticle_is_test_program(text);
}

// The program's; one without a C library has none.
extern void *malloc(size_t) __attribute__((weak));

enum { CHUNK_HEADER_BYTES = 8 };

// An object in front of all others. Not the end of the heap: some of it may be taken already.
static void move_heap(void) {
  if (rrt_options.heap_offset > CHUNK_HEADER_BYTES && &malloc)
    rrt_session.before_heap = malloc((size_t)rrt_options.heap_offset - CHUNK_HEADER_BYTES);
}

void rrt_session_set_start(void) {
  struct rrt_moment now;
  rrt_moment_read(&now);
  rrt_session.start_raw_ns = now.raw_ns;
  rrt_session.start_ticks = rrt_probe.start_ticks = now.ticks;
  RRT_FEATURES_CALL(begin);
}

static void start(void) {
  struct rrt_session *s = &rrt_session;
  rrt_unload_watch();
  s->environment = rrt_environment_copy(environ);
  rrt_rank_read(s->environment, &s->rank);
  s->privileged = getauxval(AT_SECURE) != 0;
  s->pid = rrt_sys_pid();
  s->parent_pid = rrt_sys_parent_pid();
  s->start_time_s = rrt_sys_time_s();
  rrt_moment_read(&s->first);
  rrt_options_read(s->environment, s->privileged);
  rrt_message_begin();
  rrt_sys_folder_id("/", &rrt_session.root);
  if (rrt_options.log_path[0] &&
      rrt_path_expand(rrt_options.log_path, s->environment, rrt_log_path) < 0)
    rrt_log_path[0] = 0;
  if (rrt_environment_get(s->environment, RRT_ENVIRONMENT_GUARD)) {
    switch_off("within the report of another program: nothing is measured", 2);
    return;
  }
  rrt_options_complain(s->environment, s->privileged);
  if (s->privileged) {
    // Files of a privileged process in places that its caller chooses: a hole, whatever their
    // names.
    switch_off("warning: a privileged process (setuid) isn't measured", 1);
    return;
  }
  if (!rrt_cpu_has_timer()) {
    switch_off("warning: valgrind's processor has no rdtscp here: nothing is measured", 1);
    return;
  }
  if (open_parts()) {
    switch_off(
        "warning: no memory, nothing is measured; raise the limit of address space (ulimit -v)", 1);
    return;
  }
  if (read_names(s)) {
    switch_off("a configure script's test program by its name: it isn't measured", 2);
    return;
  }
  rrt_out_check();
  rrt_out_start();
  set_probe();
  uint64_t ticks_per_us = set_time_limits();
  find_cpu_number();
  move_heap();
  RRT_FEATURES_CALL(start, ticks_per_us);
  RRT_FEATURES_CALL(calibrate);
  rrt_session_set_start();
  rrt_session_watch_fork();
  rrt_session_watch_quick_exit();
  rrt_probe.on = (uint32_t)rrt_options.loop;
  rrt_probe.enter = rrt_threads_enter;
  s->state = RRT_SESSION_ON;
}

static int has_other_root(void) {
  struct rrt_sys_file_id now;
  return rrt_sys_folder_id("/", &now) < 0 || now.device != rrt_session.root.device ||
         now.inode != rrt_session.root.inode;
}

// Where the program can't reach the file any more (chroot, setuid), the sideline can.
static int checkpoint(uint32_t ended_by, int force_live_scan) {
  int r = has_other_root() ? -ENOENT : rrt_session_checkpoint(ended_by, force_live_scan);
  int by_sideline = r < 0 ? rrt_sideline_checkpoint(ended_by) : 0;
  return by_sideline == -ESRCH ? r : by_sideline;
}

// A write over the limit of `ulimit -f` sends SIGXFSZ; that is no matter of the program's. Handlers
// of the program must not run meanwhile: they may fork, and that waits for the drain lock.
static int checkpoint_quietly(uint32_t ended_by, int force_live_scan) {
  uint64_t before = rrt_sys_block_handled_signals();
  int r = checkpoint(ended_by, force_live_scan);
  if (r < 0) {
    int error = r;
    for (unsigned i = 0; r < 0 && rrt_out_go_elsewhere(i) == 0; i++)
      r = checkpoint(ended_by, force_live_scan);
    rrt_out_settle(error, r, ended_by != RETICLE_ENDED_RUNNING);
  }
  rrt_sys_restore_signals(before);
  rrt_place_say();
  return r;
}

static uint64_t own_cpu_ns(void) { return rrt_sys_thread_cpu_ns(rrt_sys_tid()); }

// After the first module has registered: a first checkpoint, which is all that a process leaves
// that overflows its stack in main, and names its loops.
void rrt_session_start_sideline(void) {
  if (__atomic_exchange_n(&rrt_session.has_sideline, 1, __ATOMIC_ACQ_REL))
    return;
  uint64_t begin_ns = own_cpu_ns();
  int error = rrt_sideline_start(NEXT_CHECKPOINT_MS);
  if (error < 0 && rrt_options.verbosity > 0 && !rrt_sys_is_emulated())
    rrt_say(error == -EINVAL
                ? "warning: no thread for checkpoints (qemu-user?): a killed run leaves no profile"
                : "warning: no thread for checkpoints (ulimit -u?): a killed run leaves no profile",
            NULL);
  checkpoint_quietly(RETICLE_ENDED_RUNNING, 0);
  rrt_session.start_cost_ns += own_cpu_ns() - begin_ns;
}

void rrt_session_start(void) {
  if (__atomic_exchange_n(&rrt_session.is_started, 1, __ATOMIC_ACQ_REL))
    return;
  uint64_t begin_ns = own_cpu_ns();
  start();
  rrt_session.start_cost_ns = own_cpu_ns() - begin_ns;
}

// A child of vfork shares all but its number. A filter of the program's may forbid to ask for that.
static int is_ours(void) {
  int32_t pid = (int32_t)rrt_sys_pid();
  return rrt_session.state == RRT_SESSION_ON && (pid < 0 || (uint32_t)pid == rrt_session.pid);
}

static void say_not_written(int error) {
  struct rrt_message m;
  rrt_message_start(&m, "error: the profile could not be written (");
  rrt_text_add(&m.text, rrt_message_reason(error));
  rrt_text_add(&m.text, "): ");
  rrt_text_add(&m.text, rrt_session.path);
  rrt_message_send(&m);
}

void rrt_session_save(uint32_t ended_by) {
  if (!is_ours())
    return;
  rrt_deadline_start();
  int r = checkpoint_quietly(ended_by, 1);
  if (r < 0)
    say_not_written(r);
  rrt_deadline_clear();
}

int rrt_session_report(void) {
  if (!is_ours())
    return -EINVAL;
  rrt_deadline_start();
  int r = checkpoint_quietly(RETICLE_ENDED_RUNNING, 1);
  if (r == 0 && rrt_out_is_kept() && rrt_options.report && rrt_options.verbosity)
    rrt_report_run();
  rrt_deadline_clear();
  return r;
}

// Of a job's ranks the first one prints its report, as the others' would stand between each other.
static int speaks_for_job(void) {
  return !rrt_session.rank.text || !rrt_session.rank.rank ||
         rrt_options.report_ranks == RRT_REPORT_RANKS_ALL;
}

void rrt_session_finish(uint32_t ended_by) {
  uint32_t expected = RRT_SESSION_ON;
  if (!is_ours() ||
      !__atomic_compare_exchange_n(&rrt_session.state, &expected, RRT_SESSION_FINISHED, 0,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  rrt_deadline_start();
  // A library that carries the runtime is being unloaded. At the end of the process the sideline
  // just goes with it: on a busy machine its answer would take milliseconds.
  if (!rrt_maps_in_executable())
    rrt_sideline_stop();
  rrt_sideline_settle();
  RRT_FEATURES_CALL(finish);
  int r = checkpoint_quietly(ended_by, 1);
  rrt_probe.on = 0; // only now: a gate that is switched off no longer counts
  rrt_threads_close();
  if (!rrt_maps_in_executable())
    RRT_FEATURES_CALL(stop);
  if (r < 0) {
    say_not_written(r);
    return;
  }
  if (rrt_session.is_child)
    return;
  if (speaks_for_job())
    rrt_registry_finish();
  if (!rrt_out_is_kept())
    return;
  if (rrt_options.blocks)
    rrt_report_blocks();
  if (rrt_options.report && rrt_options.verbosity && speaks_for_job())
    rrt_report_run();
}

__attribute__((destructor(101))) static void at_exit(void) {
  rrt_session_finish(RETICLE_ENDED_EXIT);
  rrt_unload();
}

// --- entry points of the modules
// -------------------------------------------------------------------

__attribute__((visibility("default"))) void
__reticle_module_start(const struct reticle_module_desc *module) {
  rrt_session_start();
  if (rrt_session.state != RRT_SESSION_ON)
    return;
  rrt_drain_lock();
  rrt_registry_add(module);
  rrt_drain_unlock();
  rrt_session_start_sideline();
}

__attribute__((visibility("default"))) void
__reticle_module_stop(const struct reticle_module_desc *module) {
  // At the end of the process, too: nothing of the module's is needed any more.
  if (rrt_session.state != RRT_SESSION_ON)
    return;
  rrt_drain_lock();
  rrt_drain_all();
  rrt_registry_remove(module);
  rrt_drain_unlock();
}
