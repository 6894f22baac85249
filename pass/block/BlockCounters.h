// BlockCounters.h - which blocks of a module get counters, for the features that count them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BLOCK_BLOCKCOUNTERS_H
#define RETICLE_PASS_BLOCK_BLOCKCOUNTERS_H

#include "pass/block/FieldCounters.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace reticle {

/// A counter, and which of the blocks that were asked for it says something about.
struct PlannedCounter {
  unsigned Counter;
  llvm::Instruction *Before;             ///< it is counted in front of this
  llvm::SmallVector<unsigned, 4> Places; ///< their executions are sums of such counters
};

/// Plans counters for blocks, then emits them: the features `field` and `block` share the thread's
/// copy and the function's test for it.
class BlockCounters {
public:
  BlockCounters(llvm::Module &M, llvm::FunctionAnalysisManager &AM) : M(M), AM(AM) {}

  /// Loops of F get the form that counting them in registers needs. Before places are chosen.
  void prepare(llvm::Function &F);
  /// Chooses counters that say how often each of Places is executed: the sum of those that list it.
  /// Splits edges. Analyses of F that were got before are no longer valid.
  llvm::SmallVector<PlannedCounter, 16> plan(llvm::Function &F,
                                             llvm::ArrayRef<llvm::Instruction *> Places);
  /// One counter that goes up in front of Before by what How says (FieldCounters::countSome).
  unsigned planSome(llvm::Function &F, llvm::Instruction &Before, const llvm::Value &How,
                    uint32_t PerBytes);
  /// Adds the code for all of them. Feature: the one that asked for most of them.
  void emit(FieldCounters &Counters, llvm::StringRef Feature);

  bool empty() const { return Functions.empty(); }
  unsigned count() const { return Count; }

private:
  struct Place {
    llvm::Instruction *Before;
    unsigned Counter;
    const llvm::Value *How = nullptr; ///< null: it goes up by one
    uint32_t PerBytes = 0;
  };
  llvm::Instruction *placeOn(llvm::BasicBlock *From, unsigned Successor, llvm::Function &F);
  llvm::SmallPtrSet<const llvm::Function *, 16> coveredByCallers() const;
  void emitIn(FieldCounters &Counters, llvm::Function &F, llvm::ArrayRef<Place> Places, bool Test);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &AM;
  llvm::MapVector<llvm::Function *, llvm::SmallVector<Place, 8>> Functions;
  unsigned Count = 0;
};

} // namespace reticle

#endif
