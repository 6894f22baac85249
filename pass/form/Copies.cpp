// Copies.cpp - copies a loop, and draws which copy runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/form/Copies.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace reticle;

/// Instructions of all copies together: more, and code that was in the first cache isn't any more.
static constexpr unsigned InstructionsMost = 4000;

namespace {

class Copier {
public:
  Copier(Loop &L, unsigned Count, uint64_t Chunk) : L(L), Count(Count), Chunk(Chunk) {}
  std::string refusal() const;
  void run(ArrayRef<BasicBlock *> Inside, SmallVectorImpl<SmallVector<BasicBlock *, 4>> &Found);

private:
  void placeDraw();
  void cut();
  BasicBlock *again(BasicBlock *From, BasicBlock *To);
  void makeCopy(unsigned Number, ValueToValueMapTy &Map);

  Loop &L;
  unsigned Count;
  uint64_t Chunk;
  BasicBlock *Before = nullptr, *Draw = nullptr;
  SwitchInst *Choice = nullptr;
  SetVector<BasicBlock *> Blocks; ///< of the first one, with its preheader and what leads back
};

} // namespace

std::string Copier::refusal() const {
  const Function &F = *L.getHeader()->getParent();
  unsigned Instructions = 0;
  if (!L.isLoopSimplifyForm() || !L.isSafeToClone() || F.hasFnAttribute(Attribute::ReturnsTwice) ||
      F.callsFunctionThatReturnsTwice())
    return "its shape allows no copies";
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      Instructions += !I.isDebugOrPseudoInst();
      const auto *Call = dyn_cast<CallBase>(&I);
      if (I.getType()->isTokenTy() || (Call && (Call->isConvergent() || Call->isMustTailCall())))
        return "its shape allows no copies";
      if (Call && Call->isInlineAsm())
        return "it has inline assembly, which may stand only once";
    }
  return Instructions * Count > InstructionsMost ? "its copies would take too much of the cache"
                                                 : "";
}

/// A number of each thread: xorshift64 (Marsaglia 2003). The start differs from run to run, as the
/// address of the thread's variables does. Its place is known when a thread starts: a loop of
/// malloc's may draw.
static Value *drawNumber(IRBuilder<> &B, Module &M, unsigned Count) {
  constexpr StringRef Name = "__reticle_draw";
  Type *I64 = B.getInt64Ty();
  GlobalVariable *State = M.getNamedGlobal(Name);
  if (!State) {
    State = new GlobalVariable(M, I64, /*isConstant=*/false, GlobalValue::InternalLinkage,
                               B.getInt64(0), Name, nullptr, GlobalValue::InitialExecTLSModel);
    State->setAlignment(Align(8));
  }
  Value *Address = B.CreateThreadLocalAddress(State);
  Value *X = B.CreateLoad(I64, Address);
  Value *Seed = B.CreateOr(
      B.CreateMul(B.CreatePtrToInt(Address, I64), B.getInt64(0x9e3779b97f4a7c15u)), B.getInt64(1));
  X = B.CreateSelect(B.CreateIsNull(X), Seed, X);
  X = B.CreateXor(X, B.CreateShl(X, 13));
  X = B.CreateXor(X, B.CreateLShr(X, 7));
  X = B.CreateXor(X, B.CreateShl(X, 17));
  B.CreateStore(X, Address);
  Value *High = B.CreateLShr(X, 32);
  return B.CreateLShr(B.CreateMul(High, B.getInt64(Count)), 32);
}

/// preheader -> draw -> a preheader of its own -> header
void Copier::placeDraw() {
  BasicBlock *Header = L.getHeader();
  DebugLoc Where = L.getStartLoc();
  Before = L.getLoopPreheader();
  Draw = SplitEdge(Before, Header);
  Draw->setName("reticle.draw");
  BasicBlock *Own = SplitEdge(Draw, Header);
  Instruction *End = Draw->getTerminator();
  IRBuilder<> B(End);
  B.SetCurrentDebugLocation(Where);
  Value *Number = drawNumber(B, *Header->getModule(), Count);
  Choice = B.CreateSwitch(Number, Own, Count);
  End->eraseFromParent();
  Blocks.insert(Own);
  Blocks.insert(L.block_begin(), L.block_end());
}

/// A block on the edge, behind which a copy is drawn anew.
BasicBlock *Copier::again(BasicBlock *From, BasicBlock *To) {
  BasicBlock *Again =
      BasicBlock::Create(From->getContext(), "reticle.again", From->getParent(), To);
  BranchInst::Create(Draw, Again)->setDebugLoc(From->getTerminator()->getDebugLoc());
  Blocks.insert(Again);
  return Again;
}

