// FieldAddresses.cpp - resolves accesses whose marks a pass has dropped, by their address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that make a new load for an old one (partial redundancy, promotion out of loops, loads of
// two branches made one) drop its marks. What is left:
//
//   * the variable and the types that the address still has;
//   * the place in the source of the instruction that computes the address: `p->x` is one place
//     whose field is known when the pipeline starts;
//   * the place of the access itself.
//
// A place that has several fields, as macros have, says nothing. Where the address is one of
// several by the way that was taken (a phi, a select), each may be counted by itself.
#include "include/reticle/abi.h"
#include "pass/field/FieldResolver.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace reticle;

static constexpr uint32_t None = UINT32_MAX;
/// Addresses that an access may have, by the way that was taken.
static constexpr size_t ChoicesMax = 4;
/// Phis and selects that are followed.
static constexpr unsigned StepsMax = 16;

/// The instruction's constant offset must be that of the field in one of the structs: else a pass
/// has made another address of it.
static bool agrees(const GEPOperator &GEP, ArrayRef<FieldPlace> Places,
                   ArrayRef<RecordFact> Structs) {
  auto *Index = dyn_cast<ConstantInt>(GEP.getOperand(1));
  if (!GEP.getSourceElementType()->isIntegerTy(8) || !Index || GEP.getNumIndices() != 1)
    return false;
  return any_of(Places, [&](const FieldPlace &Place) {
    int64_t Size = Structs[Place.Struct].SizeBytes;
    return Size && (Index->getSExtValue() - int64_t(Place.OffsetBytes)) % Size == 0;
  });
}

/// From types and variables, else from the place of the instruction.
bool FieldResolver::fieldOfAddress(const Value *Address, uint32_t Bytes, const DataLayout &DL,
                                   SmallVectorImpl<FieldPlace> &Out) const {
  SmallVector<TypedPlace, 4> Typed;
  Reader.placesOf(const_cast<Value *>(Address), DL, Typed);
  for (const TypedPlace &Place : Typed) {
    uint32_t Struct = Reader.knownStruct(Place.Type);
    if (Struct != None)
      Out.push_back({Struct, static_cast<uint32_t>(Place.OffsetBytes)});
  }
  const auto *I = dyn_cast<GetElementPtrInst>(Address);
  if (Out.empty() && I)
    if (const FieldTag *T = Marker.tagAt(FieldMarker::Addresses, *I);
        T && agrees(*cast<GEPOperator>(I), T->Places, Reader.structs()))
      Out = T->Places;
  if (!Out.empty() && Reader.holds(Out[0], Bytes))
    return true;
  Out.clear();
  return false;
}

/// Of a load that is a piece of a struct passed by value: the inliner's copy of it has the place of
/// whatever comes first in the function, so that the address alone says the field.
bool FieldResolver::fieldOfArgument(const LoadInst &I, uint32_t Bytes, const DataLayout &DL,
                                    SmallVectorImpl<FieldPlace> &Out) const {
  SmallVector<TypedPlace, 4> Typed;
  Reader.placesOfElement(I.getPointerOperand(), DL, Typed);
  bool IsArgument =
      any_of(Typed, [&](const TypedPlace &Place) { return Marker.isPassedByValue(Place.Type); });
  for (const TypedPlace &Place : Typed)
    if (uint32_t Struct = Reader.knownStruct(Place.Type); IsArgument && Struct != None)
      Out.push_back({Struct, static_cast<uint32_t>(Place.OffsetBytes)});
  if (!Out.empty() && Reader.holds(Out[0], Bytes))
    return true;
  Out.clear();
  return false;
}

bool FieldResolver::resolveAddress(const Instruction &I, const FieldAccess &Access,
                                   SmallVectorImpl<FieldAccess> &Out) const {
  SmallVector<FieldPlace, 2> Places;
  const DataLayout &DL = I.getModule()->getDataLayout();
  const Value *Address = getLoadStorePointerOperand(&I);
  auto *Load = dyn_cast<LoadInst>(&I);
  bool IsArgument = Load && Marker.mayBeArgument(*Load);
  if (IsArgument && fieldOfArgument(*Load, Access.Bytes, DL, Places)) {
    addPlaces(Places, Access, Out);
    return true;
  }
  if (Address && fieldOfAddress(Address, Access.Bytes, DL, Places)) {
    // Of a promoted argument the address says the struct around the one that was passed.
    FieldPlace Named;
    bool IsNew = Reader.placeFromTBAA(I, Named) && Reader.holds(Named, Access.Bytes) &&
                 none_of(Places, [&](const FieldPlace &P) { return P.Struct == Named.Struct; });
    if (IsNew &&
        Reader.structs()[Named.Struct].SizeBytes < Reader.structs()[Places[0].Struct].SizeBytes)
      Places.insert(Places.begin(), Named);
    addPlaces(Places, Access, Out);
    return true;
  }
  if (IsArgument)
    return false;
  // A variable that was left on the stack: at -O0 `p->all[i]` reads p at the place of the element.
  if (isa_and_nonnull<AllocaInst>(Address))
    return false;
  const FieldTag *T = Marker.tagAt(isa<StoreInst>(I) ? FieldMarker::Stores : FieldMarker::Loads, I);
  if (!T || T->Kind != FieldTag::Field || T->Bytes != Access.Bytes)
    return false;
  addPlaces(T->Places, Access, Out);
  return true;
}

/// The addresses that the phis and selects lead to. False: too many.
static bool leavesOf(const Value *Address, SmallVectorImpl<const Value *> &Leaves) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 8> Work = {Address};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > StepsMax)
      return false;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      for (const Value *In : Phi->incoming_values())
        Work.push_back(In);
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Work.append({Select->getTrueValue(), Select->getFalseValue()});
    } else {
      Leaves.push_back(V);
    }
  }
  return Leaves.size() <= ChoicesMax;
}

void FieldResolver::choices(const Instruction &I, SmallVectorImpl<FieldChoice> &Out) const {
  const Value *Address = getLoadStorePointerOperand(&I);
  SmallVector<const Value *, 4> Leaves;
  if (!Address || !(isa<PHINode>(Address) || isa<SelectInst>(Address)) ||
      !leavesOf(Address, Leaves))
    return;
  const DataLayout &DL = I.getModule()->getDataLayout();
  SmallVector<FieldAccess, 2> Plain;
  resolve(I, Plain);
  if (Plain.empty())
    return;
  for (const Value *Leaf : Leaves) {
    SmallVector<FieldPlace, 2> Places;
    FieldChoice Choice = {Leaf, {}};
    if (fieldOfAddress(Leaf, Plain[0].Bytes, DL, Places))
      addPlaces(Places, Plain[0], Choice.What);
    Out.push_back(std::move(Choice));
  }
}
