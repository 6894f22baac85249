// ExitCount.h - a loop's trip count from an induction variable that is there, read behind the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_EXITCOUNT_H
#define RETICLE_PASS_LOOP_EXITCOUNT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class PHINode;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace reticle {

/// begin is given the variable's start and end its last value; the runtime divides the difference
/// by the step. Both are values that the loop has anyway: nothing is added to it.
class ExitCount {
public:
  /// Nothing if the loop has no variable that changes by the same amount in each iteration.
  /// Exits: the loop's exit blocks, which it alone reaches. AtAnyCost: also if the loop gets
  /// longer.
  static std::optional<ExitCount> find(const llvm::Loop &L,
                                       llvm::ArrayRef<llvm::BasicBlock *> Exits,
                                       llvm::ScalarEvolution &SE, const llvm::DominatorTree &DT,
                                       bool AtAnyCost);

  /// By how much the variable grows in an iteration; not 0.
  int32_t step() const { return Step; }
  /// Width of the variable, which wraps around at most once.
  uint32_t bits() const { return Bits; }
  /// Whether the value at the exit (its number in Exits) lacks the iteration that left the loop.
  bool lacksLast(unsigned Exit) const { return Last[Exit] == Variable; }

  /// The variable's start, known in front of the loop; an integer or a pointer of bits() bits. As
  /// it is: to LSR, which shapes the loop's code later, a conversion would be another variable.
  llvm::Value *start() const { return Start; }
  /// Its value at the exit.
  llvm::Value *last(unsigned Exit) const { return Last[Exit]; }

private:
  /// What reading the variable may cost the loop: nothing where the program reads it there too.
  unsigned cost(const llvm::Loop &L, llvm::ArrayRef<llvm::BasicBlock *> Exits,
                const llvm::DominatorTree &DT) const;

  llvm::Value *Variable = nullptr; ///< phi of the loop's header
  llvm::Value *Start = nullptr;
  llvm::SmallVector<llvm::Value *, 4> Last;
  int32_t Step = 0;
  uint32_t Bits = 0;
};

} // namespace reticle

#endif
