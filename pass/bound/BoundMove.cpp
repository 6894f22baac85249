// BoundMove.cpp - what a copy of code does otherwise: moves accesses, replays branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/bound/BoundMove.h"
#include "include/reticle/abi.h"
#include "pass/bound/BoundCallees.h"
#include "pass/bound/BoundRegion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace reticle;

/// Variables on the stack of up to so many bytes stay where they are: they are in the first cache.
static constexpr uint64_t SmallBytes = 4096;

BoundMove::BoundMove(Function &F, uint32_t Kind, Value *Context, BoundCallees &Callees,
                     SmallVectorImpl<AllocaInst *> &Variables)
    : F(F), Kind(Kind), Context(Context), Callees(Callees) {
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Position = B.CreateAlloca(B.getPtrTy(), nullptr, "reticle.position");
  Variables.push_back(Position);
}

Value *BoundMove::word(IRBuilder<> &B, BoundContext Word) const {
  return B.CreateConstGEP1_64(B.getInt64Ty(), Context, Word);
}

void BoundMove::begin(IRBuilder<> &B) {
  auto Load = [&](BoundContext Word) { return B.CreateLoad(B.getInt64Ty(), word(B, Word)); };
  Loads = {Load(LoadMask), Load(LoadBase)};
  Stores = {Load(StoreMask), Load(StoreBase)};
  B.CreateStore(B.CreateLoad(B.getPtrTy(), word(B, Outcomes)), Position);
}

void BoundMove::end(IRBuilder<> &B) {
  B.CreateStore(B.CreateLoad(B.getPtrTy(), Position), word(B, Outcomes));
}

/// The position of what is recorded next, which is gone on by so many bytes.
Value *BoundMove::step(IRBuilder<> &B, uint64_t Bytes) {
  Value *At = B.CreateLoad(B.getPtrTy(), Position);
  B.CreateStore(B.CreateConstGEP1_64(B.getInt8Ty(), At, Bytes), Position);
  return At;
}

void BoundMove::record(Instruction &Branch) {
  IRBuilder<> B(&Branch);
  Value *Way;
  if (auto *Switch = dyn_cast<SwitchInst>(&Branch)) {
    Way = B.getInt8(0);
    for (auto Case : Switch->cases())
      Way = B.CreateSelect(B.CreateICmpEQ(Switch->getCondition(), Case.getCaseValue()),
                           B.getInt8(Case.getCaseIndex() + 1), Way);
  } else {
    Way = B.CreateZExt(cast<BranchInst>(Branch).getCondition(), B.getInt8Ty());
  }
  B.CreateStore(Way, step(B, 1));
}

void BoundMove::replay(Instruction &Branch) {
  IRBuilder<> B(&Branch);
  Value *Way = B.CreateLoad(B.getInt8Ty(), step(B, 1));
  auto *Switch = dyn_cast<SwitchInst>(&Branch);
  if (!Switch) {
    cast<BranchInst>(Branch).setCondition(B.CreateIsNotNull(Way));
    return;
  }
  SwitchInst *Followed = B.CreateSwitch(Way, Switch->getDefaultDest(), Switch->getNumCases());
  for (auto Case : Switch->cases())
    Followed->addCase(B.getInt8(Case.getCaseIndex() + 1), Case.getCaseSuccessor());
  Switch->eraseFromParent();
}

/// One address or a vector of them.
Value *BoundMove::move(IRBuilder<> &B, Value *Address, const Moved &By) const {
  Type *Words = B.getInt64Ty();
  Value *Mask = By.Mask, *Base = By.Base;
  if (auto *Vector = dyn_cast<FixedVectorType>(Address->getType())) {
    Words = FixedVectorType::get(Words, Vector->getNumElements());
    Mask = B.CreateVectorSplat(Vector->getNumElements(), Mask);
    Base = B.CreateVectorSplat(Vector->getNumElements(), Base);
  }
  Value *Word = B.CreateAdd(B.CreateAnd(B.CreatePtrToInt(Address, Words), Mask), Base);
  return B.CreateIntToPtr(Word, Address->getType());
}

namespace {

/// The operands that are addresses of an access; -1: there is none.
struct Addresses {
  int Load = -1, Store = -1;
};

} // namespace

