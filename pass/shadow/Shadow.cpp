// Shadow.cpp - chooses the accesses that get a mark.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is executed together or not at all is a run (ShadowRuns.h). Each word of an object that a
// run touches is marked once, where the run first touches the object, if no mark that was passed
// before does for it:
//
//   %x = load i32, %p               mark word 1 of %p, and word 0, which is near
//   store i32 1, %p + 4             look at words 40, 41 of %p
//   %y = load i64, %p + 160         %x = load i32, %p
//   call @f()                       store i32 1, %p + 4
//   %z = load i32, %p               ...
#include "pass/shadow/Shadow.h"
#include "pass/field/Visits.h"
#include "pass/module/Descriptors.h"
#include "pass/module/Filter.h"
#include "pass/module/Options.h"
#include "pass/module/PassStep.h"
#include "pass/module/SourceInfo.h"
#include "pass/shadow/ShadowBursts.h"
#include "pass/shadow/ShadowCallers.h"
#include "pass/shadow/ShadowGlobals.h"
#include "pass/shadow/ShadowHeap.h"
#include "pass/shadow/ShadowMarks.h"
#include "pass/shadow/ShadowRuns.h"
#include "pass/shadow/ShadowText.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace reticle;

/// Displacements of words that are part of a mark's address: what the words around the base leave
/// room for where there is no shadow memory.
static constexpr int64_t WordsMax = RETICLE_SHADOW_NEAR_WORDS - 64;
static constexpr int64_t WordBytes = 4;
/// Copies of at most so many bytes are marked in place, longer ones by a call.
static constexpr uint64_t InlineBytesMax = 64;

namespace {

class ModuleShadow {
public:
  ModuleShadow(Module &M, const Options &Opts)
      : M(M), Opts(Opts), UserFilter(M, Opts), Marks(M, Opts.ShadowDetail, Opts.ShadowBursts),
        Callers(Opts.Records.get()), DL(M.getDataLayout()) {}
  void run();

private:
  void markFunction(Function &F);
  void collect(Instruction &I, ShadowRun &Run);
  void collectAccess(Instruction &I, Value *Address, uint64_t Bytes, Align Known, unsigned Kinds,
                     ShadowRun &Run);
  void collectCopy(MemIntrinsic &I, Value *Address, MaybeAlign Known, unsigned Kind,
                   ShadowRun &Run);
  bool isLeftOut(const Value *Address);
  void findAligned(Function &F);
  std::pair<Value *, int64_t> split(Value &Address) const;

  Module &M;
  const Options &Opts;
  Filter UserFilter;
  ShadowMarks Marks;
  ShadowCallers Callers;
  const DataLayout &DL;
  ShadowRecord Totals;
  DenseSet<Value *> Aligned; ///< of the function
};

} // namespace

static constexpr unsigned Read = RETICLE_SHADOW_READ, Written = RETICLE_SHADOW_WRITTEN;

/// Whether nobody will ask what was touched of it. Apart: where reads and writes are told apart.
static bool isUnseen(const Value *Object, bool Apart) {
  if (auto *Global = dyn_cast<GlobalVariable>(Object))
    return !mayBeDescribed(*Global, Apart);
  return isa<AllocaInst>(Object);
}

/// An address may be one of several.
static SmallVector<const Value *, 4> objectsOf(const Value *Address) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects);
  return Objects;
}

/// Whether the function will have marks, but for those of copies and texts.
static bool hasMarks(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const Value *Address = getLoadStorePointerOperand(&I);
    return Address ? !all_of(objectsOf(Address), [](const Value *O) { return isUnseen(O, false); })
                   : isa<AtomicRMWInst, MemIntrinsic>(I);
  });
}

/// Whether the access is counted and that's all.
bool ModuleShadow::isLeftOut(const Value *Address) {
  Totals.accesses++;
  SmallVector<const Value *, 4> Objects = objectsOf(Address);
  if (all_of(Objects, [&](const Value *O) { return isUnseen(O, Opts.ShadowDetail); })) {
    Totals.stack++;
    return true;
  }
  if (isa<ConstantPointerNull>(Objects[0]) || Address->getType()->getPointerAddressSpace() != 0) {
    Totals.unmarked++;
    return true;
  }
  Totals.marked++;
  return false;
}

/// Takes up the pointers that the function's accesses say are multiples of 4. One whose bits are
/// looked at may be one only sometimes.
void ModuleShadow::findAligned(Function &F) {
  DenseMap<Value *, bool> Found;
  for (Instruction &I : instructions(F)) {
    Value *Address = getLoadStorePointerOperand(&I);
    if (!Address || getLoadStoreAlignment(&I).value() < WordBytes)
      continue;
    auto [Base, Distance] = split(*Address);
    bool &IsAligned = Found.try_emplace(Base, true).first->second;
    IsAligned &= Distance % WordBytes == 0;
  }
  Aligned.clear();
  for (auto [Base, IsAligned] : Found)
    if (IsAligned && none_of(Base->users(), [](User *U) { return isa<PtrToIntOperator>(U); }))
      Aligned.insert(Base);
}

std::pair<Value *, int64_t> ModuleShadow::split(Value &Address) const {
  APInt Offset(64, 0);
  Value *Base = Address.stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  return {Base, Offset.getSExtValue()};
}

