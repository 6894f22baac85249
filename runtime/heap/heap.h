// heap.h - the feature `shadow` as the session sees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_HEAP_H
#define RETICLE_RUNTIME_HEAP_HEAP_H

#include "include/reticle/abi.h"

/// Reserves the shadow memory and puts sites on; nothing at later calls. 0, or -errno and marks
/// that go nowhere. May come before libc is ready.
int rrt_heap_open(void);
/// 0 if the shadow memory is there, reserving it where needed; else -errno, and nothing else has
/// changed.
int rrt_heap_can_open(void);
/// Without shadow memory, by choice or not. state: enum reticle_shadow_state
void rrt_heap_open_none(uint32_t state);

/// Before a module's first allocation: whether it tells reads from writes.
void rrt_heap_expect(const struct reticle_shadow_module_desc *module);
/// A module's constructor and destructor. Need the drain lock. -EINVAL: the module's marks have no
/// effect, as it was compiled without shadow=bursts and there are bursts.
int rrt_heap_add(const struct reticle_shadow_module_desc *module);
void rrt_heap_remove(const struct reticle_shadow_module_desc *module);
/// The library that carries the runtime is unloaded: what others may still need is kept mapped.
void rrt_heap_close(void);
/// 1 if a module with marks is there.
int rrt_heap_present(void);

/// 1 if an object came since the start, or since the fork.
int rrt_heap_any(void);

/// When the next sample is due, as rrt_sys_monotonic_raw_ns counts; UINT64_MAX: never.
uint64_t rrt_heap_due_ns(void);
/// Takes a sample if one is due. By the sideline.
void rrt_heap_sample(uint64_t now_ns);

/// Samples so far, those of checkpoints included; -1: nothing is sampled.
int64_t rrt_heap_samples(void);

/// After fork, in the child.
void rrt_heap_forked(void);

/// Brings all numbers up to date; those of living objects, unless they are asked for, only where
/// the budget of the samples allows it. Needs the drain lock; what follows is of that moment.
void rrt_heap_read(struct reticle_file_shadow *out, int force_live_scan);
/// Sites, with 1 <= i < rrt_heap_site_count(). 0 if there is nothing to say of that one.
uint32_t rrt_heap_site_count(void);
int rrt_heap_site(uint32_t i, struct reticle_file_site *out);
/// A site's frames, innermost first; 0 behind the last.
int rrt_heap_frame(uint32_t i, uint32_t depth, struct reticle_file_siteframe *out);
/// What is known of a word of the site's objects; 0 if it was never touched, -1 behind the last.
int rrt_heap_word(uint32_t i, uint32_t word, struct reticle_file_siteword *out);
const struct reticle_file_shadowunit *rrt_heap_units(uint32_t *count);
/// Whose object an address lies in (owner.c). Before a series of questions: how far an object
/// reaches is looked up.
void rrt_heap_owner_begin(void);
/// Number of the site of the heap object that the address lies in; 0: in none, of none that is
/// known, or the kernel doesn't say which marks have memory (before 6.7). An object that is freed
/// meanwhile is not found, or another one in its place is.
uint32_t rrt_heap_owner(uintptr_t address);
/// The same, and where the object begins.
uint32_t rrt_heap_object(uintptr_t address, uintptr_t *begin);
/// The site's stable id. Frames must have their names: rrt_heap_read.
uint64_t rrt_heap_site_id(uint32_t i);

/// Lines that several threads use, from 0; 0 behind the last.
int rrt_heap_shared_line(uint32_t i, struct reticle_file_sharedline *out);
/// 1 if reads and writes are told apart.
int rrt_heap_has_detail(void);

// Windows of visits (visits.h).
/// Windows of all threads, at most.
enum { RRT_VISIT_WINDOWS = 1024 };

struct rrt_visits_tables {
  const struct reticle_file_visitsite *sites; ///< [site_count]
  uint32_t site_count;
};
/// What is known of sites so far. Needs the drain lock.
void rrt_visits_read(struct rrt_visits_tables *out);
/// Window i of all threads' from 0 on, and its bytes, which stay as they are until the window is
/// forgotten. 0: none there, -1: behind the last.
int rrt_visits_window(uint32_t i, struct reticle_file_visitwindow *out, const uint8_t **bytes);
/// No window is forgotten between the two.
void rrt_visits_hold(void);
void rrt_visits_let_go(void);

/// Bytes that the tables take; not the shadow memory.
uint64_t rrt_heap_bytes(void);

#endif
