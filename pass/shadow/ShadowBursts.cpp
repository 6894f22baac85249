// ShadowBursts.cpp - copies a function's blocks, and puts the changes from one copy to the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A change is possible where both copies have the same values at hand: right behind the phis of a
// block. So those blocks are split there first, then everything is copied, then the ends lead to
// either copy. A value and its copy are two definitions of one variable from then on.
//
// A loop is left behind the phis of its header and entered in front of the other copy's: code
// generation knows only loops with one entry.
//
//       before ---+               before' ---+
//         |       |                 |        |          phis of the entry: what the header's phis
//       entry <---|---------+     entry' <-+ |          start with, or have in the other copy
//         |       |         |       |      | |
//   +-> header ---|---------|-> (entry')   | |
//   |   body      |         +--- header' <-|-|-+
//   +---/         |              body'     | | |
//
// Addresses of blocks are those of the plain copy: an indirect jump goes there, and changes over to
// the same place in the other copy.
#include "pass/shadow/ShadowBursts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

using namespace llvm;
using namespace reticle;

static constexpr unsigned ColdWeight = 1, HotWeight = 100000;
/// In functions with more loops code changes over in outermost ones alone: each place has a phi for
/// each value that lives there, and code generation takes long over many of them (sqlite3VdbeExec).
static constexpr size_t LoopsMax = 16;

/// A name that the assembler must not see twice: a colon behind anything but a number.
static bool definesLabel(StringRef Text) {
  for (size_t Colon = Text.find(':'); Colon != StringRef::npos; Colon = Text.find(':', Colon + 1)) {
    StringRef Name = Text.take_front(Colon);
    Name = Name.drop_front(Name.find_last_of(" \t\n;{") + 1);
    if (!Name.empty() && !all_of(Name, [](char C) { return isDigit(C); }) && Name != "$")
      return true;
  }
  return false;
}

static bool mustBeSingle(const Instruction &I) {
  if (I.getType()->isTokenTy() || I.getType()->isX86_AMXTy() || isa<CallBrInst>(I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    if (definesLabel(Asm->getAsmString()))
      return true;
  return Call->cannotDuplicate() || Call->hasFnAttr(Attribute::ReturnsTwice) ||
         Call->getIntrinsicID() == Intrinsic::localescape;
}

namespace {

class Copier {
public:
  Copier(Function &F, GlobalVariable &Mask) : F(F), Mask(Mask) {}
  SmallPtrSet<BasicBlock *, 32> run();

private:
  /// Where code changes over: the end of Head, in front of Body. Entry: of a loop; null: the change
  /// leads to the other Body.
  struct Change {
    BasicBlock *Head, *Body, *Entry;
  };

  void splitEntry();
  BasicBlock *entryOf(Loop &L, DominatorTree &Tree, LoopInfo &Loops);
  void split();
  bool isPassedInside(const Loop &L, const DominatorTree &Tree) const;
  void copy();
  void leadToPlain(IndirectBrInst &Jump, IndirectBrInst &Copy);
  void decide(BasicBlock &Head, BasicBlock &Plain, BasicBlock &Marked);
  void enter(BasicBlock &Entry, BasicBlock &Head, BasicBlock &From);
  void change(const Change &C);
  void join();
  void dropLostVariables();
  template <typename T> T *copyOf(T *Original) {
    Value *Found = Map.lookup(Original);
    return cast_or_null<T>(Found);
  }

  Function &F;
  GlobalVariable &Mask;
  SmallVector<Change, 16> Changes; ///< the function's entry first
  SmallSetVector<BasicBlock *, 16> Heads;
  SmallVector<BasicBlock *, 64> Originals, Copies;
  ValueToValueMapTy Map;
};

} // namespace

/// Variables on the stack stay in front of both copies: they are one.
void Copier::splitEntry() {
  BasicBlock &Entry = F.getEntryBlock();
  auto IsVariable = [](const Instruction &I) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    return Variable && Variable->isStaticAlloca();
  };
  auto Rest = find_if_not(Entry, IsVariable);
  for (Instruction &I : make_early_inc_range(make_range(Rest, Entry.end())))
    if (IsVariable(I))
      I.moveBefore(Entry, Rest);
  BasicBlock *Body = Entry.splitBasicBlock(Rest);
  Changes.push_back({&Entry, Body, nullptr});
}

/// Whether each iteration crosses a switch point in a loop of this one.
bool Copier::isPassedInside(const Loop &L, const DominatorTree &Tree) const {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return any_of(L.blocks(), [&](BasicBlock *Block) {
    return Heads.contains(Block) && Block != L.getHeader() &&
           all_of(Latches, [&](BasicBlock *Latch) { return Tree.dominates(Block, Latch); });
  });
}

void Copier::split() {
  splitEntry();
  DominatorTree Tree(F);
  LoopInfo Loops(Tree);
  for (BasicBlock &Block : F)
    if (isa<IndirectBrInst>(Block.getTerminator()))
      for (BasicBlock *To : successors(&Block))
        Heads.insert(To);
  DenseMap<BasicBlock *, BasicBlock *> Entries; // [header]
  SmallVector<Loop *, 8> All = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(All)) { // inner ones first
    BasicBlock *Header = L->getHeader();
    if (Header->isEHPad() || isa<IndirectBrInst>(Header->getTerminator()) ||
        Heads.contains(Header) || isPassedInside(*L, Tree) ||
        (All.size() > LoopsMax && L->getParentLoop()))
      continue;
    Heads.insert(Header);
    Entries[Header] = entryOf(*L, Tree, Loops);
  }
  for (BasicBlock *Head : Heads)
    Changes.push_back(
        {Head, Head->splitBasicBlock(Head->getFirstNonPHIIt()), Entries.lookup(Head)});
}

