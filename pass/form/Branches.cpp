// Branches.cpp - moves both sides of a branch in front of it; splits blocks at selects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/form/Branches.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// Ways that a switch goes, but for one: each is compared.
static constexpr unsigned WaysMost = 4, CasesMost = 8;
/// Up to so many operations of a branch nothing is loaded that need not be: it may miss the cache.
static constexpr unsigned FewOperations = 4;
/// What is stored or loaded at once; wider ones are vectors, whose branches are rare.
static constexpr uint64_t BytesMost = 16;

namespace {

/// A branch over one block, or over two.
struct Choice {
  BranchInst *Branch;
  BasicBlock *Sides[2]; ///< where it is true, where it is false; null: nothing there
  BasicBlock *Join;
};

class Selecter {
public:
  Selecter(Loop &L, unsigned Most)
      : L(L), Own(L.block_begin(), L.block_end()), Most(Most),
        Layout(L.getHeader()->getModule()->getDataLayout()) {}
  std::string run(std::vector<unsigned> &Lines);

private:
  bool find(BasicBlock &From, Choice &Out) const;
  bool mayMove(const BasicBlock &Side, unsigned &Count) const;
  bool isPlain(const SwitchInst &Switch) const;
  AllocaInst *scratch();
  void move(BasicBlock &Side, const Choice &C, bool IsTrue);
  void convert(const Choice &C);

  Loop &L;
  SmallPtrSet<const BasicBlock *, 16> Own; ///< its blocks, and those made for it
  unsigned Most;
  const DataLayout &Layout;
  AllocaInst *Scratch = nullptr;
};

} // namespace

/// The type that a load or store is of; null: neither.
static Type *accessed(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->getType();
  const auto *Store = dyn_cast<StoreInst>(&I);
  return Store ? Store->getValueOperand()->getType() : nullptr;
}

static bool isSimple(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return cast<StoreInst>(I).isSimple();
}

/// Whether all of it can be done where it isn't wanted.
bool Selecter::mayMove(const BasicBlock &Side, unsigned &Count) const {
  for (const Instruction &I : Side) {
    if (I.isTerminator() || I.isDebugOrPseudoInst())
      continue;
    if (isa<PHINode>(I) || ++Count > Most)
      return false;
    if (Type *T = accessed(I)) {
      TypeSize Size = Layout.getTypeStoreSize(T);
      if ((isa<LoadInst>(I) && Most <= FewOperations) || !isSimple(I) || Size.isScalable() ||
          Size.getFixedValue() > BytesMost ||
          I.getOperand(isa<StoreInst>(I))->getType()->getPointerAddressSpace() != 0)
        return false;
    } else if (!isSafeToSpeculativelyExecute(&I)) {
      return false;
    }
  }
  return true;
}

bool Selecter::find(BasicBlock &From, Choice &Out) const {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return false;
  // The block behind a side that nothing else leads to, and that leads to one place.
  auto behind = [&](BasicBlock *Side) -> BasicBlock * {
    auto *End = dyn_cast<BranchInst>(Side->getTerminator());
    return Side->getSinglePredecessor() == &From && End && End->isUnconditional() &&
                   !Side->isEHPad() && !Side->hasAddressTaken()
               ? End->getSuccessor(0)
               : nullptr;
  };
  BasicBlock *True = Branch->getSuccessor(0), *False = Branch->getSuccessor(1);
  BasicBlock *BehindTrue = behind(True), *BehindFalse = behind(False);
  if (BehindTrue && BehindTrue == BehindFalse)
    Out = {Branch, {True, False}, BehindTrue};
  else if (BehindTrue == False)
    Out = {Branch, {True, nullptr}, False};
  else if (BehindFalse == True)
    Out = {Branch, {nullptr, False}, True};
  else
    return false;
  unsigned Count = 0;
  return Own.contains(Out.Join) && Out.Join != &From && !Out.Join->isEHPad() &&
         all_of(Out.Sides, [&](BasicBlock *Side) {
           return !Side || (Own.contains(Side) && mayMove(*Side, Count));
         });
}

/// Whether all its ways are over a few operations to one place.
bool Selecter::isPlain(const SwitchInst &Switch) const {
  const BasicBlock *From = Switch.getParent(), *Join = nullptr;
  SmallPtrSet<const BasicBlock *, 8> Ways;
  unsigned Count = 0;
  for (const BasicBlock *Way : successors(From))
    Ways.insert(Way);
  if (Ways.size() > WaysMost + 1 || Switch.getNumCases() > CasesMost)
    return false;
  for (const BasicBlock *Way : Ways) {
    auto *End = dyn_cast<BranchInst>(Way->getTerminator());
    bool IsSide = Way->getUniquePredecessor() == From && End && End->isUnconditional();
    const BasicBlock *Behind = IsSide ? End->getSuccessor(0) : Way;
    if (!Own.contains(Way) || Way->isEHPad() || (Join && Join != Behind) || Behind == From ||
        (IsSide && (Way->hasAddressTaken() || !mayMove(*Way, Count))))
      return false;
    Join = Behind;
  }
  return Ways.size() > 1;
}