static Addresses addressesOf(const Instruction &I) {
  if (isa<LoadInst>(I))
    return {0, -1};
  if (isa<StoreInst>(I))
    return {-1, 1};
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    return {0, -1};
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    return {-1, 1};
  case Intrinsic::memset:
    return {-1, 0};
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
    return {1, 0};
  default:
    return {};
  }
}

/// At a place in it that is known: an index that is loaded may lead anywhere in a moved copy.
static bool isSmallVariable(const Value *Address, const DataLayout &Layout) {
  if (!Address->getType()->isPointerTy())
    return false;
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  auto *Variable = dyn_cast<AllocaInst>(
      Address->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true));
  if (!Variable || !Variable->isStaticAlloca())
    return false;
  auto Size = Variable->getAllocationSize(Layout);
  return Size && !Size->isScalable() && Size->getFixedValue() <= SmallBytes &&
         Offset.ult(Size->getFixedValue());
}

void BoundMove::moveAccess(Instruction &I) {
  IRBuilder<> B(&I);
  auto Move = [&](int Operand, const Moved &By) {
    if (Operand >= 0 && !isSmallVariable(I.getOperand(Operand), F.getDataLayout()))
      I.setOperand(Operand, move(B, I.getOperand(Operand), By));
  };
  Addresses A = addressesOf(I);
  Move(A.Load, Loads);
  Move(A.Store, Stores);
  if (A.Load >= 0 || A.Store >= 0)
    I.dropUnknownNonDebugMetadata(); // on what it loads, and what else it may touch
  // What is loaded from elsewhere is no reason to stop.
  if (auto *Division = dyn_cast<BinaryOperator>(&I);
      Division && Division->isIntDivRem() && !isa<Constant>(Division->getOperand(1)))
    Division->setOperand(
        1, B.CreateOr(Division->getOperand(1), ConstantInt::get(Division->getType(), 1)));
}

void BoundMove::recordLoad(Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || isSmallVariable(Load->getPointerOperand(), F.getDataLayout()))
    return;
  IRBuilder<> B(I.getNextNode());
  B.CreateAlignedStore(Load, move(B, Load->getPointerOperand(), Loads), Load->getAlign());
}

/// A call of the copy of the same kind.
CallInst *BoundMove::callCopy(IRBuilder<> &B, const CallInst &Call, Function &Copy) {
  end(B);
  SmallVector<Value *, 8> Arguments(Call.args());
  Arguments.push_back(Context);
  CallInst *Other = B.CreateCall(&Copy, Arguments);
  Other->setCallingConv(Copy.getCallingConv());
  Other->setAttributes(Copy.getAttributes());
  Other->setDebugLoc(Call.getDebugLoc());
  B.CreateStore(B.CreateLoad(B.getPtrTy(), word(B, Outcomes)), Position);
  return Other;
}

/// A call of code that isn't known here ends the child: it may be one of a way that is never taken.
void BoundMove::call(CallInst &Call) {
  IRBuilder<> B(&Call);
  Function *Callee = Call.getCalledFunction();
  if (!Callee && !Callees.targets(Call).empty())
    return callThrough(Call);
  Function *Copy = Callee && !Call.isMustTailCall() ? Callees.get(*Callee, Kind) : nullptr;
  if (!Copy) {
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::trap, {});
    return;
  }
  Call.replaceAllUsesWith(callCopy(B, Call, *Copy));
  Call.eraseFromParent();
}

