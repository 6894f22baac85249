// Descriptors.cpp - turns records into constants, and registers them when the program starts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/module/Descriptors.h"
#include "pass/field/FieldTable.h"
#include "pass/module/RuntimeCalls.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

static constexpr const char *UnitSection = "reticle_units";
static constexpr const char *ObjectSection = "reticle_objects";
static constexpr const char *FieldsSection = "reticle_fields";
static constexpr const char *FieldsName = "__reticle_fields";
static constexpr const char *ShadowSection = "reticle_shadow";
static constexpr const char *ShadowName = "__reticle_shadow";
static constexpr const char *BoundsSection = "reticle_bounds";
static constexpr const char *GlobalsSection = "reticle_globals";
static constexpr const char *ObjectName = "__reticle_object";

namespace {

/// A string constant, one a module for each text: the same names stand in many records.
Constant *stringConstant(Module &M, StringRef Text) {
  std::string Name = "__reticle_str." + utohexstr(xxh3_64bits(Text));
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
  GlobalVariable *Known = M.getNamedGlobal(Name);
  if (Known && Known->hasInitializer() && Known->getInitializer() == Bytes)
    return Known;
  auto *String =
      new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes, Name);
  String->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  String->setAlignment(Align(1));
  return String;
}

/// A record that lies in a variable: in an array, or the variable itself.
struct RecordPlace {
  GlobalVariable *Variable = nullptr; ///< null: for records without fields of kind REL
  int Index = -1;                     ///< in the array; -1: none
};

/// Collects a record's fields; the overload is chosen by the field's kind.
class FieldList {
public:
  explicit FieldList(Module &M, RecordPlace Place = {}) : M(M), Place(Place) {}
  void add(uint64_t Value) { integer(Type::getInt64Ty(M.getContext()), Value); }
  void add(uint32_t Value) { integer(Type::getInt32Ty(M.getContext()), Value); }
  void add(StringRef Text) { Fields.push_back(stringConstant(M, Text)); }
  void add(Constant *Address) {
    Fields.push_back(Address ? Address
                             : ConstantPointerNull::get(PointerType::getUnqual(M.getContext())));
  }
  void add(const reticle::Related &Related) {
    Type *Word = Type::getInt64Ty(M.getContext()), *Half = Type::getInt32Ty(M.getContext());
    SmallVector<Constant *, 3> Path = {ConstantInt::get(Half, 0)};
    if (Place.Index >= 0)
      Path.push_back(ConstantInt::get(Half, Place.Index));
    Path.push_back(ConstantInt::get(Half, Fields.size()));
    Constant *Field = ConstantExpr::getInBoundsGetElementPtr(Place.Variable->getValueType(),
                                                             Place.Variable, Path);
    Constant *To = Related.Record ? Related.Record : stringConstant(M, Related.Text);
    Fields.push_back(ConstantExpr::getSub(ConstantExpr::getPtrToInt(To, Word),
                                          ConstantExpr::getPtrToInt(Field, Word)));
  }
  Constant *get(StructType *Type) { return ConstantStruct::get(Type, Fields); }

private:
  void integer(Type *T, uint64_t Value) { Fields.push_back(ConstantInt::get(T, Value)); }
  Module &M;
  RecordPlace Place;
  SmallVector<Constant *, 16> Fields;
};

StructType *recordType(LLVMContext &Context, ArrayRef<Type *> Fields) {
  return StructType::get(Context, Fields);
}

} // namespace

// A record's LLVM type, from its fields' kinds.
template <typename Record> static StructType *typeOf(LLVMContext &Context);
#define RETICLE_LLVM_U64 Type::getInt64Ty(Context)
#define RETICLE_LLVM_U32 Type::getInt32Ty(Context)
#define RETICLE_LLVM_STR PointerType::getUnqual(Context)
#define RETICLE_LLVM_PTR PointerType::getUnqual(Context)
#define RETICLE_LLVM_REL Type::getInt64Ty(Context)
#define RETICLE_MEM_BEGIN(record, Name)                                                            \
  template <> [[maybe_unused]] StructType *typeOf<reticle::Name##Record>(LLVMContext & Context) {  \
    return recordType(Context, {
#define RETICLE_MEM_FIELD(record, kind, name, unit, doc) RETICLE_LLVM_##kind,
#define RETICLE_MEM_END(record)                                                                    \
  });                                                                                              \
  }
