// Privatise.cpp - finds additions to elements of a table, and has each go to one of several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/form/Privatise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// Of one table: several must leave room in the first cache, and lie on the stack.
static constexpr uint64_t BytesMost = 4096;

namespace {

/// table[i] += x
struct Addition {
  LoadInst *Load;
  StoreInst *Store;
};

class Privatiser {
public:
  Privatiser(Loop &L, unsigned Tables, ScalarEvolution &SE, AAResults &AA)
      : L(L), Tables(Tables), SE(SE), AA(AA) {}
  std::string run(std::vector<unsigned> &Lines);

private:
  bool find();
  bool isAlone() const;
  Value *counter();
  void addUp(Value *Own);

  Loop &L;
  unsigned Tables;
  ScalarEvolution &SE;
  AAResults &AA;
  SmallVector<Addition, 8> Additions;
  Value *Base = nullptr; ///< of the table
  Type *Element = nullptr;
  uint64_t Bytes = 0;
};

} // namespace

/// The addition that a store ends; Load null: it ends none.
static Addition additionOf(StoreInst &Store) {
  auto *Sum = dyn_cast<BinaryOperator>(Store.getValueOperand());
  if (!Store.isSimple() || !Sum || !Sum->getType()->isIntegerTy() || !Sum->hasOneUse() ||
      Sum->getOpcode() != Instruction::Add)
    return {nullptr, &Store};
  for (Value *Operand : Sum->operands())
    if (auto *Load = dyn_cast<LoadInst>(Operand))
      if (Load->isSimple() && Load->hasOneUse() && Load->getParent() == Store.getParent() &&
          Load->getPointerOperand() == Store.getPointerOperand())
        return {Load, &Store};
  return {nullptr, &Store};
}

/// All additions to the table that the first one is to.
bool Privatiser::find() {
  const DataLayout &Layout = L.getHeader()->getModule()->getDataLayout();
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      auto *Store = dyn_cast<StoreInst>(&I);
      Addition Its = Store ? additionOf(*Store) : Addition{nullptr, nullptr};
      if (!Its.Load)
        continue;
      const SCEV *Address = SE.getSCEV(Store->getPointerOperand());
      auto *Start = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
      if (!Start || !L.isLoopInvariant(Start->getValue()) || SE.isLoopInvariant(Address, &L))
        continue;
      Type *T = Its.Load->getType();
      uint64_t Size = Layout.getTypeStoreSize(T);
      APInt Last = SE.getUnsignedRangeMax(SE.removePointerBase(Address));
      if (Last.uge(BytesMost) || Last.urem(Size) != 0 || !isPowerOf2_64(Size) || Size > 8 ||
          SE.getMinTrailingZeros(SE.removePointerBase(Address)) < Log2_64(Size) ||
          (Base && (Base != Start->getValue() || Element != T)))
        continue;
      Base = Start->getValue();
      Element = T;
      Bytes = std::max(Bytes, Last.getZExtValue() + Size);
      Additions.push_back(Its);
    }
  return !Additions.empty();
}

/// Whether nothing else of the loop touches the table.
bool Privatiser::isAlone() const {
  MemoryLocation Table(Base, LocationSize::precise(Bytes));
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!I.mayReadOrWriteMemory() ||
          any_of(Additions, [&](const Addition &Its) { return &I == Its.Load || &I == Its.Store; }))
        continue;
      bool IsPlain = isa<LoadInst, StoreInst>(I);
      if (!IsPlain || !AA.isNoAlias(MemoryLocation::get(&I), Table))
        return false;
    }
  return true;
}

/// Iterations, from 0.
Value *Privatiser::counter() {
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  PHINode *Counter = B.CreatePHI(B.getInt64Ty(), 2, "private.iteration");
  Counter->addIncoming(B.getInt64(0), L.getLoopPreheader());
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Counter->addIncoming(B.CreateAdd(Counter, B.getInt64(1)), L.getLoopLatch());
  return Counter;
}

