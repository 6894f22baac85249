// Reassociate.cpp - finds the operations on a loop's own results, and lets them be reordered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/form/Reassociate.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// Sums, products, and a sum of products in one.
static bool isReordered(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub ||
         I.getOpcode() == Instruction::FMul ||
         (Call && Call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// The operations that lie on the way from the variable back to it.
static bool reorder(PHINode &Phi, const Loop &L) {
  SmallVector<Instruction *, 8> Open{
      dyn_cast_or_null<Instruction>(Phi.getIncomingValueForBlock(L.getLoopLatch()))};
  SmallPtrSet<Instruction *, 8> Seen;
  bool Found = false;
  while (!Open.empty()) {
    Instruction *I = Open.pop_back_val();
    if (!I || I == &Phi || !L.contains(I) || !Seen.insert(I).second ||
        !(isReordered(*I) || isa<PHINode, SelectInst>(I)))
      continue;
    if (isReordered(*I)) {
      I->setHasAllowReassoc(true);
      I->setHasAllowContract(true);
      I->setHasNoSignedZeros(true);
      Found = true;
    }
    for (Value *Operand : I->operands())
      if (Operand->getType()->isFPOrFPVectorTy())
        Open.push_back(dyn_cast<Instruction>(Operand));
  }
  return Found;
}

bool reticle::allowAnyOrder(Loop &L) {
  bool Found = false;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isFPOrFPVectorTy() && L.getLoopLatch())
      Found |= reorder(Phi, L);
  return Found;
}