/// As comparisons, one behind the other.
static void lower(SwitchInst &Switch, SmallVectorImpl<BasicBlock *> &Blocks) {
  BasicBlock *From = Switch.getParent(), *Default = Switch.getDefaultDest(), *At = From;
  SmallSetVector<BasicBlock *, 8> Ways;
  for (BasicBlock *Way : successors(From))
    if (Way != Default)
      Ways.insert(Way);
  DenseMap<BasicBlock *, BasicBlock *> Leads; // the block that leads there now
  IRBuilder<> B(&Switch);
  for (BasicBlock *Way : Ways) {
    Value *Is = nullptr;
    for (auto Case : Switch.cases())
      if (Case.getCaseSuccessor() == Way) {
        Value *Equals = B.CreateICmpEQ(Switch.getCondition(), Case.getCaseValue());
        Is = Is ? B.CreateOr(Is, Equals) : Equals;
      }
    BasicBlock *Next = Default;
    if (Way != Ways.back()) {
      Next = BasicBlock::Create(From->getContext(), "reticle.case", From->getParent(), Way);
      Blocks.push_back(Next);
    }
    B.CreateCondBr(Is, Way, Next);
    Leads[Way] = At;
    Leads[Default] = At;
    At = Next;
    if (Next != Default)
      B.SetInsertPoint(Next);
  }
  for (auto [Way, By] : Leads)
    for (PHINode &Phi : Way->phis()) {
      Value *Kept = Phi.getIncomingValueForBlock(From);
      while (Phi.getBasicBlockIndex(From) >= 0)
        Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
      Phi.addIncoming(Kept, By);
    }
  Switch.eraseFromParent();
}

/// Where what isn't wanted is stored to and loaded from.
AllocaInst *Selecter::scratch() {
  if (Scratch)
    return Scratch;
  BasicBlock &Entry = L.getHeader()->getParent()->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  Type *I64 = B.getInt64Ty();
  Scratch = B.CreateAlloca(ArrayType::get(I64, BytesMost / 8), nullptr, "reticle.scratch");
  Scratch->setAlignment(Align(64));
  for (unsigned At = 0; At < BytesMost / 8; At++)
    B.CreateStore(B.getInt64(0), B.CreateConstInBoundsGEP1_64(I64, Scratch, At));
  return Scratch;
}

static Value *select(IRBuilder<> &B, Value *Condition, Value *True, Value *False) {
  if (True == False)
    return True;
  Value *Made = B.CreateSelect(Condition, True, False);
  if (auto *I = dyn_cast<Instruction>(Made)) // without it the code generator would guess
    I->setMetadata(LLVMContext::MD_unpredictable, MDNode::get(I->getContext(), {}));
  return Made;
}

void Selecter::move(BasicBlock &Side, const Choice &C, bool IsTrue) {
  for (Instruction &I : make_early_inc_range(Side)) {
    if (I.isTerminator())
      break;
    if (I.isDebugOrPseudoInst()) {
      I.eraseFromParent();
      continue;
    }
    I.dropDbgRecords();
    I.moveBefore(*C.Branch->getParent(), C.Branch->getIterator());
    I.dropUBImplyingAttrsAndMetadata();
    if (!accessed(I) || isSafeToSpeculativelyExecute(&I))
      continue;
    IRBuilder<> B(&I);
    unsigned At = isa<StoreInst>(I) ? 1 : 0;
    Value *Address = I.getOperand(At), *Condition = C.Branch->getCondition();
    I.setOperand(At, IsTrue ? select(B, Condition, Address, scratch())
                            : select(B, Condition, scratch(), Address));
    I.setMetadata(LLVMContext::MD_tbaa, nullptr); // of the place of its own it isn't true
    I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    I.setMetadata(LLVMContext::MD_noalias, nullptr);
  }
}

