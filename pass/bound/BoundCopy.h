// BoundCopy.h - one copy of a loop, and what it does otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BOUND_BOUNDCOPY_H
#define RETICLE_PASS_BOUND_BOUNDCOPY_H

#include "pass/bound/BoundRegion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

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

/// Every copy counts the iterations of its outermost loops, and ends after so many. One copy
/// records the outcomes of branches that depend on loads, another one replays them: it takes the
/// same path whatever it loads, also when its addresses are moved by a mask and a base, which keep
/// the offset in a page. With a mask of ones and a base of 0 it does the loop's own work by the
/// same instructions.
class BoundCopy {
public:
  /// Kind: enum reticle_bound_copy. Dependent: branches of the region. Variables: what is to become
  /// registers later is added.
  BoundCopy(const BoundRegion &Region, uint32_t Kind, llvm::LoopInfo &LI, llvm::DominatorTree &DT,
            const llvm::DenseSet<const llvm::Instruction *> &Dependent,
            llvm::SmallVectorImpl<llvm::AllocaInst *> &Variables);
  /// Comes back to Ask. Returns where it begins.
  llvm::BasicBlock *make(llvm::BasicBlock *Ask);

private:
  struct Moved {
    llvm::Value *Mask, *Base;
  };
  llvm::AllocaInst *variable(llvm::Type *T, llvm::StringRef Name);
  llvm::BasicBlock *createBegin();
  void createEnd(llvm::BasicBlock *Ask);
  void cloneBlocks();
  void keepResults();
  void keep(llvm::IRBuilder<> &B, llvm::Value *V);
  void countIterations(const llvm::Loop &L);
  void record(llvm::Instruction &Branch);
  void replay(llvm::Instruction &Branch);
  llvm::Value *step(llvm::IRBuilder<> &B);
  llvm::Value *move(llvm::IRBuilder<> &B, llvm::Value *Address, const Moved &By) const;
  void moveAccess(llvm::Instruction &I);
  void recordLoad(llvm::Instruction &I);

  const BoundRegion &Region;
  uint32_t Kind;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  const llvm::DenseSet<const llvm::Instruction *> &Dependent;
  llvm::SmallVectorImpl<llvm::AllocaInst *> &Variables;
  llvm::Function &F;
  BoundSite Site;
  llvm::ValueToValueMapTy Map;
  llvm::SmallVector<llvm::BasicBlock *, 16> Blocks; ///< the copies
  llvm::BasicBlock *End = nullptr;
  llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> Kept; ///< where results go
  llvm::AllocaInst *Left = nullptr, *Position = nullptr;
  Moved Loads = {}, Stores = {};
};

} // namespace reticle

#endif
