// facts.c - what the kernel tells of the calling thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU time, page faults and switches are system calls without a file. What the thread waited for a
// processor stands in a file of /proc, which each thread keeps open: above the program's
// descriptors, closed at exec. Opened at its first long execution, so most threads have none. The
// program may close it, and open another one by its number: a text that isn't of the kernel's form,
// or numbers that fall, are the end of it.
#include "runtime/feature/account/facts.h"

#include "runtime/feature/account/account.h"
#include "runtime/feature/loop/store.h"
#include "runtime/session/threads.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/sys/counter.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// FILES_MAX: the program needs descriptors, too. LOW: a descriptor below may be one that the
// program counts on.
enum { FILES_MAX = 128, LOW = 512, LEAST_US = 20 };

static struct {
  uint32_t files; // open
  uint32_t error;
  uint32_t is_filtered; // by a later one than at the start: nothing is asked any more
  long filters;         // of seccomp, at the start
} process RRT_PER_PROCESS;

static void fail(struct rrt_thread *t, int error) {
  uint32_t none = 0;
  t->facts_seen_ns = UINT64_MAX;
  t->facts_fd = error;
  __atomic_compare_exchange_n(&process.error, &none, (uint32_t)-error, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

static int open_own(void) {
  if (__atomic_load_n(&process.files, __ATOMIC_RELAXED) >= FILES_MAX)
    return -EMFILE;
  int fd = rrt_sys_open_read("/proc/thread-self/schedstat");
  if (fd < 0)
    return fd;
  int high = rrt_sys_raise_descriptor(fd);
  if (high < LOW) { // ulimit -n
    rrt_sys_close(high);
    return -EMFILE;
  }
  __atomic_fetch_add(&process.files, 1, __ATOMIC_RELAXED);
  return high;
}

// 0, or -errno: -EBADF where the number is another file's by now.
static int read_file(int fd, uint64_t *runnable_ns) {
  char text[96];
  long n = rrt_sys_read_at(fd, text, sizeof text - 1, 0);
  if (n <= 0 || text[n - 1] != '\n')
    return n < 0 ? (int)n : -EBADF;
  text[n] = 0;
  int r = rrt_account_parse_runnable(text, runnable_ns);
  return r == -EIO ? -EBADF : r;
}

static void close_own(struct rrt_thread *t) {
  uint64_t ns;
  if (t->facts_fd > 0) {
    if (read_file(t->facts_fd - 1, &ns) == 0) // else the program's own
      rrt_sys_close(t->facts_fd - 1);
    __atomic_fetch_sub(&process.files, 1, __ATOMIC_RELAXED);
  }
  t->facts_fd = 0;
}

static uint64_t read_runnable(struct rrt_thread *t) {
  uint64_t ns = 0;
  if (t->facts_fd == 0) {
    int fd = open_own();
    if (fd < 0)
      fail(t, fd);
    else
      t->facts_fd = fd + 1;
    t->facts_seen_ns = 0;
  }
  if (t->facts_fd < 0)
    return UINT64_MAX;
  int r = read_file(t->facts_fd - 1, &ns);
  if (r == 0 && ns < t->facts_seen_ns)
    r = -EBADF;
  if (r == -ENOTSUP)
    rrt_sys_close(t->facts_fd - 1);
  if (r < 0) { // otherwise not closed: it may be the program's by now
    __atomic_fetch_sub(&process.files, 1, __ATOMIC_RELAXED);
    fail(t, r);
    return UINT64_MAX;
  }
  t->facts_seen_ns = ns;
  return ns;
}

static int read_facts(struct rrt_facts *out) {
  struct rrt_sys_usage usage;
  if (__atomic_load_n(&process.is_filtered, __ATOMIC_RELAXED) || rrt_sys_thread_usage(&usage) < 0)
    return -1;
  out->minor_faults = (uint32_t)usage.minor_faults;
  out->major_faults = (uint32_t)usage.major_faults;
  out->waits = (uint16_t)usage.waits;
  out->preemptions = (uint16_t)usage.preemptions;
  out->cpu_ns = rrt_sys_own_cpu_ns();
  return 0;
}

// The number behind a key that starts a line; -1: there is none.
static long number_behind(const char *text, long count, const char *key) {
  for (long i = 0; i < count; i++) {
    long k = 0, number = 0;
    while (key[k] && i + k < count && text[i + k] == key[k])
      k++;
    if (key[k])
      continue;
    for (; i + k < count && text[i + k] >= '0' && text[i + k] <= '9'; k++)
      number = 10 * number + text[i + k] - '0';
    return number;
  }
  return -1;
}

// Seccomp filters of the main thread, as programs have them; of kernels before 5.9 whether there is
// one. -1: not known.
static long filters(void) {
  enum { BYTES = 4096 };
  char text[BYTES];
  int fd = rrt_sys_open_read("/proc/self/status");
  if (fd < 0)
    return -1;
  long n = rrt_sys_read_at(fd, text, BYTES, 0);
  rrt_sys_close(fd);
  long count = number_behind(text, n, "\nSeccomp_filters:\t");
  return count < 0 ? number_behind(text, n, "\nSeccomp:\t") : count;
}

void rrt_facts_start(uint64_t ticks_per_us) {
  rrt_probe.facts_least_ticks = LEAST_US * ticks_per_us;
  if (!rrt_options.facts)
    return;
  process.filters = filters(); // a container's: what it denies, it answers
  rrt_store.slow_least_ticks = rrt_probe.facts_least_ticks;
  rrt_probe.facts = read_facts;
  rrt_probe.runnable = read_runnable;
}

// A filter of the program's own may kill it for a system call that it doesn't make itself.
void rrt_facts_look(void) {
  if (rrt_probe.facts && !__atomic_load_n(&process.is_filtered, __ATOMIC_RELAXED) &&
      filters() != process.filters)
    __atomic_store_n(&process.is_filtered, 1, __ATOMIC_RELAXED);
}

void rrt_facts_leave(struct rrt_thread *t) { close_own(t); }

void rrt_facts_close(void) {
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next)
    close_own(t);
}

void rrt_facts_forked(void) {
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    close_own(t);
    t->facts_ticks = 0;
  }
  process.files = 0;
}

uint32_t rrt_facts_error(void) {
  if (!rrt_probe.facts)
    return ECANCELED;
  return __atomic_load_n(&process.is_filtered, __ATOMIC_RELAXED)
             ? EPERM
             : __atomic_load_n(&process.error, __ATOMIC_RELAXED);
}
