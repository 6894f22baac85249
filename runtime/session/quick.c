// quick.c - sees the end of a process by quick_exit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registered by a name that is looked for at run time: every shared library carries the runtime,
// and some makefiles take libraries to end the process when an undefined symbol has "exit" in its
// name (PostgreSQL's does for libpq). Static programs need no hook: libc's quick_exit ends there in
// _exit, and that is ours (exit.c).
#define _GNU_SOURCE
#include "runtime/session/session.h"

#include <dlfcn.h>

// Not in static programs and those without libc; glibc before 2.34 has them in a library of their
// own.
extern void *dlsym(void *, const char *) __attribute__((weak));
extern char *dlerror(void) __attribute__((weak));
// By this glibc takes the hook back when the library that carries the runtime is unloaded.
extern char __dso_handle[] __attribute__((weak, visibility("hidden")));

static void hook(void) { rrt_session_finish(RETICLE_ENDED__EXIT); }
static void hook_of_module(void *unused) {
  (void)unused;
  hook();
}

void rrt_session_watch_quick_exit(void) {
  if (!dlsym)
    return;
  // glibc's at_quick_exit is in the part of it that is linked statically.
  int (*add_of_module)(void (*)(void *), void *) = dlsym(RTLD_DEFAULT, "__cxa_at_quick_exit");
  int (*add)(void (*)(void)) = add_of_module ? NULL : dlsym(RTLD_DEFAULT, "at_quick_exit");
  if (add_of_module)
    add_of_module(hook_of_module, __dso_handle);
  else if (add)
    add(hook);
  else if (dlerror)
    dlerror(); // the program shall not find our error
}
