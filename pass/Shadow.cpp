// Shadow.cpp - chooses the accesses that get a mark.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Within a run of instructions without a call each word of an object is marked once: by the first
// store to it, or else by one look that several loads share (ShadowMarks.h).
//
//   %x = load i32, %p               look at words 0, 2 of %p
//   store i32 1, %p + 4             %x = load i32, %p
//   %y = load i32, %p + 8           mark word 1 of %p
//   call @f()                       store i32 1, %p + 4
//                                   ...
#include "pass/Shadow.h"
#include "pass/Descriptors.h"
#include "pass/Filter.h"
#include "pass/Options.h"
#include "pass/ShadowGlobals.h"
#include "pass/ShadowHeap.h"
#include "pass/ShadowMarks.h"
#include "pass/SourceInfo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace reticle;

/// Displacements of words that are part of a mark's address: what the words around the base leave
/// room for where there is no plane.
static constexpr int64_t WordsMax = RETICLE_SHADOW_NEAR_WORDS - 64;
/// Copies of at most so many bytes are marked in place, longer ones by a call.
static constexpr uint64_t InlineBytesMax = 64;

namespace {

/// Words that one instruction touches.
struct Touch {
  Instruction *I;
  int64_t First; ///< from the base on
  unsigned Count;
  bool Stores; ///< marks without a look
};

/// A run of instructions without a call.
using Run = MapVector<Value *, SmallVector<Touch, 4>>;

class ModuleShadow {
public:
  ModuleShadow(Module &M, const Options &Opts)
      : M(M), Opts(Opts), UserFilter(M, Opts), Marks(M), DL(M.getDataLayout()) {}
  void run();

private:
  void markFunction(Function &F);
  void collect(Instruction &I, Run &Touched);
  void collectAccess(Instruction &I, Value *Address, uint64_t Bytes, Align Known, bool Stores,
                     Run &Touched);
  void collectCopy(MemIntrinsic &I, Value *Address, MaybeAlign Known, bool Stores, Run &Touched);
  bool isLeftOut(const Value *Address);
  void emit(const Run &Touched);
  void emitOne(Value &Base, ArrayRef<Touch> Touches);

  Module &M;
  const Options &Opts;
  Filter UserFilter;
  ShadowMarks Marks;
  const DataLayout &DL;
  ShadowRecord Totals;
};

} // namespace

/// Whether the access is counted and that's all.
bool ModuleShadow::isLeftOut(const Value *Address) {
  Totals.accesses++;
  const Value *Object = getUnderlyingObject(Address);
  auto *Global = dyn_cast<GlobalVariable>(Object);
  if (isa<AllocaInst>(Object) || (Global && Global->isThreadLocal())) {
    Totals.stack++;
    return true;
  }
  if (isa<ConstantPointerNull>(Object) || Address->getType()->getPointerAddressSpace() != 0) {
    Totals.unmarked++;
    return true;
  }
  Totals.marked++;
  return false;
}

void ModuleShadow::collectAccess(Instruction &I, Value *Address, uint64_t Bytes, Align Known,
                                 bool Stores, Run &Touched) {
  uint64_t Whole = std::min<uint64_t>(PowerOf2Ceil(Bytes), 4);
  if (Known.value() < Whole)
    Totals.straddling++;
  APInt Offset(64, 0);
  Value *Base = Address->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  int64_t Distance = Offset.getSExtValue();
  // Of a base that isn't known to be aligned, only whole words are known to be apart.
  if (Distance % 4 != 0 || std::abs(Distance / 4) > WordsMax) {
    Base = Address;
    Distance = 0;
  }
  Touched[Base].push_back({&I, Distance / 4, static_cast<unsigned>((Bytes + 3) / 4),
                           Stores || Opts.ShadowStoresAlways});
}

void ModuleShadow::collectCopy(MemIntrinsic &I, Value *Address, MaybeAlign Known, bool Stores,
                               Run &Touched) {
  auto *Length = dyn_cast<ConstantInt>(I.getLength());
  if (Length && Length->isZero())
    return;
  if (isLeftOut(Address))
    return;
  if (Length && Length->getZExtValue() <= InlineBytesMax)
    collectAccess(I, Address, Length->getZExtValue(), Known.valueOrOne(), Stores, Touched);
  else
    Marks.range(I, *Address, *I.getLength());
}