#include "include/reticle/abi.def"

// A record as a constant of its type.
#define RETICLE_MEM_BEGIN(record, Name)                                                            \
  [[maybe_unused]] static Constant *toConstant(Module &M, const reticle::Name##Record &Record,     \
                                               RecordPlace Place = {}) {                           \
    StructType *Type = typeOf<reticle::Name##Record>(M.getContext());                              \
    FieldList List(M, Place);
#define RETICLE_MEM_FIELD(record, kind, name, unit, doc) List.add(Record.name);
#define RETICLE_MEM_END(record)                                                                    \
  return List.get(Type);                                                                           \
  }
#include "include/reticle/abi.def"

/// An array that nothing writes.
template <typename Record>
static GlobalVariable *constantArray(Module &M, ArrayRef<Record> List, const Twine &Name) {
  SmallVector<Constant *, 0> Elements;
  for (const Record &R : List)
    Elements.push_back(toConstant(M, R));
  ArrayType *ArrayTy = ArrayType::get(typeOf<Record>(M.getContext()), Elements.size());
  auto *Array = new GlobalVariable(M, ArrayTy, true, GlobalValue::InternalLinkage,
                                   ConstantArray::get(ArrayTy, Elements), Name);
  Array->setAlignment(Align(8));
  reticle::excludeFromSanitizers(*Array);
  return Array;
}

/// A writable table entry: never optimised, never padded by a sanitizer, aligned so that the
/// linker lays the entries of all object files end to end.
static GlobalVariable *tableEntry(Module &M, Type *T, Constant *Value, const Twine &Name) {
  auto *Entry = new GlobalVariable(M, T, false, GlobalValue::InternalLinkage, Value, Name);
  Entry->setAlignment(Align(8));
  // The runtime writes to it before the first instruction of the program reads it.
  Entry->setExternallyInitialized(true);
  reticle::excludeFromSanitizers(*Entry);
  return Entry;
}

/// The object record's place. Units refer to it before its counts are known.
static GlobalVariable *objectPlace(Module &M) {
  if (GlobalVariable *Object = M.getNamedGlobal(ObjectName))
    return Object;
  StructType *T = typeOf<reticle::ObjectRecord>(M.getContext());
  return tableEntry(M, T, ConstantAggregateZero::get(T), ObjectName);
}

