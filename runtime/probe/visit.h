// visit.h - where a thread notes which elements of structs it visits, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   thread's buffer    slot 0          slot 1          ...   slot 15
//                      window 1        window 9              -
//                      used bytes      used bytes
// A window is a stretch of time in which all visits are noted; a slot holds what one thread visited
// in it. Only its thread writes to a slot, at its end, so what is used stays as it is until the
// slot gets another window.
#ifndef RETICLE_RUNTIME_PROBE_VISIT_H
#define RETICLE_RUNTIME_PROBE_VISIT_H

#include "include/reticle/abi.h"
#include "include/reticle/visit.h"

enum { RRT_VISIT_SLOTS = 16, RRT_VISIT_SLOT_BYTES = 1 << 16 };

struct rrt_visit_slot {
  uint32_t window; ///< 0: none
  uint32_t used;   ///< bytes; release on store
  uint32_t thread;
  uint64_t begin_ticks;
};

struct rrt_visit_buffer {
  struct rrt_visit_slot slots[RRT_VISIT_SLOTS];
  struct reticle_visit_codec codec; ///< of the slot that is written
  uint32_t window;                  ///< that the thread takes part in
  uint32_t slot;
  uint32_t busy; ///< a signal handler came in between: it notes nothing
  uint8_t bytes[RRT_VISIT_SLOTS][RRT_VISIT_SLOT_BYTES];
};

struct rrt_thread;

/// What the probe needs of runtime/heap/visits.c.
struct rrt_visit_control {
  uint32_t window;     ///< the open one, 0: none. Acquire: slot is set before
  uint32_t slot;       ///< where it goes
  uint32_t site_count; ///< numbers given (atomic)
  /// A buffer for the thread; null without memory. Async-signal-safe.
  struct rrt_visit_buffer *(*open)(struct rrt_thread *thread);
  /// A slot is full: nobody needs to note more in this window. Async-signal-safe.
  void (*close)(uint32_t window);
};
extern struct rrt_visit_control rrt_visits;
/// By number, [RETICLE_VISIT_SITES_MOST]; null: not numbered, or about to be.
extern const struct reticle_visit_desc *rrt_visit_sites[RETICLE_VISIT_SITES_MOST];

/// __reticle_visit without the saving of registers.
void rrt_visit(struct reticle_visit_desc *site, uint64_t address);

#endif
