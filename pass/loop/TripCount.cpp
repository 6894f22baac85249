// TripCount.cpp - checks and writes out SCEV's backedge-taken count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/loop/TripCount.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Operations that a trip count may take. It is computed for sampled executions alone, so this
/// bounds code size, not time: a dozen covers nested bounds like min((n - i + 3) / 4, m).
static constexpr unsigned MaxOperations = 12;

static std::optional<Intrinsic::ID> minMaxIntrinsic(const SCEV *S) {
  switch (S->getSCEVType()) {
  case scUMaxExpr:
    return Intrinsic::umax;
  case scSMaxExpr:
    return Intrinsic::smax;
  case scUMinExpr:
  // Its short circuit only keeps poison out: a sample's work may be poison, it isn't branched on.
  case scSequentialUMinExpr:
    return Intrinsic::umin;
  case scSMinExpr:
    return Intrinsic::smin;
  default:
    return std::nullopt;
  }
}

namespace reticle {

std::optional<TripCount> TripCount::find(const Loop &L, ScalarEvolution &SE,
                                         const DominatorTree &DT) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count) || !Count->getType()->isIntegerTy() ||
      Count->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  TripCount Result;
  Result.BackedgeCount = Count;
  unsigned Budget = MaxOperations;
  if (!Result.emittable(Count, L, SE, DT, Budget))
    return std::nullopt;
  return Result;
}

bool TripCount::emittableInduction(const SCEVAddRecExpr *Rec, const Loop &L, ScalarEvolution &SE,
                                   const DominatorTree &DT, unsigned &Budget) {
  for (PHINode &Phi : Rec->getLoop()->getHeader()->phis()) {
    if (Phi.getType() != Rec->getType())
      continue;
    // Often the count is one less than an induction variable that is there.
    const SCEV *Distance = SE.getMinusSCEV(Rec, SE.getSCEV(&Phi));
    if (isa<SCEVCouldNotCompute>(Distance) || !SE.isLoopInvariant(Distance, Rec->getLoop()) ||
        !emittable(Distance, L, SE, DT, Budget))
      continue;
    Inductions[Rec] = {&Phi, Distance};
    return true;
  }
  return false;
}

bool TripCount::emittable(const SCEV *S, const Loop &L, ScalarEvolution &SE,
                          const DominatorTree &DT, unsigned &Budget) {
  if (isa<SCEVConstant>(S))
    return true;
  if (auto *Unknown = dyn_cast<SCEVUnknown>(S)) {
    auto *I = dyn_cast<Instruction>(Unknown->getValue());
    return !I || DT.dominates(I, L.getLoopPreheader()->getTerminator());
  }
  if (Budget-- == 0) {
    Budget = 0;
    return false;
  }
  if (auto *Rec = dyn_cast<SCEVAddRecExpr>(S))
    return Rec->getLoop() != &L && Rec->getLoop()->contains(&L) &&
           emittableInduction(Rec, L, SE, DT, Budget);
  // A pointer is only ever an operand of its conversion to an integer.
  if (!S->getType()->isIntegerTy())
    return false;
  if (auto *Division = dyn_cast<SCEVUDivExpr>(S)) {
    auto *Divisor = dyn_cast<SCEVConstant>(Division->getRHS());
    return Divisor && !Divisor->getAPInt().isZero() &&
           emittable(Division->getLHS(), L, SE, DT, Budget);
  }
  switch (S->getSCEVType()) {
  case scPtrToInt:
    if (!isa<SCEVUnknown>(S->operands()[0]))
      return false;
    break;
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scAddExpr:
  case scMulExpr:
    break;
  default:
    if (!minMaxIntrinsic(S))
      return false;
  }
  for (const SCEV *Operand : S->operands())
    if (!emittable(Operand, L, SE, DT, Budget))
      return false;
  return true;
}

Value *TripCount::emit(IRBuilder<> &B) const {
  return B.CreateAdd(B.CreateZExt(emit(BackedgeCount, B), B.getInt64Ty()), B.getInt64(1));
}

Value *TripCount::emitMinMax(const SCEV *S, IRBuilder<> &B) const {
  Value *Result = emit(S->operands()[0], B);
  for (const SCEV *Operand : S->operands().drop_front())
    Result = B.CreateBinaryIntrinsic(*minMaxIntrinsic(S), Result, emit(Operand, B));
  return Result;
}

Value *TripCount::emit(const SCEV *S, IRBuilder<> &B) const {
  switch (S->getSCEVType()) {
  case scConstant:
    return cast<SCEVConstant>(S)->getValue();
  case scUnknown:
    return cast<SCEVUnknown>(S)->getValue();
  case scAddRecExpr: {
    auto [Phi, Distance] = Inductions.lookup(S);
    return B.CreateAdd(Phi, emit(Distance, B));
  }
  case scPtrToInt:
    return B.CreatePtrToInt(emit(S->operands()[0], B), S->getType());
  case scTruncate:
    return B.CreateTrunc(emit(S->operands()[0], B), S->getType());
  case scZeroExtend:
    return B.CreateZExt(emit(S->operands()[0], B), S->getType());
  case scSignExtend:
    return B.CreateSExt(emit(S->operands()[0], B), S->getType());
  case scUDivExpr:
    return B.CreateUDiv(emit(S->operands()[0], B), emit(S->operands()[1], B));
  case scAddExpr:
  case scMulExpr: {
    bool IsSum = S->getSCEVType() == scAddExpr;
    Value *Result = emit(S->operands()[0], B);
    for (const SCEV *Operand : S->operands().drop_front()) {
      Value *Other = emit(Operand, B);
      Result = IsSum ? B.CreateAdd(Result, Other) : B.CreateMul(Result, Other);
    }
    return Result;
  }
  default:
    return emitMinMax(S, B);
  }
}

} // namespace reticle
