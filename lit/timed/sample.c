// Samples: threads that do the same work in two functions get the same share; a forked child's are its own;
// a library that was unloaded long before the end keeps its name; the timers of the second engine agree.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app -lpthread -ldl -Wl,--build-id
// RUN: %clang -O2 -g -fPIC -shared -DLIBRARY=1 %s -o %t/first.so -Wl,--build-id
// RUN: %clang -O2 -g -fPIC -shared -DLIBRARY=2 %s -o %t/second.so -Wl,--build-id
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:sample_hz=2000:stacks=0:out=perf.prof ./app
// RUN: cd %t && %reticle report --json perf.prof | %python %src/lit/runtime/Inputs/sample.py | %FileCheck %s
// RUN: cd %t && RETICLE_OPTIONS=report=0:sample=1:sample_hz=2000:stacks=0:sample_perf=0:out=timer.prof ./app
// RUN: cd %t && %reticle report --json timer.prof | %python %src/lit/runtime/Inputs/sample.py | %FileCheck %s
// Off without the option.
// RUN: cd %t && RETICLE_OPTIONS=report=0:out=off.prof ./app && %not %reticle report --samples off.prof | %FileCheck --check-prefix=OFF %s
// OFF: no samples: run it with RETICLE_OPTIONS=sample=1
// CHECK: tally closes
// CHECK-NEXT: one and two alike
// CHECK-NEXT: child has its own
// CHECK-NEXT: libraries named: library_1 in first.so, library_2 in second.so
// CHECK-NEXT: most of the CPU time is sampled
#include <stdint.h>

uint64_t sink;

static inline __attribute__((always_inline)) uint64_t work(uint64_t x, long n) {
  for (long i = 0; i < n; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

#define LOOPS 120000000L
#define LIBRARY_LOOPS (3 * LOOPS) // timers: beside other work a new library is seen up to 0.1 s late

#ifdef LIBRARY
#if LIBRARY == 2
uint64_t library_2(uint64_t x) { return work(x, LIBRARY_LOOPS); }
#else
uint64_t library_1(uint64_t x) { return work(x, LIBRARY_LOOPS); }
#endif
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) uint64_t one(uint64_t x) { return work(x, LOOPS); }
__attribute__((noinline)) uint64_t two(uint64_t x) { return work(x, LOOPS) + 1; }
__attribute__((noinline)) uint64_t child(uint64_t x) { return work(x, LOOPS) + 2; }

static void *run(void *function) {
  uint64_t (*f)(uint64_t) = (uint64_t (*)(uint64_t))function;
  return (void *)f(3);
}

static void use(const char *path, const char *name) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library)
    abort();
  sink += ((uint64_t (*)(uint64_t))dlsym(library, name))(5);
  dlclose(library);
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, run, (void *)one);
  pthread_create(&threads[1], 0, run, (void *)two);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  pid_t pid = fork();
  if (!pid) {
    sink += child(7);
    exit(0);
  }
  waitpid(pid, 0, 0);
  use("./first.so", "library_1");
  use("./second.so", "library_2");
  return 0;
}
#endif
