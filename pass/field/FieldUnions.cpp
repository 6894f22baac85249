// FieldUnions.cpp - fields of unions, which have no typed address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of them begin where the union does, so clang takes the union's own pointer:
//
//   %x = load i64, ptr %p, !dbg !place            ; p->number
//
// Where the union is a field of a struct, an element of an array or a variable, the address may
// still say so; where it is what a pointer leads to, only the source's expression at the same place
// does (CopyReader.h).
#include "include/reticle/abi.h"
#include "pass/field/FieldReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace reticle;

void FieldReader::addUnionFact(const UnionFact &Fact) {
  uint32_t Union = structOfKey(Fact.Union);
  auto [Known, IsNew] =
      UnionOfPlace.try_emplace({Fact.Function, Fact.Line, Fact.Column, Fact.IsElement}, Union);
  if (!IsNew && Known->second != Union)
    Known->second = UINT32_MAX;
}

/// Adds the union around the field, if the source has one there and the address doesn't say it.
/// Places: innermost first.
void FieldReader::addUnion(const Instruction &I, uint32_t Bytes,
                           SmallVectorImpl<FieldPlace> &Places) const {
  const DILocation *Place = UnionOfPlace.empty() ? nullptr : I.getDebugLoc().get();
  if (!Place)
    return;
  auto At = [&](bool IsElement) {
    return UnionOfPlace.find(
        {I.getFunction()->getName().str(), Place->getLine(), Place->getColumn(), IsElement});
  };
  auto *Step = dyn_cast_or_null<GEPOperator>(getLoadStorePointerOperand(&I));
  auto It = At(false);
  if (It == UnionOfPlace.end() && Step && Step->getSourceElementType()->isArrayTy())
    It = At(true);
  if (It == UnionOfPlace.end() || It->second == UINT32_MAX)
    return;
  uint32_t Union = It->second, Size = Structs[Union].SizeBytes;
  if (Bytes > Size)
    return;
  auto Around = Places.begin();
  for (auto One = Places.begin(); One != Places.end(); ++One) {
    if (One->Struct == Union)
      return;
    if (Structs[One->Struct].SizeBytes <= Size)
      Around = One + 1;
  }
  Places.insert(Around, {Union, 0});
}