/// Through a pointer: which function it is, is recorded as a branch's outcome is.
void BoundMove::callThrough(CallInst &Call) {
  IRBuilder<> B(&Call);
  ArrayRef<Function *> Targets = Callees.targets(Call);
  Value *Way = B.getInt8(0);
  if (Kind == RETICLE_BOUND_RECORDING) {
    for (unsigned I = 0; I < Targets.size(); I++)
      Way = B.CreateSelect(B.CreateICmpEQ(Call.getCalledOperand(), Targets[I]), B.getInt8(I + 1),
                           Way);
    B.CreateStore(Way, step(B, 1));
  } else {
    Way = B.CreateLoad(B.getInt8Ty(), step(B, 1));
  }
  BasicBlock *Front = Call.getParent(), *Behind = SplitBlock(Front, &Call);
  BasicBlock *Unknown = BasicBlock::Create(F.getContext(), "reticle.unknown", &F, Behind);
  B.SetInsertPoint(Unknown);
  B.CreateIntrinsic(B.getVoidTy(), Intrinsic::trap, {});
  B.CreateUnreachable();
  Front->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Front);
  SwitchInst *Choice = B.CreateSwitch(Way, Unknown, Targets.size());
  PHINode *Result = nullptr;
  if (!Call.getType()->isVoidTy()) {
    B.SetInsertPoint(&Behind->front());
    Result = B.CreatePHI(Call.getType(), Targets.size());
    Call.replaceAllUsesWith(Result);
  }
  for (unsigned I = 0; I < Targets.size(); I++) {
    BasicBlock *Case = BasicBlock::Create(F.getContext(), "reticle.target", &F, Behind);
    B.SetInsertPoint(Case);
    CallInst *Other = callCopy(B, Call, *Callees.get(*Targets[I], Kind));
    B.CreateBr(Behind);
    Choice->addCase(B.getInt8(I + 1), Case);
    if (Result)
      Result->addIncoming(Other, Case);
  }
  Call.eraseFromParent();
}

/// memcpy and the like: its length is recorded, too. Moved, it is in pieces of what the first cache
/// has room for.
void BoundMove::block(MemIntrinsic &Block) {
  IRBuilder<> B(&Block);
  auto *Bytes = dyn_cast<ConstantInt>(Block.getLength());
  if (Bytes && Bytes->getValue().ule(SmallBytes)) {
    if (Kind == RETICLE_BOUND_REPLAYING)
      moveAccess(Block);
    return;
  }
  Type *Word = B.getInt64Ty();
  Value *At = step(B, sizeof(uint64_t));
  if (Kind == RETICLE_BOUND_RECORDING) {
    B.CreateAlignedStore(B.CreateZExtOrTrunc(Block.getLength(), Word), At, Align(1));
    return;
  }
  Value *All = B.CreateAlignedLoad(Word, At, Align(1)), *Zero = B.getInt64(0);
  BasicBlock *Front = Block.getParent(), *Behind = SplitBlock(Front, &Block);
  BasicBlock *Piece = BasicBlock::Create(F.getContext(), "reticle.piece", &F, Behind);
  Front->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Front);
  B.CreateCondBr(B.CreateIsNull(All), Behind, Piece);
  B.SetInsertPoint(Piece);
  PHINode *Done = B.CreatePHI(Word, 2);
  Value *Rest = B.CreateSub(All, Done), *Most = B.getInt64(SmallBytes);
  Value *Length = B.CreateSelect(B.CreateICmpULT(Rest, Most), Rest, Most);
  auto Address = [&](Value *Begin, const Moved &By) {
    return move(B, B.CreateGEP(B.getInt8Ty(), Begin, Done), By);
  };
  if (auto *Copy = dyn_cast<MemTransferInst>(&Block))
    B.CreateMemMove(Address(Copy->getRawDest(), Stores), MaybeAlign(),
                    Address(Copy->getRawSource(), Loads), MaybeAlign(), Length);
  else
    B.CreateMemSet(Address(Block.getRawDest(), Stores), cast<MemSetInst>(Block).getValue(), Length,
                   MaybeAlign());
  Value *Next = B.CreateAdd(Done, Length);
  Done->addIncoming(Zero, Front);
  Done->addIncoming(Next, Piece);
  B.CreateCondBr(B.CreateICmpEQ(Next, All), Behind, Piece);
  Block.eraseFromParent();
}

SmallVector<Instruction *, 0> BoundMove::instructionsOf(ArrayRef<BasicBlock *> Blocks) {
  SmallVector<Instruction *, 0> All;
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : *Block)
      if (!isProbe(I))
        All.push_back(&I);
  return All;
}

void BoundMove::apply(ArrayRef<Instruction *> Instructions, ArrayRef<Instruction *> Branches) {
  for (Instruction *I : Instructions)
    if (isForeignCall(*I))
      call(cast<CallInst>(*I));
    else if (auto *Block = dyn_cast<MemIntrinsic>(I))
      block(*Block);
    else
      Kind == RETICLE_BOUND_REPLAYING ? moveAccess(*I) : recordLoad(*I);
  for (Instruction *Branch : Branches)
    Kind == RETICLE_BOUND_REPLAYING ? replay(*Branch) : record(*Branch);
}
