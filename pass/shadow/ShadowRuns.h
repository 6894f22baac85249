// ShadowRuns.h - instructions that are executed together or not at all, and the words they touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOW_SHADOWRUNS_H
#define RETICLE_PASS_SHADOW_SHADOWRUNS_H

#include "llvm/ADT/MapVector.h"
#include <cstdint>
#include <deque>
#include <map>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace reticle {

/// Words from an object's base on, ascending, and what the run does to them: RETICLE_SHADOW_READ,
/// RETICLE_SHADOW_WRITTEN, or both.
using ShadowWords = std::map<int64_t, unsigned>;

/// What a run touches of one object.
struct ShadowTouches {
  llvm::Instruction *Before = nullptr; ///< where the marks go
  ShadowWords Words;
  /// Of the same object in a block right before: the place among the marks is known from there.
  ShadowTouches *Known = nullptr;
  llvm::Value *Index = nullptr; ///< for who puts the marks in
};

struct ShadowRun {
  llvm::BasicBlock *Block;
  llvm::MapVector<llvm::Value *, ShadowTouches> Objects;

  explicit ShadowRun(llvm::BasicBlock &Where) : Block(&Where) {}
  /// `I` touches `Count` words; calls come in the instructions' order.
  void add(llvm::Value &Base, llvm::Instruction &I, int64_t First, unsigned Count, unsigned Kinds);
};

/// In the order of the function's blocks, with at least one for each.
using ShadowRuns = std::deque<ShadowRun>;

/// Whether a run ends here: what follows may never be reached.
bool mayStay(const llvm::Instruction &I);

/// Takes out of the runs the words that are marked whenever the run is reached, and moves marks of
/// an address that doesn't change in front of its loop. So a word may be marked once where the
/// program touches it again: later in the same pass through code without a back edge, or in an
/// innermost loop without calls.
///
/// Apart  reads and writes are told apart: one does not do for the other, and each iteration of
/// each loop
///        marks again, or two threads that write for long would be seen in one interval only
void leaveOutMarked(llvm::Function &F, ShadowRuns &Runs, bool Apart);

} // namespace reticle

#endif
