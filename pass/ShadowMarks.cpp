// ShadowMarks.cpp - see ShadowMarks.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/ShadowMarks.h"
#include "include/reticle/abi.h"
#include "pass/RuntimeCalls.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace reticle;

static constexpr uint64_t Touched = RETICLE_SHADOW_TOUCHED * UINT64_C(0x0101010101010101);
static constexpr unsigned ColdWeight = 1, HotWeight = 100000;

template <typename Access> static Access *ours(Access *A) {
  A->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(A->getContext(), {}));
  return A;
}

ShadowMarks::ShadowMarks(Module &Mod) : M(Mod), Mask(shadowMask(Mod)) {}

void ShadowMarks::enter(Function &F) {
  // Line 0: no source line is charged for a mark.
  Location = DebugLoc();
  if (DISubprogram *Subprogram = F.getSubprogram())
    Location = DILocation::get(M.getContext(), 0, 0, Subprogram);
}

Value *ShadowMarks::index(IRBuilder<> &B, Value &Base) {
  LoadInst *Allowed = ours(B.CreateLoad(B.getInt64Ty(), Mask));
  // It changes before the module's code runs, and never again: so code generation may load it anew
  // rather than keep it in a register.
  Allowed->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(M.getContext(), {}));
  return B.CreateAnd(B.CreateLShr(B.CreatePtrToInt(&Base, B.getInt64Ty()), 2), Allowed);
}

Value *ShadowMarks::address(IRBuilder<> &B, Value *Index, int64_t Word) const {
  Value *Place = B.CreateAdd(Index, B.getInt64(RETICLE_SHADOW_BASE + static_cast<uint64_t>(Word)));
  return B.CreateIntToPtr(Place, B.getPtrTy());
}

void ShadowMarks::touch(IRBuilder<> &B, Value *Index, int64_t First, unsigned Count) const {
  while (Count) {
    unsigned Part = std::min(bit_floor(Count), WindowWords);
    ours(B.CreateAlignedStore(B.getIntN(8 * Part, Touched >> (64 - 8 * Part)),
                              address(B, Index, First), Align(1)));
    First += Part;
    Count -= Part;
  }
}

void ShadowMarks::store(Instruction &Before, Value &Base, int64_t First, unsigned Count) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  touch(B, index(B, Base), First, Count);
}

void ShadowMarks::check(Instruction &Before, Value &Base, int64_t First, uint8_t Words) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  unsigned Bytes = bit_ceil(static_cast<unsigned>(bit_width(Words)));
  uint64_t Wanted = 0;
  for (unsigned I = 0; I < WindowWords; I++)
    if (Words & (1u << I))
      Wanted |= UINT64_C(0xff) << (8 * I);
  Type *T = B.getIntNTy(8 * Bytes);
  Value *Index = index(B, Base);
  Value *Marks = ours(B.CreateAlignedLoad(T, address(B, Index, First), Align(1)));
  if (isPowerOf2_32(Words + 1u) && static_cast<unsigned>(bit_width(Words)) == Bytes)
    ; // all of them are wanted
  else
    Marks = B.CreateAnd(Marks, ConstantInt::get(T, Wanted));
  Value *IsNew = B.CreateICmpNE(Marks, ConstantInt::get(T, Wanted & Touched));
  Instruction *Cold = SplitBlockAndInsertIfThen(
      IsNew, &Before, /*Unreachable=*/false,
      MDBuilder(M.getContext()).createBranchWeights(ColdWeight, HotWeight));
  B.SetInsertPoint(Cold);
  B.SetCurrentDebugLocation(Location);
  for (unsigned I = 0; I < WindowWords;) {
    unsigned Run = countr_one(static_cast<unsigned>(Words >> I));
    if (Run)
      touch(B, Index, First + I, Run);
    I += Run ? Run : 1;
  }
}

void ShadowMarks::range(Instruction &Before, Value &Start, Value &Bytes) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  FunctionCallee Range = M.getOrInsertFunction(
      "__reticle_shadow_range",
      FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getInt64Ty()}, false));
  B.CreateCall(Range, {&Start, B.CreateZExtOrTrunc(&Bytes, B.getInt64Ty())})->setDoesNotThrow();
}
