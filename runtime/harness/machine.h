// machine.h - what names this machine's timing, for the tools: spelled as the runtime spells it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_MACHINE_H
#define RETICLE_RUNTIME_HARNESS_MACHINE_H

#include "runtime/sys/cpu.h"

/// How time is read, as a profile's env.timer has it.
const char *harness_timer_name(void);

#endif
