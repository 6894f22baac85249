// FieldBlocks.cpp - see FieldBlocks.h
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//      A         A and D run equally often, if B can't end the program or leave the function:
//     / \        one counter for both. If B and C are counted, A and D need none: A = B + C.
//    B   C
//     \ /
//      D
#include "pass/FieldBlocks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace reticle;

/// Blocks between two that are looked at; what lies further apart gets two counters.
static constexpr size_t BetweenMax = 24;
/// Steps up the tree of post-dominators.
static constexpr unsigned StepsMax = 8;
/// Counters that one block may be the sum of: its accesses are listed once for each.
static constexpr size_t SumMax = 8;
/// A new counter, or several, must spare more than it costs: how often they run for one execution
/// of the block that needs none by them. Where an edge has to be split, a jump comes with it.
static const BranchProbability ExtraMax(7, 10), SplitMax(11, 20);

BlockSums::BlockSums(ArrayRef<Instruction *> P, const PostDominatorTree &PDT,
                     const BranchProbabilityInfo &BPI)
    : Places(P) {
  for (unsigned I = 0; I < Places.size(); I++) {
    AtBlock[Places[I]->getParent()] = I;
    Leader.push_back(I);
  }
  join(PDT);
  split(BPI);
}

unsigned BlockSums::leader(unsigned I) const {
  while (Leader[I] != I)
    I = Leader[I];
  return I;
}

static bool allClear(BasicBlock::const_iterator From, BasicBlock::const_iterator To) {
  for (; From != To; ++From)
    if (!isGuaranteedToTransferExecutionToSuccessor(&*From))
      return false;
  return true;
}

bool BlockSums::headIsClear(unsigned I) const {
  return allClear(Places[I]->getParent()->begin(), Places[I]->getIterator());
}

bool BlockSums::tailIsClear(unsigned I) const {
  return allClear(Places[I]->getIterator(), Places[I]->getParent()->end());
}

bool BlockSums::isClear(const BasicBlock *Block) const {
  auto [It, IsNew] = Clear.try_emplace(Block, false);
  if (IsNew)
    It->second = allClear(Block->begin(), Block->end());
  return It->second;
}

/// Whether from A every path leads to B, and to B every path comes from A, without passing either
/// twice or what may not come back.
bool BlockSums::together(unsigned A, unsigned B) const {
  const BasicBlock *From = Places[A]->getParent(), *To = Places[B]->getParent();
  if (!tailIsClear(A) || !headIsClear(B))
    return false;
  auto Walk = [&](const BasicBlock *Start, const BasicBlock *End, auto Next) {
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const BasicBlock *, 16> Left = {Start};
    while (!Left.empty()) {
      const BasicBlock *Block = Left.pop_back_val();
      auto Around = Next(Block);
      if (Around.begin() == Around.end())
        return false;
      for (const BasicBlock *Other : Around) {
        if (Other == Start)
          return false;
        if (Other == End || !Seen.insert(Other).second)
          continue;
        if (Seen.size() > BetweenMax || !isClear(Other))
          return false;
        Left.push_back(Other);
      }
    }
    return true;
  };
  return Walk(From, To, [](const BasicBlock *Block) { return successors(Block); }) &&
         Walk(To, From, [](const BasicBlock *Block) { return predecessors(Block); });
}

void BlockSums::join(const PostDominatorTree &PDT) {
  for (unsigned A = 0; A < Places.size(); A++) {
    const DomTreeNode *Node = PDT.getNode(Places[A]->getParent());
    for (unsigned Step = 0; Step < StepsMax && Node && (Node = Node->getIDom()); Step++) {
      auto It = Node->getBlock() ? AtBlock.find(Node->getBlock()) : AtBlock.end();
      if (It == AtBlock.end())
        continue;
      if (together(A, It->second))
        Leader[leader(It->second)] = leader(A);
      break;
    }
  }
}

