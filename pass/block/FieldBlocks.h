// FieldBlocks.h - which blocks need a counter of their own, and whose counters say the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BLOCK_FIELDBLOCKS_H
#define RETICLE_PASS_BLOCK_FIELDBLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace llvm {
class BasicBlock;
class BlockFrequencyInfo;
class BranchProbabilityInfo;
class Instruction;
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace reticle {

/// For the blocks of one function whose executions are wanted. Each has a place: the instruction in
/// front of which a counter would stand.
///
/// Blocks of which one is never executed without the other share a counter. A block whose
/// executions are those of what follows it, or of its predecessors, together has none: ways out
/// that are seldom taken get a counter rather than what stands before them. Only where
/// every instruction between the places hands on to the next: what is left by exit, longjmp or an
/// exception in between would count wrongly.
class BlockSums {
public:
  BlockSums(llvm::ArrayRef<llvm::Instruction *> Places, const llvm::PostDominatorTree &PDT,
            const llvm::LoopInfo &LI, const llvm::BranchProbabilityInfo &BPI,
            const llvm::BlockFrequencyInfo &BFI);

  /// The counters whose sum is the executions of Places[I]; I alone where it has its own. One may
  /// be there twice. A number from the size of Places on is that of an edge.
  llvm::SmallVector<unsigned, 8> sum(unsigned I) const;

  /// Between blocks: counted as well.
  struct Edge {
    llvm::BasicBlock *From;
    unsigned Successor;
  };
  llvm::ArrayRef<Edge> edges() const { return Edges; }

private:
  unsigned leader(unsigned I) const;
  void join(const llvm::PostDominatorTree &PDT);
  bool together(unsigned A, unsigned B) const;
  class Region;
  void split();
  bool splitBehind(unsigned I);
  bool splitBefore(unsigned I);
  bool express(unsigned Class, llvm::ArrayRef<unsigned> Sum);
  bool grows(unsigned Class) const;
  bool dependsOn(unsigned Class, unsigned Other) const;
  bool headIsClear(unsigned I) const;
  bool tailIsClear(unsigned I) const;
  bool isClear(const llvm::BasicBlock *Block) const;

  llvm::ArrayRef<llvm::Instruction *> Places;
  const llvm::LoopInfo &LI;
  const llvm::BranchProbabilityInfo &BPI;
  const llvm::BlockFrequencyInfo &BFI;
  llvm::SmallVector<Edge, 8> Edges;
  std::map<std::pair<const llvm::BasicBlock *, unsigned>, unsigned> ClassOfEdge;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> AtBlock;
  llvm::SmallVector<unsigned, 16> Leader; ///< towards the class's first place
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 4>>
      Parts; ///< class -> classes that add up to it
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 4>>
      SumsOf; ///< class -> classes that it is a part of
  mutable llvm::DenseMap<const llvm::BasicBlock *, bool> Clear;
};

} // namespace reticle

#endif
