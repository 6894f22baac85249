// BoundCopy.cpp - one copy of a loop, and what it does otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/bound/BoundCopy.h"
#include "include/reticle/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace reticle;

Value *BoundSite::load(IRBuilder<> &B, Type *T, size_t Offset) const {
  return B.CreateLoad(T, B.CreateConstGEP1_64(B.getInt8Ty(), &Site, Offset), /*isVolatile=*/true);
}

void BoundSite::store(IRBuilder<> &B, Value *V, size_t Offset) const {
  B.CreateStore(V, B.CreateConstGEP1_64(B.getInt8Ty(), &Site, Offset), /*isVolatile=*/true);
}

BoundCopy::BoundCopy(const BoundRegion &Region, uint32_t Kind, LoopInfo &LI, DominatorTree &DT,
                     const DenseSet<const Instruction *> &Dependent, BoundCallees &Callees,
                     SmallVectorImpl<AllocaInst *> &Variables)
    : Region(Region), Kind(Kind), LI(LI), DT(DT), Dependent(Dependent), Callees(Callees),
      Variables(Variables), F(*Region.Head->getParent()), Site(*Region.Site) {}

AllocaInst *BoundCopy::variable(Type *T, StringRef Name) {
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Variable = B.CreateAlloca(T, nullptr, Name);
  Variables.push_back(Variable);
  return Variable;
}

/// Everything a copy reads of the site is in a register when its loops begin.
BasicBlock *BoundCopy::createBegin() {
  BasicBlock *Begin = BasicBlock::Create(F.getContext(), "reticle.copy", &F, Region.Entry);
  IRBuilder<> B(Begin);
  Type *Word = B.getInt64Ty();
  Left = variable(Word, "reticle.left");
  B.CreateStore(Site.load(B, Word, offsetof(reticle_bound_desc, iterations)), Left);
  if (Kind != RETICLE_BOUND_PLAIN) {
    static constexpr size_t Words[ContextWords] = {
        offsetof(reticle_bound_desc, load_mask), offsetof(reticle_bound_desc, load_base),
        offsetof(reticle_bound_desc, store_mask), offsetof(reticle_bound_desc, store_base),
        offsetof(reticle_bound_desc, outcomes)};
    Context = IRBuilder<>(&*F.getEntryBlock().getFirstInsertionPt())
                  .CreateAlloca(ArrayType::get(Word, ContextWords), nullptr, "reticle.context");
    for (unsigned I = 0; I < ContextWords; I++)
      B.CreateStore(Site.load(B, Word, Words[I]), B.CreateConstGEP1_64(Word, Context, I));
    Move.emplace(F, Kind, Context, Callees, Variables);
    Move->begin(B);
  }
  return Begin;
}

void BoundCopy::createEnd(BasicBlock *Ask) {
  End = BasicBlock::Create(F.getContext(), "reticle.end", &F, Region.Entry);
  IRBuilder<> B(End);
  Site.store(B, B.CreateLoad(B.getInt64Ty(), Left), offsetof(reticle_bound_desc, left));
  if (Move) {
    Move->end(B);
    Site.store(
        B, B.CreateLoad(B.getInt64Ty(), B.CreateConstGEP1_64(B.getInt64Ty(), Context, Outcomes)),
        offsetof(reticle_bound_desc, outcomes_end));
  }
  B.CreateBr(Ask);
}