void ModuleShadow::collectAccess(Instruction &I, Value *Address, uint64_t Bytes, Align Known,
                                 unsigned Kinds, ShadowRun &Run) {
  if (Known.value() < std::min<uint64_t>(PowerOf2Ceil(Bytes), WordBytes))
    Totals.straddling++;
  auto [Base, Distance] = split(*Address);
  int64_t InWord = Distance & (WordBytes - 1);
  // Of a base that isn't known to be aligned, only whole words are known to be apart.
  if ((InWord && !Aligned.contains(Base)) || std::abs(Distance / WordBytes) > WordsMax) {
    Base = Address;
    Distance = InWord = 0;
  }
  Run.add(*Base, I, (Distance - InWord) / WordBytes,
          static_cast<unsigned>((InWord + Bytes + WordBytes - 1) / WordBytes),
          Opts.ShadowStoresAlways ? Kinds | Written : Kinds);
}

void ModuleShadow::collectCopy(MemIntrinsic &I, Value *Address, MaybeAlign Known, unsigned Kind,
                               ShadowRun &Run) {
  auto *Length = dyn_cast<ConstantInt>(I.getLength());
  if (Length && Length->isZero())
    return;
  if (isLeftOut(Address))
    return;
  if (Length && Length->getZExtValue() <= InlineBytesMax)
    collectAccess(I, Address, Length->getZExtValue(), Known.valueOrOne(), Kind, Run);
  else
    Marks.range(I, *Address, *I.getLength(), Kind);
}

void ModuleShadow::collect(Instruction &I, ShadowRun &Run) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  auto Access = [&](Value *Address, Type *T, Align Known, unsigned Kinds) {
    TypeSize Bytes = DL.getTypeStoreSize(T);
    if (!Bytes.isScalable() && !Bytes.isZero() && !isLeftOut(Address))
      collectAccess(I, Address, Bytes.getFixedValue(), Known, Kinds, Run);
  };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Access(Load->getPointerOperand(), Load->getType(), Load->getAlign(), Read);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    Access(Store->getPointerOperand(), Store->getValueOperand()->getType(), Store->getAlign(),
           Written);
  else if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    Access(Update->getPointerOperand(), Update->getType(), Update->getAlign(), Read | Written);
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    Access(Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType(),
           Exchange->getAlign(), Read | Written);
  else if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    if (auto *Transfer = dyn_cast<MemTransferInst>(Memory))
      collectCopy(*Memory, Transfer->getRawSource(), Transfer->getSourceAlign(), Read, Run);
    collectCopy(*Memory, Memory->getRawDest(), Memory->getDestAlign(), Written, Run);
  } else if (auto *Named = dyn_cast<CallInst>(&I); Named && !isa<IntrinsicInst>(I)) {
    markTextCall(*Named, Marks, [this](const Value *Address) { return isLeftOut(Address); });
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

void ModuleShadow::markFunction(Function &F) {
  if (!isProgramFunction(F) || !UserFilter.unsupported(F).empty() || !UserFilter.ignored(F).empty())
    return;
  // Call stacks at allocations are read by them.
  if (F.getFnAttribute("frame-pointer").getValueAsString() != "all")
    F.addFnAttr("frame-pointer", "non-leaf");
  Callers.keep(F);
  SmallPtrSet<BasicBlock *, 32> Plain;
  if (Opts.ShadowBursts && hasMarks(F))
    Plain = copyForBursts(F, *Marks.mask());
  uint32_t MarkedBefore = Totals.marked;
  Marks.enter(F);
  findAligned(F);
  ShadowRuns Runs;
  for (BasicBlock &Block : F) {
    Runs.emplace_back(Block);
    if (Plain.contains(&Block))
      continue;
    for (Instruction &I : make_early_inc_range(Block)) {
      collect(I, Runs.back());
      if (mayStay(I))
        Runs.emplace_back(Block);
    }
  }
  if (!Plain.empty())
    Totals.copied += Totals.marked - MarkedBefore;
  leaveOutMarked(F, Runs, Opts.ShadowDetail);
  for (ShadowRun &Run : Runs)
    for (auto &[Base, Touched] : Run.Objects)
      if (!Touched.Words.empty() && !Touched.Known)
        Touched.Index = Marks.index(*Touched.Before, *Base);
  for (ShadowRun &Run : reverse(Runs)) // looks split blocks
    for (auto &[Base, Touched] : Run.Objects)
      if (!Touched.Words.empty()) {
        const ShadowTouches *Root = &Touched;
        while (Root->Known)
          Root = Root->Known;
        Marks.mark(*Touched.Before, Root->Index, Touched.Words);
      }
  emitVisits(F, Plain, *Marks.mask());
}

void ModuleShadow::run() {
  std::optional<PassStep> Now(std::in_place, "shadow", "describing globals");
  SmallVector<GlobalRecord, 16> Globals = describeGlobals(M, Opts.ShadowDetail);
  Totals.copied = Opts.ShadowBursts ? 1 : 0;
  Now.emplace("shadow", "marking accesses");
  for (Function &F : M) {
    Now->in(F);
    markFunction(F);
  }
  Now.emplace("shadow", "wrapping allocators");
  Totals.source = describeModule(M).File;
  Totals.flags = Opts.ShadowDetail ? RETICLE_SHADOW_UNIT_DETAIL : 0;
  createShadow(M, Totals, Globals, Marks.mask());
  wrapAllocator(M);
}

namespace reticle {

void markAccesses(Module &M, const Options &Opts) {
  if (!hasShadow(M))
    ModuleShadow(M, Opts).run();
}

} // namespace reticle
