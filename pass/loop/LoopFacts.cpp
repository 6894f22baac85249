// LoopFacts.cpp - shape, length and work class of a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/LoopFacts.h"
#include "include/reticle/abi.h"
#include "pass/module/Compat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>
#include <optional>

using namespace llvm;
using reticle::costValue;

/// A loop that always runs fewer times is straight-line code to the optimiser.
static constexpr unsigned MinTripCount = 4;
/// Core cycles; about a step of the timer (10 ns, docs/method) at 3 GHz. A gate costs a few
/// percent of it.
static constexpr uint64_t MinWorkCycles = 30;
/// Reciprocal throughput as TTI counts it is 1 for an operation of which a core starts three or
/// four in a cycle; loops this short reach about half of that.
static constexpr uint64_t OperationsPerCycle = 2;

/// Whether the instruction leaves the loop's code for code of unknown length. Block copies count:
/// their length is part of the work.
static bool isCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isInlineAsm())
    return false;
  auto *Intrinsic = dyn_cast<IntrinsicInst>(Call);
  return !Intrinsic || isa<MemIntrinsic>(Intrinsic);
}

static bool hasCalls(const Loop &L) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (isCall(I))
        return true;
  return false;
}

/// Every block runs once in each iteration but the last, which ends at an exit.
static bool hasOnePath(const Loop &L) {
  for (const BasicBlock *Block : L.blocks()) {
    const BasicBlock *Next = nullptr;
    for (const BasicBlock *Successor : successors(Block)) {
      if (!L.contains(Successor) || Successor == Next)
        continue;
      if (Next)
        return false;
      Next = Successor;
    }
  }
  return true;
}

/// The last block decides alone whether to go on.
static bool endsAtLatch(const Loop &L) {
  return L.getLoopLatch() && L.getExitingBlock() == L.getLoopLatch();
}

/// Operations of one execution of the loop, or nothing when that has no bound.
static std::optional<uint64_t> boundedOperations(const Loop &L, ScalarEvolution &SE,
                                                 const TargetTransformInfo &TTI) {
  unsigned MaxTrips = SE.getSmallConstantMaxTripCount(&L);
  if (!MaxTrips)
    return std::nullopt;
  uint64_t Operations = 0;
  for (const BasicBlock *Block : L.blocks()) {
    if (any_of(L.getSubLoops(), [&](const Loop *Inner) { return Inner->contains(Block); }))
      continue;
    for (const Instruction &I : *Block) {
      InstructionCost Cost = TTI.getInstructionCost(&I, TargetTransformInfo::TCK_RecipThroughput);
      if (isCall(I) || !Cost.isValid())
        return std::nullopt;
      Operations += std::max<int64_t>(costValue(Cost), 0);
    }
  }
  for (const Loop *Inner : L.getSubLoops()) {
    std::optional<uint64_t> More = boundedOperations(*Inner, SE, TTI);
    if (!More)
      return std::nullopt;
    Operations += *More;
  }
  return Operations * MaxTrips;
}

namespace reticle {

StringRef shapeWithoutProbes(const Loop &L) {
  if (!L.getLoopPreheader())
    return "it is entered by an indirect jump";
  SmallVector<BasicBlock *, 8> Exits;
  L.getUniqueExitBlocks(Exits);
  if (Exits.empty())
    return "it has no end";
  if (!L.hasDedicatedExits())
    return "an indirect jump leaves it";
  for (BasicBlock *Exit : Exits)
    if (Exit->getFirstInsertionPt() == Exit->end())
      return "an exit takes no code";
  return "";
}

bool isTooShort(const Loop &L, ScalarEvolution &SE, const TargetTransformInfo &TTI) {
  unsigned Trips = SE.getSmallConstantTripCount(&L);
  if (Trips && Trips < MinTripCount)
    return true;
  std::optional<uint64_t> Operations = boundedOperations(L, SE, TTI);
  return Operations && *Operations < MinWorkCycles * OperationsPerCycle;
}

bool hasOwnWork(const Loop &L) { return L.isInnermost() && !hasCalls(L); }

LoopFacts classify(const Loop &L, bool KnownInFront, bool KnownBehind) {
  LoopFacts Facts = {RETICLE_WORK_CLASS_C, 0};
  if (KnownInFront || KnownBehind)
    Facts.Flags |= RETICLE_LOOP_HAS_TRIP_COUNT;
  if (hasCalls(L))
    Facts.Flags |= RETICLE_LOOP_HAS_CALLS;
  if (L.isInnermost())
    Facts.Flags |= RETICLE_LOOP_INNERMOST;
  if (!hasOwnWork(L))
    return Facts;
  if (hasOnePath(L))
    Facts.Flags |= RETICLE_LOOP_ONE_PATH;
  bool IsFixed = KnownInFront && hasOnePath(L) && endsAtLatch(L);
  Facts.WorkClass = IsFixed ? RETICLE_WORK_CLASS_F : RETICLE_WORK_CLASS_P;
  return Facts;
}

} // namespace reticle
