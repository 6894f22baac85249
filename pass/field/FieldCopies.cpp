// FieldCopies.cpp - resolves copies and clearings: which fields of which structs they cover.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcpy, memmove and memset keep the marks of both their addresses, also where a pass has made a
// load and a store of them, or several:
//
//   call void @llvm.memcpy(ptr %to, ptr %from, i64 24), !llvm.access.group !{!to, !from}
//
// One without marks was made by a pass, of a loop or of several stores.
#include "include/reticle/abi.h"
#include "pass/field/FieldResolver.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace reticle;

/// Of a piece whose address says where in the struct it lies, that: other pieces may be gone, as
/// nothing uses them.
bool FieldResolver::resolvePiece(const Instruction &I, const FieldTag &T, uint32_t Bytes,
                                 SmallVectorImpl<FieldAccess> &Out) const {
  SmallVector<TypedPlace, 4> Typed;
  SmallVector<FieldPlace, 2> Places;
  Reader.placesOfElement(memoryOf(I).Address, I.getModule()->getDataLayout(), Typed);
  bool IsOfCopy = false;
  for (const TypedPlace &Place : Typed) {
    uint32_t Struct = Reader.knownStruct(Place.Type);
    if (Struct == UINT32_MAX)
      continue;
    Places.push_back({Struct, static_cast<uint32_t>(Place.OffsetBytes)});
    IsOfCopy |= any_of(T.Covered, [&](const FieldAccess &A) { return A.Struct == Struct; });
  }
  if (!IsOfCopy || Places.empty() ||
      Places[0].OffsetBytes + uint64_t(Bytes) > Reader.structs()[Places[0].Struct].SizeBytes)
    return false;
  addPlaces(Places, {UINT32_MAX, UINT32_MAX, Bytes, 1, T.Covered[0].Flags}, Out);
  return true;
}

/// The load or store may be one of several that the copy became: then the copy is what they are
/// together.
void FieldResolver::resolveCopy(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  bool IsCall = isa<AnyMemIntrinsic>(I);
  for (FieldTag::Kinds Kind : {FieldTag::CopyFrom, FieldTag::CopyTo}) {
    if (!IsCall && Kind != (I.mayWriteToMemory() ? FieldTag::CopyTo : FieldTag::CopyFrom))
      continue;
    if (isa<AnyMemSetInst>(I) && Kind == FieldTag::CopyFrom)
      continue;
    const FieldTag *T = Marker.tagOf(I, Kind);
    if (!T && !IsCall)
      T = Marker.copySideAt(I);
    if (!T)
      continue;
    uint32_t Bytes = IsCall ? 0 : storeBytes(memoryOf(I).T, I.getModule()->getDataLayout());
    if (!IsCall && Bytes != T->Bytes && resolvePiece(I, *T, Bytes, Out))
      continue;
    for (FieldAccess Access : T->Covered) {
      Access.PieceOf = !IsCall && Bytes != T->Bytes ? T->Bytes : 0;
      // Inlining told the length after the copy was marked: what became of it has one.
      if (!IsCall && Access.PerBytes) {
        Access.PieceOf = Bytes < Access.PerBytes ? Access.PerBytes : 0;
        Access.Times *= static_cast<uint32_t>(divideCeil(Bytes, Access.PerBytes));
        Access.PerBytes = 0;
      }
      Out.push_back(Access);
    }
  }
}

/// So many bytes from the place on, written or read by accesses of Element bytes each. Length 0:
/// not known when compiled.
void FieldResolver::resolveMadeSide(ArrayRef<FieldPlace> Places, uint64_t Length, uint32_t Element,
                                    FieldAccess Access, SmallVectorImpl<FieldAccess> &Out) const {
  if (Places.empty() || !Element)
    return;
  const RecordFact &Fact = Reader.structs()[Places[0].Struct];
  uint32_t Start = Places[0].OffsetBytes, Size = Fact.SizeBytes;
  const MemberFact *M = FieldReader::memberAt(Fact, Start);
  if (!M || !Size)
    return;
  Access.Bytes = Element;
  uint32_t Unit = Element;
  if (M->SizeBytes <= Element || Start + Length > M->OffsetBytes + uint64_t(M->SizeBytes)) {
    if (Length && Start + Length <= Size)
      Unit = static_cast<uint32_t>(Length); // several fields, each once
    else if (Start == 0 && Length % Size == 0)
      Unit = Size; // whole structs, each of their fields once
    else
      return;
    Access.Bytes = Unit;
  }
  Access.Times = Length ? static_cast<uint32_t>(Length / Unit) : 1;
  Access.PerBytes = Length ? 0 : Unit;
  addPlaces(Places, Access, Out);
}

/// Where a memset of several fields starts, of which the place of one is known.
SmallVector<FieldPlace, 2> FieldResolver::startOf(const Value &Address, uint64_t Length,
                                                  ArrayRef<FieldPlace> OfOne,
                                                  const DataLayout &DL) const {
  SmallVector<FieldPlace, 2> Start(OfOne.begin(), OfOne.end());
  const RecordFact &Fact = Reader.structs()[Start[0].Struct];
  const MemberFact *M = FieldReader::memberAt(Fact, Start[0].OffsetBytes);
  bool InArray = M && M->Flags & RETICLE_MEMBER_ARRAY;
  // What several stores became starts at the lowest: at the struct itself, where nothing is added
  // to its address. An array's stores are those of a loop, which start where they say.
  bool IsBase = Start.size() == 1 && (isa<Argument>(Address) || isa<LoadInst>(Address));
  FieldPlace InElement = Start[0];
  if (!InArray && Length && (IsBase || Length == Fact.SizeBytes))
    Start = {{Start[0].Struct, 0}};
  else if (!InArray && Length && Reader.placeOfElement(&Address, DL, InElement))
    Start = {InElement};
  else if (!InArray && Start[0].OffsetBytes)
    Start.clear();
  return Start;
}

/// A memset or memcpy without marks is the compiler's: of a loop, or of several stores. It has the
/// place of one of the stores. What it does are the writes and reads of the source.
void FieldResolver::resolveMadeCopy(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  const FieldTag *T = Marker.tagAt(FieldMarker::Stores, I);
  if (!T || T->Kind != FieldTag::Field)
    return;
  auto *Call = cast<AnyMemIntrinsic>(&I);
  auto *Known = dyn_cast<ConstantInt>(Call->getLength());
  uint64_t Length = Known ? Known->getLimitedValue(UINT32_MAX) : 0;
  const DataLayout &DL = I.getModule()->getDataLayout();
  SmallVector<FieldPlace, 2> To, From;
  if (!fieldOfAddress(Call->getRawDest(), 1, DL, To))
    To = startOf(*Call->getRawDest(), Length, T->Places, DL);
  FieldAccess Access = {UINT32_MAX, UINT32_MAX, 0, 1, RETICLE_ACCESS_WRITE | RETICLE_ACCESS_VECTOR};
  resolveMadeSide(To, Length, T->Bytes, Access, Out);
  auto *Transfer = dyn_cast<AnyMemTransferInst>(Call);
  Access.Flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_VECTOR;
  if (!Transfer)
    return;
  const FieldTag *Read = Marker.tagAt(FieldMarker::LoadsOfStores, I);
  if (!fieldOfAddress(Transfer->getRawSource(), 1, DL, From) && Read &&
      Read->Kind == FieldTag::Field)
    From = startOf(*Transfer->getRawSource(), Length, Read->Places, DL);
  if (!From.empty())
    resolveMadeSide(From, Length, T->Bytes, Access, Out);
}
