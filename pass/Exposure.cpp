// Exposure.cpp - follows an address backwards through its loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/Exposure.h"
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

/// Collects what the value is computed from inside the loop, earlier iterations included, and the
/// addresses of loads. False if that is too much, or a call is among it.
static bool collect(const Value *From, const Loop &L, SmallPtrSetImpl<const Instruction *> &Seen) {
  SmallVector<const Value *, 16> Work = {From};
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (Seen.size() > StepsMax)
      return false;
    if (isa<CallBase>(I) && I->mayReadFromMemory())
      return false;
    Work.append(I->op_begin(), I->op_end());
  }
  return true;
}

uint32_t reticle::exposureOf(const Instruction &Access, const Loop *L, ScalarEvolution &SE) {
  const Value *Address = getLoadStorePointerOperand(&Access);
  if (!Address || !L)
    return 0;
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Address)));
  if (Recurrence && Recurrence->getLoop() == L && Recurrence->isAffine())
    return RETICLE_ACCESS_STREAMING;
  if (SE.isLoopInvariant(SE.getSCEV(const_cast<Value *>(Address)), L))
    return RETICLE_ACCESS_SAME;
  SmallPtrSet<const Instruction *, 32> Sources;
  if (!collect(Address, *L, Sources))
    return 0;
  for (const Instruction *I : Sources) {
    const auto *Load = dyn_cast<LoadInst>(I);
    if (!Load)
      continue;
    SmallPtrSet<const Instruction *, 32> Behind;
    if (!collect(Load->getPointerOperand(), *L, Behind))
      return 0;
    if (Behind.count(Load))
      return RETICLE_ACCESS_DEPENDENT;
  }
  return RETICLE_ACCESS_INDEPENDENT;
}
