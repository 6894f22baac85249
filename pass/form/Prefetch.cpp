// Prefetch.cpp - finds addresses that are known early, and computes them ahead.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/form/Prefetch.h"
#include "pass/module/Compat.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;
using namespace reticle;

/// Instructions that compute one address: more cost more than a miss does.
static constexpr unsigned SliceMost = 40;
/// Addresses of one loop: more don't fit the line fill buffers of a core.
static constexpr unsigned TargetsMost = 8;
/// Steps up to here are fetched ahead by the processor, whose prefetchers stay within a page.
static constexpr uint64_t StepMost = 2048;
static constexpr uint64_t LineBytes = 64;

namespace {

/// A load, and what its address is computed by.
struct Target {
  LoadInst *Load = nullptr;
  SmallVector<Instruction *, 16> Slice; ///< in the loop, operands first
  unsigned Loads = 0;                   ///< that the address goes through, one behind the other
};

class Prefetcher {
public:
  Prefetcher(Loop &L, unsigned Ahead, ScalarEvolution &SE, LoopInfo &LI, DominatorTree &DT)
      : L(L), Ahead(Ahead), SE(SE), LI(LI), DT(DT) {}
  std::string run(std::vector<unsigned> &Lines);

private:
  void findFacts();
  bool isOwn(const Instruction &I) const { return LI.getLoopFor(I.getParent()) == &L; }
  bool isFetchedAnyway(Value *Address) const;
  bool mayBeAhead(const Instruction &I) const;
  bool addSlice(Value *V, Target &To, unsigned &Loads);
  bool isFetched(Value *Address) const;
  void find();
  void refuse(StringRef Why);
  PHINode *counter();
  Value *ahead(IRBuilder<> &B, unsigned Distance, bool IsHeld);
  Value *compute(IRBuilder<> &B, Value *V, Value *Iteration, DenseMap<Value *, Value *> &Map);
  void make(const Target &To);

  Loop &L;
  unsigned Ahead;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  bool Writes = false, MayLeave = false;
  const SCEV *Backedges = nullptr; ///< null: it isn't known how often it is run
  unsigned Deepest = 0;
  std::vector<Target> Targets;
  std::string Reason;
  PHINode *Counter = nullptr;
  Value *Last = nullptr; ///< iteration, from 0
};

} // namespace

/// The first reason is that of the first load.
void Prefetcher::refuse(StringRef Why) {
  if (Reason.empty())
    Reason = Why.str();
}

void Prefetcher::findFacts() {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      Writes |= I.mayWriteToMemory();
      // What doesn't come back, or not here.
      MayLeave |= !isGuaranteedToTransferExecutionToSuccessor(&I) && !isa<LoadInst, StoreInst>(I);
    }
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (L.getExitingBlock() && !isa<SCEVCouldNotCompute>(Count) && Count->getType()->isIntegerTy() &&
      SE.getTypeSizeInBits(Count->getType()) <= 64)
    Backedges = Count;
  SCEVExpander Expander = makeExpander(SE, L.getHeader()->getModule()->getDataLayout());
  if (Backedges && !Expander.isSafeToExpandAt(Backedges, L.getLoopPreheader()->getTerminator()))
    Backedges = nullptr; // a division, perhaps by 0
}

bool Prefetcher::isFetchedAnyway(Value *Address) const {
  const SCEV *S = SE.getSCEV(Address);
  if (SE.isLoopInvariant(S, &L))
    return true;
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  return Step && Step->getAPInt().abs().ule(StepMost);
}

/// Whether it can be done for a later iteration without a trap.
bool Prefetcher::mayBeAhead(const Instruction &I) const {
  // Also of the last iteration: it ends nowhere in front of that.
  bool IsEachTime =
      !MayLeave && L.getExitingBlock() && DT.dominates(I.getParent(), L.getExitingBlock());
  if (isa<LoadInst>(I))
    return IsEachTime && Backedges;
  if (I.getOpcode() == Instruction::UDiv || I.getOpcode() == Instruction::URem)
    return isSafeToSpeculativelyExecute(&I) || (IsEachTime && L.isLoopInvariant(I.getOperand(1)));
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return isa<IntrinsicInst>(Call) && Call->doesNotAccessMemory() &&
           isSafeToSpeculativelyExecute(&I);
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst, FreezeInst,
           ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I))
    return false;
  return isSafeToSpeculativelyExecute(&I);
}

