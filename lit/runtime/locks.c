// locks.c - locks that are found taken, by call site: exact counts, and no more time than the thread itself clocked; errors, forks and free locks as without.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O2 -g %s -o app -pthread && env RETICLE_OPTIONS= ./app > plain
// RUN: env RETICLE_OPTIONS= %reticle run --no-report -o a.prof -- ./app > said && grep 'errors 0 11 35 0 130' said && grep errors plain | diff - said
// RUN: %reticle report --json a.prof > a.json && %python -c "import json; w = {r['operation']: r for r in json.load(open('a.json'))['waits']}; own = dict(l.split() for l in open('own')); assert sorted(w) == sorted(own), (w, own); print(*[(o, r['calls'], r['function'], 0.5 * int(own[o]) < r['time']['value'] <= int(own[o])) for o, r in sorted(w.items())], sep='\n')" | %FileCheck %s
// CHECK: ('pthread_mutex_lock', 5, 'wait_for_mutex', True)
// CHECK-NEXT: ('pthread_rwlock_rdlock', 5, 'wait_for_reader', True)
// CHECK-NEXT: ('pthread_rwlock_wrlock', 5, 'wait_for_writer', True)
// Half of the threads' time and more: a finding, with the caller's place; and a share of all threads' time.
// RUN: %reticle report --json a.prof | %python -c "import json, sys; r = json.load(sys.stdin); f = [f for f in r['findings'] if f['code'] == 'lock-wait']; assert 0.05 < f[0]['share']['value'] <= 1 and f[0]['base'] == 'thread-time', f; print(f[0]['place']['function'], f[0]['text'])" | grep '^wait_for_.*threads wait there 5 times'
// RUN: %reticle report --waits a.prof | grep 'WAITS of pthreads'
// Not loaded, switched off, and where nobody waits: nothing is said.
// RUN: env RETICLE_OPTIONS= %reticle run --no-waits --no-report -o b.prof -- ./app > said2 && %not %reticle report --waits b.prof | grep 'no wait was seen'
// RUN: env RETICLE_OPTIONS=waits=0 %reticle run --no-report -o c.prof -- ./app > said3 && %not %reticle report --waits c.prof | grep 'no wait was seen'
// RUN: env RETICLE_OPTIONS= %reticle run --no-report -o d.prof -- ./app alone > said4 && %reticle report d.prof | %not grep -E 'WAITS|lock-wait'
// A child counts its own.
// RUN: env RETICLE_OPTIONS= %reticle run --no-report -o e%%p.prof -- ./app fork > said5 && for f in e*.prof; do %reticle report --csv waits $f | grep -c 'pthread_mutex_lock,lock,wait_for_mutex.*,1,,1,0,'; done | %FileCheck --check-prefix=FORK %s
// FORK: 1
// FORK-NEXT: 1
// A shared AddressSanitizer must be the first library: nothing is loaded.
// RUN: %clang -shared -Wl,-soname,libasan.so.0 -o libasan.so.0 -x c /dev/null && %reticle_cc -O2 -g %s -o beside -pthread -Wl,--no-as-needed ./libasan.so.0 -Wl,-rpath,%t && env RETICLE_OPTIONS= %reticle run --no-report -o f.prof -- ./beside alone > said7 && %not %reticle report --waits f.prof | grep 'no wait was seen'
// A study sees them, too.
// RUN: cp %s locks.c && env RETICLE_OPTIONS= %reticle study --no-try --only plain,timing --build '$CC -O2 -g locks.c -o app -pthread' -o app.reticle -- ./app > said6 2>&1 && %reticle report --all app.reticle > page && grep 'lock-wait W1 wait_for_' page
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))
enum { TIMES = 5, HELD_US = 40000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static long long waited_ns[3];
static int waiter; // kernel's id of the thread that is about to wait

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

APART static int wait_for_mutex(void) { return pthread_mutex_lock(&mutex) + (waiter < 0); }
APART static int wait_for_reader(void) { return pthread_rwlock_rdlock(&rwlock) + (waiter < 0); }
APART static int wait_for_writer(void) { return pthread_rwlock_wrlock(&rwlock) + (waiter < 0); }

static int (*const waits[3])(void) = {wait_for_mutex, wait_for_reader, wait_for_writer};

static void give_back(long which) {
  if (which == 0)
    pthread_mutex_unlock(&mutex);
  else
    pthread_rwlock_unlock(&rwlock);
}

static void *wait_there(void *which) {
  long n = (long)which;
  __atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
  long long start = now_ns();
  waits[n]();
  waited_ns[n] += now_ns() - start;
  give_back(n);
  return NULL;
}

// The lock is held until the other one sleeps, and a while longer.
static void hold(long which) {
  char path[64], state = 0;
  pthread_t thread;
  if (which == 0)
    pthread_mutex_lock(&mutex);
  else
    pthread_rwlock_wrlock(&rwlock);
  waiter = 0;
  pthread_create(&thread, NULL, wait_there, (void *)which);
  while (state != 'S') {
    int id = __atomic_load_n(&waiter, __ATOMIC_ACQUIRE);
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
    FILE *file = id ? fopen(path, "r") : NULL;
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
      state = 0;
    if (file)
      fclose(file);
    usleep(1000);
  }
  usleep(HELD_US);
  give_back(which);
  pthread_join(thread, NULL);
}

static void *end_with_lock(void *robust) { return (void *)(long)pthread_mutex_lock(robust); }

// What locks of other kinds return.
static void print_errors(void) {
  pthread_mutexattr_t kind;
  pthread_mutex_t checks, again, robust;
  pthread_t thread;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checks, &kind);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &kind);
  pthread_mutex_lock(&checks);
  pthread_mutex_lock(&again);
  pthread_rwlock_wrlock(&rwlock);
  int recursive = pthread_mutex_lock(&again), own = pthread_mutex_lock(&checks);
  int reads = pthread_rwlock_rdlock(&rwlock) == EDEADLK ? 11 : 0;
  pthread_rwlock_unlock(&rwlock);
  pthread_create(&thread, NULL, end_with_lock, &robust);
  pthread_join(thread, NULL);
  int died = pthread_mutex_lock(&robust);
  printf("errors %d %d %d %d %d\n", recursive, reads, own, 0, died);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "alone")) {
    for (int i = 0; i < 100000; i++) {
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
    }
    return 0;
  }
  if (!strcmp(what, "fork")) {
    hold(0);
    pid_t child = fork();
    if (!child) {
      hold(0);
      return 0;
    }
    waitpid(child, NULL, 0);
    return 0;
  }
  for (int i = 0; i < TIMES; i++)
    for (long which = 0; which < 3; which++)
      hold(which);
  FILE *file = fopen("own", "w");
  fprintf(file, "pthread_mutex_lock %lld\npthread_rwlock_rdlock %lld\npthread_rwlock_wrlock %lld\n",
          waited_ns[0], waited_ns[1], waited_ns[2]);
  fclose(file);
  print_errors();
  return 0;
}
