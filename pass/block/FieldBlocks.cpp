// FieldBlocks.cpp - solves the flow of a function for the counters that it needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//      A         A and D run equally often, if B can't end the program or leave the function:
//     / \        one counter for both. If B and C are counted, A and D need none: A = B + C.
//    B   C
//     \ /
//      D
#include "pass/block/FieldBlocks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace reticle;

/// Blocks between two that are looked at; what lies further apart gets two counters.
static constexpr size_t BetweenMax = 24, RegionMax = 64;
/// Steps up the tree of post-dominators.
static constexpr unsigned StepsMax = 8;
/// Counters that one block may be the sum of: its accesses are listed once for each.
static constexpr size_t SumMax = 8;
/// New counters must spare more than they cost: how often they run for one execution of the block
/// that needs none by them. Where an edge has to be split, a jump comes with it.
static constexpr double CostMax = 0.7, SplitCost = 1.27;
/// Ways out of a region that may still become fewer, and those of one of its blocks.
static constexpr size_t TermsMax = 24, SuccessorsMax = 16;

BlockSums::BlockSums(ArrayRef<Instruction *> P, const PostDominatorTree &PDT, const LoopInfo &Loops,
                     const BranchProbabilityInfo &Probabilities,
                     const BlockFrequencyInfo &Frequencies)
    : Places(P), LI(Loops), BPI(Probabilities), BFI(Frequencies) {
  for (unsigned I = 0; I < Places.size(); I++) {
    AtBlock[Places[I]->getParent()] = I;
    Leader.push_back(I);
  }
  join(PDT);
  split();
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
  if (!grows(Class)) {
    Parts.erase(Class);
    return false;
  }
  for (unsigned Part : Sum)
    SumsOf[Part].push_back(Class);
  return true;
}

/// Whether the class, and what is a sum of it, may have the parts that they now have.
bool BlockSums::grows(unsigned Class) const {
  if (sum(Class).size() > SumMax)
    return false;
  auto It = SumsOf.find(Class);
  return It == SumsOf.end() || all_of(It->second, [this](unsigned Other) { return grows(Other); });
}

/// Blocks that only run behind a first one, each at most once for one execution of it, inner loops
/// apart; and the ways out of them.
class BlockSums::Region {
public:
  Region(const BlockSums &Sums, unsigned I) : Sums(Sums), I(I) {
    First = Sums.Places[I]->getParent();
    add(First);
  }
  /// Takes in blocks that follow. False: there are none that may be.
  bool grow();
  /// What leaves it, as a sum. None if that costs more counters than it spares.
  bool cut(SmallVectorImpl<unsigned> &Classes, SmallVectorImpl<Edge> &NewEdges, double &Cost) const;

private:
  void add(const BasicBlock *Block) {
    Blocks.push_back(Block);
    Known.insert(Block);
  }
  bool entersOnlyFromHere(const BasicBlock *Block, const Loop *Inside = nullptr) const {
    return all_of(predecessors(Block), [&](const BasicBlock *Last) {
      return Known.count(Last) || (Inside && Inside->contains(Last));
    });
  }
  /// Whether the block's counter says how often it is reached from here.
  bool isCounted(const BasicBlock *Block, unsigned &Class) const;
  bool mayTake(const BasicBlock *Block) const {
    return Sums.isClear(Block) && Block->getTerminator()->getNumSuccessors() &&
           (isa<BranchInst>(Block->getTerminator()) || isa<SwitchInst>(Block->getTerminator()));
  }

  const BlockSums &Sums;
  unsigned I;
  const BasicBlock *First;
  SmallVector<const BasicBlock *, 16> Blocks;
  SmallPtrSet<const BasicBlock *, 16> Known;
};

bool BlockSums::Region::isCounted(const BasicBlock *Block, unsigned &Class) const {
  auto It = Sums.AtBlock.find(Block);
  if (It == Sums.AtBlock.end() || Block == First || !entersOnlyFromHere(Block) ||
      !Sums.headIsClear(It->second))
    return false;
  Class = Sums.leader(It->second);
  return !Sums.dependsOn(Class, Sums.leader(I));
}

