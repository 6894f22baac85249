// locks.c - locks of pthreads that a thread finds taken: where, how often and for how long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock that is free is taken by the try alone, which is as fast as the lock, and isn't counted.
#define _GNU_SOURCE
#include "runtime/waits/table.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#define LOCKS(LOCK)                                                                                \
  LOCK(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t)                                 \
  LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)                          \
  LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)

typedef int lock_function(void *);
/// The definitions that come next in the order of search (RTLD_NEXT).
struct next {
  lock_function *lock, *try_lock;
};

#define LOCK(name, try_name, type) NEXT_##name,
enum { LOCKS(LOCK) NEXT_COUNT };
#undef LOCK

static struct {
  struct next next[NEXT_COUNT];
  int is_found;
  int is_wanted;       // the runtime is there
  void (*enter)(void); // makes the thread known to it; null: an older one
} state;

static __thread int is_known __attribute__((tls_model("initial-exec")));

/// All at once: a thread that holds a lock of the program's would else wait for the dynamic
/// linker's. Several threads may do so, and find the same.
static void find_next(void) {
#define LOCK(name, try_name, type)                                                                 \
  state.next[NEXT_##name] = (struct next){(lock_function *)dlsym(RTLD_NEXT, #name),                \
                                          (lock_function *)dlsym(RTLD_NEXT, #try_name)};
  LOCKS(LOCK)
#undef LOCK
  __atomic_store_n(&state.is_found, 1, __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void begin(void) {
  find_next();
  if (!waits_attach())
    return;
  // Of the program, or of what it was linked with: neither is unloaded.
  state.enter = (void (*)(void))dlsym(RTLD_DEFAULT, RETICLE_WAITS_ENTER_NAME);
  waits_set_source(RETICLE_WAIT_PTHREADS, "pthreads", RETICLE_WAITS_MEASURED);
  __atomic_store_n(&state.is_wanted, 1, __ATOMIC_RELEASE);
}

/// Waits for a lock that is taken, or was a moment ago. A function of its own, so that the others
/// save no registers.
__attribute__((noinline)) static int wait_for(lock_function *lock_it, void *lock,
                                              const char *operation, const void *address) {
  if (!is_known && state.enter)
    state.enter();
  is_known = 1;
  struct waits_call call = {.address = address,
                            .operation = operation,
                            .thread = RETICLE_WAIT_NO_THREAD,
                            .kind = RETICLE_WAIT_LOCK,
                            .source = RETICLE_WAIT_PTHREADS,
                            .start_ns = waits_now_ns()};
  int error = lock_it(lock);
  call.time_ns = waits_now_ns() - call.start_ns;
  if (error == 0 || error == EOWNERDEAD) // it was taken
    waits_add_atomic(&call);
  return error;
}

// An error of the try's other than EBUSY is the lock's, too.
#define LOCK(name, try_name, type)                                                                 \
  __attribute__((visibility("default"))) int name(type *lock) {                                    \
    const struct next *next = &state.next[NEXT_##name];                                            \
    if (!__atomic_load_n(&state.is_found, __ATOMIC_ACQUIRE))                                       \
      find_next();                                                                                 \
    if (!__atomic_load_n(&state.is_wanted, __ATOMIC_RELAXED))                                      \
      return next->lock(lock);                                                                     \
    int error = next->try_lock ? next->try_lock(lock) : EBUSY;                                     \
    if (error != EBUSY)                                                                            \
      return error;                                                                                \
    return wait_for(next->lock, lock, #name, __builtin_return_address(0));                         \
  }
LOCKS(LOCK)
#undef LOCK
