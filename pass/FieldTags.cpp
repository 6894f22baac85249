// FieldTags.cpp - reads typed addresses and alias information, marks accesses, reads the marks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/FieldTags.h"
#include "include/reticle/abi.h"
#include "pass/PassStep.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace reticle;

static constexpr uint32_t None = UINT32_MAX;

/// A memory access that is counted, as its address, type and kind.
namespace {
struct Memory {
  Value *Address = nullptr;
  Type *T = nullptr;
  uint32_t Flags = 0;
};
} // namespace

static Memory memoryOf(const Instruction &I) {
  auto Atomic = [&I] { return I.isAtomic() ? uint32_t(RETICLE_ACCESS_ATOMIC) : 0u; };
  if (auto *L = dyn_cast<LoadInst>(&I))
    return {const_cast<Value *>(L->getPointerOperand()), L->getType(),
            RETICLE_ACCESS_READ | Atomic()};
  if (auto *S = dyn_cast<StoreInst>(&I))
    return {const_cast<Value *>(S->getPointerOperand()), S->getValueOperand()->getType(),
            RETICLE_ACCESS_WRITE | Atomic()};
  constexpr uint32_t Update = RETICLE_ACCESS_READ | RETICLE_ACCESS_WRITE | RETICLE_ACCESS_ATOMIC;
  if (auto *R = dyn_cast<AtomicRMWInst>(&I))
    return {const_cast<Value *>(R->getPointerOperand()), R->getType(), Update};
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return {const_cast<Value *>(X->getPointerOperand()), X->getNewValOperand()->getType(), Update};
  return {};
}

static uint32_t storeBytes(Type *T, const DataLayout &DL) {
  TypeSize Size = DL.getTypeStoreSize(T);
  return Size.isScalable() ? 0 : static_cast<uint32_t>(Size.getFixedValue());
}

/// LLVM's names without the number that keeps them apart, and without ".base".
static StringRef stem(StringRef Name) {
  size_t Dot = Name.rfind('.');
  if (Dot != StringRef::npos && Dot + 1 < Name.size() &&
      Name.substr(Dot + 1).find_first_not_of("0123456789") == StringRef::npos)
    Name = Name.take_front(Dot);
  Name.consume_back(".base");
  return Name;
}

FieldTags::FieldTags(std::shared_ptr<const RecordFacts> Facts) {
  if (Facts)
    for (const RecordFact &Fact : Facts->Records)
      addFact(Fact);
  if (Facts)
    for (const CopyFact &Fact : Facts->Copies)
      addCopyFact(Fact);
  if (Facts)
    for (const BitFieldFact &Fact : Facts->BitFields)
      addBitFieldFact(Fact);
  if (Facts)
    for (const UnionFact &Fact : Facts->Unions)
      addUnionFact(Fact);
}

void FieldTags::addFact(const RecordFact &Fact) {
  if (Fact.IsSpelling) {
    Spellings.insert(Fact.IRName);
    return;
  }
  uint32_t Index = static_cast<uint32_t>(Structs.size());
  Structs.push_back(Fact);
  ByIRName[Fact.IRName].push_back(Index);
  ByKey[Fact.Key] = Index;
  if (!Fact.TBAAName.empty())
    ByTBAAName[Fact.TBAAName].push_back(Index);
}

// --- addresses -----------------------------------------------------------------------------------

namespace {
/// One step of an address: structs passed on the way, and how far it leads in bytes.
struct Step {
  SmallVector<std::pair<StructType *, uint64_t>, 2> Structs; ///< with the offset of their start
  int64_t Bytes = 0;
};
} // namespace

