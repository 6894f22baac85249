// thread_local.h - thread-local variables that all copies of the runtime in a process share
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_THREAD_LOCAL_H
#define RETICLE_RUNTIME_PROBE_THREAD_LOCAL_H

/// Behind a thread-local variable: initial-exec, with the exported name __reticle_<name>. The other
/// copies' references bind to the first one's, so a library that is opened with dlopen takes
/// nothing of the static TLS reserve (1.6 KB in glibc), which ended at the 20th library.
#define RRT_THREAD_LOCAL(name)                                                                     \
  __asm__("__reticle_" #name) __attribute__((tls_model("initial-exec"), visibility("default")))

#endif
