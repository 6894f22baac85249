// BoundCopy.h - one copy of a loop, and what it does otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BOUND_BOUNDCOPY_H
#define RETICLE_PASS_BOUND_BOUNDCOPY_H

#include "pass/bound/BoundMove.h"
#include "pass/bound/BoundRegion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

namespace llvm {
class AllocaInst;
class DominatorTree;
class Loop;
class LoopInfo;
class MDNode;
} // namespace llvm

namespace reticle {

/// Fields of a struct reticle_bound_desc, by their offset in bytes.
class BoundSite {
public:
  explicit BoundSite(llvm::GlobalVariable &Site) : Site(Site) {}
  llvm::Value *load(llvm::IRBuilder<> &B, llvm::Type *T, size_t Offset) const;
  void store(llvm::IRBuilder<> &B, llvm::Value *V, size_t Offset) const;

private:
  llvm::GlobalVariable &Site;
};

/// Every copy counts the iterations of its outermost loops, and ends after so many. Two are made
/// otherwise (BoundMove.h): with a mask of ones and a base of 0 they do the loop's own work by the
/// same instructions.
class BoundCopy {
public:
  /// Kind: enum reticle_bound_copy. Dependent: branches of the region. Variables: what is to become
  /// registers later is added.
  BoundCopy(const BoundRegion &Region, uint32_t Kind, llvm::LoopInfo &LI, llvm::DominatorTree &DT,
            const llvm::DenseSet<const llvm::Instruction *> &Dependent, BoundCallees &Callees,
            llvm::SmallVectorImpl<llvm::AllocaInst *> &Variables);
  /// Comes back to Ask. Returns where it begins.
  llvm::BasicBlock *make(llvm::BasicBlock *Ask);

private:
  llvm::AllocaInst *variable(llvm::Type *T, llvm::StringRef Name);
  llvm::BasicBlock *createBegin();
  void createEnd(llvm::BasicBlock *Ask);
  void cloneBlocks();
  void keepResults();
  void keep(llvm::IRBuilder<> &B, llvm::Value *V);
  void countIterations(const llvm::Loop &L);

  const BoundRegion &Region;
  uint32_t Kind;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  const llvm::DenseSet<const llvm::Instruction *> &Dependent;
  BoundCallees &Callees;
  llvm::SmallVectorImpl<llvm::AllocaInst *> &Variables;
  llvm::Function &F;
  BoundSite Site;
  llvm::ValueToValueMapTy Map;
  llvm::SmallVector<llvm::BasicBlock *, 16> Blocks; ///< the copies
  llvm::BasicBlock *End = nullptr;
  llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> Kept; ///< where results go
  llvm::AllocaInst *Left = nullptr, *Context = nullptr;
  std::optional<BoundMove> Move;
};

} // namespace reticle

#endif
