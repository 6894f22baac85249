// FieldReader.cpp - reads fields off addresses, alias information and facts from the front end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/field/FieldReader.h"
#include "include/reticle/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
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

MemoryAccess reticle::memoryOf(const Instruction &I) {
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

Value *reticle::addressOf(const Instruction &I, bool IsWrite) {
  auto *Copy = dyn_cast<AnyMemIntrinsic>(&I);
  auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
  if (Copy && !IsWrite)
    return Transfer ? Transfer->getRawSource() : nullptr;
  return Copy ? Copy->getRawDest() : const_cast<Value *>(getLoadStorePointerOperand(&I));
}

uint32_t reticle::storeBytes(Type *T, const DataLayout &DL) {
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

FieldReader::FieldReader(std::shared_ptr<const RecordFacts> Facts) {
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

void FieldReader::addFact(const RecordFact &Fact) {
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

uint32_t FieldReader::structOfKey(const void *Key) const {
  auto It = Key ? ByKey.find(Key) : ByKey.end();
  return It != ByKey.end() ? It->second : None;
}

uint32_t FieldReader::knownStruct(StructType *T) const {
  auto It = ByType.find(T);
  return It != ByType.end() ? It->second : None;
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

void FieldReader::placesOf(Value *Address, const DataLayout &DL,
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

/// The type of the elements of p[i] and an offset, which is folded into the element; null: the
/// address is none.
// A constant may stand in front of the index, where it was moved out of the loop.
static Type *elementOf(const Value *Address, const DataLayout &DL, uint64_t &Offset) {
  APInt Bytes(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  auto Strip = [&](const Value *From) {
    return From->stripAndAccumulateConstantOffsets(DL, Bytes, /*AllowNonInbounds=*/true);
  };
  auto *GEP = dyn_cast<GEPOperator>(Strip(Address));
  if (!GEP || isa<GEPOperator>(Strip(GEP->getPointerOperand())))
    return nullptr;
  Type *T = GEP->getSourceElementType();
  int64_t Size = T->isSized() ? static_cast<int64_t>(DL.getTypeAllocSize(T).getKnownMinValue()) : 0;
  if (!Size)
    return nullptr;
  // An unrolled loop's other elements lie so many sizes behind.
  int64_t Folded = (Bytes.getSExtValue() + stepOf(*GEP, DL).Bytes) % Size;
  Offset = static_cast<uint64_t>(Folded < 0 ? Folded + Size : Folded);
  return T;
}

void FieldReader::placesOfElement(const Value *Address, const DataLayout &DL,
                                  SmallVectorImpl<TypedPlace> &Out) const {
  uint64_t Offset;
  Type *T = elementOf(Address, DL, Offset);
  SmallVector<std::pair<StructType *, uint64_t>, 4> Around;
  if (T)
    descend(T, Offset, DL, Around);
  for (auto It = Around.rbegin(); It != Around.rend(); ++It)
    Out.push_back({It->first, It->second});
}

bool FieldReader::placeOfElement(const Value *Address, const DataLayout &DL,
                                 FieldPlace &Place) const {
  uint64_t Offset;
  Type *T = elementOf(Address, DL, Offset);
  uint64_t Size = Structs[Place.Struct].SizeBytes;
  if (!T || DL.getTypeAllocSize(T).getKnownMinValue() != Size)
    return false;
  Place.OffsetBytes = static_cast<uint32_t>(Offset);
  return true;
}

/// The structs around the byte as fields, innermost first.
void FieldReader::fieldsAt(Value *Address, const DataLayout &DL, SmallVectorImpl<FieldPlace> &Out) {
  SmallVector<TypedPlace, 4> Typed;
  placesOf(Address, DL, Typed);
  for (const TypedPlace &Place : Typed) {
    FieldPlace Field = {structOf(Place.Type, DL), static_cast<uint32_t>(Place.OffsetBytes)};
    auto Same = [&](const FieldPlace &Known) { return Known.Struct == Field.Struct; };
    if (Field.OffsetBytes <= Structs[Field.Struct].SizeBytes && none_of(Out, Same))
      Out.push_back(Field);
  }
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

SmallVector<uint32_t, 2> FieldReader::candidates(StructType *T, const DataLayout &DL) const {
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

uint32_t FieldReader::structOf(StructType *T, const DataLayout &DL) {
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

/// The member that holds the byte; null if none does.
const MemberFact *FieldReader::memberAt(const RecordFact &Fact, uint32_t Offset) {
  for (const MemberFact &M : Fact.Members)
    if (Offset >= M.OffsetBytes && Offset - M.OffsetBytes < M.SizeBytes)
      return &M;
  return nullptr;
}

bool FieldReader::holds(const FieldPlace &Place, uint32_t Bytes) const {
  const MemberFact *M = memberAt(Structs[Place.Struct], Place.OffsetBytes);
  return M && Bytes && Place.OffsetBytes - M->OffsetBytes + uint64_t(Bytes) <= M->SizeBytes;
}

// --- alias information ---------------------------------------------------------------------------

bool FieldReader::placeFromTBAA(const Instruction &I, FieldPlace &Out) const {
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

/// A struct without a name of its own is known by the field that it is the type of.
void FieldReader::hintFromAround(ArrayRef<TypedPlace> Places, const DataLayout &DL) {
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
void FieldReader::hint(const Instruction &I, const DataLayout &DL) {
  FieldPlace Named;
  MemoryAccess Access = memoryOf(I);
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

// --- copies --------------------------------------------------------------------------------------

void FieldReader::addCopyFact(const CopyFact &Fact) {
  uint32_t To = structOfKey(Fact.To), From = structOfKey(Fact.From);
  auto [It, IsNew] =
      CopyOfPlace.try_emplace({Fact.Function, Fact.Line, Fact.Column}, CopyTypes{To, From});
  if (IsNew)
    return;
  if (It->second.To != To)
    It->second.To = UINT32_MAX;
  if (It->second.From != From)
    It->second.From = UINT32_MAX;
}

CopyTypes FieldReader::copyAt(const Instruction &I) const {
  const DILocation *Place = I.getDebugLoc().get();
  auto It = Place ? CopyOfPlace.find(
                        {I.getFunction()->getName().str(), Place->getLine(), Place->getColumn()})
                  : CopyOfPlace.end();
  return It != CopyOfPlace.end() ? It->second : CopyTypes{None, None};
}
