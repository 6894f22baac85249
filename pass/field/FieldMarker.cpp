// FieldMarker.cpp - marks accesses and copies, and keeps what their places in the source mean.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/field/FieldMarker.h"
#include "include/reticle/abi.h"
#include "pass/module/PassStep.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace reticle;

static constexpr uint32_t None = UINT32_MAX;
/// Structs inside each other that are followed: declarations can't be deeper without purpose.
static constexpr unsigned DepthMax = 8;

uint32_t FieldMarker::intern(FieldTag T) {
  std::vector<uint32_t> Key = {T.Bytes, T.Kind};
  for (const FieldPlace &Place : T.Places) {
    Key.push_back(Place.Struct);
    Key.push_back(Place.OffsetBytes);
  }
  for (const FieldAccess &Access : T.Covered)
    Key.insert(Key.end(),
               {Access.Struct, Access.OffsetBytes, Access.Bytes, Access.Times, Access.Flags});
  auto [It, IsNew] = TagOfKey.try_emplace(std::move(Key), static_cast<uint32_t>(Tags.size()));
  if (IsNew)
    Tags.push_back(std::move(T));
  return It->second;
}

MDNode *FieldMarker::groupOf(const Instruction &I, FieldTag T) {
  uint32_t Index = intern(std::move(T));
  MDNode *&Group = Groups[Index];
  if (!Group) {
    Group = MDNode::getDistinct(I.getContext(), {});
    TagOfGroup[Group] = Index;
  }
  return Group;
}

void FieldMarker::addGroups(Instruction &I, ArrayRef<MDNode *> Groups) {
  SmallVector<Metadata *, 4> List;
  if (MDNode *Known = I.getMetadata(LLVMContext::MD_access_group)) {
    if (Known->getNumOperands())
      List.append(Known->op_begin(), Known->op_end());
    else
      List.push_back(Known);
  }
  List.append(Groups.begin(), Groups.end());
  if (!List.empty())
    I.setMetadata(LLVMContext::MD_access_group, MDNode::get(I.getContext(), List));
}

const FieldTag *FieldMarker::tagOf(const Instruction &I, FieldTag::Kinds Kind) const {
  const MDNode *List = I.getMetadata(LLVMContext::MD_access_group);
  const FieldTag *Best = nullptr;
  auto Look = [&](const MDNode *Group) {
    auto It = Group ? TagOfGroup.find(Group) : TagOfGroup.end();
    if (It == TagOfGroup.end())
      return;
    const FieldTag &Found = Tags[It->second];
    if (Found.Kind == Kind || (Kind == FieldTag::Field && Found.Kind == FieldTag::Struct && !Best))
      Best = &Found;
  };
  Look(List);
  if (List)
    for (const MDOperand &Operand : List->operands())
      Look(dyn_cast<MDNode>(Operand));
  return Best;
}

// --- places --------------------------------------------------------------------------------------

static FieldMarker::SourcePlace placeOf(const Instruction &I) {
  const DILocation *Place = I.getDebugLoc().get();
  if (!Place || !Place->getLine())
    return {nullptr, 0, 0};
  return {Place->getScope(), Place->getLine(), Place->getColumn()};
}

/// Two meanings of one place are none.
void FieldMarker::notePlace(Place Which, const Instruction &I, uint32_t Index) {
  SourcePlace At = placeOf(I);
  if (!std::get<0>(At))
    return;
  auto [It, IsNew] = TagOfPlace[Which].try_emplace(At, Index);
  if (!IsNew && It->second != Index)
    It->second = None;
}

const FieldTag *FieldMarker::tagAt(Place Which, const Instruction &I) const {
  SourcePlace At = placeOf(I);
  const PlaceMap &Map = TagOfPlace[Which];
  auto It = std::get<0>(At) ? Map.find(At) : Map.end();
  return It != Map.end() && It->second != None ? &Tags[It->second] : nullptr;
}

const FieldTag *FieldMarker::copySideAt(const Instruction &I) const {
  bool Writes = I.mayWriteToMemory();
  bool IsShared = TagOfPlace[Writes ? Stores : Loads].count(placeOf(I));
  return IsShared ? nullptr : tagAt(Writes ? CopiesTo : CopiesFrom, I);
}