/// Appends what V is computed by. Loads: on the way so far. False after a reason.
bool Prefetcher::addSlice(Value *V, Target &To, unsigned &Loads) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || is_contained(To.Slice, I)) {
    if (I && isa<LoadInst>(I))
      Loads = std::max(Loads, To.Loads);
    return true;
  }
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    const auto *Rec =
        SE.isSCEVable(Phi->getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi)) : nullptr;
    bool IsInduction = Phi->getParent() == L.getHeader() && Rec && Rec->getLoop() == &L &&
                       Rec->isAffine() && isa<SCEVConstant>(Rec->getStepRecurrence(SE));
    if (!IsInduction)
      refuse(Phi->getParent() == L.getHeader()
                 ? "its addresses follow from the iteration before, which must be done first"
                 : "its addresses depend on a branch in the iteration");
    return IsInduction;
  }
  if (!isOwn(*I) || To.Slice.size() >= SliceMost) {
    refuse(isOwn(*I) ? "its addresses take too long to compute"
                     : "its addresses come out of a loop inside");
    return false;
  }
  auto *Load = dyn_cast<LoadInst>(I);
  if (!mayBeAhead(*I) || (Load && !Load->isSimple())) {
    refuse(!Load       ? "its addresses come out of a call, or of what may trap"
           : MayLeave  ? "its calls may not come back, so that addresses ahead may not be there"
           : Backedges ? "its addresses are loaded in some iterations only"
                       : "it may end early, so that addresses ahead may not be there");
    return false;
  }
  unsigned Before = 0;
  for (Value *Operand : I->operands())
    if (!addSlice(Operand, To, Before))
      return false;
  // What an address is loaded from may be written until then.
  if (Load && Before && Writes) {
    refuse("it writes memory, perhaps where its addresses come from");
    return false;
  }
  Loads = std::max(Loads, Before + (Load != nullptr));
  To.Slice.push_back(I);
  return true;
}

/// Whether a target's line is that of another one.
bool Prefetcher::isFetched(Value *Address) const {
  for (const Target &Other : Targets) {
    const SCEV *Distance =
        SE.getMinusSCEV(SE.getSCEV(Address), SE.getSCEV(Other.Load->getPointerOperand()));
    const auto *Constant = dyn_cast<SCEVConstant>(Distance);
    if (Constant && Constant->getAPInt().abs().ult(LineBytes))
      return true;
  }
  return false;
}

void Prefetcher::find() {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !isOwn(I) || !Load->isSimple() || Targets.size() == TargetsMost)
        continue;
      Value *Address = Load->getPointerOperand();
      if (isFetchedAnyway(Address) || isFetched(Address))
        continue;
      Target To;
      To.Load = Load;
      unsigned Loads = 0;
      if (!addSlice(Address, To, Loads))
        continue;
      To.Loads = Loads;
      Deepest = std::max(Deepest, Loads);
      Targets.push_back(std::move(To));
    }
}

/// Counts iterations from 0.
PHINode *Prefetcher::counter() {
  if (Counter)
    return Counter;
  Type *I64 = Type::getInt64Ty(L.getHeader()->getContext());
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  Counter = B.CreatePHI(I64, 2, "prefetch.iteration");
  Counter->addIncoming(ConstantInt::get(I64, 0), L.getLoopPreheader());
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Counter->addIncoming(B.CreateAdd(Counter, ConstantInt::get(I64, 1)), L.getLoopLatch());
  return Counter;
}

