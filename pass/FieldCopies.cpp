// FieldCopies.cpp - copies and clearings of whole structs: which fields of which structs they
// cover. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcpy, memmove and memset keep the marks of both their addresses, also where a pass has made a
// load and a store of them, or several:
//
//   call void @llvm.memcpy(ptr %to, ptr %from, i64 24), !llvm.access.group !{!to, !from}
//
// The types come from the addresses; where those are bare pointers, from the other address if the
// length is that of the struct, or from the source's expression (CopyReader.h).
#include "include/reticle/abi.h"
#include "pass/FieldTags.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace reticle;

/// Structs inside each other that are followed: declarations can't be deeper without purpose.
static constexpr unsigned DepthMax = 8;

void FieldTags::addCopyFact(const CopyFact &Fact) {
  auto Find = [this](const void *Key) {
    auto It = Key ? ByKey.find(Key) : ByKey.end();
    return It != ByKey.end() ? It->second : UINT32_MAX;
  };
  uint32_t To = Find(Fact.To), From = Find(Fact.From);
  auto [It, IsNew] =
      CopyOfPlace.try_emplace({Fact.Function, Fact.Line, Fact.Column}, CopyTypes{To, From});
  if (IsNew)
    return;
  if (It->second.To != To)
    It->second.To = UINT32_MAX;
  if (It->second.From != From)
    It->second.From = UINT32_MAX;
}

/// The structs of the fields that lie in the bytes, with all their fields.
void FieldTags::coverInner(uint32_t Struct, uint64_t Start, uint64_t End, FieldAccess Access,
                           SmallVectorImpl<FieldAccess> &Out, unsigned Depth) const {
  const RecordFact &Fact = Structs[Struct];
  for (const MemberFact &M : Fact.Members) {
    auto It = M.TypeKey ? ByKey.find(M.TypeKey) : ByKey.end();
    if (It == ByKey.end() || Depth == DepthMax || M.OffsetBytes < Start ||
        M.OffsetBytes + uint64_t(M.SizeBytes) > End)
      continue;
    uint32_t Size = Structs[It->second].SizeBytes;
    if (!Size || M.SizeBytes % Size)
      continue;
    FieldAccess Inner = Access;
    Inner.Struct = It->second;
    Inner.OffsetBytes = 0;
    Inner.Bytes = Size;
    Inner.Times = Access.Times * (M.SizeBytes / Size);
    coverInner(It->second, 0, Size, Inner, Out, Depth + 1);
    Out.push_back(Inner);
  }
}

/// What bytes [0, Length) behind the places are. Length 0: not known when compiled.
FieldTags::Tag FieldTags::coveredBy(ArrayRef<FieldPlace> Places, uint64_t Length,
                                    uint32_t Flags) const {
  Tag T;
  T.Kind = Flags & RETICLE_ACCESS_WRITE ? Tag::CopyTo : Tag::CopyFrom;
  T.Bytes = static_cast<uint32_t>(Length);
  for (const FieldPlace &Place : Places) {
    uint32_t Size = Structs[Place.Struct].SizeBytes;
    if (Place.OffsetBytes >= Size)
      continue;
    FieldAccess Access = {Place.Struct, Place.OffsetBytes, Size - Place.OffsetBytes, 1,
                          Flags | RETICLE_ACCESS_COPY};
    if (Length && Length <= Access.Bytes)
      Access.Bytes = static_cast<uint32_t>(Length);
    else if (Length && Place.OffsetBytes == 0 && Length % Size == 0)
      Access.Times = static_cast<uint32_t>(Length / Size);
    else if (Length)
      continue; // one of the structs around it holds it all
    else if (Place.OffsetBytes == 0 && T.Covered.empty())
      Access.PerBytes = Size; // as many as its length says when it runs
    if (T.Covered.empty())
      coverInner(Place.Struct, Place.OffsetBytes, Place.OffsetBytes + uint64_t(Access.Bytes),
                 Access, T.Covered, 0);
    Access.Flags |= T.Covered.empty() ? 0 : RETICLE_ACCESS_OUTER;
    T.Covered.push_back(Access);
  }
  return T;
}

