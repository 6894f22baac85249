// TripCount.h - a loop's trip count as an expression of values known in front of the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_TRIPCOUNT_H
#define RETICLE_PASS_LOOP_TRIPCOUNT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
class PHINode;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace reticle {

/// LLVM's SCEVExpander is not used: it hoists code to where it may be run more often, and makes
/// new induction variables for the loops around. This one writes plain code in one place or
/// nothing at all.
class TripCount {
public:
  /// Nothing if the trip count isn't known in front of the loop, or is long to compute.
  static std::optional<TripCount> find(const llvm::Loop &L, llvm::ScalarEvolution &SE,
                                       const llvm::DominatorTree &DT);

  /// Computes it as i64 where B stands, which the loop's preheader dominates. Changes in the
  /// control flow since find() don't matter.
  llvm::Value *emit(llvm::IRBuilder<> &B) const;

private:
  bool emittable(const llvm::SCEV *S, const llvm::Loop &L, llvm::ScalarEvolution &SE,
                 const llvm::DominatorTree &DT, unsigned &Budget);
  bool emittableInduction(const llvm::SCEVAddRecExpr *Rec, const llvm::Loop &L,
                          llvm::ScalarEvolution &SE, const llvm::DominatorTree &DT,
                          unsigned &Budget);
  llvm::Value *emit(const llvm::SCEV *S, llvm::IRBuilder<> &B) const;
  llvm::Value *emitMinMax(const llvm::SCEV *S, llvm::IRBuilder<> &B) const;

  const llvm::SCEV *BackedgeCount = nullptr;
  /// Recurrences of the loops around, as an induction variable and a distance to it.
  struct Induction {
    llvm::PHINode *Phi = nullptr;
    const llvm::SCEV *Distance = nullptr;
  };
  llvm::SmallDenseMap<const llvm::SCEV *, Induction, 2> Inductions;
};

} // namespace reticle

#endif
