// ExitCount.cpp - chooses the induction variable that costs least to read behind the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/ExitCount.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The difference of two values of the variable tells how often it was stepped, if it was not
/// stepped all the way around. 64 bits take years.
static bool wrapsAtMostOnce(const SCEVAddRecExpr &Rec, uint64_t Bits) {
  return Bits == 64 || Rec.hasNoSelfWrap();
}

/// The step of a header phi that a trip count can be read from, 0 if there is none.
static int32_t usableStep(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  Type *T = Phi.getType();
  const DataLayout &Layout = Phi.getModule()->getDataLayout();
  if (!SE.isSCEVable(T) || SE.getTypeSizeInBits(T) < 32 || SE.getTypeSizeInBits(T) > 64 ||
      (T->isPointerTy() && Layout.isNonIntegralPointerType(T)))
    return 0;
  auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine() ||
      !wrapsAtMostOnce(*Rec, SE.getTypeSizeInBits(T)) ||
      isa<UndefValue>(Phi.getIncomingValueForBlock(L.getLoopPreheader())))
    return 0;
  auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  if (!Step || !Step->getAPInt().isSignedIntN(32))
    return 0;
  return static_cast<int32_t>(Step->getAPInt().getSExtValue());
}

/// A variable that the program doesn't read behind an exit itself is kept for us, in a register of
/// its own or instead of a better one. Instructions of lz4 -9, by valgrind: 658.5 million with no
/// work read, 656.3 at cost 0, 674.5 up to cost 1, 692.1 at any cost (2026-11-21).
static constexpr unsigned MaxCost = 0;

/// Whether the program reads V behind this exit.
static bool isReadBehind(const Value &V, const Loop &L, const BasicBlock *Exit,
                         const DominatorTree &DT) {
  return any_of(V.uses(), [&](const Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    const BasicBlock *At = Phi ? Phi->getIncomingBlock(U) : User->getParent();
    return !L.contains(User->getParent()) && (DT.dominates(Exit, At) || User->getParent() == Exit);
  });
}

/// Whether V is compared, so that it is in a register.
static bool isCompared(const Value &V) {
  return any_of(V.users(), [](const User *U) { return isa<ICmpInst>(U); });
}

namespace reticle {

unsigned ExitCount::cost(const Loop &L, ArrayRef<BasicBlock *> Exits,
                         const DominatorTree &DT) const {
  unsigned Cost = 0;
  for (unsigned Exit = 0; Exit < Exits.size(); Exit++)
    Cost += !isReadBehind(*Last[Exit], L, Exits[Exit], DT);
  return 2 * Cost + (none_of(Last, [](const Value *V) { return isCompared(*V); }));
}

std::optional<ExitCount> ExitCount::find(const Loop &L, ArrayRef<BasicBlock *> Exits,
                                         ScalarEvolution &SE, const DominatorTree &DT,
                                         bool AtAnyCost) {
  std::optional<ExitCount> Best;
  for (PHINode &Phi : L.getHeader()->phis()) {
    int32_t Step = L.getLoopLatch() ? usableStep(Phi, L, SE) : 0;
    if (!Step)
      continue;
    ExitCount Count;
    Count.Variable = &Phi;
    Count.Start = Phi.getIncomingValueForBlock(L.getLoopPreheader());
    Count.Step = Step;
    Count.Bits = static_cast<uint32_t>(SE.getTypeSizeInBits(Phi.getType()));
    // Behind the addition the register holds the next value; the last one would take another.
    Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
    auto *Addition = dyn_cast<Instruction>(Next);
    for (BasicBlock *Exit : Exits)
      Count.Last.push_back(Addition && DT.dominates(Addition, Exit) ? Next : &Phi);
    unsigned Cost = Count.cost(L, Exits, DT);
    if ((AtAnyCost || Cost <= MaxCost) && (!Best || Cost < Best->cost(L, Exits, DT)))
      Best = Count;
  }
  return Best;
}

} // namespace reticle
