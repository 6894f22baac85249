// FieldBlocks.h - which blocks need a counter of their own, and whose counters say the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FIELDBLOCKS_H
#define RETICLE_PASS_FIELDBLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class BranchProbabilityInfo;
class Instruction;
class PostDominatorTree;
} // namespace llvm

namespace reticle {

/// For the blocks of one function whose executions are wanted. Each has a place: the instruction in
/// front of which a counter would stand.
///
/// Blocks of which one is never executed without the other share a counter. A block whose
/// executions are those of its successors, or of its predecessors, together has none: a way out
/// that is seldom taken gets a counter rather than what stands before it. Only where
/// every instruction between the places hands on to the next: what is left by exit, longjmp or an
/// exception in between would count wrongly.
class BlockSums {
public:
  BlockSums(llvm::ArrayRef<llvm::Instruction *> Places, const llvm::PostDominatorTree &PDT,
            const llvm::BranchProbabilityInfo &BPI);

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
  void split(const llvm::BranchProbabilityInfo &BPI);
  bool splitBehind(unsigned I, const llvm::BranchProbabilityInfo &BPI);
  bool splitBefore(unsigned I);
  bool express(unsigned Class, llvm::ArrayRef<unsigned> Sum);
  bool dependsOn(unsigned Class, unsigned Other) const;
  bool headIsClear(unsigned I) const;
  bool tailIsClear(unsigned I) const;
  bool isClear(const llvm::BasicBlock *Block) const;

  llvm::ArrayRef<llvm::Instruction *> Places;
  llvm::SmallVector<Edge, 8> Edges;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> AtBlock;
  llvm::SmallVector<unsigned, 16> Leader; ///< towards the class's first place
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 4>>
      Parts; ///< class -> classes that add up to it
  mutable llvm::DenseMap<const llvm::BasicBlock *, bool> Clear;
};

} // namespace reticle

#endif