/// Of an instruction that computes an address when the pipeline starts.
void FieldMarker::noteAddress(const Instruction &I, const DataLayout &DL) {
  if (!isa<GetElementPtrInst>(I))
    return;
  SmallVector<FieldPlace, 2> Places;
  Reader.fieldsAt(const_cast<Instruction *>(&I), DL, Places);
  FieldTag T;
  T.Places.assign(Places.begin(), Places.end());
  notePlace(Addresses, I, Places.empty() ? None : intern(std::move(T)));
}

// --- accesses ------------------------------------------------------------------------------------

void FieldMarker::markOne(Instruction &I, const DataLayout &DL) {
  MemoryAccess Access = memoryOf(I);
  if (!Access.Address)
    return;
  FieldTag Field;
  Field.Bytes = storeBytes(Access.T, DL);
  SmallVector<FieldPlace, 2> Around;
  Reader.fieldsAt(Access.Address, DL, Around);
  Field.Places = Around;
  auto IsNew = [&](const FieldPlace &Place) {
    return none_of(Field.Places, [&](const FieldPlace &P) { return P.Struct == Place.Struct; });
  };
  if (FieldPlace Named; Reader.placeFromTBAA(I, Named) && IsNew(Named))
    Field.Places.push_back(Named);
  if (FieldPlace Named; Reader.placeOfBitField(I, Field.Bytes, Named) && IsNew(Named))
    Field.Places.insert(Field.Places.begin(), Named);
  Reader.addUnion(I, Field.Bytes, Field.Places);
  bool IsStore = isa<StoreInst>(I);
  Place Fields = IsStore ? Stores : Loads;
  if (Field.Places.empty() && markArgument(I))
    return;
  if (Field.Places.empty()) {
    // What never leaves the stack can't become an access that looks for its name.
    if (!isa<AllocaInst>(Access.Address))
      notePlace(Fields, I, None);
    return;
  }
  FieldTag Whole;
  Whole.Kind = FieldTag::Struct;
  Whole.Bytes = Field.Bytes;
  for (const FieldPlace &Place : Field.Places)
    Whole.Places.push_back({Place.Struct, 0});
  MDNode *FieldGroup = groupOf(I, Field), *WholeGroup = groupOf(I, Whole);
  addGroups(I, {FieldGroup, WholeGroup});
  notePlace(Fields, I, TagOfGroup[FieldGroup]);
  if (IsStore) {
    auto *From = dyn_cast<LoadInst>(cast<StoreInst>(I).getValueOperand());
    const FieldTag *Read = From ? tagOf(*From, FieldTag::Field) : nullptr;
    notePlace(LoadsOfStores, I, Read ? static_cast<uint32_t>(Read - Tags.data()) : None);
  }
  notePlace(IsStore ? StructStores : StructLoads, I, TagOfGroup[WholeGroup]);
}

// --- copies --------------------------------------------------------------------------------------
//
// The types come from the addresses; where those are bare pointers, from the other address if the
// length is that of the struct, or from the source's expression (CopyReader.h).

/// The structs of the fields that lie in the bytes, with all their fields.
void FieldMarker::coverInner(uint32_t Struct, uint64_t Start, uint64_t End, FieldAccess Access,
                             SmallVectorImpl<FieldAccess> &Out, unsigned Depth) const {
  const RecordFact &Fact = Reader.structs()[Struct];
  for (const MemberFact &M : Fact.Members) {
    uint32_t Within = Reader.structOfKey(M.TypeKey);
    if (Within == None || Depth == DepthMax || M.OffsetBytes < Start ||
        M.OffsetBytes + uint64_t(M.SizeBytes) > End)
      continue;
    uint32_t Size = Reader.structs()[Within].SizeBytes;
    if (!Size || M.SizeBytes % Size)
      continue;
    FieldAccess Inner = Access;
    Inner.Struct = Within;
    Inner.OffsetBytes = 0;
    Inner.Bytes = Size;
    Inner.Times = Access.Times * (M.SizeBytes / Size);
    coverInner(Within, 0, Size, Inner, Out, Depth + 1);
    Out.push_back(Inner);
  }
}

