// BlockCounters.cpp - chooses the blocks that get counters, and puts the counters in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/block/BlockCounters.h"
#include "pass/block/FieldBlocks.h"
#include "pass/module/PassStep.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace reticle;

/// More counters than this in one loop would cost registers that the loop needs.
static constexpr size_t LoopCountersMax = 3;

/// Whether nothing can leave the loop but by its exits, and those take our code.
static bool keepsCounts(const Loop &L) {
  if (!L.isInnermost() || !L.getLoopPreheader() || !L.hasDedicatedExits() || L.hasNoExitBlocks())
    return false;
  SmallVector<BasicBlock *, 4> Exits;
  L.getExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    if (Exit->isEHPad())
      return false;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && (!isa<IntrinsicInst>(Call) || Call->mayThrow()))
        return false;
  return true;
}

void BlockCounters::prepare(Function &F) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return;
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  auto &AC = AM.getResult<AssumptionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : SmallVector<Loop *, 8>(LI.begin(), LI.end()))
    Changed |= simplifyLoop(L, &DT, &LI, nullptr, &AC, nullptr, /*PreserveLCSSA=*/false);
  if (Changed)
    AM.invalidate(F, PreservedAnalyses::none());
}

/// Where an edge's executions are counted.
Instruction *BlockCounters::placeOn(BasicBlock *From, unsigned Successor, Function &F) {
  Instruction *End = From->getTerminator();
  BasicBlock *Next = End->getSuccessor(Successor);
  if (Next->getUniquePredecessor() == From)
    return &*Next->getFirstInsertionPt();
  if (From->getUniqueSuccessor() == Next)
    return End;
  CriticalEdgeSplittingOptions Options(&AM.getResult<DominatorTreeAnalysis>(F),
                                       &AM.getResult<LoopAnalysis>(F));
  Options.setMergeIdenticalEdges();
  // Keeping exits of loops apart would need edges of indirect jumps to be split, and they can't be.
  Options.unsetPreserveLoopSimplify();
  BasicBlock *Between = SplitCriticalEdge(End, Successor, Options);
  assert(Between && "an edge of a branch or switch can be split");
  return Between->getTerminator();
}

SmallVector<PlannedCounter, 16> BlockCounters::plan(Function &F, ArrayRef<Instruction *> Places) {
  BlockSums Sums(Places, AM.getResult<PostDominatorTreeAnalysis>(F), AM.getResult<LoopAnalysis>(F),
                 AM.getResult<BranchProbabilityAnalysis>(F),
                 AM.getResult<BlockFrequencyAnalysis>(F));
  MapVector<unsigned, SmallVector<unsigned, 4>> Said;
  for (unsigned I = 0; I < Places.size(); I++)
    for (unsigned Counted : Sums.sum(I))
      Said[Counted].push_back(I);
  SmallVector<PlannedCounter, 16> Planned;
  auto &Counters = Functions[&F];
  for (auto &[I, Used] : Said) {
    Instruction *Before = I < Places.size() ? Places[I]
                                            : placeOn(Sums.edges()[I - Places.size()].From,
                                                      Sums.edges()[I - Places.size()].Successor, F);
    Counters.push_back({Before, Count});
    Planned.push_back({Count++, Before, Used});
  }
  AM.invalidate(F, PreservedAnalyses::none());
  return Planned;
}

unsigned BlockCounters::planSome(Function &F, Instruction &Before, const Value &How,
                                 uint32_t PerBytes) {
  Functions[&F].push_back({&Before, Count, &How, PerBytes});
  return Count++;
}

/// Functions that only run below others that have made the thread known.
SmallPtrSet<const Function *, 16> BlockCounters::coveredByCallers() const {
  SmallPtrSet<const Function *, 16> Covered;
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasLocalLinkage() && !F.hasAddressTaken())
      Covered.insert(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M) {
      if (!Covered.count(&F))
        continue;
      for (const User *U : F.users()) {
        auto *Call = dyn_cast<CallBase>(U);
        const Function *Caller = Call ? Call->getFunction() : nullptr;
        if (Caller && (Covered.count(Caller) || Functions.count(const_cast<Function *>(Caller))))
          continue;
        Covered.erase(&F);
        Changed = true;
        break;
      }
    }
  }
  return Covered;
}

void BlockCounters::emitIn(FieldCounters &Counters, Function &F, ArrayRef<Place> Places,
                           bool Test) {
  Counters.enter(F, Test);
  AM.invalidate(F, PreservedAnalyses::none());
  auto &LI = AM.getResult<LoopAnalysis>(F);
  MapVector<Loop *, SmallVector<std::pair<Instruction *, unsigned>, 4>> InLoops;
  for (const Place &P : Places) {
    if (P.How)
      continue;
    Loop *L = LI.getLoopFor(P.Before->getParent());
    InLoops[L && keepsCounts(*L) ? L : nullptr].push_back({P.Before, P.Counter});
  }
  for (auto &[L, Counts] : InLoops) {
    if (L && Counts.size() <= LoopCountersMax)
      Counters.countInLoop(*L, Counts);
    else
      for (auto [Before, Counter] : Counts)
        Counters.count(Before, Counter);
  }
  for (const Place &P : Places)
    if (P.How)
      Counters.countSome(P.Before, P.Counter, *P.How, P.PerBytes);
  AM.invalidate(F, PreservedAnalyses::none());
}

void BlockCounters::emit(FieldCounters &Counters, StringRef Feature) {
  SmallPtrSet<const Function *, 16> Covered = coveredByCallers();
  PassStep Emitting(Feature, "adding counters");
  for (auto &[F, Places] : Functions) {
    Emitting.in(*F);
    emitIn(Counters, *F, Places, !Covered.count(F));
  }
}
