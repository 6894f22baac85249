// BoundCopy.cpp - one copy of a loop, and what it does otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/bound/BoundCopy.h"
#include "include/reticle/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
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

/// Variables on the stack of up to so many bytes stay where they are: they are in the first cache.
static constexpr uint64_t SmallBytes = 4096;

Value *BoundSite::load(IRBuilder<> &B, Type *T, size_t Offset) const {
  return B.CreateLoad(T, B.CreateConstGEP1_64(B.getInt8Ty(), &Site, Offset), /*isVolatile=*/true);
}

void BoundSite::store(IRBuilder<> &B, Value *V, size_t Offset) const {
  B.CreateStore(V, B.CreateConstGEP1_64(B.getInt8Ty(), &Site, Offset), /*isVolatile=*/true);
}

BoundCopy::BoundCopy(const BoundRegion &Region, uint32_t Kind, LoopInfo &LI, DominatorTree &DT,
                     const DenseSet<const Instruction *> &Dependent,
                     SmallVectorImpl<AllocaInst *> &Variables)
    : Region(Region), Kind(Kind), LI(LI), DT(DT), Dependent(Dependent), Variables(Variables),
      F(*Region.Head->getParent()), Site(*Region.Site) {}

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
    Loads = {Site.load(B, Word, offsetof(reticle_bound_desc, load_mask)),
             Site.load(B, Word, offsetof(reticle_bound_desc, load_base))};
    Stores = {Site.load(B, Word, offsetof(reticle_bound_desc, store_mask)),
              Site.load(B, Word, offsetof(reticle_bound_desc, store_base))};
    Position = variable(B.getPtrTy(), "reticle.position");
    B.CreateStore(Site.load(B, B.getPtrTy(), offsetof(reticle_bound_desc, outcomes)), Position);
  }
  return Begin;
}

void BoundCopy::createEnd(BasicBlock *Ask) {
  End = BasicBlock::Create(F.getContext(), "reticle.end", &F, Region.Entry);
  IRBuilder<> B(End);
  Site.store(B, B.CreateLoad(B.getInt64Ty(), Left), offsetof(reticle_bound_desc, left));
  if (Position)
    Site.store(B, B.CreateLoad(B.getPtrTy(), Position), offsetof(reticle_bound_desc, outcomes_end));
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

/// The position of the next decision, which is gone on by one.
Value *BoundCopy::step(IRBuilder<> &B) {
  Value *At = B.CreateLoad(B.getPtrTy(), Position);
  B.CreateStore(B.CreateConstGEP1_64(B.getInt8Ty(), At, 1), Position);
  return At;
}

void BoundCopy::record(Instruction &Branch) {
  IRBuilder<> B(&Branch);
  Value *Way;
  if (auto *Switch = dyn_cast<SwitchInst>(&Branch)) {
    Way = B.getInt8(0);
    for (auto Case : Switch->cases())
      Way = B.CreateSelect(B.CreateICmpEQ(Switch->getCondition(), Case.getCaseValue()),
                           B.getInt8(Case.getCaseIndex() + 1), Way);
  } else {
    Way = B.CreateZExt(cast<BranchInst>(Branch).getCondition(), B.getInt8Ty());
  }
  B.CreateStore(Way, step(B));
}

void BoundCopy::replay(Instruction &Branch) {
  IRBuilder<> B(&Branch);
  Value *Way = B.CreateLoad(B.getInt8Ty(), step(B));
  auto *Switch = dyn_cast<SwitchInst>(&Branch);
  if (!Switch) {
    cast<BranchInst>(Branch).setCondition(B.CreateIsNotNull(Way));
    return;
  }
  SwitchInst *Followed = B.CreateSwitch(Way, Switch->getDefaultDest(), Switch->getNumCases());
  for (auto Case : Switch->cases())
    Followed->addCase(B.getInt8(Case.getCaseIndex() + 1), Case.getCaseSuccessor());
  Switch->eraseFromParent();
}

/// One address or a vector of them.
Value *BoundCopy::move(IRBuilder<> &B, Value *Address, const Moved &By) const {
  Type *Words = B.getInt64Ty();
  Value *Mask = By.Mask, *Base = By.Base;
  if (auto *Vector = dyn_cast<FixedVectorType>(Address->getType())) {
    Words = FixedVectorType::get(Words, Vector->getNumElements());
    Mask = B.CreateVectorSplat(Vector->getNumElements(), Mask);
    Base = B.CreateVectorSplat(Vector->getNumElements(), Base);
  }
  Value *Word = B.CreateAdd(B.CreateAnd(B.CreatePtrToInt(Address, Words), Mask), Base);
  return B.CreateIntToPtr(Word, Address->getType());
}

namespace {

/// The operands that are addresses of an access; -1: there is none.
struct Addresses {
  int Load = -1, Store = -1;
};

} // namespace

static Addresses addressesOf(const Instruction &I) {
  if (isa<LoadInst>(I))
    return {0, -1};
  if (isa<StoreInst>(I))
    return {-1, 1};
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    return {0, -1};
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    return {-1, 1};
  case Intrinsic::memset:
    return {-1, 0};
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
    return {1, 0};
  default:
    return {};
  }
}