/// A block of its own in front of the header. Null: jumps that can't be led elsewhere go to that.
BasicBlock *Copier::entryOf(Loop &L, DominatorTree &Tree, LoopInfo &Loops) {
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    Before = InsertPreheaderForLoop(&L, &Tree, &Loops, nullptr, /*PreserveLCSSA=*/false);
  return Before ? SplitEdge(Before, L.getHeader(), &Tree, &Loops) : nullptr;
}

void Copier::copy() {
  for (BasicBlock &Block : drop_begin(F))
    Originals.push_back(&Block);
  for (BasicBlock *Block : Originals) {
    BasicBlock *Copy = CloneBasicBlock(Block, Map, ".marked", &F);
    Map[Block] = Copy;
    Copies.push_back(Copy);
  }
  remapInstructionsInBlocks(Copies, Map);
  for (auto [Original, Copy] : zip(Originals, Copies)) {
    if (auto *Address = BlockAddress::lookup(Copy)) {
      Address->replaceAllUsesWith(BlockAddress::get(Original));
      Address->destroyConstant();
    }
    if (auto *Jump = dyn_cast<IndirectBrInst>(Original->getTerminator()))
      leadToPlain(*Jump, *cast<IndirectBrInst>(Copy->getTerminator()));
  }
}

void Copier::leadToPlain(IndirectBrInst &Jump, IndirectBrInst &Copy) {
  for (unsigned I = 0; I < Jump.getNumDestinations(); I++) {
    BasicBlock *To = Jump.getDestination(I);
    Copy.getDestination(I)->removePredecessor(Copy.getParent(), /*KeepOneInputPHIs=*/true);
    for (PHINode &Phi : To->phis()) {
      Value *Incoming = Phi.getIncomingValueForBlock(Jump.getParent());
      Value *Copied = copyOf(Incoming);
      Phi.addIncoming(Copied ? Copied : Incoming, Copy.getParent());
    }
    Copy.setSuccessor(I, To);
  }
}

