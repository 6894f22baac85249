// BoundRegion.cpp - the code between the marks of a loop, after the optimiser: what a copy copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/bound/BoundRegion.h"
#include "include/reticle/abi.h"
#include "pass/bound/BoundCallees.h"
#include "pass/bound/BoundMarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace reticle;

/// The position of a successor is recorded as a byte.
static constexpr unsigned MaxWays = 256;

static CallInst *findClose(BasicBlock &Block, const GlobalVariable &Site) {
  for (Instruction &I : Block)
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == BoundCloseName &&
          Call->getArgOperand(0)->stripPointerCasts() == &Site)
        return Call;
  return nullptr;
}

bool reticle::isBoundMark(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && (Callee->getName() == BoundOpenName || Callee->getName() == BoundCloseName);
}

bool reticle::isProbe(const Instruction &I) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return true;
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->isInlineAsm() && any_of(Call->args(), [](const Value *V) {
           return V->stripPointerCasts()->getName().starts_with("__reticle_loop_");
         });
}

uint32_t reticle::boundReasonOf(const Instruction &I) {
  if (isProbe(I))
    return RETICLE_BOUND_DONE;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isa<CallBrInst>(Call) || Call->isInlineAsm() ? RETICLE_BOUND_SHAPE : RETICLE_BOUND_DONE;
  if (I.isAtomic() || I.isVolatile())
    return RETICLE_BOUND_ATOMIC;
  if (I.isEHPad() || isa<IndirectBrInst>(I) || (I.isTerminator() && I.getNumSuccessors() > MaxWays))
    return RETICLE_BOUND_SHAPE;
  return RETICLE_BOUND_DONE;
}

static uint32_t reasonOf(const Instruction &I) {
  return isa<AllocaInst>(I) ? uint32_t(RETICLE_BOUND_SHAPE) : boundReasonOf(I);
}

/// A call of code that has no copies, come to in each iteration of a loop.
static bool alwaysCalls(const BoundRegion &Region, const BoundCallees &Callees) {
  Function &F = *Region.Entry->getParent();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  return any_of(Region.Blocks, [&](BasicBlock *Block) {
    const Loop *L = LI.getLoopFor(Block);
    SmallVector<BasicBlock *, 2> Latches;
    if (!L || none_of(*Block, [&](const Instruction &I) {
          return isForeignCall(I) && !Callees.isKnown(cast<CallBase>(I));
        }))
      return false;
    L->getLoopLatches(Latches);
    return all_of(Latches, [&](const BasicBlock *Latch) { return DT.dominates(Block, Latch); });
  });
}

static uint32_t reasonOfRegion(const BoundRegion &Region, const BoundCallees &Callees) {
  if (Region.Exits.empty())
    return RETICLE_BOUND_SHAPE;
  for (const BasicBlock *Block : Region.Blocks) {
    if (Block != Region.Entry && !all_of(predecessors(Block), [&](const BasicBlock *P) {
          return Region.Blocks.contains(const_cast<BasicBlock *>(P));
        }))
      return RETICLE_BOUND_SHAPE;
    if (const Instruction *Last = Block->getTerminator();
        !Last->getNumSuccessors() && !isa<UnreachableInst>(Last))
      return RETICLE_BOUND_MERGED;
    for (const Instruction &I : *Block)
      if (uint32_t Reason = reasonOf(I))
        return Reason;
  }
  return alwaysCalls(Region, Callees) ? RETICLE_BOUND_CALLS : RETICLE_BOUND_DONE;
}

BoundRegion reticle::findBoundRegion(CallInst &Open, const BoundCallees &Callees) {
  BoundRegion Region;
  Region.Site = cast<GlobalVariable>(Open.getArgOperand(0)->stripPointerCasts());
  Region.Head = Open.getParent();
  Region.Entry = SplitBlock(Region.Head, Open.getNextNode());
  SmallVector<BasicBlock *, 16> Next = {Region.Entry};
  while (!Next.empty()) {
    BasicBlock *Block = Next.pop_back_val();
    if (Region.Blocks.contains(Block) || Region.Exits.contains(Block))
      continue;
    if (CallInst *Close = findClose(*Block, *Region.Site)) {
      if (!isa<PHINode>(Block->begin()) && Close == &Block->front()) {
        Region.Exits.insert(Block);
        continue;
      }
      Region.Exits.insert(SplitBlock(Block, Close));
    }
    Region.Blocks.insert(Block);
    for (BasicBlock *Successor : successors(Block))
      if (!Successor->isEHPad()) // copies don't come to it
        Next.push_back(Successor);
  }
  Region.Reason = reasonOfRegion(Region, Callees);
  return Region;
}

void reticle::callWithoutUnwinding(InvokeInst &Invoke) {
  IRBuilder<> B(&Invoke);
  SmallVector<Value *, 8> Arguments(Invoke.args());
  SmallVector<OperandBundleDef, 1> Bundles;
  Invoke.getOperandBundlesAsDefs(Bundles);
  CallInst *Call =
      B.CreateCall(Invoke.getFunctionType(), Invoke.getCalledOperand(), Arguments, Bundles);
  Call->setCallingConv(Invoke.getCallingConv());
  Call->setAttributes(Invoke.getAttributes());
  B.CreateBr(Invoke.getNormalDest());
  Invoke.replaceAllUsesWith(Call);
  Invoke.eraseFromParent();
}

static bool isLoaded(const Instruction &I) {
  if (isProbe(I))
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  return isa<LoadInst>(I) ||
         (Call && Call->mayReadFromMemory() && !isa<AssumeInst>(Call) && !isBoundMark(I));
}

DenseSet<const Instruction *> reticle::dependOnLoads(const SetVector<BasicBlock *> &Blocks,
                                                     ArrayRef<const Value *> Seeds) {
  DenseSet<const Instruction *> Loaded, Dependent;
  SmallVector<const Value *, 32> Next(Seeds);
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block)
      if (isLoaded(I) && Loaded.insert(&I).second)
        Next.push_back(&I);
  while (!Next.empty())
    for (const User *U : Next.pop_back_val()->users())
      if (auto *I = dyn_cast<Instruction>(U);
          I && Blocks.contains(const_cast<BasicBlock *>(I->getParent())) && Loaded.insert(I).second)
        Next.push_back(I);
  for (const Instruction *I : Loaded)
    if (isa<BranchInst>(I) || isa<SwitchInst>(I))
      Dependent.insert(I);
  return Dependent;
}
