// BoundRegion.h - the code between the marks of a loop, after the optimiser: what a copy copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BOUND_BOUNDREGION_H
#define RETICLE_PASS_BOUND_BOUNDREGION_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <cstdint>

namespace llvm {
class BasicBlock;
class CallInst;
class GlobalVariable;
class Instruction;
class InvokeInst;
class Value;
} // namespace llvm

namespace reticle {

class BoundCallees;

/// All blocks that can be come to from the open mark without passing a close mark. The marks'
/// blocks are split: the region begins and ends at ends of blocks.
struct BoundRegion {
  llvm::GlobalVariable *Site;
  llvm::BasicBlock *Head;  ///< in front of it; ends with a jump to Entry
  llvm::BasicBlock *Entry; ///< has no phi
  llvm::SetVector<llvm::BasicBlock *> Blocks;
  llvm::DenseSet<const llvm::BasicBlock *> Exits; ///< behind it
  uint32_t Reason; ///< enum reticle_bound_reason: why it isn't copied
};

/// Branches and switches of the blocks whose condition depends on what these load.
///
/// Seeds: other values that do
llvm::DenseSet<const llvm::Instruction *>
dependOnLoads(const llvm::SetVector<llvm::BasicBlock *> &Blocks,
              llvm::ArrayRef<const llvm::Value *> Seeds = {});

/// Why code can't be copied, whatever it is a part of; RETICLE_BOUND_DONE where it can.
uint32_t boundReasonOf(const llvm::Instruction &I);

/// In a copy: an exception ends the child. The block that it would lead to is left as it is.
void callWithoutUnwinding(llvm::InvokeInst &Invoke);

/// A mark of this loop, or of one inside of it.
bool isBoundMark(const llvm::Instruction &I);

/// A part of a gate or a test of a loop inside of it, which copies leave as it is.
bool isProbe(const llvm::Instruction &I);

BoundRegion findBoundRegion(llvm::CallInst &Open, const BoundCallees &Callees);

} // namespace reticle

#endif
