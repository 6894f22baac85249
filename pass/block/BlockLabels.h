// BlockLabels.h - the features `label` and `block`: labels of blocks, and their counters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BLOCK_BLOCKLABELS_H
#define RETICLE_PASS_BLOCK_BLOCKLABELS_H

#include "pass/block/BlockCounters.h"
#include "pass/module/Descriptors.h"
#include "llvm/IR/ValueHandle.h"
#include <vector>

namespace reticle {

struct Options;

/// docs/decisions/0013 has the design.
class BlockLabels {
public:
  BlockLabels(llvm::Module &M, const Options &Opts) : M(M), Opts(Opts) {}

  /// Numbers all blocks of the module's functions, as the last pass of the compiler has left them:
  /// in front of everything that this plug-in does to blocks, so that builds with and without
  /// counters have the same numbers.
  void number();
  /// Plans counters for them, and for blocks that were made since.
  void plan(BlockCounters &Counters);
  /// Puts the labels into the code. Behind BlockCounters::emit.
  void emit() const;
  /// Has the code generator put them in, which changes no instruction.
  void emitBehindSelection() const;

  /// Which counters are which label's.
  llvm::ArrayRef<LabelRecord> records() const { return Records; }

private:
  /// Blocks 1 to N of a function. Null: gone since.
  struct Numbered {
    llvm::Function *F;
    uint64_t Id;
    std::vector<llvm::WeakVH> Blocks;
  };
  void planIn(const Numbered &Known, BlockCounters &Counters);

  struct Label {
    llvm::Instruction *Place; ///< in the block; null: the function's entry
    llvm::Function *F;
    uint64_t Function;
    uint32_t Number;
  };
  llvm::Module &M;
  const Options &Opts;
  std::vector<Numbered> Functions;
  std::vector<Label> Labels;
  std::vector<LabelRecord> Records;
};

} // namespace reticle

#endif
