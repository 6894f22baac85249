// ShadowApart.cpp - marks that tell reads from writes, and threads from one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most words are touched again and again by one thread: nothing is stored once their marks say so.
// Nor is it where threads share a word and its marks say so. All else is the runtime's
// (runtime/probe/shadow_apart.c): the first touch of a word since the last sample, and each new way
// or thread.
#include "include/reticle/abi.h"
#include "pass/module/OwnCode.h"
#include "pass/shadow/ShadowMarks.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace reticle;

/// Kinds: for each of the words its byte, 0 for those between that aren't touched.
void ShadowMarks::lookApart(Instruction &Before, Value *Index, int64_t First, unsigned Count,
                            uint64_t Kinds) {
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  Count = bit_ceil(Count);
  uint64_t Care = Kinds;
  for (unsigned Word = 0; Word < Count; Word++)
    if (Kinds >> (8 * Word) & UINT8_MAX)
      Care |= uint64_t(RETICLE_SHADOW_THREAD) << (8 * Word);
  Value *Own = B.CreateThreadLocalAddress(Thread);
  IntegerType *T = B.getIntNTy(8 * Count);
  // Its lower bytes, as all bytes are alike. Volatile: a register would be kept for it.
  Value *Mine = ours(B.CreateAlignedLoad(T, Own, Align(8), /*isVolatile=*/true));
  Value *Marks = load(B, Index, First, Count);
  Value *Differs = B.CreateICmpNE(B.CreateAnd(B.CreateXor(Marks, Mine), ConstantInt::get(T, Care)),
                                  ConstantInt::get(T, Kinds));
  Instruction *Cold = SplitBlockAndInsertIfThen(
      Differs, &Before, /*Unreachable=*/false,
      MDBuilder(M.getContext()).createBranchWeights(ColdWeight, HotWeight));
  // Marks of several threads, which a touch like this one leaves as they are: next_mark() there.
  uint64_t Shared = Kinds, SharedCare = Kinds;
  for (unsigned Word = 0; Word < Count; Word++)
    if (uint64_t How = Kinds >> (8 * Word) & UINT8_MAX) {
      Shared |= uint64_t(RETICLE_SHADOW_OTHERS) << (8 * Word);
      if (How & RETICLE_SHADOW_WRITTEN)
        SharedCare |= uint64_t(RETICLE_SHADOW_THREAD) << (8 * Word);
    }
  B.SetInsertPoint(Cold);
  Value *Unsettled = B.CreateICmpNE(B.CreateAnd(Marks, ConstantInt::get(T, Shared | SharedCare)),
                                    ConstantInt::get(T, Shared));
  Cold = SplitBlockAndInsertIfThen(Unsettled, Cold, /*Unreachable=*/false);
  B.SetInsertPoint(Cold);
  call(*Cold, "__reticle_shadow_apart",
       {address(B, Index, First), B.getInt64(Kinds), B.CreateThreadLocalAddress(Thread)});
}

void ShadowMarks::markApart(Instruction &Before, Value *Index, const ShadowWords &Words) {
  for (auto Word = Words.begin(); Word != Words.end();) {
    int64_t First = Word->first;
    uint64_t Kinds = 0;
    unsigned Count = 0;
    for (; Word != Words.end() && Word->first - First < WidestWords; ++Word) {
      Count = static_cast<unsigned>(Word->first - First) + 1;
      Kinds |= uint64_t(Word->second) << (8 * (Count - 1));
    }
    lookApart(Before, Index, First, Count, Kinds);
  }
}
