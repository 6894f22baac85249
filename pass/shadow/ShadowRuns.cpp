// ShadowRuns.cpp - joins the words that one run of instructions touches into few marks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only time makes a second mark of a word necessary: a sample may lie between. That an object is
// freed and another takes its place can't be: the pointer to the first is not valid for the second.
// So a mark does for all that it dominates, until a loop goes round.
#include "pass/shadow/ShadowRuns.h"
#include "include/reticle/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace reticle;

void ShadowRun::add(Value &Base, Instruction &I, int64_t First, unsigned Count, unsigned Kinds) {
  ShadowTouches &Touched = Objects[&Base];
  if (!Touched.Before)
    Touched.Before = &I;
  for (unsigned Word = 0; Word < Count; Word++)
    Touched.Words[First + Word] |= Kinds;
}

static bool isCall(const Instruction &I) { return isa<CallBase>(I) && !isa<IntrinsicInst>(I); }

bool reticle::mayStay(const Instruction &I) {
  return isCall(I) && !isGuaranteedToTransferExecutionToSuccessor(&I);
}

/// Steps up the tree of dominators.
static constexpr unsigned StepsMax = 4;

namespace {

class Pruner {
public:
  Pruner(Function &F, ShadowRuns &Runs, bool Apart) : Apart(Apart), Tree(F), Loops(Tree) {
    for (ShadowRun &Run : Runs)
      Of[Run.Block].push_back(&Run);
  }
  void hoist();
  void prune();

private:
  /// A kind of access to a word; 0 where kinds aren't told apart.
  using Word = std::tuple<Value *, int64_t, unsigned>;

  bool isQuick(const Loop &L);
  const Loop *loopOf(const BasicBlock &Block);
  void hoistFrom(Loop &L);
  void prune(BasicBlock &Block);
  bool isMarked(const Word &W, BasicBlock &Block, const Loop *Own);
  void prune(Value &Base, ShadowTouches &Touched, BasicBlock &Block, const Loop *Own);
  bool isRightBefore(const ShadowRun &Earlier, const ShadowRun &Run);

  bool Apart;
  DominatorTree Tree;
  LoopInfo Loops;
  DenseMap<const BasicBlock *, SmallVector<ShadowRun *, 1>> Of;
  DenseMap<const Loop *, bool> Quick;
  /// Blocks that mark the word, each dominating the next.
  DenseMap<Word, SmallVector<BasicBlock *, 2>> Marked;
  /// What marks the object, each dominating the next.
  DenseMap<Value *, SmallVector<std::pair<ShadowRun *, ShadowTouches *>, 2>> Last;
};

} // namespace

/// Innermost, and without a call.
bool Pruner::isQuick(const Loop &L) {
  auto [Known, IsNew] = Quick.try_emplace(&L, false);
  if (IsNew)
    Known->second = L.isInnermost() && none_of(L.blocks(), [](const BasicBlock *Block) {
                      return any_of(*Block, isCall);
                    });
  return Known->second;
}

/// The loop whose next iteration needs marks of its own.
const Loop *Pruner::loopOf(const BasicBlock &Block) {
  const Loop *L = Loops.getLoopFor(&Block);
  return L && !Apart && isQuick(*L) ? L->getParentLoop() : L;
}

/// Marks in blocks that each iteration passes.
void Pruner::hoistFrom(Loop &L) {
  BasicBlock *Preheader = L.getLoopPreheader();
  if (!Preheader)
    return;
  SmallVector<BasicBlock *, 8> Ends;
  L.getExitingBlocks(Ends);
  L.getLoopLatches(Ends);
  for (BasicBlock *Block : L.blocks()) {
    if (!all_of(Ends, [&](BasicBlock *End) { return Tree.dominates(Block, End); }))
      continue;
    for (auto &[Base, Touched] : Of[Block].front()->Objects) {
      if (!L.isLoopInvariant(Base))
        continue;
      for (auto [Word, Kinds] : Touched.Words)
        Of[Preheader].back()->add(*Base, *Preheader->getTerminator(), Word, 1, Kinds);
      Touched.Words.clear();
    }
  }
}

void Pruner::hoist() {
  for (Loop *L : Loops.getLoopsInPreorder())
    if (isQuick(*L))
      hoistFrom(*L);
}

/// If not, the block will mark it.
bool Pruner::isMarked(const Word &W, BasicBlock &Block, const Loop *Own) {
  SmallVector<BasicBlock *, 2> &By = Marked[W];
  while (!By.empty() && !Tree.dominates(By.back(), &Block))
    By.pop_back();
  if (!By.empty() && (!Own || Own->contains(By.back())))
    return true;
  By.push_back(&Block);
  return false;
}

void Pruner::prune(Value &Base, ShadowTouches &Touched, BasicBlock &Block, const Loop *Own) {
  for (auto Word = Touched.Words.begin(); Word != Touched.Words.end();) {
    unsigned &Kinds = Word->second;
    if (!Apart && isMarked({&Base, Word->first, 0}, Block, Own))
      Kinds = 0;
    for (unsigned Kind : {RETICLE_SHADOW_READ, RETICLE_SHADOW_WRITTEN})
      if (Apart && Kinds & Kind && isMarked({&Base, Word->first, Kind}, Block, Own))
        Kinds &= ~Kind;
    Word = Kinds ? std::next(Word) : Touched.Words.erase(Word);
  }
}

/// Whether a value of one may wait for the other in a register: few blocks are between, and no
/// call.
bool Pruner::isRightBefore(const ShadowRun &Earlier, const ShadowRun &Run) {
  if (Of[Earlier.Block].back() != &Earlier || Of[Run.Block].front() != &Run)
    return false;
  const DomTreeNode *Node = Tree.getNode(Run.Block);
  for (unsigned Step = 0; Step < StepsMax && Node && (Node = Node->getIDom()); Step++) {
    if (Node->getBlock() == Earlier.Block)
      return true;
    if (Of[Node->getBlock()].size() > 1)
      return false;
  }
  return false;
}

void Pruner::prune(BasicBlock &Block) {
  const Loop *Own = loopOf(Block);
  for (ShadowRun *Run : Of[&Block])
    for (auto &[Base, Touched] : Run->Objects) {
      prune(*Base, Touched, Block, Own);
      if (Touched.Words.empty())
        continue;
      auto &Earlier = Last[Base];
      while (!Earlier.empty() && !Tree.dominates(Earlier.back().first->Block, &Block))
        Earlier.pop_back();
      if (!Earlier.empty() && isRightBefore(*Earlier.back().first, *Run))
        Touched.Known = Earlier.back().second;
      Earlier.push_back({Run, &Touched});
    }
}

// Depth first: a block that is left behind dominates none of those to come.
void Pruner::prune() {
  Tree.updateDFSNumbers();
  for (DomTreeNode *Node : depth_first(&Tree))
    prune(*Node->getBlock());
}

void reticle::leaveOutMarked(Function &F, ShadowRuns &Runs, bool Apart) {
  Pruner P(F, Runs, Apart);
  if (!Apart)
    P.hoist();
  P.prune();
}
