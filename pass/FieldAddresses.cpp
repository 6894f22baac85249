// FieldAddresses.cpp - names of accesses whose marks a pass has dropped: by what their address
// says. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that make a new load for an old one (partial redundancy, promotion out of loops, loads of
// two branches made one) drop its marks. What is left:
//
//   * the variable and the types that the address still has;
//   * the place in the source of the instruction that computes the address: `p->x` is one place,
//   and
//     when the pipeline starts it is known which field that is;
//   * the place of the access itself.
//
// A place that has several fields, as macros have, says nothing. Where the address is one of
// several by the way that was taken (a phi, a select), each may be counted by itself.
#include "include/reticle/abi.h"
#include "pass/FieldTags.h"
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

static FieldTags::SourcePlace placeOf(const Instruction &I) {
  const DILocation *Place = I.getDebugLoc().get();
  if (!Place || !Place->getLine())
    return {nullptr, 0, 0};
  return {Place->getScope(), Place->getLine(), Place->getColumn()};
}

/// Two meanings of one place are none.
void FieldTags::notePlace(PlaceMap &Places, const Instruction &I, uint32_t Index) {
  SourcePlace Place = placeOf(I);
  if (!std::get<0>(Place))
    return;
  auto [It, IsNew] = Places.try_emplace(Place, Index);
  if (!IsNew && It->second != Index)
    It->second = None;
}

const FieldTags::Tag *FieldTags::tagAt(const PlaceMap &Places, const Instruction &I) const {
  SourcePlace Place = placeOf(I);
  auto It = std::get<0>(Place) ? Places.find(Place) : Places.end();
  return It != Places.end() && It->second != None ? &Tags[It->second] : nullptr;
}

/// Of an instruction that computes an address when the pipeline starts.
void FieldTags::noteAddress(const Instruction &I, const DataLayout &DL) {
  if (!isa<GetElementPtrInst>(I))
    return;
  SmallVector<FieldPlace, 2> Places;
  fieldsAt(const_cast<Instruction *>(&I), DL, Places);
  Tag T;
  T.Places.assign(Places.begin(), Places.end());
  notePlace(AddressOfPlace, I, Places.empty() ? None : intern(std::move(T)));
}

/// The structs around the byte as fields, innermost first.
void FieldTags::fieldsAt(Value *Address, const DataLayout &DL, SmallVectorImpl<FieldPlace> &Out) {
  SmallVector<TypedPlace, 4> Typed;
  placesOf(Address, DL, Typed);
  for (const TypedPlace &Place : Typed) {
    FieldPlace Field = {structOf(Place.Type, DL), static_cast<uint32_t>(Place.OffsetBytes)};
    auto Same = [&](const FieldPlace &Known) { return Known.Struct == Field.Struct; };
    if (Field.OffsetBytes <= Structs[Field.Struct].SizeBytes && none_of(Out, Same))
      Out.push_back(Field);
  }
}

bool FieldTags::holds(const FieldPlace &Place, uint32_t Bytes) const {
  const MemberFact *M = memberAt(Structs[Place.Struct], Place.OffsetBytes);
  return M && Bytes && Place.OffsetBytes - M->OffsetBytes + uint64_t(Bytes) <= M->SizeBytes;
}

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
bool FieldTags::fieldOfAddress(const Value *Address, uint32_t Bytes, const DataLayout &DL,
                               SmallVectorImpl<FieldPlace> &Out) const {
  SmallVector<TypedPlace, 4> Typed;
  placesOf(const_cast<Value *>(Address), DL, Typed);
  for (const TypedPlace &Place : Typed) {
    auto It = ByType.find(Place.Type);
    if (It != ByType.end())
      Out.push_back({It->second, static_cast<uint32_t>(Place.OffsetBytes)});
  }
  const auto *I = dyn_cast<GetElementPtrInst>(Address);
  if (Out.empty() && I)
    if (const Tag *T = tagAt(AddressOfPlace, *I);
        T && agrees(*cast<GEPOperator>(I), T->Places, Structs))
      Out = T->Places;
  if (!Out.empty() && holds(Out[0], Bytes))
    return true;
  Out.clear();
  return false;
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

void FieldTags::choices(const Instruction &I, SmallVectorImpl<FieldChoice> &Out) const {
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

void FieldTags::addPlaces(ArrayRef<FieldPlace> Places, FieldAccess Access,
                          SmallVectorImpl<FieldAccess> &Out) const {
  for (const FieldPlace &Place : Places) {
    Access.Struct = Place.Struct;
    Access.OffsetBytes = Place.OffsetBytes;
    Out.push_back(Access);
    Access.Flags |= RETICLE_ACCESS_OUTER;
  }
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
void FieldTags::resolveMasked(const Instruction &I, SmallVectorImpl<FieldAccess> &Out) const {
  bool IsStore = I.getType()->isVoidTy();
  auto *T = cast<VectorType>(IsStore ? I.getOperand(0)->getType() : I.getType());
  FieldAccess Access = {
      None, None,
      static_cast<uint32_t>(
          I.getModule()->getDataLayout().getTypeStoreSize(T->getElementType()).getFixedValue()),
      1, RETICLE_ACCESS_VECTOR | (IsStore ? uint32_t(RETICLE_ACCESS_WRITE) : RETICLE_ACCESS_READ)};
  const Tag *Known = tagOf(I, Tag::Field);
  if (!Known)
    Known = tagAt(IsStore ? StoreOfPlace : LoadOfPlace, I);
  if (Known && Known->Kind == Tag::Field && Known->Bytes == Access.Bytes)
    addPlaces(Known->Places, Access, Out);
  else
    Out.push_back(Access);
}

bool FieldTags::resolveAddress(const Instruction &I, const FieldAccess &Access,
                               SmallVectorImpl<FieldAccess> &Out) const {
  SmallVector<FieldPlace, 2> Places;
  const DataLayout &DL = I.getModule()->getDataLayout();
  const Value *Address = getLoadStorePointerOperand(&I);
  if (Address && fieldOfAddress(Address, Access.Bytes, DL, Places)) {
    addPlaces(Places, Access, Out);
    return true;
  }
  // A variable that was left on the stack: at -O0 `p->all[i]` reads p at the place of the element.
  if (isa_and_nonnull<AllocaInst>(Address))
    return false;
  const Tag *T = tagAt(isa<StoreInst>(I) ? StoreOfPlace : LoadOfPlace, I);
  if (!T || T->Kind != Tag::Field || T->Bytes != Access.Bytes)
    return false;
  addPlaces(T->Places, Access, Out);
  return true;
}
