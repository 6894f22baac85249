// FieldResolver.cpp - which fields an access touches, by its mark.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/field/FieldResolver.h"
#include "include/reticle/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

static constexpr uint32_t None = UINT32_MAX;

void FieldResolver::addPlaces(ArrayRef<FieldPlace> Places, FieldAccess Access,
                              SmallVectorImpl<FieldAccess> &Out) const {
  for (const FieldPlace &Place : Places) {
    Access.Struct = Place.Struct;
    Access.OffsetBytes = Place.OffsetBytes;
    Out.push_back(Access);
    Access.Flags |= RETICLE_ACCESS_OUTER;
  }
}

// An access wider than the source's: consecutive elements of one array, or, where the elements are
// structs, a vector over several structs of which some lanes are used.
void FieldResolver::resolveWide(const Instruction &I, const FieldTag &T, FieldAccess Access,
                                SmallVectorImpl<FieldAccess> &Out) const {
  uint32_t Wide = Access.Bytes, Struct = T.Places[0].Struct,
           Size = Reader.structs()[Struct].SizeBytes;
  auto Add = [&](const FieldPlace &Place, uint32_t Offset, uint32_t Bytes, uint32_t Times) {
    Access.Struct = Place.Struct;
    Access.OffsetBytes = Offset;
    Access.Bytes = Bytes;
    Access.Times = Times ? Times : 1;
    Out.push_back(Access);
  };
  bool Interleaved = Size > T.Bytes && Wide >= Size && Wide % Size == 0;
  if (T.Kind == FieldTag::Field) {
    const MemberFact *M = FieldReader::memberAt(Reader.structs()[Struct], T.Places[0].OffsetBytes);
    bool Consecutive = M && M->SizeBytes >= Wide && M->SizeBytes > T.Bytes;
    uint32_t Times =
        Interleaved && !Consecutive ? Wide / Size : usedLanes(I, Wide / T.Bytes).count();
    for (const FieldPlace &Place : T.Places) {
      Add(Place, Place.OffsetBytes, T.Bytes, Times);
      Access.Flags |= RETICLE_ACCESS_OUTER;
    }
    return;
  }
  // Several fields of one struct. A vector load is taken apart by shuffles: their first lanes say
  // which fields.
  bool Found = false;
  if (Interleaved && isa<LoadInst>(I))
    for (const User *U : I.users())
      if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(U)) {
        int First = Shuffle->getMaskValue(0);
        if (First < 0 || static_cast<uint32_t>(First) * T.Bytes >= Size)
          continue;
        Add(T.Places[0], static_cast<uint32_t>(First) * T.Bytes, T.Bytes, Wide / Size);
        Found = true;
      }
  if (Found)
    return;
  if (Interleaved || Wide == Size)
    Add(T.Places[0], 0, Size, Wide / Size);
  else
    Add(T.Places[0], None, T.Bytes, T.Bytes ? Wide / T.Bytes : 1);
}

Value *reticle::maskOf(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return nullptr;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
    break;
  default:
    return nullptr;
  }
  // The alignment that stands between in LLVM 19 is none of vectors.
  unsigned First = Call->getType()->isVoidTy() ? 2 : 1;
  for (unsigned Index = First; Index < Call->arg_size(); Index++)
    if (auto *T = dyn_cast<FixedVectorType>(Call->getArgOperand(Index)->getType()))
      return T->getElementType()->isIntegerTy(1) ? Call->getArgOperand(Index) : nullptr;
  return nullptr;
}

/// Each lane is an access of the source.
void FieldResolver::resolveMasked(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  bool IsStore = I.getType()->isVoidTy();
  auto *T = cast<VectorType>(IsStore ? I.getOperand(0)->getType() : I.getType());
  FieldAccess Access = {
      None, None,
      static_cast<uint32_t>(
          I.getModule()->getDataLayout().getTypeStoreSize(T->getElementType()).getFixedValue()),
      1, RETICLE_ACCESS_VECTOR | (IsStore ? uint32_t(RETICLE_ACCESS_WRITE) : RETICLE_ACCESS_READ)};
  const FieldTag *Known = Marker.tagOf(I, FieldTag::Field);
  if (!Known)
    Known = Marker.tagAt(IsStore ? FieldMarker::Stores : FieldMarker::Loads, I);
  if (Known && Known->Kind == FieldTag::Field && Known->Bytes == Access.Bytes)
    addPlaces(Known->Places, Access, Out);
  else if (Known && Known->Kind == FieldTag::Struct && Known->Bytes == Access.Bytes)
    Out.push_back({Known->Places[0].Struct, None, Access.Bytes, 1, Access.Flags});
  else
    Out.push_back(Access);
}

void FieldResolver::resolve(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  MemoryAccess M = memoryOf(I);
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  if (isa<AnyMemIntrinsic>(I))
    resolveCopy(I, Out);
  if (isa<AnyMemIntrinsic>(I) && Out.empty())
    resolveMadeCopy(I, Out);
  if (maskOf(I))
    resolveMasked(I, Out);
  if (!M.Address)
    return;
  FieldAccess Access = {None, None, storeBytes(M.T, I.getModule()->getDataLayout()), 1, M.Flags};
  const FieldTag *T = Marker.tagOf(I, FieldTag::Field);
  if (!T) {
    resolveCopy(I, Out);
    if (!Out.empty())
      return;
  }
  // Where the vectoriser puts accesses of several fields into one it drops their marks, but gives
  // it the place of one of them in the source.
  if (!T && M.T->isVectorTy())
    T = Marker.tagAt(isa<StoreInst>(I) ? FieldMarker::StructStores : FieldMarker::StructLoads, I);
  if (T && T->Bytes && Access.Bytes > T->Bytes) {
    Access.Flags |= M.T->isVectorTy() ? uint32_t(RETICLE_ACCESS_VECTOR) : 0u;
    if (!resolveLanes(I, *T, Access, Out))
      resolveWide(I, *T, Access, Out);
    return;
  }
  if (T) {
    for (const FieldPlace &Place : T->Places) {
      Access.Struct = Place.Struct;
      Access.OffsetBytes = T->Kind == FieldTag::Field ? Place.OffsetBytes : None;
      Out.push_back(Access);
      Access.Flags |= RETICLE_ACCESS_OUTER;
    }
    return;
  }
  if (resolveAddress(I, Access, Out))
    return;
  FieldPlace Named;
  if (Reader.placeFromTBAA(I, Named)) {
    Access.Struct = Named.Struct;
    Access.OffsetBytes = Named.OffsetBytes;
  }
  Out.push_back(Access);
}