static bool isSmallVariable(const Value *Address, const DataLayout &Layout) {
  if (!Address->getType()->isPointerTy())
    return false;
  auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
  if (!Variable || !Variable->isStaticAlloca())
    return false;
  auto Size = Variable->getAllocationSize(Layout);
  return Size && !Size->isScalable() && Size->getFixedValue() <= SmallBytes;
}

void BoundCopy::moveAccess(Instruction &I) {
  IRBuilder<> B(&I);
  auto Move = [&](int Operand, const Moved &By) {
    if (Operand >= 0 && !isSmallVariable(I.getOperand(Operand), F.getDataLayout()))
      I.setOperand(Operand, move(B, I.getOperand(Operand), By));
  };
  Addresses A = addressesOf(I);
  Move(A.Load, Loads);
  Move(A.Store, Stores);
  if (A.Load >= 0 || A.Store >= 0)
    I.dropUnknownNonDebugMetadata(); // on what it loads, and what else it may touch
  // What is loaded from elsewhere is no reason to stop.
  if (auto *Division = dyn_cast<BinaryOperator>(&I);
      Division && Division->isIntDivRem() && !isa<Constant>(Division->getOperand(1)))
    Division->setOperand(
        1, B.CreateOr(Division->getOperand(1), ConstantInt::get(Division->getType(), 1)));
}

void BoundCopy::recordLoad(Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || isSmallVariable(Load->getPointerOperand(), F.getDataLayout()))
    return;
  IRBuilder<> B(I.getNextNode());
  B.CreateAlignedStore(Load, move(B, Load->getPointerOperand(), Loads), Load->getAlign());
}

BasicBlock *BoundCopy::make(BasicBlock *Ask) {
  BasicBlock *Begin = createBegin();
  createEnd(Ask);
  cloneBlocks();
  keepResults();
  DenseSet<const Loop *> Counted;
  for (const BasicBlock *Block : Region.Blocks)
    for (const Loop *L = LI.getLoopFor(Block); L && Region.Blocks.contains(L->getHeader());
         L = L->getParentLoop())
      if (const Loop *Outer = L->getParentLoop();
          (!Outer || !Region.Blocks.contains(Outer->getHeader())) && Counted.insert(L).second)
        countIterations(*L);
  if (Kind != RETICLE_BOUND_PLAIN) {
    for (BasicBlock *Clone : Blocks)
      for (Instruction &I : make_early_inc_range(*Clone))
        if (!isProbe(I))
          Kind == RETICLE_BOUND_REPLAYING ? moveAccess(I) : recordLoad(I);
    for (const Instruction *Branch : Dependent) {
      auto *Clone = cast<Instruction>(static_cast<Value *>(Map[Branch]));
      Kind == RETICLE_BOUND_REPLAYING ? replay(*Clone) : record(*Clone);
    }
  }
  BranchInst::Create(cast<BasicBlock>(static_cast<Value *>(Map[Region.Entry])), Begin);
  return Begin;
}
