// doctor.h - the two halves of the doctor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_DOCTOR_DOCTOR_H
#define RETICLE_TOOLS_MODEL_DOCTOR_DOCTOR_H

#include "tools/model/doctor/checks.h"
#include "tools/support/problem.h"

#include <stdbool.h>

/// Processor, timer, PMU, ptrace, cached floor.
void doctor_machine(struct checks *checks);

/// Plug-ins and runtime beside this program, compilers to use them with.
void doctor_installation(struct checks *checks);

/// The program: is it instrumented, how much of it, what was it built like. Returns false after
/// saying why it can't be read.
bool doctor_program(const char *path, struct checks *checks, struct problems *problems);

#endif