/// Indices of arrays are folded to 0.
static Step stepOf(const GEPOperator &GEP, const DataLayout &DL) {
  Step S;
  bool IsRaw = GEP.getSourceElementType()->isIntegerTy(8);
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End; ++It) {
    if (StructType *T = It.getStructTypeOrNull()) {
      unsigned Index = static_cast<unsigned>(cast<ConstantInt>(It.getOperand())->getZExtValue());
      S.Structs.push_back({T, static_cast<uint64_t>(S.Bytes)});
      S.Bytes += static_cast<int64_t>(DL.getStructLayout(T)->getElementOffset(Index));
    } else if (auto *Index = dyn_cast<ConstantInt>(It.getOperand()); IsRaw && Index) {
      S.Bytes += Index->getSExtValue();
    }
  }
  return S;
}

/// The structs in T around the byte at Offset, outermost first.
static void descend(Type *T, uint64_t Offset, const DataLayout &DL,
                    SmallVectorImpl<std::pair<StructType *, uint64_t>> &Out) {
  for (;;) {
    if (auto *Array = dyn_cast<ArrayType>(T)) {
      T = Array->getElementType();
      uint64_t Size = DL.getTypeAllocSize(T).getFixedValue();
      Offset = Size ? Offset % Size : 0;
      continue;
    }
    auto *Struct = dyn_cast<StructType>(T);
    if (!Struct || Struct->isOpaque() || !DL.getTypeAllocSize(T).getFixedValue() ||
        Offset >= DL.getTypeAllocSize(T).getFixedValue())
      return;
    Out.push_back({Struct, Offset});
    const StructLayout *Layout = DL.getStructLayout(Struct);
    unsigned Index = Layout->getElementContainingOffset(Offset);
    Offset -= Layout->getElementOffset(Index);
    T = Struct->getElementType(Index);
  }
}

void FieldTags::placesOf(Value *Address, const DataLayout &DL,
                         SmallVectorImpl<TypedPlace> &Out) const {
  int64_t Offset = 0;
  auto Add = [&](StructType *T, int64_t Bytes) {
    if (T->isLiteral() || Bytes < 0 || (T->hasName() && Spellings.contains(stem(T->getName()))))
      return;
    for (const TypedPlace &Known : Out)
      if (Known.Type == T)
        return;
    Out.push_back({T, static_cast<uint64_t>(Bytes)});
  };
  while (auto *GEP = dyn_cast<GEPOperator>(Address)) {
    Step S = stepOf(*GEP, DL);
    for (auto It = S.Structs.rbegin(); It != S.Structs.rend(); ++It)
      Add(It->first, S.Bytes - static_cast<int64_t>(It->second) + Offset);
    Offset += S.Bytes;
    Address = const_cast<Value *>(GEP->getPointerOperand());
  }
  Type *Whole = nullptr;
  if (auto *Global = dyn_cast<GlobalVariable>(Address))
    Whole = Global->getValueType();
  else if (auto *Local = dyn_cast<AllocaInst>(Address))
    Whole = Local->getAllocatedType();
  if (!Whole || Offset < 0 || !Whole->isSized())
    return;
  SmallVector<std::pair<StructType *, uint64_t>, 4> Around;
  descend(Whole, static_cast<uint64_t>(Offset), DL, Around);
  for (auto It = Around.rbegin(); It != Around.rend(); ++It)
    Add(It->first, static_cast<int64_t>(It->second));
}

// --- structs -------------------------------------------------------------------------------------

/// Whether the type's elements lie where the declaration says.
static bool fits(const RecordFact &Fact, StructType *T, const DataLayout &DL) {
  uint64_t Size = DL.getTypeAllocSize(T).getFixedValue();
  if (Size != Fact.SizeBytes && !T->getName().contains(".base"))
    return false;
  const StructLayout *Layout = DL.getStructLayout(T);
  for (const MemberFact &M : Fact.Members) {
    if (M.Flags || M.OffsetBytes >= Size || !T->getNumElements())
      continue;
    unsigned Index = Layout->getElementContainingOffset(M.OffsetBytes);
    Type *Element = T->getElementType(Index);
    bool Starts = Layout->getElementOffset(Index) == M.OffsetBytes;
    if (Starts ? !Element->isStructTy() && !Element->isArrayTy() &&
                     storeBytes(Element, DL) > M.SizeBytes
               : !Element->isStructTy() && !Element->isArrayTy())
      return false;
  }
  return true;
}

