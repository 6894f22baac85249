// BoundMove.h - what a copy of code does otherwise: moves accesses, replays branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BOUND_BOUNDMOVE_H
#define RETICLE_PASS_BOUND_BOUNDMOVE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class AllocaInst;
class CallInst;
class Function;
class MemIntrinsic;
} // namespace llvm

namespace reticle {

class BoundCallees;

/// What copies hand to the copies of functions that they call: five words in this order.
enum BoundContext : unsigned { LoadMask, LoadBase, StoreMask, StoreBase, Outcomes, ContextWords };

/// Part of one copy: of a loop's, or of a function that it calls. In a recording one, outcomes of
/// branches are written, and loaded values stored where a replaying one will load them; that one
/// takes the same path whatever it loads. Masks keep the offset in a page.
class BoundMove {
public:
  /// Kind: RETICLE_BOUND_RECORDING or _REPLAYING. Context: the words' address. Variables: what is
  /// to become registers later is added.
  BoundMove(llvm::Function &F, uint32_t Kind, llvm::Value *Context, BoundCallees &Callees,
            llvm::SmallVectorImpl<llvm::AllocaInst *> &Variables);
  /// Reads the words.
  void begin(llvm::IRBuilder<> &B);
  /// Writes the position in the outcomes back.
  void end(llvm::IRBuilder<> &B);
  /// The program's own: before anything of the copy's is among them.
  static llvm::SmallVector<llvm::Instruction *, 0>
  instructionsOf(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  /// Branches: those among them that depend on loads.
  void apply(llvm::ArrayRef<llvm::Instruction *> Instructions,
             llvm::ArrayRef<llvm::Instruction *> Branches);

private:
  struct Moved {
    llvm::Value *Mask, *Base;
  };
  llvm::Value *word(llvm::IRBuilder<> &B, BoundContext Word) const;
  llvm::Value *step(llvm::IRBuilder<> &B, uint64_t Bytes);
  void record(llvm::Instruction &Branch);
  void replay(llvm::Instruction &Branch);
  llvm::Value *move(llvm::IRBuilder<> &B, llvm::Value *Address, const Moved &By) const;
  void moveAccess(llvm::Instruction &I);
  void recordLoad(llvm::Instruction &I);
  llvm::CallInst *callCopy(llvm::IRBuilder<> &B, const llvm::CallInst &Call, llvm::Function &Copy);
  void call(llvm::CallInst &Call);
  void callThrough(llvm::CallInst &Call);
  void block(llvm::MemIntrinsic &Block);

  llvm::Function &F;
  uint32_t Kind;
  llvm::Value *Context;
  BoundCallees &Callees;
  llvm::AllocaInst *Position;
  Moved Loads = {}, Stores = {};
};

} // namespace reticle

#endif
