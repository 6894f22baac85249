// pointers.h - to which allocation sites' objects registers pointed when samples were taken.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded by the drain lock.
#ifndef RETICLE_RUNTIME_FEATURE_SAMPLE_POINTERS_H
#define RETICLE_RUNTIME_FEATURE_SAMPLE_POINTERS_H

#include <stdint.h>

struct reticle_file_pointer;

/// Registers of a sample, in the kernel's order (linux/perf_regs.h of x86): ax bx cx dx si di bp sp
/// r8 ... r15.
enum { RRT_POINTER_REGISTERS = 16 };

/// 1 if samples are to come with registers: there are marks of objects, and the processor is known.
int rrt_pointers_wanted(void);
/// Before the samples of one drain, of which a few are looked at.
void rrt_pointers_begin(void);
/// A sample at this place of a load file (rrt_sample_map_find).
/// registers  [RRT_POINTER_REGISTERS]
void rrt_pointers_add(uint32_t file, uint64_t offset, const uint64_t *registers);
/// Forgets all.
void rrt_pointers_clear(void);

/// 1 if there is a record.
int rrt_pointers_any(void);
/// Calls `write` with each record. Sites must have their frames' names.
void rrt_pointers_visit(void (*write)(const struct reticle_file_pointer *record));

#endif
