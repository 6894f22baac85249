// FieldBits.cpp - bitfields in the first unit of a struct, which have no typed address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang addresses them by the struct's own pointer:
//
//   %bf.load = load i16, ptr %p, !dbg !place      ; p->low
//   %bf.clear = and i16 %bf.load, 7
//
// The struct comes from the source's expression at the same place (CopyReader.h).
#include "include/reticle/abi.h"
#include "pass/field/FieldReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace reticle;

void FieldReader::addBitFieldFact(const BitFieldFact &Fact) {
  uint32_t Struct = structOfKey(Fact.Struct);
  auto [Known, IsNew] = BitFieldOfPlace.try_emplace({Fact.Function, Fact.Line, Fact.Column},
                                                    BitFieldPlace{Struct, Fact.FromMacro});
  if (!IsNew && Known->second.Struct != Struct)
    Known->second.Struct = UINT32_MAX;
  if (!IsNew)
    Known->second.FromMacro |= Fact.FromMacro;
}

static bool isCutOut(const LoadInst &Load) {
  return !Load.use_empty() && all_of(Load.users(), [](const User *U) {
    auto *Operation = dyn_cast<BinaryOperator>(U);
    return Operation && isa<ConstantInt>(Operation->getOperand(1)) &&
           (Operation->isShift() || Operation->getOpcode() == Instruction::And);
  });
}

/// Whether the instruction loads bits to cut some out, or stores what was loaded with some changed:
/// what a bitfield's access looks like before any pass.
static bool looksLikeBits(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isCutOut(*Load);
  auto *Store = dyn_cast<StoreInst>(&I);
  const Value *V = Store ? Store->getValueOperand() : nullptr;
  if (auto *Or = dyn_cast_or_null<BinaryOperator>(V); Or && Or->getOpcode() == Instruction::Or)
    V = Or->getOperand(0);
  auto *And = dyn_cast_or_null<BinaryOperator>(V);
  auto *Load = And && And->getOpcode() == Instruction::And ? dyn_cast<LoadInst>(And->getOperand(0))
                                                           : nullptr;
  return Load && Load->getPointerOperand() == Store->getPointerOperand();
}

bool FieldReader::placeOfBitField(const Instruction &I, uint32_t Bytes, FieldPlace &Out) const {
  const DILocation *Place = I.getDebugLoc().get();
  const Type *T = isa<LoadInst>(I)    ? I.getType()
                  : isa<StoreInst>(I) ? I.getOperand(0)->getType()
                                      : nullptr;
  if (!Place || !T || !T->isIntegerTy())
    return false;
  auto It = BitFieldOfPlace.find(
      {I.getFunction()->getName().str(), Place->getLine(), Place->getColumn()});
  if (It == BitFieldOfPlace.end() || It->second.Struct == UINT32_MAX ||
      (It->second.FromMacro && !looksLikeBits(I)))
    return false;
  const RecordFact &Fact = Structs[It->second.Struct];
  const MemberFact *First = memberAt(Fact, 0);
  if (Bytes > Fact.SizeBytes || !First || !(First->Flags & RETICLE_MEMBER_BITFIELD))
    return false;
  Out = {It->second.Struct, 0};
  return true;
}