SmallVector<uint32_t, 2> FieldTags::candidates(StructType *T, const DataLayout &DL) const {
  SmallVector<uint32_t, 2> Found;
  if (!T->hasName() || T->isOpaque())
    return Found;
  auto It = ByIRName.find(stem(T->getName()));
  if (It != ByIRName.end())
    for (uint32_t Index : It->second)
      if (fits(Structs[Index], T, DL))
        Found.push_back(Index);
  return Found;
}

uint32_t FieldTags::structOf(StructType *T, const DataLayout &DL) {
  auto Known = ByType.find(T);
  if (Known != ByType.end())
    return Known->second;
  SmallVector<uint32_t, 2> Found = candidates(T, DL);
  uint32_t Index = Found.empty() ? None : Found[0];
  if (Found.size() != 1) {
    // Several instances of one template with one layout, or a type without a declaration.
    RecordFact Fact;
    StringRef Name = T->hasName() ? stem(T->getName()) : "(anonymous)";
    if (Index != None) {
      Fact = Structs[Index];
      Fact.Name = Name.split('.').second.str() + "<...>";
    } else {
      Fact.Name = Name.split('.').second.str();
      Fact.SizeBytes = static_cast<uint32_t>(DL.getTypeAllocSize(T).getFixedValue());
      Fact.Flags = RETICLE_STRUCT_UNDESCRIBED;
    }
    Index = static_cast<uint32_t>(Structs.size());
    for (uint32_t I = 0; I < Index; I++)
      if (Structs[I].Name == Fact.Name && Structs[I].SizeBytes == Fact.SizeBytes &&
          Structs[I].Line == Fact.Line && Structs[I].IRName.empty())
        return ByType[T] = I;
    Fact.IRName.clear();
    Structs.push_back(Fact);
  }
  return ByType[T] = Index;
}

// --- alias information ---------------------------------------------------------------------------

bool FieldTags::placeFromTBAA(const Instruction &I, FieldPlace &Out) const {
  const MDNode *Path = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Path || Path->getNumOperands() < 3 || Path->getOperand(0) == Path->getOperand(1))
    return false;
  auto *Base = dyn_cast<MDNode>(Path->getOperand(0));
  auto *Offset = mdconst::dyn_extract<ConstantInt>(Path->getOperand(2));
  auto *Name = Base && Base->getNumOperands() ? dyn_cast<MDString>(Base->getOperand(0)) : nullptr;
  auto It = Name ? ByTBAAName.find(Name->getString()) : ByTBAAName.end();
  if (It == ByTBAAName.end() || !Offset)
    return false;
  for (uint32_t Index : It->second)
    if (Offset->getZExtValue() < Structs[Index].SizeBytes) {
      Out = {Index, static_cast<uint32_t>(Offset->getZExtValue())};
      return true;
    }
  return false;
}

/// The member that holds the byte; null if none does.
const MemberFact *FieldTags::memberAt(const RecordFact &Fact, uint32_t Offset) {
  for (const MemberFact &M : Fact.Members)
    if (Offset >= M.OffsetBytes && Offset - M.OffsetBytes < M.SizeBytes)
      return &M;
  return nullptr;
}