void FieldTags::markCopy(Instruction &I, const DataLayout &DL) {
  auto *Call = dyn_cast<AnyMemIntrinsic>(&I);
  if (!Call)
    return;
  auto *Length = dyn_cast<ConstantInt>(Call->getLength());
  uint64_t Bytes = Length ? Length->getLimitedValue(UINT32_MAX) : 0;
  if (Length && !Bytes)
    return;
  auto Typed = [&](Value *Address) {
    SmallVector<TypedPlace, 4> Found;
    SmallVector<FieldPlace, 4> Places;
    placesOf(Address, DL, Found);
    for (const TypedPlace &Place : Found)
      Places.push_back({structOf(Place.Type, DL), static_cast<uint32_t>(Place.OffsetBytes)});
    return Places;
  };
  auto *Transfer = dyn_cast<AnyMemTransferInst>(Call);
  SmallVector<FieldPlace, 4> To = Typed(Call->getRawDest()), From;
  if (Transfer)
    From = Typed(Transfer->getRawSource());
  CopyTypes Told = {UINT32_MAX, UINT32_MAX};
  if (const DILocation *Place = I.getDebugLoc().get()) {
    auto It =
        CopyOfPlace.find({I.getFunction()->getName().str(), Place->getLine(), Place->getColumn()});
    if (It != CopyOfPlace.end())
      Told = It->second;
  }
  auto Fits = [&](uint32_t Struct) {
    return Struct != UINT32_MAX && Structs[Struct].SizeBytes &&
           (!Bytes || Bytes % Structs[Struct].SizeBytes == 0);
  };
  auto Whole = [&](ArrayRef<FieldPlace> Places) {
    for (const FieldPlace &Place : Places)
      if (Bytes && Place.OffsetBytes == 0 && Structs[Place.Struct].SizeBytes == Bytes)
        return Place.Struct;
    return UINT32_MAX;
  };
  if (To.empty() && Fits(Told.To))
    To.push_back({Told.To, 0});
  if (Transfer && From.empty() && Fits(Told.From))
    From.push_back({Told.From, 0});
  if (uint32_t Struct = Whole(From); To.empty() && Struct != UINT32_MAX)
    To.push_back({Struct, 0});
  if (uint32_t Struct = Whole(To); Transfer && From.empty() && Struct != UINT32_MAX)
    From.push_back({Struct, 0});
  SmallVector<MDNode *, 2> Marks;
  auto Mark = [&](Tag T) {
    if (T.Covered.empty())
      return;
    bool Writes = T.Kind == Tag::CopyTo;
    Marks.push_back(groupOf(I, std::move(T)));
    notePlace(Writes ? CopyToOfPlace : CopyFromOfPlace, I, TagOfGroup[Marks.back()]);
  };
  Mark(coveredBy(To, Bytes, RETICLE_ACCESS_WRITE));
  Mark(coveredBy(From, Bytes, RETICLE_ACCESS_READ));
  addGroups(I, Marks);
}

