// sample_parts.h - the parts of the feature `sample`: engines, mappings, table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_SAMPLE_SAMPLE_PARTS_H
#define RETICLE_RUNTIME_FEATURE_SAMPLE_SAMPLE_PARTS_H

#include "include/reticle/abi.h"

#define RRT_SAMPLE_UNMAPPED UINT32_MAX

// --- mappings (sample_map.c): which file was where, and when
// ---------------------------------------

/// Forgets all; the tables' memory is kept. -1 without memory.
int rrt_sample_map_open(void);
/// Reads the mappings as they are now; they hold from time_ns on.
void rrt_sample_map_read(uint64_t time_ns);
/// Code of a file was mapped at time_ns.
/// build_id  [build_id_bytes] of the file; 0 bytes: unknown
void rrt_sample_map_add(uint64_t low, uint64_t bytes, uint64_t offset, const char *path,
                        const unsigned char *build_id, uint32_t build_id_bytes, uint64_t time_ns);
/// The load file at the address at that time, and the offset in it; RRT_SAMPLE_UNMAPPED if none.
uint32_t rrt_sample_map_find(uint64_t address, uint64_t time_ns, uint64_t *offset);
/// Counts changes of what is mapped; never 0 once something is.
uint32_t rrt_sample_map_changes(void);
const struct reticle_file_loadfile *rrt_sample_files(uint32_t *count);

// --- table (sample_table.c)
// -------------------------------------------------------------------------

int rrt_sample_table_open(void);
/// Forgets all samples.
void rrt_sample_table_clear(void);
/// -1 if the table is full.
int rrt_sample_table_add(uint32_t file, uint64_t offset, uint64_t time_ns);
const struct reticle_file_address *rrt_sample_table(uint32_t *slots);

// --- call stacks (sample_stacks.c)
// ------------------------------------------------------------------

/// Addresses of a stack that are noted at most.
enum { RRT_SAMPLE_DEPTH = 127 };

/// 1 where code mostly has no frame pointers, and stacks are undone by rules (unwind.h).
#if defined(RRT_SAMPLE_COPIES) // by a test
#elif defined(__x86_64__)
#define RRT_SAMPLE_COPIES 1
#else
#define RRT_SAMPLE_COPIES 0
#endif

/// Forgets all stacks; the tables' memory is kept. -1 without memory.
int rrt_sample_stacks_open(void);
void rrt_sample_stacks_clear(void);
/// Adds a sample to the tree.
///
/// addresses  [count] innermost first: the program counter, then return addresses
/// is_cut     there were more
/// in_kernel  the innermost frame had called the kernel, or faulted
void rrt_sample_stacks_add(const uint64_t *addresses, uint32_t count, int is_cut, int in_kernel,
                           uint64_t time_ns, uint64_t period_ns);
const struct reticle_file_stack *rrt_sample_stacks(uint32_t *count);

// --- what engines do with a sample (sample.c)
// ------------------------------------------------------

/// The record of how samples are taken, which engines count in.
extern struct reticle_file_sampling rrt_sampling;
/// period_ns  CPU time that it stands for
void rrt_sample_add(uint64_t address, uint64_t time_ns, uint64_t period_ns);
/// One in the kernel, which has no address in the program.
void rrt_sample_add_kernel(uint64_t period_ns);
/// 1 if engines are to add the samples' stacks, too.
int rrt_sample_has_stacks(void);

// --- engines
// ---------------------------------------------------------------------------------------

/// Opens the kernel's CPU clock for these threads on all CPUs. 0 or -errno.
/// threads  [count]
int rrt_sample_perf_start(const uint32_t *threads, uint32_t count, uint64_t period_ns);
uint32_t rrt_sample_perf_drain(void);

/// Starts timers for these threads. 0 or -errno.
int rrt_sample_timer_start(const uint32_t *threads, uint32_t count, uint64_t period_ns);
/// Takes samples and starts timers for new threads.
uint32_t rrt_sample_timer_drain(void);
/// Stops them, and gives the signal back: the handler's code is about to go.
void rrt_sample_timer_close(void);

enum { RRT_SAMPLE_THREADS = 1024 };
/// The process's threads but for the calling one, at most RRT_SAMPLE_THREADS; the number there is.
uint32_t rrt_sample_threads(uint32_t *out);

#endif
