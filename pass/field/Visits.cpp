// Visits.cpp - groups accesses into visits, and writes the calls that note them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/field/Visits.h"
#include "include/reticle/abi.h"
#include "pass/field/FieldTable.h"
#include "pass/module/OwnCode.h"
#include "pass/module/RuntimeCalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace reticle;

/// Of the access in front of which a visit is noted: the site, and which address.
static constexpr const char *Kind = "reticle.visit";
enum Side : uint32_t { Accessed, CopiedTo, CopiedFrom };
/// Fields that one site tells of.
static constexpr size_t TouchesMax = 32;

/// The address without constants; they are added to Distance.
static Value *baseOf(Value &Address, const DataLayout &DL, int64_t &Distance) {
  APInt Offset(64, 0);
  Value *Base = Address.stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  Distance = Offset.getSExtValue();
  return Base;
}

namespace {
struct Visit {
  Instruction *First;
  Side Which;
  SmallVector<TouchRecord, 8> Touches;
};
} // namespace

/// Of an access to several elements or fields at once the address is that of the lowest field.
static uint32_t lowestField(ArrayRef<FieldAccess> What, uint32_t Struct, uint32_t Offset) {
  for (const FieldAccess &Access : What)
    if (Access.Struct == Struct && Access.Flags & RETICLE_ACCESS_VECTOR)
      Offset = std::min(Offset, Access.OffsetBytes);
  return Offset;
}

/// An integer of several bytes, read or written as the field is declared. Nobody else may look at
/// what is volatile.
static bool isNarrowable(const Instruction &I, const FieldAccess &Access) {
  if (I.isVolatile() || I.isAtomic() || Access.Times > 1)
    return false;
  Type *T = isa<LoadInst>(I)    ? I.getType()
            : isa<StoreInst>(I) ? cast<StoreInst>(I).getValueOperand()->getType()
                                : nullptr;
  return T && T->isIntegerTy(8 * Access.Bytes) &&
         (Access.Bytes == 2 || Access.Bytes == 4 || Access.Bytes == 8);
}

/// IsPiece: of a copy, whose first piece says where it begins.
static void addTouch(SmallVectorImpl<TouchRecord> &Touches, const TouchRecord &New, bool IsPiece) {
  for (TouchRecord &Known : Touches)
    if (IsPiece && Known.structure == New.structure && Known.offset_bytes == New.offset_bytes &&
        Known.bytes == New.bytes && Known.flags == New.flags) {
      Known.back_bytes = static_cast<uint32_t>(
          std::max(static_cast<int32_t>(Known.back_bytes), static_cast<int32_t>(New.back_bytes)));
      return;
    }
  for (TouchRecord &Known : Touches)
    if (Known.structure == New.structure && Known.back_bytes == New.back_bytes &&
        Known.offset_bytes == New.offset_bytes && Known.bytes == New.bytes &&
        Known.times == New.times) {
      Known.flags |= New.flags;
      return;
    }
  if (Touches.size() < TouchesMax)
    Touches.push_back(New);
}

