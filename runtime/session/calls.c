// calls.c - what a program may ask the runtime for: include/reticle.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "runtime/probe/tag.h"
#include "runtime/session/session.h"

__attribute__((visibility("default"))) int reticle_report(void) { return rrt_session_report(); }

__attribute__((visibility("default"))) void reticle_tag(unsigned long value) {
  rrt_tags_add(value);
}
