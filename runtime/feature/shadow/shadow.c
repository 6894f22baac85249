// shadow.c - modules with marks come and go: the feature `shadow`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   .preinit_array (executables)  options from the environment that it is given, shadow memory,
//   mask constructor                   session, messages, global variables, sideline destructor
//   global variables a last time
#include "runtime/probe/shadow.h"
#include "runtime/heap/heap.h"
#include "runtime/session/drain.h"
#include "runtime/session/session.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/sys/sys.h"

#include <errno.h>
#include <stddef.h>
#include <sys/auxv.h>

static void set_mask(const struct reticle_shadow_module_desc *module, int is_on) {
  // Code generation takes it for constant, but where compiled with shadow=bursts: the module's code
  // hasn't run yet.
  __atomic_store_n((uint64_t *)(uintptr_t)module->mask, is_on ? UINT64_MAX : 0, __ATOMIC_RELEASE);
}

// Without a limit of the stack (ulimit -s unlimited) the kernel maps libraries in the middle of the
// shadow memory. Nothing of the program has run yet: it starts once more with a limit, which is
// lifted again at once.
static const uint64_t finite_stack_bytes = (UINT64_C(1) << 30) - 12288;

static void start_again(char **argv, char **environment) {
  const char *path = (const char *)getauxval(AT_EXECFN);
  if (rrt_sys_stack_limit() != UINT64_MAX || !path ||
      rrt_sys_set_stack_limit(finite_stack_bytes) < 0)
    return;
  rrt_sys_exec(path, argv, environment);
  rrt_sys_set_stack_limit(UINT64_MAX);
}

// libc isn't ready, and nothing is said: the constructor does.
__attribute__((visibility("default"))) void
__reticle_shadow_early(const struct reticle_shadow_module_desc *module, char **argv,
                       char **environment) {
  if (rrt_session.state == RRT_SESSION_NONE)
    rrt_options_read(environment, getauxval(AT_SECURE) != 0);
  if (!rrt_options.shadow || getauxval(AT_SECURE)) {
    rrt_heap_open_none(RETICLE_SHADOW_OFF);
    return;
  }
  if (rrt_heap_can_open() == -EEXIST)
    start_again(argv, environment);
  if (rrt_sys_stack_limit() == finite_stack_bytes)
    rrt_sys_set_stack_limit(UINT64_MAX);
  set_mask(module, rrt_heap_open() == 0 && rrt_shadow.marking);
  rrt_heap_expect(module);
}

static struct {
  int refusal, unfit; // 1: said
} state;

static void say_refusal(int error) {
  if (state.refusal || !rrt_options.verbosity)
    return;
  state.refusal = 1;
  if (error == -EEXIST)
    rrt_say(
        "warning: the feature shadow is off: something is mapped at its addresses, 0x7fff7000 to "
        "0x20007fff8000; link as a position-independent executable (-pie) or leave out what maps "
        "there",
        NULL);
  else
    rrt_say("warning: the feature shadow is off: its 32 TB of addresses could not be reserved "
            "(ulimit -v, or vm.overcommit_memory=2); lift the limit: ulimit -v unlimited",
            NULL);
}

static void say_unfit(void) {
  if (state.unfit || !rrt_options.verbosity)
    return;
  state.unfit = 1;
  rrt_say("warning: option duty: what code touches that was compiled without "
          "-fplugin-arg-reticle-shadow=bursts isn't measured; compile it so, or leave duty= out",
          NULL);
}

__attribute__((visibility("default"))) void
__reticle_shadow_start(const struct reticle_shadow_module_desc *module) {
  rrt_session_start();
  if (rrt_session.state != RRT_SESSION_ON || !rrt_options.shadow) {
    rrt_heap_open_none(RETICLE_SHADOW_OFF);
    set_mask(module, 0);
    if (rrt_session.state != RRT_SESSION_ON)
      return;
  } else {
    int r = rrt_heap_open();
    set_mask(module, r == 0 && rrt_shadow.marking);
    rrt_heap_expect(module);
    if (r < 0)
      say_refusal(r);
  }
  rrt_drain_lock();
  int is_fit = rrt_heap_add(module) == 0;
  rrt_drain_unlock();
  if (!is_fit)
    say_unfit();
  rrt_session_start_sideline();
}

__attribute__((visibility("default"))) void
__reticle_shadow_stop(const struct reticle_shadow_module_desc *module) {
  if (rrt_session.state != RRT_SESSION_ON)
    return;
  rrt_drain_lock();
  rrt_heap_remove(module);
  rrt_drain_unlock();
}

// Of include/reticle.h.
__attribute__((visibility("default"))) long reticle_shadow_samples(void) {
  return (long)rrt_heap_samples();
}
