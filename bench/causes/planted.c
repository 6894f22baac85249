// planted.c - executions of one loop, of which some are slow for a cause that is planted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: planted CAUSE [EXECUTIONS]
//
// CAUSE: nothing, faults, neighbour, stop, work, migration, lock, slowest. Each execution of
// `event` takes about 1 ms; every eighth one has the cause, but for `neighbour` and `stop`, which
// come from outside of it, and `slowest`: five executions work far longer, and their begin is
// printed in ms since 1970. With `migration` (an execution takes 0.4 ms) the program prints what
// part of the time above the median is that of the planted executions.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// LINES: of a cache, 512 KB of them.
enum { EVERY = 8, PAGES = 2048, STEPS = 64, LINES = 8192, SPINS = 50000 };

static volatile unsigned sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ended, wanted;
static char *pages;
// A ring in random order, which a processor's cache has, and another one's has not.
static struct line {
  _Alignas(64) struct line *next;
  unsigned visits;
} ring[LINES], *at = ring;

static int is(const char *cause, const char *name) { return strcmp(cause, name) == 0; }

__attribute__((noinline)) static void spin(unsigned n) {
  unsigned x = 1;
  for (unsigned i = 0; i < n; i++)
    x = x * 1664525u + 1013904223u;
  sink = x;
}

static int processors[2]; // the first and the last that the process may use

static void find_processors(void) {
  cpu_set_t set;
  int found = 0;
  sched_getaffinity(0, sizeof set, &set);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &set))
      processors[found++ > 0] = i;
}

static void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static void make_ring(void) {
  static int order[LINES];
  unsigned x = 1;
  for (int i = 0; i < LINES; i++)
    order[i] = i;
  for (int i = LINES - 1; i > 0; i--) {
    x = x * 1664525u + 1013904223u;
    int j = (int)(((unsigned long)x * (unsigned)i) >> 32), last = order[i];
    order[i] = order[j];
    order[j] = last;
  }
  for (int i = 0; i < LINES; i++)
    ring[order[i]].next = &ring[order[(i + 1) % LINES]];
}

// The whole ring once in the three last quarters of an execution: behind the migration.
static void visit_ring(int i) {
  for (int k = 0; i >= STEPS / 4 && k < LINES / (STEPS - STEPS / 4); k++) {
    at->visits++;
    at = at->next;
  }
}

// The planted part of step i of an execution.
__attribute__((noinline)) static void plant(const char *cause, int i, int is_slow) {
  if (is(cause, "faults") && is_slow)
    for (int k = 0; k < PAGES / STEPS; k++)
      pages[4096 * (i * (PAGES / STEPS) + k)] = 1;
  if (is(cause, "migration")) {
    visit_ring(i);
    wanted |= is_slow && i == 0;
  }
  if (is(cause, "lock") && is_slow && i == STEPS / 2) {
    wanted = 1;
    while (wanted) // until the holder has it
      sched_yield();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
}

__attribute__((noinline)) void event(const char *cause, int is_slow, int steps) {
  for (int i = 0; i < steps; i++) {
    spin(is(cause, "migration") ? SPINS / 3 : SPINS);
    plant(cause, i % STEPS, is_slow);
  }
}

// Moves the first thread to the other processor when it is wanted, as a scheduler does: the thread
// does nothing for it. A thread that moves itself waits for the kernel's thread that moves it.
static void *mover(void *unused) {
  while (!ended) {
    if (!wanted) {
      usleep(50);
      continue;
    }
    static int last;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processors[last ^= 1], &set);
    sched_setaffinity(getpid(), sizeof set, &set);
    wanted = 0;
  }
  return unused;
}

// Takes the lock when it is wanted, and sleeps with it.
static void *holder(void *unused) {
  while (!ended) {
    if (!wanted) {
      usleep(50);
      continue;
    }
    pthread_mutex_lock(&lock);
    wanted = 0;
    usleep(3000);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

// Of a child: works and rests, on the processor of its parent; or stops it again and again.
static pid_t start_outside(const char *cause) {
  pid_t parent = getpid(), child = fork();
  if (child)
    return child;
  for (;;) {
    if (is(cause, "neighbour")) {
      struct timespec begin, now;
      clock_gettime(CLOCK_MONOTONIC, &begin);
      do {
        spin(10000);
        clock_gettime(CLOCK_MONOTONIC, &now);
      } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 5000000);
      usleep(15000);
    } else {
      usleep(60000);
      kill(parent, SIGSTOP);
      usleep(40000);
      kill(parent, SIGCONT);
    }
  }
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Of the time that executions took above the median, the part of the planted ones.
static double share_of_planted(const double *durations, int executions) {
  double *sorted = malloc((size_t)executions * sizeof *sorted), planted = 0, all = 0;
  memcpy(sorted, durations, (size_t)executions * sizeof *sorted);
  qsort(sorted, (size_t)executions, sizeof *sorted, compare);
  for (int i = 0; i < executions; i++) {
    double above = durations[i] - sorted[executions / 2];
    if (above > 0) {
      all += above;
      planted += i % EVERY == 3 ? above : 0;
    }
  }
  free(sorted);
  return planted / all;
}

int main(int count, char **arguments) {
  const char *cause = count > 1 ? arguments[1] : "nothing";
  int executions = count > 2 ? atoi(arguments[2]) : 800;
  pthread_t thread;
  pid_t child = 0;
  find_processors();
  make_ring();
  if (is(cause, "neighbour"))
    pin(processors[0]);
  if (is(cause, "neighbour") || is(cause, "stop"))
    child = start_outside(cause);
  int has_thread = is(cause, "lock") || is(cause, "migration");
  if (has_thread)
    pthread_create(&thread, 0, is(cause, "lock") ? holder : mover, 0);
  pages = mmap(0, 4096 * PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(pages, 4096 * PAGES, MADV_NOHUGEPAGE);
  double *durations_ns = calloc((size_t)executions, sizeof *durations_ns);
  for (int n = 0; n < executions; n++) {
    int is_slow = n % EVERY == 3;
    int steps = (is(cause, "work") && is_slow) || is(cause, "slowest") ? 3 * STEPS : STEPS;
    if (is(cause, "slowest") && n % (executions / 5) == executions / 10) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      printf("%.3f\n", (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6);
      steps = (20 + 25 * n / executions) * STEPS;
    }
    double begin_ns = now_ns();
    event(cause, is_slow, steps);
    durations_ns[n] = now_ns() - begin_ns;
    if (is_slow)
      madvise(pages, 4096 * PAGES, MADV_DONTNEED);
  }
  ended = 1;
  if (is(cause, "migration"))
    printf("%.3f\n", share_of_planted(durations_ns, executions));
  if (has_thread)
    pthread_join(thread, 0);
  if (child) {
    kill(child, SIGKILL);
    waitpid(child, 0, 0);
  }
  return 0;
}
