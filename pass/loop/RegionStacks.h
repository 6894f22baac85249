// RegionStacks.h - which regions are open where in a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_REGIONSTACKS_H
#define RETICLE_PASS_LOOP_REGIONSTACKS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class Instruction;
} // namespace llvm

namespace reticle {

/// The regions open at one place, by number, the newest last.
using RegionStack = llvm::SmallVector<unsigned, 4>;

/// A call that begins or ends a region.
struct RegionMark {
  llvm::CallInst *Call;
  bool IsBegin;
  /// Of the region; an end without a number ends the newest one.
  std::optional<unsigned> Number;
};

/// A place where a region ends without a mark: in front of Before. Source: the branch or the return
/// that leaves it.
struct RegionLeft {
  unsigned Number;
  llvm::Instruction *Before;
  llvm::Instruction *Source;
};

/// What is open at the start of each block: what is open on every way to it. So a region ends, at
/// the latest, where ways meet on one of which it is not open. A begin never finds its own region
/// open: on the first way to it there is none.
class RegionStacks {
public:
  /// Marks: of F, in the order of its instructions within each block.
  RegionStacks(llvm::Function &F, llvm::ArrayRef<RegionMark> Marks);

  using Visit = llvm::function_ref<void(const RegionMark &, const RegionStack &Before)>;
  /// Calls Visitor for each mark that can be reached, with what is open in front of it.
  void forEachMark(Visit Visitor) const;
  /// Calls Visitor for each reachable instruction, likewise.
  void forEachInstruction(
      llvm::function_ref<void(llvm::Instruction &, const RegionStack &)> Visitor) const;

  /// Where regions end for want of a mark, inner ones first.
  llvm::SmallVector<RegionLeft, 4> left() const;
  /// What is open at the start of the block; nothing if it can't be reached.
  const RegionStack *opensAt(const llvm::BasicBlock *Block) const;

private:
  void apply(const RegionMark &Mark, RegionStack &Open) const;
  RegionStack atEnd(llvm::BasicBlock &Block) const;
  void solve();

  llvm::Function &F;
  llvm::DenseMap<const llvm::Instruction *, RegionMark> Marks;
  llvm::DenseMap<const llvm::BasicBlock *, RegionStack> Start;
};

} // namespace reticle

#endif