/// What bytes [0, Length) behind the places are. Length 0: not known when compiled.
FieldTag FieldMarker::coveredBy(ArrayRef<FieldPlace> Places, uint64_t Length,
                                uint32_t Flags) const {
  FieldTag T;
  T.Kind = Flags & RETICLE_ACCESS_WRITE ? FieldTag::CopyTo : FieldTag::CopyFrom;
  T.Bytes = static_cast<uint32_t>(Length);
  for (const FieldPlace &Place : Places) {
    uint32_t Size = Reader.structs()[Place.Struct].SizeBytes;
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

void FieldMarker::markCopy(Instruction &I, const DataLayout &DL) {
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
    Reader.placesOf(Address, DL, Found);
    for (const TypedPlace &Place : Found)
      Places.push_back({Reader.structOf(Place.Type, DL), static_cast<uint32_t>(Place.OffsetBytes)});
    return Places;
  };
  auto *Transfer = dyn_cast<AnyMemTransferInst>(Call);
  SmallVector<FieldPlace, 4> To = Typed(Call->getRawDest()), From;
  if (Transfer)
    From = Typed(Transfer->getRawSource());
  CopyTypes Told = Reader.copyAt(I);
  auto Fits = [&](uint32_t Struct) {
    return Struct != UINT32_MAX && Reader.structs()[Struct].SizeBytes &&
           (!Bytes || Bytes % Reader.structs()[Struct].SizeBytes == 0);
  };
  auto Whole = [&](ArrayRef<FieldPlace> Places) {
    for (const FieldPlace &Place : Places)
      if (Bytes && Place.OffsetBytes == 0 && Reader.structs()[Place.Struct].SizeBytes == Bytes)
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
  auto Mark = [&](FieldTag T) {
    if (T.Covered.empty())
      return;
    bool Writes = T.Kind == FieldTag::CopyTo;
    Marks.push_back(groupOf(I, std::move(T)));
    notePlace(Writes ? CopiesTo : CopiesFrom, I, TagOfGroup[Marks.back()]);
  };
  Mark(coveredBy(To, Bytes, RETICLE_ACCESS_WRITE));
  Mark(coveredBy(From, Bytes, RETICLE_ACCESS_READ));
  addGroups(I, Marks);
}

// --- structs passed by value ---------------------------------------------------------------------

void FieldMarker::noteArguments(const Function &F) {
  for (const Argument &A : F.args())
    if (auto *T = dyn_cast_or_null<StructType>(A.getParamByValType())) {
      PassedByValue.insert(T);
      if (F.getSubprogram())
        TakesByValue.insert(F.getSubprogram());
    }
}

/// Two words of memory that are passed in registers: a copy of the struct, in one or two pieces.
bool FieldMarker::markArgument(Instruction &I) {
  auto IsPassed = [&](const User *U) {
    return isa<CallBase>(U) && cast<CallBase>(U)->getDebugLoc() == I.getDebugLoc();
  };
  if (!isa<LoadInst>(I) || I.use_empty() || !all_of(I.users(), IsPassed))
    return false;
  uint32_t Struct = Reader.copyAt(I).From;
  if (Struct == None)
    return false;
  FieldTag T = coveredBy({{Struct, 0}}, Reader.structs()[Struct].SizeBytes, RETICLE_ACCESS_READ);
  if (T.Covered.empty())
    return false;
  MDNode *Group = groupOf(I, std::move(T));
  notePlace(CopiesFrom, I, TagOfGroup[Group]);
  addGroups(I, {Group});
  return true;
}

bool FieldMarker::mayBeArgument(const LoadInst &I) const {
  // A piece of a copy has a type, at most, and no struct around it.
  const MDNode *Type = I.getMetadata(LLVMContext::MD_tbaa);
  if (TakesByValue.empty() ||
      (Type && Type->getNumOperands() >= 2 && Type->getOperand(0) != Type->getOperand(1)))
    return false;
  for (const DILocation *At = I.getDebugLoc().get(); At && At->getInlinedAt();
       At = At->getInlinedAt())
    if (TakesByValue.contains(At->getScope()->getSubprogram()))
      return true;
  return false;
}

// --- the module ----------------------------------------------------------------------------------

void FieldMarker::mark(Module &M) {
  const DataLayout &DL = M.getDataLayout();
  PassStep Marking("field", "marking accesses");
  for (Function &F : M) {
    Marking.in(F, /*FilterIsAsked=*/false);
    noteArguments(F);
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        Reader.hint(I, DL);
  }
  for (Function &F : M) {
    Marking.in(F, /*FilterIsAsked=*/false);
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        if (isa<GetElementPtrInst>(I))
          noteAddress(I, DL);
        else
          isa<AnyMemIntrinsic>(I) ? markCopy(I, DL) : markOne(I, DL);
  }
}