void reticle::noteVisits(BlockAccesses Accesses, uint64_t Loop, uint32_t Line, unsigned Number,
                         FieldTable &Table) {
  MapVector<Value *, Visit> Visits;
  for (auto &[I, What] : Accesses)
    for (const FieldAccess &Access : What) {
      if (Access.Struct == UINT32_MAX || Access.OffsetBytes == UINT32_MAX)
        continue;
      Side S = !isa<AnyMemIntrinsic>(I)              ? Accessed
               : Access.Flags & RETICLE_ACCESS_WRITE ? CopiedTo
                                                     : CopiedFrom;
      Value *Address = addressOf(*I, S != CopiedFrom);
      if (!Address || Address->getType()->getPointerAddressSpace() != 0)
        continue;
      int64_t Distance;
      Value *Base = baseOf(*Address, I->getModule()->getDataLayout(), Distance);
      if (isa<AllocaInst>(getUnderlyingObject(Base)))
        continue;
      Visit &V = Visits.try_emplace(Base, Visit{I, S, {}}).first->second;
      TouchRecord Touch;
      Touch.structure = Table.idOf(Access.Struct);
      Touch.back_bytes =
          static_cast<uint32_t>(lowestField(What, Access.Struct, Access.OffsetBytes) - Distance);
      Touch.offset_bytes = Access.OffsetBytes;
      Touch.bytes = Access.Bytes;
      Touch.times = Access.Times;
      Touch.flags = Access.Flags | (isNarrowable(*I, Access) ? RETICLE_ACCESS_INTEGER : 0);
      addTouch(V.Touches, Touch, Access.PieceOf != 0);
    }
  unsigned Position = 0;
  for (auto &[Base, V] : Visits) {
    Function &F = *V.First->getFunction();
    LLVMContext &Context = F.getContext();
    if (V.First->hasMetadata(Kind)) // the other side of a copy has it
      continue;
    VisitRecord Record;
    Record.id = xxh3_64bits((F.getName() + Twine(Number) + "." + Twine(Position++)).str());
    Record.loop = Loop;
    Record.line = Line;
    Record.function = F.getName();
    GlobalVariable *Site = createVisit(*F.getParent(), Record, V.Touches);
    V.First->setMetadata(Kind, MDNode::get(Context, {ValueAsMetadata::get(Site),
                                                     ConstantAsMetadata::get(ConstantInt::get(
                                                         Type::getInt32Ty(Context), V.Which))}));
  }
}

/// Line 0: no source line is charged for it.
static void emitVisit(Instruction &Before, GlobalVariable &Site, Value &Base,
                      GlobalVariable &Mask) {
  Function &F = *Before.getFunction();
  Module &M = *F.getParent();
  DebugLoc Location;
  if (DISubprogram *Subprogram = F.getSubprogram())
    Location = DILocation::get(M.getContext(), 0, 0, Subprogram);
  IRBuilder<> B(&Before);
  B.SetCurrentDebugLocation(Location);
  // Volatile: it changes at any time, and must not be moved out of a loop.
  Value *Marking = ours(B.CreateLoad(B.getInt64Ty(), &Mask, /*isVolatile=*/true));
  Instruction *Cold = SplitBlockAndInsertIfThen(
      B.CreateICmpSGT(Marking, B.getInt64(0)), &Before, /*Unreachable=*/false,
      MDBuilder(M.getContext()).createBranchWeights(ColdWeight, HotWeight));
  B.SetInsertPoint(Cold);
  B.SetCurrentDebugLocation(Location);
  FunctionCallee Callee = M.getOrInsertFunction(
      "__reticle_visit", FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()}, false));
  auto *Entry = cast<Function>(Callee.getCallee());
  // The entry keeps all registers but r11: not through the PLT, whose resolver doesn't.
  Entry->setCallingConv(CallingConv::PreserveAll);
  Entry->addFnAttr(Attribute::NonLazyBind);
  Entry->addFnAttr(Attribute::NoUnwind);
  if (!cellsLieInTable(M))
    Entry->setDSOLocal(true); // an executable holds its runtime
  CallInst *Call = B.CreateCall(Callee, {&Site, &Base});
  Call->setCallingConv(CallingConv::PreserveAll);
  Call->setDoesNotThrow();
}

void reticle::emitVisits(Function &F, const SmallPtrSetImpl<BasicBlock *> &Plain,
                         GlobalVariable &Mask) {
  SmallVector<Instruction *, 32> Noted;
  for (Instruction &I : instructions(F))
    if (I.hasMetadata(Kind))
      Noted.push_back(&I);
  for (Instruction *I : Noted) {
    MDNode *Node = I->getMetadata(Kind);
    auto *Site = dyn_cast_or_null<ValueAsMetadata>(Node->getOperand(0).get());
    auto *Which = mdconst::extract<ConstantInt>(Node->getOperand(1));
    I->setMetadata(Kind, nullptr);
    Value *Address = addressOf(*I, Which->getZExtValue() != CopiedFrom);
    if (!Site || !Address || Plain.contains(I->getParent()))
      continue;
    int64_t Distance;
    Value *Base = baseOf(*Address, F.getParent()->getDataLayout(), Distance);
    emitVisit(*I, *cast<GlobalVariable>(Site->getValue()), *Base, Mask);
  }
}
