// bound.h - the contract of the feature bound: copies of a loop, and what code with copies calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of abi.h, which includes it.
#ifndef RETICLE_BOUND_H
#define RETICLE_BOUND_H

#ifdef __cplusplus
extern "C" {
#endif

/// What stands beside a loop in the code.
enum reticle_bound_copy {
  RETICLE_BOUND_PROGRAM = 0, ///< no copy: the loop itself
  RETICLE_BOUND_PLAIN = 1,   ///< the same instructions
  /// Records the outcome of each branch that depends on loads, and stores what is loaded where the
  /// addresses'
  /// mask and base lead.
  RETICLE_BOUND_RECORDING = 2,
  /// Branches take the recorded outcomes; addresses go through mask and base.
  RETICLE_BOUND_REPLAYING = 3,
};

/// What a run measured: a copy with its mask and base.
enum reticle_bound_form {
  RETICLE_BOUND_AS_IS = 1,    ///< PLAIN
  RETICLE_BOUND_REPLAYED = 2, ///< MOVED, with the addresses that there are
  RETICLE_BOUND_FIRST = 3,    ///< MOVED, all loads and stores into 4 KB each
  RETICLE_BOUND_SECOND = 4,   ///< MOVED, all loads and stores into 128 KB each
  RETICLE_BOUND_LOADS = 5,    ///< MOVED, loads into 4 KB
  RETICLE_BOUND_STORES = 6,   ///< MOVED, stores into 4 KB
  RETICLE_BOUND_FORMS = 7,
};

/// Why a loop has no times.
enum reticle_bound_reason {
  RETICLE_BOUND_DONE = 0,
  RETICLE_BOUND_CALLS = 1,  ///< it calls functions
  RETICLE_BOUND_ATOMIC = 2, ///< atomic or volatile accesses, fences
  RETICLE_BOUND_SHAPE = 3,  ///< exceptions, assembly, computed jumps, several entries
  RETICLE_BOUND_MERGED = 4, ///< the optimiser took it away, or into others
  RETICLE_BOUND_SHORT = 5,  ///< its executions are over before the timer tells anything
  RETICLE_BOUND_UNSEEN = 6, ///< it was not executed while the runtime looked
  RETICLE_BOUND_DENIED = 7, ///< a child can't be forked or confined
  RETICLE_BOUND_LONG = 8,   ///< a single iteration takes longer than the child may
  RETICLE_BOUND_FAULTS = 9  ///< in a child: see bound_reason
};

enum reticle_bound_flags {
  RETICLE_BOUND_CUT = 1 << 0,     ///< it was ended after so many iterations
  RETICLE_BOUND_DECIDES = 1 << 1, ///< it has branches that depend on loads
};

struct reticle_bound_desc;
struct reticle_bound_module_desc;

/// As __reticle_module_start and _stop, for loops to be bound.
void __reticle_bounds_start(const struct reticle_bound_module_desc *module);
void __reticle_bounds_stop(const struct reticle_bound_module_desc *module);

/// At the entry of an armed loop, and behind each execution of a copy: site->copy says what runs
/// next. In the program that is always the loop itself.
void __reticle_bound(struct reticle_bound_desc *site);

#ifdef __cplusplus
}
#endif

#endif