void BoundCopy::cloneBlocks() {
  for (BasicBlock *Block : Region.Blocks) {
    BasicBlock *Clone = CloneBasicBlock(Block, Map, ".copy", &F);
    Map[Block] = Clone;
    Blocks.push_back(Clone);
  }
  for (const BasicBlock *Exit : Region.Exits)
    Map[Exit] = End;
  for (BasicBlock *Clone : Blocks)
    for (Instruction &I : make_early_inc_range(*Clone)) {
      I.dropDbgRecords();
      if (isa<DbgInfoIntrinsic>(I) || isa<NoAliasScopeDeclInst>(I) || isa<AssumeInst>(I) ||
          isBoundMark(I))
        I.eraseFromParent();
      else
        RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  for (BasicBlock *Clone : Blocks)
    if (auto *Invoke = dyn_cast<InvokeInst>(Clone->getTerminator()))
      callWithoutUnwinding(*Invoke);
}

void BoundCopy::keep(IRBuilder<> &B, Value *V) {
  AllocaInst *&Place = Kept[V->getType()];
  if (!Place)
    Place = IRBuilder<>(&*F.getEntryBlock().getFirstInsertionPt())
                .CreateAlloca(V->getType(), nullptr, "reticle.result");
  B.CreateStore(V, Place, /*isVolatile=*/true);
}

/// What the program uses behind the loop is stored where the copy ends: else nothing would need it,
/// and the code generator leave out what makes it.
void BoundCopy::keepResults() {
  SmallVector<Instruction *, 8> Results;
  for (BasicBlock *Block : Region.Blocks)
    for (Instruction &I : *Block)
      if (any_of(I.users(), [&](User *U) {
            BasicBlock *Place = cast<Instruction>(U)->getParent();
            bool IsOfEdge = isa<PHINode>(U) && Region.Exits.contains(Place); // below
            return !IsOfEdge && !Region.Blocks.contains(Place);
          }))
        Results.push_back(&I);
  for (BasicBlock *Block : Region.Blocks) {
    Instruction *Last = Block->getTerminator();
    auto *Clone = cast<BasicBlock>(static_cast<Value *>(Map[Block]))->getTerminator();
    for (unsigned Way = 0; Way < Last->getNumSuccessors(); Way++) {
      BasicBlock *Exit = Last->getSuccessor(Way);
      if (!Region.Exits.contains(Exit))
        continue;
      BasicBlock *Edge = BasicBlock::Create(F.getContext(), "reticle.results", &F, End);
      Clone->setSuccessor(Way, Edge);
      IRBuilder<> B(Edge);
      auto Keep = [&](Value *V) {
        if (isa<Instruction>(V))
          if (Value *Copied = Map.lookup(V))
            keep(B, Copied);
      };
      for (PHINode &Phi : Exit->phis())
        Keep(Phi.getIncomingValueForBlock(Block));
      for (Instruction *Result : Results)
        if (DT.dominates(Result, Last))
          Keep(Result);
      B.CreateBr(End);
    }
  }
}

/// On each edge back to the header of an outermost loop.
void BoundCopy::countIterations(const Loop &L) {
  auto *Header = cast<BasicBlock>(static_cast<Value *>(Map[L.getHeader()]));
  SmallVector<BasicBlock *, 2> Latches;
  L.getLoopLatches(Latches);
  for (BasicBlock *Latch : Latches) {
    auto *From = cast<BasicBlock>(static_cast<Value *>(Map[Latch]));
    BasicBlock *Count = BasicBlock::Create(F.getContext(), "reticle.count", &F, Header);
    From->getTerminator()->replaceSuccessorWith(Header, Count);
    for (PHINode &Phi : Header->phis()) {
      Phi.replaceIncomingBlockWith(From, Count);
      for (int Other;
           (Other = Phi.getBasicBlockIndex(Count)) >= 0 && count(Phi.blocks(), Count) > 1;)
        Phi.removeIncomingValue(Other, /*DeletePHIIfEmpty=*/false);
    }
    IRBuilder<> B(Count);
    Value *Rest = B.CreateSub(B.CreateLoad(B.getInt64Ty(), Left), B.getInt64(1));
    B.CreateStore(Rest, Left);
    B.CreateCondBr(B.CreateIsNull(Rest), End, Header);
  }
}

BasicBlock *BoundCopy::make(BasicBlock *Ask) {
  BasicBlock *Begin = createBegin();
  createEnd(Ask);
  cloneBlocks();
  auto Instructions = BoundMove::instructionsOf(Blocks);
  keepResults();
  DenseSet<const Loop *> Counted;
  for (const BasicBlock *Block : Region.Blocks)
    for (const Loop *L = LI.getLoopFor(Block); L && Region.Blocks.contains(L->getHeader());
         L = L->getParentLoop())
      if (const Loop *Outer = L->getParentLoop();
          (!Outer || !Region.Blocks.contains(Outer->getHeader())) && Counted.insert(L).second)
        countIterations(*L);
  if (Move) {
    SmallVector<Instruction *, 16> Branches;
    for (const Instruction *Branch : Dependent)
      Branches.push_back(cast<Instruction>(static_cast<Value *>(Map[Branch])));
    Move->apply(Instructions, Branches);
  }
  BranchInst::Create(cast<BasicBlock>(static_cast<Value *>(Map[Region.Entry])), Begin);
  return Begin;
}
