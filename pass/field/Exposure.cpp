// Exposure.cpp - follows an address backwards through its loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/field/Exposure.h"
#include "include/reticle/abi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Addresses that take more instructions are left as unknown.
static constexpr size_t StepsMax = 256;
/// Blocks with one predecessor between a phi and the branch that decides about it.
static constexpr unsigned BranchSteps = 4;
/// Operations from an index to the next one.
static constexpr unsigned WrapSteps = 4;

namespace {
using Instructions = SmallPtrSet<const Instruction *, 32>;
/// What is followed: all that an address is computed from, or its parts alone, and not the
/// conditions by which they are chosen.
enum class Follow { All, Parts };
} // namespace

/// Collects what the value is computed from inside the loop, earlier iterations included, and the
/// addresses of loads. False if that is too much, or a call is among it.
static bool collect(const Value *From, const Loop &L, Follow What, Instructions &Seen) {
  SmallVector<const Value *, 16> Work = {From};
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || (What == Follow::Parts && isa<CmpInst>(I)) ||
        !Seen.insert(I).second)
      continue;
    if (Seen.size() > StepsMax)
      return false;
    if (isa<CallBase>(I) && I->mayReadFromMemory())
      return false;
    bool IsChoice = What == Follow::Parts && isa<SelectInst>(I);
    Work.append(I->op_begin() + (IsChoice ? 1 : 0), I->op_end());
  }
  return true;
}

/// Of the loads among the sources, one whose own address is computed from it an iteration before.
/// False if that can't be followed.
static bool findChain(const Instructions &Sources, const Loop &L, Follow What, bool &Found) {
  Found = false;
  for (const Instruction *I : Sources) {
    const auto *Load = dyn_cast<LoadInst>(I);
    if (!Load)
      continue;
    Instructions Behind;
    if (!collect(Load->getPointerOperand(), L, What, Behind))
      return false;
    if (Behind.count(Load)) {
      Found = true;
      return true;
    }
  }
  return true;
}

/// Whether a branch, on something loaded from an address that the phi is a part of, decides which
/// value the phi takes.
static bool isChosenByLoad(const PHINode &Phi, const Loop &L) {
  for (const BasicBlock *Block : Phi.blocks()) {
    for (unsigned Step = 0; Block && L.contains(Block) && Step < BranchSteps; Step++) {
      const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
      Instructions Decide, Behind;
      if (Branch && Branch->isConditional() &&
          collect(Branch->getCondition(), L, Follow::All, Decide))
        for (const Instruction *I : Decide)
          if (const auto *Load = dyn_cast<LoadInst>(I);
              Load && collect(Load->getPointerOperand(), L, Follow::All, Behind) &&
              Behind.count(&Phi))
            return true;
      Block = Block->getSinglePredecessor();
    }
  }
  return false;
}

/// A search halves the distance, or doubles the index, at each step.
static bool halves(const Instructions &Sources) {
  for (const Instruction *I : Sources)
    switch (I->getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::Shl:
    case Instruction::Mul:
      return true;
    default:
      break;
    }
  return false;
}

/// Whether the phi's next value is its own, a constant later, but for where it starts again:
/// (i + 1) & mask.
static bool stepsAround(const PHINode &Phi, const Value *Next, const Loop &L) {
  bool Steps = false;
  for (unsigned Step = 0; Step < WrapSteps && Next != &Phi; Step++) {
    const auto *I = dyn_cast<Instruction>(Next);
    if (!I || !L.contains(I))
      return false;
    bool IsWrap = I->getOpcode() == Instruction::And || I->getOpcode() == Instruction::URem;
    bool IsStep = I->getOpcode() == Instruction::Add && isa<ConstantInt>(I->getOperand(1));
    if (!IsWrap && !IsStep && !isa<CastInst>(I))
      return false;
    Steps |= IsStep;
    const auto *First = dyn_cast<Instruction>(I->getOperand(0));
    Next = I->getOperand(IsWrap && !(First && L.contains(First)) ? 1 : 0);
  }
  return Steps && Next == &Phi;
}

static bool stepsAround(const Instructions &Sources, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  for (const Instruction *I : Sources)
    if (const auto *Phi = dyn_cast<PHINode>(I);
        Phi && Latch && Phi->getParent() == L.getHeader() &&
        stepsAround(*Phi, Phi->getIncomingValueForBlock(Latch), L))
      return true;
  return false;
}

uint32_t reticle::exposureOf(const Value *Address, const Loop *L, ScalarEvolution &SE) {
  if (!Address || !L)
    return 0;
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Address)));
  if (Recurrence && Recurrence->getLoop() == L && Recurrence->isAffine())
    return RETICLE_ACCESS_STREAMING;
  if (SE.isLoopInvariant(SE.getSCEV(const_cast<Value *>(Address)), L))
    return RETICLE_ACCESS_SAME;
  Instructions Sources, Parts;
  bool IsChained, IsLinked;
  if (!collect(Address, *L, Follow::All, Sources) ||
      !findChain(Sources, *L, Follow::All, IsChained) ||
      !collect(Address, *L, Follow::Parts, Parts) || !findChain(Parts, *L, Follow::Parts, IsLinked))
    return 0;
  if (IsLinked)
    return RETICLE_ACCESS_DEPENDENT;
  // What is loaded by an index that goes on by steps may be anything.
  auto IsLoad = [](const Instruction *I) { return isa<LoadInst>(I); };
  if (!IsChained && none_of(Parts, IsLoad) && stepsAround(Parts, *L))
    return RETICLE_ACCESS_STREAMING;
  bool IsChosen = IsChained;
  for (const Instruction *I : Parts)
    if (const auto *Phi = dyn_cast<PHINode>(I); Phi && !IsChosen)
      IsChosen = isChosenByLoad(*Phi, *L);
  if (IsChosen && halves(Parts))
    return RETICLE_ACCESS_SEARCH;
  return IsChained ? RETICLE_ACCESS_DEPENDENT : RETICLE_ACCESS_INDEPENDENT;
}