namespace reticle {

GlobalVariable *createUnit(Function &F, ArrayRef<LoopRecord> Loops, uint32_t Flags) {
  Module &M = *F.getParent();
  ArrayType *ArrayTy = ArrayType::get(typeOf<LoopRecord>(M.getContext()), Loops.size());
  GlobalVariable *Array =
      tableEntry(M, ArrayTy, ConstantAggregateZero::get(ArrayTy), "__reticle_loops." + F.getName());
  SmallVector<Constant *, 8> Elements;
  for (const LoopRecord &Loop : Loops)
    Elements.push_back(toConstant(M, Loop, {Array, static_cast<int>(Elements.size())}));
  Array->setInitializer(ConstantArray::get(ArrayTy, Elements));
  UnitRecord Record;
  Record.loops = Array;
  Record.loop_count = Elements.size();
  Record.flags = Flags;
  Record.object.Record = objectPlace(M);
  StructType *UnitTy = typeOf<UnitRecord>(M.getContext());
  GlobalVariable *Unit =
      tableEntry(M, UnitTy, ConstantAggregateZero::get(UnitTy), "__reticle_unit." + F.getName());
  Unit->setInitializer(toConstant(M, Record, {Unit}));
  Unit->setSection(UnitSection);
  return Unit;
}

/// Position in T of the field that lies at the offset.
static unsigned fieldAt(const Module &M, StructType *T, size_t OffsetBytes) {
  return M.getDataLayout().getStructLayout(T)->getElementContainingOffset(OffsetBytes);
}

void addLoopFlags(GlobalVariable &Unit, unsigned Index, uint32_t Flags) {
  const Module &M = *Unit.getParent();
  auto *UnitTy = cast<StructType>(Unit.getValueType());
  unsigned Loops = fieldAt(M, UnitTy, offsetof(reticle_unit_desc, loops));
  auto *Array = cast<GlobalVariable>(Unit.getInitializer()->getAggregateElement(Loops));
  auto *ArrayTy = cast<ArrayType>(Array->getValueType());
  SmallVector<Constant *, 8> Elements;
  for (unsigned I = 0; I < ArrayTy->getNumElements(); I++)
    Elements.push_back(Array->getInitializer()->getAggregateElement(I));
  auto *LoopTy = cast<StructType>(ArrayTy->getElementType());
  SmallVector<Constant *, 16> Fields;
  for (unsigned I = 0; I < LoopTy->getNumElements(); I++)
    Fields.push_back(Elements[Index]->getAggregateElement(I));
  Constant *&Known = Fields[fieldAt(M, LoopTy, offsetof(reticle_loop_desc, flags))];
  Known = ConstantInt::get(Known->getType(), cast<ConstantInt>(Known)->getZExtValue() | Flags);
  Elements[Index] = ConstantStruct::get(LoopTy, Fields);
  Array->setInitializer(ConstantArray::get(ArrayTy, Elements));
}

Constant *layoutMark(Module &M, uint64_t Hash, StringRef Structure, bool Applied) {
  FieldList List(M);
  List.add(Hash);
  List.add(Structure);
  List.add(static_cast<uint64_t>(Applied));
  LLVMContext &Context = M.getContext();
  Type *Word = Type::getInt64Ty(Context);
  Constant *Value = List.get(recordType(Context, {Word, PointerType::getUnqual(Context), Word}));
  auto *Mark = new GlobalVariable(M, Value->getType(), true, GlobalValue::InternalLinkage, Value,
                                  "__reticle_layout");
  excludeFromSanitizers(*Mark);
  return Mark;
}

bool hasObject(const Module &M) {
  const GlobalVariable *Object = M.getNamedGlobal(ObjectName);
  return Object && Object->hasSection();
}

void createObject(Module &M, const ObjectRecord &Record) {
  GlobalVariable *Object = objectPlace(M);
  Object->setInitializer(toConstant(M, Record));
  Object->setSection(ObjectSection);
  // Survives --gc-sections. Units don't need it: code refers to them, and they go with their code
  // (nor may they be listed, or ThinLTO would import no probed function).
  appendToUsed(M, {Object});

  ModuleRecord Bounds;
  Bounds.units_begin = sectionBound(M, "__start_", UnitSection);
  Bounds.units_end = sectionBound(M, "__stop_", UnitSection);
  Bounds.objects_begin = sectionBound(M, "__start_", ObjectSection);
  Bounds.objects_end = sectionBound(M, "__stop_", ObjectSection);
  registerModule(M, toConstant(M, Bounds));
}

bool hasFields(const Module &M) { return M.getNamedGlobal(FieldsName); }

void createFields(Module &M, FieldsRecord Totals, StringRef Source, GlobalVariable *Counters,
                  const FieldTable &Table, ArrayRef<LabelRecord> Labels) {
  LLVMContext &Context = M.getContext();
  Constant *Texts = ConstantDataArray::getString(Context, Table.texts(), /*AddNull=*/false);
  auto *Strings = new GlobalVariable(M, Texts->getType(), true, GlobalValue::InternalLinkage, Texts,
                                     "__reticle_field_strings");
  excludeFromSanitizers(*Strings);
  Totals.source = stringConstant(M, Source);
  Totals.counters = Counters;
  Totals.accesses = constantArray<AccessRecord>(M, Table.accesses(), "__reticle_field_accesses");
  Totals.structs = constantArray<StructRecord>(M, Table.structs(), "__reticle_field_structs");
  Totals.members = constantArray<MemberRecord>(M, Table.members(), "__reticle_field_members");
  Totals.strings = Strings;
  Totals.labels = constantArray<LabelRecord>(M, Labels, "__reticle_block_labels");
  Totals.label_count = Labels.size();
  Totals.access_count = Table.accesses().size();
  Totals.struct_count = Table.structs().size();
  Totals.member_count = Table.members().size();
  Constant *Value = toConstant(M, Totals);
  GlobalVariable *Record = tableEntry(M, Value->getType(), Value, FieldsName);
  Record->setSection(FieldsSection);
  appendToUsed(M, {Record});
}

static bool hasIntegers(ArrayRef<TouchRecord> Touches) {
  return any_of(Touches, [](const TouchRecord &T) { return T.flags & RETICLE_ACCESS_INTEGER; });
}

GlobalVariable *createVisit(Module &M, VisitRecord Visit, ArrayRef<TouchRecord> Touches) {
  Visit.touches = constantArray<TouchRecord>(M, Touches, "__reticle_touches");
  if (auto *Array = dyn_cast<GlobalVariable>(Visit.touches); Array && hasIntegers(Touches))
    Array->setConstant(false); // the runtime notes their values
  Visit.touch_count = Touches.size();
  Constant *Value = toConstant(M, Visit);
  return tableEntry(M, Value->getType(), Value, "__reticle_visit_site");
}

bool hasShadow(const Module &M) { return M.getNamedGlobal(ShadowName); }

void createShadow(Module &M, const ShadowRecord &Unit, ArrayRef<GlobalRecord> Globals,
                  GlobalVariable *Mask) {
  Constant *Value = toConstant(M, Unit);
  GlobalVariable *Record = tableEntry(M, Value->getType(), Value, ShadowName);
  Record->setSection(ShadowSection);
  appendToUsed(M, {Record});
  // Not listed as used: a variable that the linker drops takes its record with it or not, but code
  // isn't kept for it.
  for (const GlobalRecord &Global : Globals) {
    Constant *Fields = toConstant(M, Global);
    GlobalVariable *Entry = tableEntry(M, Fields->getType(), Fields, "__reticle_global");
    Entry->setSection(GlobalsSection);
    appendToCompilerUsed(M, {Entry});
  }
  ShadowModuleRecord Module;
  Module.mask = Mask;
  Module.units_begin = sectionBound(M, "__start_", ShadowSection);
  Module.units_end = sectionBound(M, "__stop_", ShadowSection);
  Module.globals_begin = sectionBound(M, "__start_", GlobalsSection);
  Module.globals_end = sectionBound(M, "__stop_", GlobalsSection);
  registerShadow(M, toConstant(M, Module));
}

GlobalVariable *createBound(Module &M, const BoundRecord &Record) {
  Constant *Value = toConstant(M, Record);
  GlobalVariable *Bound = tableEntry(M, Value->getType(), Value, "__reticle_bound_site");
  Bound->setSection(BoundsSection);
  appendToUsed(M, {Bound});
  BoundModuleRecord Module;
  Module.bounds_begin = sectionBound(M, "__start_", BoundsSection);
  Module.bounds_end = sectionBound(M, "__stop_", BoundsSection);
  registerBounds(M, toConstant(M, Module));
  return Bound;
}

void setBoundReason(GlobalVariable &Bound, uint32_t Reason) {
  auto *T = cast<StructType>(Bound.getValueType());
  SmallVector<Constant *, 24> Fields;
  for (unsigned I = 0; I < T->getNumElements(); I++)
    Fields.push_back(Bound.getInitializer()->getAggregateElement(I));
  Constant *&Known = Fields[fieldAt(*Bound.getParent(), T, offsetof(reticle_bound_desc, reason))];
  Known = ConstantInt::get(Known->getType(), Reason);
  Bound.setInitializer(ConstantStruct::get(T, Fields));
}

} // namespace reticle