/// A struct without a name of its own is known by the field that it is the type of.
void FieldTags::hintFromAround(ArrayRef<TypedPlace> Places, const DataLayout &DL) {
  for (size_t I = Places.size(); I-- > 1;) {
    StructType *Outer = Places[I].Type, *Inner = Places[I - 1].Type;
    SmallVector<uint32_t, 2> Found = candidates(Outer, DL);
    auto Known = ByType.find(Outer);
    if (ByType.count(Inner) || (Known == ByType.end() && Found.size() != 1))
      continue;
    const RecordFact &Fact = Structs[Known != ByType.end() ? Known->second : Found[0]];
    const MemberFact *M = memberAt(Fact, static_cast<uint32_t>(Places[I].OffsetBytes));
    auto It = M && M->TypeKey ? ByKey.find(M->TypeKey) : ByKey.end();
    if (It != ByKey.end() && is_contained(candidates(Inner, DL), It->second))
      ByType[Inner] = It->second;
  }
}

/// Alias information names instances of one template that LLVM's type names don't tell apart.
void FieldTags::hint(const Instruction &I, const DataLayout &DL) {
  FieldPlace Named;
  Memory Access = memoryOf(I);
  if (!Access.Address)
    return;
  SmallVector<TypedPlace, 4> Places;
  placesOf(Access.Address, DL, Places);
  hintFromAround(Places, DL);
  if (!placeFromTBAA(I, Named))
    return;
  for (const TypedPlace &Place : Places)
    if (Place.OffsetBytes == Named.OffsetBytes && !ByType.count(Place.Type) &&
        is_contained(candidates(Place.Type, DL), Named.Struct))
      ByType[Place.Type] = Named.Struct;
}

// --- marks ---------------------------------------------------------------------------------------