/// for (at = 0; at < bytes; at += size)
///   if ((sum = own[0][at] + own[1][at] + ...)) table[at] += sum;
/// What the loop would not have touched isn't, as nothing may be there.
void Privatiser::addUp(Value *Own) {
  BasicBlock *Exit = L.getUniqueExitBlock();
  Function *F = Exit->getParent();
  BasicBlock *Rest = SplitBlock(Exit, Exit->getFirstInsertionPt());
  BasicBlock *Body = BasicBlock::Create(F->getContext(), "private.sum", F, Rest);
  BasicBlock *Some = BasicBlock::Create(F->getContext(), "private.some", F, Rest);
  BasicBlock *Next = BasicBlock::Create(F->getContext(), "private.next", F, Rest);
  Exit->getTerminator()->setSuccessor(0, Body);
  IRBuilder<> B(Body);
  B.SetCurrentDebugLocation(Additions[0].Store->getDebugLoc());
  PHINode *At = B.CreatePHI(B.getInt64Ty(), 2);
  Value *Sum = ConstantInt::get(Element, 0);
  for (unsigned Table = 0; Table < Tables; Table++)
    Sum = B.CreateAdd(
        Sum,
        B.CreateLoad(Element, B.CreatePtrAdd(B.CreatePtrAdd(Own, B.getInt64(Table * Bytes)), At)));
  B.CreateCondBr(B.CreateIsNotNull(Sum), Some, Next);
  B.SetInsertPoint(Some);
  Value *Place = B.CreatePtrAdd(Base, At);
  Align Known = Additions[0].Store->getAlign();
  B.CreateAlignedStore(B.CreateAdd(B.CreateAlignedLoad(Element, Place, Known), Sum), Place, Known);
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
  Value *Behind = B.CreateAdd(At, B.getInt64(Element->getIntegerBitWidth() / 8));
  At->addIncoming(B.getInt64(0), Exit);
  At->addIncoming(Behind, Next);
  B.CreateCondBr(B.CreateICmpEQ(Behind, B.getInt64(Bytes)), Rest, Body);
}

std::string Privatiser::run(std::vector<unsigned> &Lines) {
  if (!L.isLoopSimplifyForm() || !L.isInnermost())
    return "its shape has no place for several tables";
  if (!find())
    return "it adds to no table of 4 kB and less, whose size is known by the index";
  if (!isAlone())
    return "something else of it may touch the table that it adds to";
  if (!L.getUniqueExitBlock() || L.getUniqueExitBlock()->isEHPad())
    return "it has several ways out";
  Function *F = L.getHeader()->getParent();
  IRBuilder<> Entry(&F->getEntryBlock(), F->getEntryBlock().begin());
  Type *I8 = Entry.getInt8Ty();
  AllocaInst *Own = Entry.CreateAlloca(ArrayType::get(I8, Tables * Bytes), nullptr, "private");
  Own->setAlignment(Align(64));
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.CreateMemSet(Own, B.getInt8(0), Tables * Bytes, Align(64));
  // Of several in an iteration each has a table; a single one has another in each iteration.
  Value *Turn = Additions.size() == 1 ? counter() : nullptr;
  for (size_t Number = 0; Number < Additions.size(); Number++) {
    const Addition &Its = Additions[Number];
    B.SetInsertPoint(Its.Load);
    Value *Offset = B.CreateSub(B.CreatePtrToInt(Its.Load->getPointerOperand(), B.getInt64Ty()),
                                B.CreatePtrToInt(Base, B.getInt64Ty()));
    Value *Table = B.getInt64(Number % Tables * Bytes);
    if (Turn)
      Table = B.CreateMul(B.CreateURem(Turn, B.getInt64(Tables)), B.getInt64(Bytes));
    Value *Place = B.CreatePtrAdd(Own, B.CreateAdd(Offset, Table));
    for (Instruction *I : {(Instruction *)Its.Load, (Instruction *)Its.Store}) {
      I->setOperand(isa<StoreInst>(I), Place);
      I->setMetadata(LLVMContext::MD_alias_scope, nullptr);
      I->setMetadata(LLVMContext::MD_noalias, nullptr);
    }
    unsigned Line = Its.Store->getDebugLoc() ? Its.Store->getDebugLoc().getLine() : 0;
    if (Line && !is_contained(Lines, Line))
      Lines.push_back(Line);
  }
  addUp(Own);
  return "";
}

std::string reticle::privatise(Loop &L, unsigned Tables, ScalarEvolution &SE, AAResults &AA,
                               std::vector<unsigned> &Lines) {
  return Privatiser(L, Tables, SE, AA).run(Lines);
}