/// The load or store may be one of several that the copy became: then the copy is what they are
/// together.
void FieldTags::resolveCopy(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  bool IsCall = isa<AnyMemIntrinsic>(I);
  for (Tag::Kinds Kind : {Tag::CopyFrom, Tag::CopyTo}) {
    if (!IsCall && Kind != (I.mayWriteToMemory() ? Tag::CopyTo : Tag::CopyFrom))
      continue;
    if (isa<AnyMemSetInst>(I) && Kind == Tag::CopyFrom)
      continue;
    const Tag *T = tagOf(I, Kind);
    if (!T && !IsCall)
      T = tagAt(Kind == Tag::CopyTo ? CopyToOfPlace : CopyFromOfPlace, I);
    if (!T)
      continue;
    uint32_t Bytes = IsCall ? 0 : storeSizeOf(I);
    for (FieldAccess Access : T->Covered) {
      Access.IsPiece = !IsCall && Bytes != T->Bytes;
      // Inlining told the length after the copy was marked: what became of it has one.
      if (!IsCall && Access.PerBytes) {
        Access.IsPiece = Bytes < Access.PerBytes;
        Access.Times *= static_cast<uint32_t>(divideCeil(Bytes, Access.PerBytes));
        Access.PerBytes = 0;
      }
      Out.push_back(Access);
    }
  }
}

/// So many bytes from the place on, written or read by accesses of Element bytes each. Length 0:
/// not known when compiled.
void FieldTags::resolveMadeSide(ArrayRef<FieldPlace> Places, uint64_t Length, uint32_t Element,
                                FieldAccess Access, SmallVectorImpl<FieldAccess> &Out) const {
  if (Places.empty() || !Element)
    return;
  const RecordFact &Fact = Structs[Places[0].Struct];
  uint32_t Start = Places[0].OffsetBytes, Size = Fact.SizeBytes;
  const MemberFact *M = memberAt(Fact, Start);
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
SmallVector<FieldPlace, 2> FieldTags::startOf(const Value &Address, uint64_t Length,
                                              ArrayRef<FieldPlace> OfOne) const {
  SmallVector<FieldPlace, 2> Start(OfOne.begin(), OfOne.end());
  const RecordFact &Fact = Structs[Start[0].Struct];
  const MemberFact *M = memberAt(Fact, Start[0].OffsetBytes);
  bool InArray = M && M->Flags & RETICLE_MEMBER_ARRAY;
  // What several stores became starts at the lowest: at the struct itself, where nothing is added
  // to its address. An array's stores are those of a loop, which start where they say.
  bool IsBase = Start.size() == 1 && (isa<Argument>(Address) || isa<LoadInst>(Address));
  if (!InArray && Length && (IsBase || Length == Fact.SizeBytes))
    Start = {{Start[0].Struct, 0}};
  else if (!InArray && Start[0].OffsetBytes)
    Start.clear();
  return Start;
}

/// A memset or memcpy without marks is the compiler's: of a loop, or of several stores. It has the
/// place of one of the stores. What it does are the writes and reads of the source.
void FieldTags::resolveMadeCopy(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  const Tag *T = tagAt(StoreOfPlace, I);
  if (!T || T->Kind != Tag::Field)
    return;
  auto *Call = cast<AnyMemIntrinsic>(&I);
  auto *Known = dyn_cast<ConstantInt>(Call->getLength());
  uint64_t Length = Known ? Known->getLimitedValue(UINT32_MAX) : 0;
  const DataLayout &DL = I.getModule()->getDataLayout();
  SmallVector<FieldPlace, 2> To, From;
  if (!fieldOfAddress(Call->getRawDest(), 1, DL, To))
    To = startOf(*Call->getRawDest(), Length, T->Places);
  FieldAccess Access = {UINT32_MAX, UINT32_MAX, 0, 1, RETICLE_ACCESS_WRITE | RETICLE_ACCESS_VECTOR};
  resolveMadeSide(To, Length, T->Bytes, Access, Out);
  auto *Transfer = dyn_cast<AnyMemTransferInst>(Call);
  Access.Flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_VECTOR;
  if (!Transfer)
    return;
  const Tag *Read = tagAt(LoadOfStorePlace, I);
  if (!fieldOfAddress(Transfer->getRawSource(), 1, DL, From) && Read && Read->Kind == Tag::Field)
    From = startOf(*Transfer->getRawSource(), Length, Read->Places);
  if (!From.empty())
    resolveMadeSide(From, Length, T->Bytes, Access, Out);
}