void Copier::decide(BasicBlock &Head, BasicBlock &Plain, BasicBlock &Marked) {
  Instruction *End = Head.getTerminator();
  IRBuilder<> B(End);
  // Line 0: no source line is charged for it.
  DebugLoc Location;
  if (DISubprogram *Subprogram = F.getSubprogram())
    Location = DILocation::get(F.getContext(), 0, 0, Subprogram);
  B.SetCurrentDebugLocation(Location);
  // Volatile: it changes at any time, and must not be moved out of a loop.
  LoadInst *Marking = B.CreateLoad(B.getInt8Ty(), &Mask, /*isVolatile=*/true);
  Marking->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(F.getContext(), {}));
  B.CreateCondBr(B.CreateICmpNE(Marking, B.getInt8(0)), &Marked, &Plain,
                 MDBuilder(F.getContext()).createBranchWeights(ColdWeight, HotWeight));
  End->eraseFromParent();
}

/// Entry of one copy's loop is reached from the other copy's header, too.
void Copier::enter(BasicBlock &Entry, BasicBlock &Head, BasicBlock &From) {
  BasicBlock *Before = Entry.getSinglePredecessor();
  for (auto [Mine, Theirs] : zip(Head.phis(), From.phis())) {
    Value *Start = Mine.getIncomingValueForBlock(&Entry);
    PHINode *Either = PHINode::Create(Start->getType(), 2, "", Entry.begin());
    Either->addIncoming(Start, Before);
    Either->addIncoming(&Theirs, &From);
    Mine.setIncomingValueForBlock(&Entry, Either);
  }
}

void Copier::change(const Change &C) {
  BasicBlock *Head = copyOf(C.Head), *Body = copyOf(C.Body);
  if (C.Entry) {
    BasicBlock *Entry = copyOf(C.Entry);
    enter(*C.Entry, *C.Head, *Head);
    enter(*Entry, *Head, *C.Head);
    decide(*C.Head, *C.Body, *Entry);
    decide(*Head, *C.Entry, *Body);
    return;
  }
  decide(*C.Head, *C.Body, *Body);
  if (Head) // the function's entry has no copy
    decide(*Head, *C.Body, *Body);
}

/// Makes one variable of each value and its copy where that is used in another block.
void Copier::join() {
  DominatorTree Tree(F);
  SSAUpdaterBulk Variables;
  auto IsElsewhere = [](const Use &U, const BasicBlock *Here) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    return (Phi ? Phi->getIncomingBlock(U) : User->getParent()) != Here;
  };
  for (BasicBlock *Block : Originals)
    for (Instruction &I : *Block) {
      Instruction *Both[] = {&I, copyOf(&I)};
      if (!Both[1]) // a question, or a phi in front of a loop: nobody else uses it
        continue;
      SmallVector<Use *, 8> Uses;
      for (Instruction *One : Both)
        for (Use &U : One->uses())
          if (IsElsewhere(U, One->getParent()))
            Uses.push_back(&U);
      if (Uses.empty())
        continue;
      unsigned Variable = Variables.AddVariable(I.getName(), I.getType());
      for (Instruction *One : Both)
        if (Tree.isReachableFromEntry(One->getParent()))
          Variables.AddAvailableValue(Variable, One->getParent(), One);
      for (Use *U : Uses)
        Variables.AddUse(Variable, U);
    }
  Variables.RewriteAllUses(&Tree);
}

/// What a debugger would read in the other copy's register.
void Copier::dropLostVariables() {
  DominatorTree Tree(F);
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      for (Value *Location : Record.location_ops())
        if (auto *Known = dyn_cast<Instruction>(Location); Known && !Tree.dominates(Known, &I)) {
          Record.setKillLocation();
          break;
        }
}

SmallPtrSet<BasicBlock *, 32> Copier::run() {
  EliminateUnreachableBlocks(F);
  split();
  copy();
  for (const Change &C : Changes)
    change(C);
  join();
  EliminateUnreachableBlocks(F); // heads that only indirect jumps led to
  dropLostVariables();
  SmallPtrSet<BasicBlock *, 32> Plain(Originals.begin(), Originals.end());
  Plain.insert(&F.getEntryBlock());
  return Plain;
}

SmallPtrSet<BasicBlock *, 32> reticle::copyForBursts(Function &F, GlobalVariable &Mask) {
  if (any_of(instructions(F), mustBeSingle))
    return {};
  return Copier(F, Mask).run();
}