/// The iteration ahead; held to the last one where something is loaded there.
Value *Prefetcher::ahead(IRBuilder<> &B, unsigned Distance, bool IsHeld) {
  Value *Later = B.CreateAdd(counter(), B.getInt64(Distance));
  if (!IsHeld)
    return Later;
  if (!Last) {
    SCEVExpander Expander = makeExpander(SE, L.getHeader()->getModule()->getDataLayout());
    const SCEV *Wide = SE.getTruncateOrZeroExtend(Backedges, B.getInt64Ty());
    Last = Expander.expandCodeFor(Wide, B.getInt64Ty(), L.getLoopPreheader()->getTerminator());
  }
  return B.CreateBinaryIntrinsic(Intrinsic::umin, Later, Last);
}

/// V as that iteration has it.
Value *Prefetcher::compute(IRBuilder<> &B, Value *V, Value *Iteration,
                           DenseMap<Value *, Value *> &Map) {
  if (Value *Known = Map.lookup(V))
    return Known;
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || !L.contains(Phi))
    return V;
  const auto *Rec = cast<SCEVAddRecExpr>(SE.getSCEV(Phi));
  const APInt &Step = cast<SCEVConstant>(Rec->getStepRecurrence(SE))->getAPInt();
  Value *Start = Phi->getIncomingValueForBlock(L.getLoopPreheader());
  Value *Count = B.CreateZExtOrTrunc(Iteration, B.getIntNTy(Step.getBitWidth()));
  Value *Distance = B.CreateMul(Count, ConstantInt::get(Count->getType(), Step));
  return Map[V] = Phi->getType()->isPointerTy() ? B.CreatePtrAdd(Start, Distance)
                                                : B.CreateAdd(Start, Distance);
}

/// At the begin of an iteration. Addresses that go through fewer loads are fetched earlier, so that
/// those are there when they are loaded.
void Prefetcher::make(const Target &To) {
  IRBuilder<> B(L.getHeader(), L.getHeader()->getFirstInsertionPt());
  B.SetCurrentDebugLocation(To.Load->getDebugLoc());
  Value *Iteration = ahead(B, Ahead * (Deepest - To.Loads + 1), To.Loads > 0);
  DenseMap<Value *, Value *> Map;
  for (Instruction *I : To.Slice) {
    Instruction *Copy = I->clone();
    for (Use &Operand : Copy->operands())
      Operand.set(compute(B, Operand.get(), Iteration, Map));
    Copy->dropPoisonGeneratingFlags();
    Copy->dropUnknownNonDebugMetadata();
    Map[I] = B.Insert(Copy);
  }
  Value *Address = compute(B, To.Load->getPointerOperand(), Iteration, Map);
  B.CreateIntrinsic(Intrinsic::prefetch, {Address->getType()},
                    {Address, B.getInt32(0), B.getInt32(3), B.getInt32(1)});
}

/// Where the loop's own function has it, which may have inlined what loads.
static unsigned lineIn(const Loop &L, const Instruction &I) {
  const DILocation *At = I.getDebugLoc(), *Start = L.getStartLoc();
  while (At && Start && At->getInlinedAt() &&
         At->getScope()->getSubprogram() != Start->getScope()->getSubprogram())
    At = At->getInlinedAt();
  return At ? At->getLine() : 0;
}

std::string Prefetcher::run(std::vector<unsigned> &Lines) {
  if (!L.isLoopSimplifyForm())
    return "its shape has no place for it";
  findFacts();
  find();
  if (Targets.empty())
    return Reason.empty() ? "its loads go on in small steps, which processors fetch ahead" : Reason;
  for (const Target &To : Targets) {
    make(To);
    unsigned Line = lineIn(L, *To.Load);
    if (Line && !is_contained(Lines, Line))
      Lines.push_back(Line);
  }
  return "";
}

namespace reticle {

std::string prefetchAhead(Loop &L, unsigned Ahead, ScalarEvolution &SE, LoopInfo &LI,
                          DominatorTree &DT, std::vector<unsigned> &Lines) {
  return Prefetcher(L, Ahead, SE, LI, DT).run(Lines);
}

} // namespace reticle
