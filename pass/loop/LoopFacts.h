// LoopFacts.h - what the pass knows of a loop before it decides about probes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_LOOPFACTS_H
#define RETICLE_PASS_LOOP_LOOPFACTS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace llvm {
class Loop;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace reticle {

/// Why a loop (in simplified form, as far as it can be brought into it) takes no probes; empty if
/// it takes them.
llvm::StringRef shapeWithoutProbes(const llvm::Loop &L);

/// Whether all of the loop's work, every iteration together, is known to be less than a timer can
/// see.
bool isTooShort(const llvm::Loop &L, llvm::ScalarEvolution &SE,
                const llvm::TargetTransformInfo &TTI);

struct LoopFacts {
  uint32_t WorkClass; ///< enum reticle_work_class
  uint32_t Flags;     ///< enum reticle_loop_flags
};

/// KnownInFront, KnownBehind: begin can be given the trip count, or begin and end what tells it.
LoopFacts classify(const llvm::Loop &L, bool KnownInFront, bool KnownBehind);

/// Whether the loop runs no code of unknown length: it is of class F or P.
bool hasOwnWork(const llvm::Loop &L);

} // namespace reticle

#endif