/// Ends the loop behind so many iterations, too, where another copy goes on.
void Copier::cut() {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  BasicBlock *Own = cast<BasicBlock>(Choice->getDefaultDest());
  auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
  bool IsExit = Branch && Branch->isConditional() && L.isLoopExiting(Latch);
  if (!IsExit && !(Branch && Branch->isUnconditional())) {
    MDNode *Facts = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
    Latch->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
    Latch = SplitEdge(Latch, Header);
    Branch = cast<BranchInst>(Latch->getTerminator());
    Branch->setMetadata(LLVMContext::MD_loop, Facts);
    Blocks.insert(Latch);
  }
  IRBuilder<> B(Header, Header->begin());
  PHINode *Counter = B.CreatePHI(B.getInt64Ty(), 2, "reticle.chunk");
  B.SetInsertPoint(Branch);
  Value *Next = B.CreateAdd(Counter, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Value *IsOver = B.CreateICmpEQ(Next, B.getInt64(Chunk));
  Counter->addIncoming(B.getInt64(0), Own);
  Counter->addIncoming(Next, Latch);
  BasicBlock *Again = again(Latch, Header);
  if (!IsExit) {
    BranchInst *Two = BranchInst::Create(Again, Header, IsOver, Branch->getIterator());
    Two->copyMetadata(*Branch);
    Branch->eraseFromParent();
  } else {
    // One branch for both: what goes by a loop's single way out still finds it.
    unsigned HeaderAt = Branch->getSuccessor(0) == Header ? 0 : 1;
    BasicBlock *Exit = Branch->getSuccessor(1 - HeaderAt);
    Value *Ends = Branch->getCondition();
    if (HeaderAt == 0)
      Ends = B.CreateNot(Ends);
    BasicBlock *Which =
        BasicBlock::Create(Header->getContext(), "reticle.which", Header->getParent(), Again);
    Branch->setCondition(B.CreateOr(Ends, IsOver));
    Branch->setSuccessor(0, Which);
    Branch->setSuccessor(1, Header);
    if (HeaderAt == 0)
      Branch->setMetadata(LLVMContext::MD_prof, nullptr);
    B.SetInsertPoint(Which);
    B.SetCurrentDebugLocation(Branch->getDebugLoc());
    B.CreateCondBr(Ends, Exit, Again);
    Exit->replacePhiUsesWith(Latch, Which);
    Blocks.insert(Which);
  }
  // What a new copy begins with.
  for (PHINode &Phi : Header->phis()) {
    if (&Phi == Counter)
      continue;
    auto *Begin = PHINode::Create(Phi.getType(), Count + 1, Phi.getName() + ".drawn");
    Begin->insertInto(Draw, Draw->begin());
    Begin->addIncoming(Phi.getIncomingValueForBlock(Own), Before);
    Begin->addIncoming(Phi.getIncomingValueForBlock(Latch), Again);
    Phi.setIncomingValueForBlock(Own, Begin);
  }
}

/// Blocks that the first one's lead to, by which values go on.
static void addEdges(const SetVector<BasicBlock *> &Blocks, ValueToValueMapTy &Map) {
  SmallSetVector<BasicBlock *, 8> Behind;
  for (BasicBlock *Block : Blocks)
    for (BasicBlock *Successor : successors(Block))
      if (!Blocks.contains(Successor))
        Behind.insert(Successor);
  for (BasicBlock *Block : Behind)
    for (PHINode &Phi : Block->phis())
      for (unsigned At = 0, End = Phi.getNumIncomingValues(); At < End; At++) {
        if (!Blocks.contains(Phi.getIncomingBlock(At)))
          continue;
        Value *Own = Phi.getIncomingValue(At), *Other = Map.lookup(Own);
        Phi.addIncoming(Other ? Other : Own, cast<BasicBlock>(Map[Phi.getIncomingBlock(At)]));
      }
}

void Copier::makeCopy(unsigned Number, ValueToValueMapTy &Map) {
  SmallVector<BasicBlock *, 8> New;
  Function *F = L.getHeader()->getParent();
  for (BasicBlock *Block : Blocks) {
    BasicBlock *Copy = CloneBasicBlock(Block, Map, ".copy", F);
    Map[Block] = Copy;
    New.push_back(Copy);
  }
  remapInstructionsInBlocks(New, Map);
  addEdges(Blocks, Map);
  auto *Type = cast<IntegerType>(Choice->getCondition()->getType());
  Choice->addCase(ConstantInt::get(Type, Number), cast<BasicBlock>(Map[Choice->getDefaultDest()]));
}

void Copier::run(ArrayRef<BasicBlock *> Inside,
                 SmallVectorImpl<SmallVector<BasicBlock *, 4>> &Found) {
  placeDraw();
  if (Chunk)
    cut();
  Found.emplace_back(Inside.begin(), Inside.end());
  for (unsigned Number = 1; Number < Count; Number++) {
    ValueToValueMapTy Map;
    makeCopy(Number, Map);
    auto &Its = Found.emplace_back();
    for (BasicBlock *Block : Inside)
      Its.push_back(cast<BasicBlock>(Map[Block]));
  }
}

std::string reticle::copyLoop(Loop &L, ArrayRef<BasicBlock *> Inside, unsigned Count,
                              uint64_t Chunk, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE,
                              SmallVectorImpl<SmallVector<BasicBlock *, 4>> &Found) {
  Copier Copying(L, Count, Chunk);
  std::string Refusal = Copying.refusal();
  if (!Refusal.empty())
    return Refusal;
  formLCSSARecursively(L, DT, &LI, &SE);
  SE.forgetLoop(&L);
  Copying.run(Inside, Found);
  return "";
}