uint32_t FieldTags::intern(Tag T) {
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

MDNode *FieldTags::groupOf(const Instruction &I, Tag T) {
  uint32_t Index = intern(std::move(T));
  MDNode *&Group = Groups[Index];
  if (!Group) {
    Group = MDNode::getDistinct(I.getContext(), {});
    TagOfGroup[Group] = Index;
  }
  return Group;
}

void FieldTags::addGroups(Instruction &I, ArrayRef<MDNode *> Groups) {
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

void FieldTags::markOne(Instruction &I, const DataLayout &DL) {
  Memory Access = memoryOf(I);
  if (!Access.Address)
    return;
  Tag Field;
  Field.Bytes = storeBytes(Access.T, DL);
  SmallVector<FieldPlace, 2> Around;
  fieldsAt(Access.Address, DL, Around);
  Field.Places = Around;
  auto IsNew = [&](const FieldPlace &Place) {
    return none_of(Field.Places, [&](const FieldPlace &P) { return P.Struct == Place.Struct; });
  };
  if (FieldPlace Named; placeFromTBAA(I, Named) && IsNew(Named))
    Field.Places.push_back(Named);
  if (FieldPlace Named; placeOfBitField(I, Field.Bytes, Named) && IsNew(Named))
    Field.Places.insert(Field.Places.begin(), Named);
  addUnion(I, Field.Bytes, Field.Places);
  bool IsStore = isa<StoreInst>(I);
  PlaceMap &Fields = IsStore ? StoreOfPlace : LoadOfPlace;
  if (Field.Places.empty()) {
    // What never leaves the stack can't become an access that looks for its name.
    if (!isa<AllocaInst>(Access.Address))
      notePlace(Fields, I, None);
    return;
  }
  Tag Whole;
  Whole.Kind = Tag::Struct;
  Whole.Bytes = Field.Bytes;
  for (const FieldPlace &Place : Field.Places)
    Whole.Places.push_back({Place.Struct, 0});
  MDNode *FieldGroup = groupOf(I, Field), *WholeGroup = groupOf(I, Whole);
  addGroups(I, {FieldGroup, WholeGroup});
  notePlace(Fields, I, TagOfGroup[FieldGroup]);
  if (IsStore) {
    auto *From = dyn_cast<LoadInst>(cast<StoreInst>(I).getValueOperand());
    const Tag *Read = From ? tagOf(*From, Tag::Field) : nullptr;
    notePlace(LoadOfStorePlace, I, Read ? static_cast<uint32_t>(Read - Tags.data()) : None);
  }
  notePlace(IsStore ? StructStoreOfPlace : StructLoadOfPlace, I, TagOfGroup[WholeGroup]);
}

void FieldTags::mark(Module &M) {
  const DataLayout &DL = M.getDataLayout();
  PassStep Marking("field", "marking accesses");
  for (Function &F : M) {
    Marking.in(F, /*FilterIsAsked=*/false);
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        hint(I, DL);
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

uint32_t FieldTags::storeSizeOf(const Instruction &I) {
  return storeBytes(memoryOf(I).T, I.getModule()->getDataLayout());
}

const FieldTags::Tag *FieldTags::tagOf(const Instruction &I, Tag::Kinds Kind) const {
  const MDNode *List = I.getMetadata(LLVMContext::MD_access_group);
  const Tag *Best = nullptr;
  auto Look = [&](const MDNode *Group) {
    auto It = Group ? TagOfGroup.find(Group) : TagOfGroup.end();
    if (It == TagOfGroup.end())
      return;
    const Tag &Found = Tags[It->second];
    if (Found.Kind == Kind || (Kind == Tag::Field && Found.Kind == Tag::Struct && !Best))
      Best = &Found;
  };
  Look(List);
  if (List)
    for (const MDOperand &Operand : List->operands())
      Look(dyn_cast<MDNode>(Operand));
  return Best;
}

// An access wider than the source's: consecutive elements of one array, or, where the elements are
// structs, a vector over several structs of which some lanes are used.
void FieldTags::resolveWide(const Instruction &I, const Tag &T, FieldAccess Access,
                            SmallVectorImpl<FieldAccess> &Out) const {
  uint32_t Wide = Access.Bytes, Struct = T.Places[0].Struct, Size = Structs[Struct].SizeBytes;
  auto Add = [&](const FieldPlace &Place, uint32_t Offset, uint32_t Bytes, uint32_t Times) {
    Access.Struct = Place.Struct;
    Access.OffsetBytes = Offset;
    Access.Bytes = Bytes;
    Access.Times = Times ? Times : 1;
    Out.push_back(Access);
  };
  bool Interleaved = Size > T.Bytes && Wide >= Size && Wide % Size == 0;
  if (T.Kind == Tag::Field) {
    const MemberFact *M = memberAt(Structs[Struct], T.Places[0].OffsetBytes);
    bool Consecutive = M && M->SizeBytes >= Wide && M->SizeBytes > T.Bytes;
    uint32_t Times = Interleaved && !Consecutive ? Wide / Size : Wide / T.Bytes;
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

void FieldTags::resolve(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  Memory M = memoryOf(I);
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
  const Tag *T = tagOf(I, Tag::Field);
  if (!T) {
    resolveCopy(I, Out);
    if (!Out.empty())
      return;
  }
  // Where the vectoriser puts accesses of several fields into one it drops their marks, but gives
  // it the place of one of them in the source.
  if (!T && M.T->isVectorTy())
    T = tagAt(isa<StoreInst>(I) ? StructStoreOfPlace : StructLoadOfPlace, I);
  if (T && T->Bytes && Access.Bytes > T->Bytes) {
    Access.Flags |= M.T->isVectorTy() ? uint32_t(RETICLE_ACCESS_VECTOR) : 0u;
    resolveWide(I, *T, Access, Out);
    return;
  }
  if (T) {
    for (const FieldPlace &Place : T->Places) {
      Access.Struct = Place.Struct;
      Access.OffsetBytes = T->Kind == Tag::Field ? Place.OffsetBytes : None;
      Out.push_back(Access);
      Access.Flags |= RETICLE_ACCESS_OUTER;
    }
    return;
  }
  if (resolveAddress(I, Access, Out))
    return;
  FieldPlace Named;
  if (placeFromTBAA(I, Named)) {
    Access.Struct = Named.Struct;
    Access.OffsetBytes = Named.OffsetBytes;
  }
  Out.push_back(Access);
}