void ModuleShadow::collect(Instruction &I, Run &Touched) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  auto Access = [&](Value *Address, Type *T, Align Known, bool Stores) {
    TypeSize Bytes = DL.getTypeStoreSize(T);
    if (!Bytes.isScalable() && !Bytes.isZero() && !isLeftOut(Address))
      collectAccess(I, Address, Bytes.getFixedValue(), Known, Stores, Touched);
  };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Access(Load->getPointerOperand(), Load->getType(), Load->getAlign(), false);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    Access(Store->getPointerOperand(), Store->getValueOperand()->getType(), Store->getAlign(),
           true);
  else if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    Access(Update->getPointerOperand(), Update->getType(), Update->getAlign(), true);
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    Access(Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType(),
           Exchange->getAlign(), true);
  else if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    if (auto *Transfer = dyn_cast<MemTransferInst>(Memory))
      collectCopy(*Memory, Transfer->getRawSource(), Transfer->getSourceAlign(), false, Touched);
    collectCopy(*Memory, Memory->getRawDest(), Memory->getDestAlign(), true, Touched);
  } else if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->mayReadOrWriteMemory()) {
    switch (Call->getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_store:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_scatter:
    case Intrinsic::masked_expandload:
    case Intrinsic::masked_compressstore:
      Totals.accesses++;
      Totals.unmarked++;
      break;
    default:
      break;
    }
  }
}

/// Marks of one object in one run.
void ModuleShadow::emitOne(Value &Base, ArrayRef<Touch> Touches) {
  SmallSet<int64_t, 16> Done; // words
  for (const Touch &T : Touches) {
    bool IsNew = false;
    for (unsigned I = 0; T.Stores && I < T.Count; I++)
      IsNew |= Done.insert(T.First + I).second;
    if (IsNew)
      Marks.store(*T.I, Base, T.First, T.Count);
  }
  struct Look {
    Instruction *Before;
    int64_t First;
    uint8_t Words;
  };
  SmallVector<Look, 4> Looks;
  auto Add = [&](Instruction *Before, int64_t Word) {
    if (!Done.insert(Word).second)
      return;
    for (Look &L : Looks) {
      int64_t First = std::min(L.First, Word);
      int64_t Last = std::max(L.First + bit_width(L.Words) - 1, Word);
      if (Last - First >= ShadowMarks::WindowWords)
        continue;
      L.Words = static_cast<uint8_t>((L.Words << (L.First - First)) | (1u << (Word - First)));
      L.First = First;
      return;
    }
    Looks.push_back({Before, Word, 1});
  };
  for (const Touch &T : Touches)
    for (unsigned I = 0; !T.Stores && I < T.Count; I++)
      Add(T.I, T.First + I);
  for (const Look &L : Looks)
    Marks.check(*L.Before, Base, L.First, L.Words);
}

void ModuleShadow::emit(const Run &Touched) {
  for (const auto &[Base, Touches] : Touched)
    emitOne(*Base, Touches);
}

void ModuleShadow::markFunction(Function &F) {
  if (!isProgramFunction(F) || !UserFilter.unsupported(F).empty() || !UserFilter.ignored(F).empty())
    return;
  // Call stacks at allocations are read by them.
  if (F.getFnAttribute("frame-pointer").getValueAsString() != "all")
    F.addFnAttr("frame-pointer", "non-leaf");
  Marks.enter(F);
  SmallVector<Run, 16> Runs;
  for (BasicBlock &Block : F) {
    Runs.emplace_back();
    for (Instruction &I : make_early_inc_range(Block)) {
      collect(I, Runs.back());
      if (isa<CallBase>(I) && !isa<IntrinsicInst>(I))
        Runs.emplace_back();
    }
  }
  for (const Run &Touched : Runs) // looks split blocks
    emit(Touched);
  assert(!verifyFunction(F, &errs()) && "marks broke the function");
}

void ModuleShadow::run() {
  SmallVector<GlobalRecord, 16> Globals = describeGlobals(M);
  for (Function &F : M)
    markFunction(F);
  Totals.source = describeModule(M).File;
  createShadow(M, Totals, Globals, Marks.mask());
  wrapAllocator(M);
}

namespace reticle {

void markAccesses(Module &M, const Options &Opts) {
  if (!hasShadow(M))
    ModuleShadow(M, Opts).run();
}

} // namespace reticle
