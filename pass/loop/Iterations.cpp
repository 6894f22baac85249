// Iterations.cpp - expected operations of an iteration, held against the cost of a gate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/Iterations.h"
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
#include <optional>

using namespace llvm;

/// A gate is two instructions, three where the cell lies in a table. With 120 operations that is
/// less than 3 % of the time, but a tenth of sqlite's code: of most loops nobody looks at
/// iterations. main, and what it alone calls, runs once.
static constexpr double OperationsLeast = 4000, OperationsLeastInOnce = 120;
/// Of a called function: what a call of a short one takes where its body is elsewhere.
static constexpr double OperationsOfCall = 40;
/// What a function that runs once calls is a step of the program, unless it is known to be short:
/// that every other iteration makes such a call is enough for a gate.
static constexpr double OperationsOfStep = 2 * OperationsLeastInOnce;
/// Functions that call one another, and blocks of each, that are looked at for one answer.
static constexpr unsigned CallsMost = 5, BlocksMost = 64;
/// Iterations of an inner loop whose trip count isn't constant.
static constexpr double UsualTrips = 8;
static constexpr double TripsMost = 1000;
/// Instructions of a block that is one of several tests in a row.
static constexpr unsigned TestOperations = 12;

namespace {

/// What was put in here is hardly ever called.
bool isOwn(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName().starts_with("__reticle_");
}

/// Whether control may come back to the block.
bool isInCycle(const BasicBlock &Block) {
  SmallPtrSet<const BasicBlock *, 32> Seen;
  SmallVector<const BasicBlock *, 32> Open(successors(&Block));
  while (!Open.empty()) {
    const BasicBlock *Next = Open.pop_back_val();
    if (Next == &Block)
      return true;
    if (Seen.insert(Next).second)
      append_range(Open, successors(Next));
  }
  return false;
}

/// main, and a function that such a one calls outside of loops, and nothing else here.
bool runsOnce(const Function &F, unsigned Depth = 0) {
  if (F.getName() == "main")
    return true;
  return Depth < CallsMost && !F.use_empty() &&
         all_of(
             F.uses(),
             [&](const Use &U) {
               const auto *Call = dyn_cast<CallBase>(U.getUser());
               return Call && Call->isCallee(&U) && !isInCycle(*Call->getParent()) &&
                      runsOnce(*Call->getFunction(), Depth + 1);
             });
}

/// Operations of a call of the function at most, where they are few: it has neither loops nor calls
/// of others that aren't known to be short. None: they may be any number.
std::optional<double> mostOf(const Function &F, unsigned Depth = 0) {
  if (F.isDeclaration()) {
    // One that looks at nothing but its arguments, and comes back: of numbers.
    bool IsShort = F.hasFnAttribute(Attribute::WillReturn) &&
                   (F.doesNotAccessMemory() || F.onlyWritesMemory()) &&
                   none_of(F.args(), [](const Argument &A) { return A.getType()->isPointerTy(); });
    return IsShort ? std::optional(OperationsOfCall) : std::nullopt;
  }
  double Sum = 0;
  if (Depth == CallsMost || F.size() > BlocksMost)
    return std::nullopt;
  for (const BasicBlock &Block : F) {
    if (isInCycle(Block))
      return std::nullopt;
    for (const Instruction &I : Block) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const auto *Memory = dyn_cast<MemIntrinsic>(&I);
      bool IsOne = !Call || Call->isInlineAsm() || isOwn(*Call) || isa<IntrinsicInst>(I);
      std::optional<double> Most = 1;
      if (Memory && !isa<ConstantInt>(Memory->getLength()))
        return std::nullopt;
      if (!IsOne)
        Most = Call->getCalledFunction() ? mostOf(*Call->getCalledFunction(), Depth + 1)
                                         : std::nullopt;
      if (!Most)
        return std::nullopt;
      Sum += *Most;
    }
  }
  return Sum;
}

/// Expected operations of one iteration, by the compiler's guess of how often blocks run.
class Expectation {
public:
  Expectation(LoopInfo &LI, ScalarEvolution &SE, BlockFrequencyInfo &BFI, bool IsOnce)
      : LI(LI), SE(SE), BFI(BFI), IsOnce(IsOnce) {}

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
        Sum += isa<CallBase>(I) && !isa<IntrinsicInst>(I) && !isOwn(cast<CallBase>(I))
                   ? OperationsOfCall
                   : 1;
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
    if (isOwn(Call))
      return 1;
    if (IsOnce && !(Callee && mostOf(*Callee)))
      return OperationsOfStep;
    return Callee && !Callee->isDeclaration() ? std::max(ofBody(*Callee), OperationsOfCall / 2)
                                              : OperationsOfCall;
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
  bool IsOnce;
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
  bool IsOnce = runsOnce(F);
  return Expectation(LI, SE, BFI, IsOnce).ofIteration(L) >=
         (IsOnce ? OperationsLeastInOnce : OperationsLeast);
}

} // namespace reticle