bool BlockSums::dependsOn(unsigned Class, unsigned Other) const {
  if (Class == Other)
    return true;
  auto It = Parts.find(Class);
  if (It != Parts.end())
    for (unsigned Part : It->second)
      if (dependsOn(Part, Other))
        return true;
  return false;
}

bool BlockSums::express(unsigned Class, ArrayRef<unsigned> Sum) {
  for (unsigned Part : Sum)
    if (dependsOn(Part, Class))
      return false;
  Parts[Class].assign(Sum.begin(), Sum.end());
  size_t Size = sum(Class).size();
  // What is a sum of this class has now more parts.
  for (unsigned I = 0; I < Places.size() && Size <= SumMax; I++)
    if (Parts.count(I))
      Size = std::max(Size, static_cast<size_t>(sum(I).size()));
  if (Size <= SumMax)
    return true;
  Parts.erase(Class);
  return false;
}

/// As the sum of its successors, of which some may get a counter for that.
bool BlockSums::splitBehind(unsigned I, const BranchProbabilityInfo &BPI) {
  BasicBlock *Block = Places[I]->getParent();
  const Instruction *End = Block->getTerminator();
  size_t PlacesAndEdges = Leader.size();
  SmallVector<unsigned, 4> Sum;
  SmallPtrSet<const BasicBlock *, 4> Seen;
  BranchProbability Extra = BranchProbability::getZero();
  bool Fits = End->getNumSuccessors() <= SumMax && (isa<BranchInst>(End) || isa<SwitchInst>(End));
  for (unsigned N = 0; Fits && N < End->getNumSuccessors(); N++) {
    BasicBlock *Next = End->getSuccessor(N);
    if (!Seen.insert(Next).second)
      continue;
    auto It = AtBlock.find(Next);
    bool IsOnlyWay = Next->getUniquePredecessor() == Block;
    if (It != AtBlock.end() && IsOnlyWay && headIsClear(It->second)) {
      Sum.push_back(leader(It->second));
      continue;
    }
    BranchProbability Taken = BPI.getEdgeProbability(Block, Next);
    Extra += Taken;
    Fits = Taken <= (IsOnlyWay ? ExtraMax : SplitMax) && Extra <= ExtraMax;
    Sum.push_back(static_cast<unsigned>(Leader.size()));
    Leader.push_back(Sum.back());
    Edges.push_back({Block, N});
  }
  if (Fits && !Sum.empty() && express(leader(I), Sum))
    return true;
  Edges.truncate(Edges.size() - (Leader.size() - PlacesAndEdges));
  Leader.truncate(PlacesAndEdges);
  return false;
}

/// As the sum of its predecessors, if they all are counted and lead nowhere else.
bool BlockSums::splitBefore(unsigned I) {
  const BasicBlock *Block = Places[I]->getParent();
  SmallVector<unsigned, 4> Sum;
  SmallPtrSet<const BasicBlock *, 4> Seen;
  for (const BasicBlock *Last : predecessors(Block)) {
    if (!Seen.insert(Last).second)
      continue;
    auto It = AtBlock.find(Last);
    if (It == AtBlock.end() || Sum.size() == SumMax || Last->getUniqueSuccessor() != Block ||
        !tailIsClear(It->second))
      return false;
    Sum.push_back(leader(It->second));
  }
  return !Sum.empty() && express(leader(I), Sum);
}

void BlockSums::split(const BranchProbabilityInfo &BPI) {
  for (unsigned I = 0; I < Places.size(); I++) {
    if (!Parts.count(leader(I)) && tailIsClear(I))
      splitBehind(I, BPI);
    if (!Parts.count(leader(I)) && headIsClear(I))
      splitBefore(I);
  }
}

SmallVector<unsigned, 8> BlockSums::sum(unsigned I) const {
  unsigned Class = leader(I);
  auto It = Parts.find(Class);
  if (It == Parts.end())
    return {Class};
  SmallVector<unsigned, 8> All;
  for (unsigned Part : It->second)
    All.append(sum(Part));
  return All;
}