bool BlockSums::Region::grow() {
  for (size_t N = 0; N < Blocks.size(); N++)
    for (const BasicBlock *Next : successors(Blocks[N])) {
      unsigned Class;
      if (Next == First || Known.count(Next) || isCounted(Next, Class))
        continue;
      const Loop *L = Sums.LI.getLoopFor(Next);
      bool StartsLoop = L && L->getHeader() == Next && !L->contains(First);
      if (!entersOnlyFromHere(Next, StartsLoop ? L : nullptr))
        continue;
      size_t More = StartsLoop ? L->getNumBlocks() : 1;
      if (Blocks.size() + More > RegionMax ||
          !(StartsLoop ? all_of(L->blocks(), [&](const BasicBlock *B) { return mayTake(B); })
                       : mayTake(Next)))
        continue;
      if (!StartsLoop)
        add(Next);
      else
        for (const BasicBlock *Inner : L->blocks())
          add(Inner);
      return true;
    }
  return false;
}

bool BlockSums::Region::cut(SmallVectorImpl<unsigned> &Classes, SmallVectorImpl<Edge> &NewEdges,
                            double &Cost) const {
  double Whole = static_cast<double>(Sums.BFI.getBlockFreq(First).getFrequency());
  Cost = 0;
  for (const BasicBlock *Block : Blocks) {
    const Instruction *End = Block->getTerminator();
    if (End->getNumSuccessors() > SuccessorsMax)
      return false;
    SmallPtrSet<const BasicBlock *, 4> Seen;
    for (unsigned N = 0; N < End->getNumSuccessors(); N++) {
      const BasicBlock *Next = End->getSuccessor(N);
      unsigned Class;
      if ((Known.count(Next) && Next != First) || !Seen.insert(Next).second)
        continue;
      if (isCounted(Next, Class)) {
        if (!is_contained(Classes, Class))
          Classes.push_back(Class);
        continue;
      }
      auto Counted = Sums.ClassOfEdge.find({Block, N});
      if (Counted != Sums.ClassOfEdge.end()) {
        Classes.push_back(Counted->second);
        continue;
      }
      double Taken = static_cast<double>(
                         (Sums.BFI.getBlockFreq(Block) * Sums.BPI.getEdgeProbability(Block, Next))
                             .getFrequency()) /
                     std::max(Whole, 1.0);
      bool IsSplit = Next->getUniquePredecessor() != Block && Block->getUniqueSuccessor() != Next;
      Cost += IsSplit ? Taken * SplitCost : Taken;
      NewEdges.push_back({const_cast<BasicBlock *>(Block), N});
    }
    if (Classes.size() + NewEdges.size() > TermsMax)
      return false;
  }
  return Cost <= CostMax && Classes.size() + NewEdges.size() <= SumMax &&
         !(Classes.empty() && NewEdges.empty());
}

/// As the sum of what is behind it, for which some ways may get a counter.
bool BlockSums::splitBehind(unsigned I) {
  const Instruction *End = Places[I]->getParent()->getTerminator();
  if (!isa<BranchInst>(End) && !isa<SwitchInst>(End))
    return false;
  Region Behind(*this, I);
  SmallVector<unsigned, 8> Best;
  SmallVector<Edge, 8> BestEdges;
  double BestCost = CostMax + 1;
  do {
    SmallVector<unsigned, 8> Classes;
    SmallVector<Edge, 8> NewEdges;
    double Cost;
    if (!Behind.cut(Classes, NewEdges, Cost) || Cost >= BestCost)
      continue;
    Best = std::move(Classes);
    BestEdges = std::move(NewEdges);
    BestCost = Cost;
  } while (Behind.grow());
  if (BestCost > CostMax)
    return false;
  size_t PlacesAndEdges = Leader.size();
  for (const Edge &E : BestEdges) {
    ClassOfEdge[{E.From, E.Successor}] = static_cast<unsigned>(Leader.size());
    Best.push_back(static_cast<unsigned>(Leader.size()));
    Leader.push_back(Best.back());
    Edges.push_back(E);
  }
  if (express(leader(I), Best))
    return true;
  for (const Edge &E : BestEdges)
    ClassOfEdge.erase({E.From, E.Successor});
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

void BlockSums::split() {
  for (unsigned I = 0; I < Places.size(); I++) {
    if (!Parts.count(leader(I)) && tailIsClear(I))
      splitBehind(I);
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
