// Iterations.cpp - expected operations of an iteration, held against the cost of a gate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/Iterations.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>

using namespace llvm;

/// A gate is two instructions, three where the cell lies in a table. With 120 operations that is
/// less than 3 % of the time, but a tenth of sqlite's code: of most loops nobody looks at
/// iterations. main runs once.
static constexpr double OperationsLeast = 4000, OperationsLeastInMain = 120;
/// Of a called function: what a call of a short one takes where its body is elsewhere.
static constexpr double OperationsOfCall = 40;
/// main runs once: what it calls from a loop's only level is mostly a step of the program.
static constexpr double OperationsOfCallInMain = 100;
/// Iterations of an inner loop whose trip count isn't constant.
static constexpr double UsualTrips = 8;
static constexpr double TripsMost = 1000;
/// Instructions of a block that is one of several tests in a row.
static constexpr unsigned TestOperations = 12;

namespace {

/// Expected operations of one iteration, by the compiler's guess of how often blocks run.
class Expectation {
public:
  Expectation(LoopInfo &LI, ScalarEvolution &SE, BlockFrequencyInfo &BFI, bool IsMain)
      : LI(LI), SE(SE), BFI(BFI), IsMain(IsMain) {}

  double ofIteration(const Loop &L) const {
    double Header = frequency(*L.getHeader()), Sum = 0;
    if (!(Header > 0))
      return 0;
    for (const BasicBlock *Block : L.blocks())
      if (LI.getLoopFor(Block) == &L)
        Sum += std::min(1.0, frequency(*Block) / Header) * ofBlock(*Block);
    for (const Loop *Inner : L.getSubLoops()) {
      const BasicBlock *Before = Inner->getLoopPreheader();
      double Entries = Before ? std::min(1.0, frequency(*Before) / Header) : 0;
      Sum += Entries * trips(*Inner) * ofIteration(*Inner);
    }
    return Sum;
  }

private:
  double frequency(const BasicBlock &Block) const {
    return static_cast<double>(BFI.getBlockFreq(&Block).getFrequency());
  }

  double trips(const Loop &L) const {
    unsigned Constant = SE.getSmallConstantTripCount(&L);
    return Constant ? std::min<double>(Constant, TripsMost) : UsualTrips;
  }

  /// The half of it, as a call may return early.
  static double ofBody(const Function &F) {
    SmallPtrSet<const BasicBlock *, 32> Seen;
    double Sum = 0;
    bool HasLoop = false;
    for (const BasicBlock &Block : F) {
      Seen.insert(&Block);
      for (const BasicBlock *Next : successors(&Block))
        HasLoop |= Seen.contains(Next); // in the order of the source that is a way back
      for (const Instruction &I : Block)
        Sum += isa<CallBase>(I) && !isa<IntrinsicInst>(I) ? OperationsOfCall : 1;
      if (Sum >= 2 * OperationsLeast)
        break;
    }
    return Sum / 2 * (HasLoop ? UsualTrips : 1);
  }

  double ofCall(const CallBase &Call) const {
    if (Call.isInlineAsm())
      return 1;
    if (isa<IntrinsicInst>(Call))
      return isa<MemIntrinsic>(Call) ? OperationsOfCall / 2 : 1;
    const Function *Callee = Call.getCalledFunction();
    double Least = IsMain ? OperationsOfCallInMain : OperationsOfCall;
    return Callee && !Callee->isDeclaration() ? std::max(ofBody(*Callee), OperationsOfCall / 2)
                                              : Least;
  }

  double ofBlock(const BasicBlock &Block) const {
    double Sum = 0;
    for (const Instruction &I : Block) {
      if (auto *Call = dyn_cast<CallBase>(&I))
        Sum += isa<DbgInfoIntrinsic>(I) ? 0 : ofCall(*Call);
      else
        Sum += !isa<PHINode>(I);
    }
    return Sum;
  }

  LoopInfo &LI;
  ScalarEvolution &SE;
  BlockFrequencyInfo &BFI;
  bool IsMain;
};

} // namespace

namespace reticle {

/// Whether it may be a part of the test in front: nothing but what is compared.
static bool isTest(const BasicBlock &Block) {
  unsigned Count = 0;
  for (const Instruction &I : Block)
    if (isa<CallBase>(I) ? !isa<DbgInfoIntrinsic>(I) : ++Count > TestOperations)
      return false;
  return true;
}

/// The only block of the loop that follows, if the other way leaves it and nothing else leads
/// there.
static BasicBlock *goesOn(const Loop &L, const BasicBlock &Block) {
  auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || !Branch->isConditional() || &Block == L.getLoopLatch())
    return nullptr;
  BasicBlock *First = Branch->getSuccessor(0), *Second = Branch->getSuccessor(1);
  if (L.contains(First) == L.contains(Second))
    return nullptr;
  BasicBlock *Next = L.contains(First) ? First : Second;
  return Next->getSinglePredecessor() && Next != L.getHeader() ? Next : nullptr;
}

IterationEdge iterationEdge(const Loop &L) {
  BasicBlock *From = L.getHeader(), *To = goesOn(L, *From);
  if (!To)
    return {L.getLoopLatch()->getTerminator(), L.getHeader(), false};
  for (BasicBlock *Next; isTest(*To) && (Next = goesOn(L, *To)); To = Next)
    From = To;
  return {From->getTerminator(), To, true};
}

bool takesIterationGate(const Loop &L, LoopInfo &LI, ScalarEvolution &SE,
                        FunctionAnalysisManager &AM) {
  // The back edge takes code, and there is one of them.
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !isa<BranchInst>(Latch->getTerminator()))
    return false;
  Function &F = *L.getHeader()->getParent();
  // The cheap question first: what costs little without any guess.
  if (L.isInnermost() && none_of(L.blocks(), [](const BasicBlock *Block) {
        return any_of(*Block, [](const Instruction &I) { return isa<CallBase>(I); });
      }))
    return false;
  BlockFrequencyInfo &BFI = AM.getResult<BlockFrequencyAnalysis>(F);
  bool IsMain = F.getName() == "main";
  return Expectation(LI, SE, BFI, IsMain).ofIteration(L) >=
         (IsMain ? OperationsLeastInMain : OperationsLeast);
}

} // namespace reticle
