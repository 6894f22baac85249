// FieldLanes.cpp - which fields the lanes of a vector are: each is an access of the source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   double a = p->x, b = p->y;        %v = load <2 x double>, ptr gep (%p, 8)
//
// The vectorisers drop the marks in which lanes differ, and keep the place in the source of one of
// them. Where the vector starts is known from the address: its types, the place of the instruction
// that computes it, or its constant distance from the struct, if it fits the field at that place.
// Lanes that nothing uses were never in the source: an interleaved group loads them as they lie
// between.
#include "include/reticle/abi.h"
#include "pass/field/FieldResolver.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

/// Whether lane n of what I makes comes from lane n of its operands.
static bool isLanewise(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return isa<BinaryOperator>(I) || isa<UnaryOperator>(I) || isa<CastInst>(I) || isa<CmpInst>(I) ||
         isa<SelectInst>(I) || (Call && isTriviallyVectorizable(Call->getIntrinsicID()));
}

/// Operations between a load and the lanes that are taken from what became of it.
static constexpr unsigned LanewiseMax = 6;

static SmallBitVector takenLanes(const Instruction &I, unsigned Count, unsigned Depth) {
  SmallBitVector Taken(Count);
  auto Add = [&](int64_t Lane) {
    if (Lane >= 0 && Lane < int64_t(Count))
      Taken.set(static_cast<unsigned>(Lane));
  };
  for (const User *U : I.users()) {
    const auto *Vector = dyn_cast<FixedVectorType>(U->getType());
    if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(U)) {
      for (int Lane : Shuffle->getShuffleMask())
        for (unsigned Side = 0; Side < 2; Side++)
          if (Shuffle->getOperand(Side) == &I)
            Add(int64_t(Lane) - int64_t(Side) * Count);
    } else if (const auto *Extract = dyn_cast<ExtractElementInst>(U);
               Extract && isa<ConstantInt>(Extract->getIndexOperand())) {
      Add(int64_t(cast<ConstantInt>(Extract->getIndexOperand())->getLimitedValue(Count)));
    } else if (const auto *Next = dyn_cast<Instruction>(U);
               Next && Depth && Vector && Vector->getNumElements() == Count && isLanewise(*Next)) {
      Taken |= takenLanes(*Next, Count, Depth - 1);
    } else {
      return SmallBitVector(Count, true);
    }
  }
  return Taken;
}

SmallBitVector reticle::usedLanes(const Instruction &I, unsigned Count) {
  const auto *Vector = dyn_cast<FixedVectorType>(I.getType());
  if (!isa<LoadInst>(I) || !Vector || Vector->getNumElements() != Count)
    return SmallBitVector(Count, true);
  return takenLanes(I, Count, LanewiseMax);
}

/// Bytes from the first lane to the one that the tag is of, by the address's constant distance from
/// where a struct may start; -1: none fits. Of structs inside each other the outermost says most.
static int64_t distanceTo(const FieldTag &Tag, const Value &Address, int64_t WideBytes,
                          ArrayRef<RecordFact> Structs, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Address.getType()), 0);
  Address.stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  for (const FieldPlace &Place : llvm::reverse(Tag.Places)) {
    int64_t Size = Structs[Place.Struct].SizeBytes;
    if (!Size)
      continue;
    int64_t Distance = (int64_t(Place.OffsetBytes) - Offset.getSExtValue()) % Size;
    Distance += Distance < 0 ? Size : 0;
    if (Distance < WideBytes && Distance % Tag.Bytes == 0)
      return Distance;
  }
  return -1;
}

bool FieldResolver::startOfVector(const Instruction &I, const FieldTag &Around, uint32_t WideBytes,
                                  SmallVectorImpl<FieldPlace> &Out) const {
  const DataLayout &DL = I.getModule()->getDataLayout();
  const Value *Address = getLoadStorePointerOperand(&I);
  auto IsAround = [&](const FieldPlace &Place) { return Place.Struct == Around.Places[0].Struct; };
  if (Address && fieldOfAddress(Address, Around.Bytes, DL, Out) && IsAround(Out[0]))
    return true;
  Out.clear();
  const FieldTag *Lane =
      Marker.tagAt(isa<StoreInst>(I) ? FieldMarker::Stores : FieldMarker::Loads, I);
  if (!Address || !Lane || Lane->Kind != FieldTag::Field || Lane->Bytes != Around.Bytes ||
      !IsAround(Lane->Places[0]))
    return false;
  int64_t Distance = distanceTo(*Lane, *Address, WideBytes, Reader.structs(), DL);
  if (Distance < 0)
    return false;
  for (const FieldPlace &Place : Lane->Places) {
    int64_t Size = Reader.structs()[Place.Struct].SizeBytes;
    int64_t Start = (int64_t(Place.OffsetBytes) - Distance) % Size;
    Out.push_back({Place.Struct, static_cast<uint32_t>(Start < 0 ? Start + Size : Start)});
  }
  return true;
}

bool FieldResolver::resolveLanes(const Instruction &I, const FieldTag &T, FieldAccess Access,
                                 SmallVectorImpl<FieldAccess> &Out) const {
  SmallVector<FieldPlace, 2> Start;
  uint32_t Wide = Access.Bytes;
  if (T.Kind != FieldTag::Struct || Wide % T.Bytes || !startOfVector(I, T, Wide, Start))
    return false;
  unsigned Count = Wide / T.Bytes;
  SmallBitVector Used = usedLanes(I, Count);
  Access.Bytes = T.Bytes;
  Access.Times = 1;
  for (const FieldPlace &Place : Start) {
    uint32_t Size = Reader.structs()[Place.Struct].SizeBytes;
    Access.Struct = Place.Struct;
    for (unsigned Lane : Used.set_bits()) {
      Access.OffsetBytes = Place.OffsetBytes + Lane * T.Bytes;
      if (Size && Access.OffsetBytes >= Size) // the next element
        Access.OffsetBytes %= Size;
      Out.push_back(Access);
    }
    Access.Flags |= RETICLE_ACCESS_OUTER;
  }
  return true;
}