void Selecter::convert(const Choice &C) {
  BasicBlock *From = C.Branch->getParent();
  for (unsigned At = 0; At < 2; At++)
    if (C.Sides[At])
      move(*C.Sides[At], C, At == 0);
  BasicBlock *Ends[] = {C.Sides[0] ? C.Sides[0] : From, C.Sides[1] ? C.Sides[1] : From};
  IRBuilder<> B(C.Branch);
  for (PHINode &Phi : C.Join->phis()) {
    Value *Both = select(B, C.Branch->getCondition(), Phi.getIncomingValueForBlock(Ends[0]),
                         Phi.getIncomingValueForBlock(Ends[1]));
    for (BasicBlock *End : Ends)
      if (Phi.getBasicBlockIndex(End) >= 0)
        Phi.removeIncomingValue(End, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(Both, From);
  }
  BranchInst *Plain = BranchInst::Create(C.Join, C.Branch->getIterator());
  Plain->setDebugLoc(C.Branch->getDebugLoc());
  Plain->setMetadata(LLVMContext::MD_loop, C.Branch->getMetadata(LLVMContext::MD_loop));
  C.Branch->eraseFromParent();
  for (BasicBlock *Side : C.Sides)
    if (Side) {
      if (MDNode *Facts = Side->getTerminator()->getMetadata(LLVMContext::MD_loop))
        Plain->setMetadata(LLVMContext::MD_loop, Facts);
      Side->dropAllReferences();
      Side->eraseFromParent();
    }
}

static void addLine(const Instruction &I, std::vector<unsigned> &Lines) {
  unsigned Line = I.getDebugLoc() ? I.getDebugLoc().getLine() : 0;
  if (Line && !is_contained(Lines, Line))
    Lines.push_back(Line);
}

std::string Selecter::run(std::vector<unsigned> &Lines) {
  SmallVector<BasicBlock *, 16> Blocks(L.block_begin(), L.block_end());
  bool Found = false, IsNew = true;
  while (IsNew) { // a branch around what was one
    IsNew = false;
    for (size_t At = 0; At < Blocks.size(); At++) {
      BasicBlock *Block = Blocks[At];
      Choice C;
      auto *Switch = Block ? dyn_cast<SwitchInst>(Block->getTerminator()) : nullptr;
      if (Switch && isPlain(*Switch)) {
        addLine(*Switch, Lines);
        size_t Before = Blocks.size();
        lower(*Switch, Blocks);
        Own.insert(Blocks.begin() + Before, Blocks.end());
        IsNew = true;
      }
      if (!Block || !find(*Block, C))
        continue;
      addLine(*C.Branch, Lines);
      for (BasicBlock *&Other : Blocks)
        if (Other && is_contained(C.Sides, Other))
          Other = nullptr;
      convert(C);
      IsNew = Found = true;
      BasicBlock *Join = C.Join;
      if (Join->getSinglePredecessor() == Block && Join != L.getHeader() &&
          MergeBlockIntoPredecessor(Join))
        *llvm::find(Blocks, Join) = nullptr;
    }
  }
  return Found ? "" : "it has no branch around a few plain operations";
}

std::string reticle::selectBranches(Loop &L, unsigned Most, std::vector<unsigned> &Lines) {
  return Selecter(L, Most).run(Lines);
}

std::string reticle::branchSelects(Loop &L, std::vector<unsigned> &Lines) {
  SmallVector<SelectInst *, 8> Selects;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Select = dyn_cast<SelectInst>(&I);
          Select && Select->getCondition()->getType()->isIntegerTy(1))
        Selects.push_back(Select);
  for (SelectInst *Select : Selects) {
    addLine(*Select, Lines);
    BasicBlock *From = Select->getParent();
    BasicBlock *Join = SplitBlock(From, Select->getIterator());
    BasicBlock *True =
        BasicBlock::Create(From->getContext(), "reticle.true", From->getParent(), Join);
    BranchInst::Create(Join, True)->setDebugLoc(Select->getDebugLoc());
    Instruction *End = From->getTerminator();
    Value *Condition = Select->getCondition();
    if (!isGuaranteedNotToBeUndefOrPoison(Condition)) // selects may have it, branches not
      Condition = IRBuilder<>(End).CreateFreeze(Condition);
    BranchInst *Branch = BranchInst::Create(True, Join, Condition, End->getIterator());
    Branch->setDebugLoc(Select->getDebugLoc());
    End->eraseFromParent();
    PHINode *Phi = PHINode::Create(Select->getType(), 2, "", Join->begin());
    Phi->setDebugLoc(Select->getDebugLoc());
    Phi->addIncoming(Select->getTrueValue(), True);
    Phi->addIncoming(Select->getFalseValue(), From);
    Select->replaceAllUsesWith(Phi);
    Select->eraseFromParent();
  }
  return Selects.empty() ? "it has no select" : "";
}
