// BlockLabels.h - the feature `block`: labels of blocks in the machine code, and their counters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BLOCKLABELS_H
#define RETICLE_PASS_BLOCKLABELS_H

#include "pass/BlockCounters.h"
#include "pass/Descriptors.h"
#include <vector>

namespace reticle {

struct Options;

/// docs/decisions/0013 has the design.
class BlockLabels {
public:
  BlockLabels(llvm::Module &M, const Options &Opts) : M(M), Opts(Opts) {}

  /// Plans counters for all blocks of the module's functions.
  void plan(BlockCounters &Counters);
  /// Puts the labels into the code. Behind BlockCounters::emit.
  void emit() const;

  /// Which counters are which label's.
  llvm::ArrayRef<LabelRecord> records() const { return Records; }

private:
  void planIn(llvm::Function &F, BlockCounters &Counters);

  struct Label {
    llvm::Instruction *Place; ///< in the block; null: the function's entry
    llvm::Function *F;
    uint64_t Function;
    uint32_t Number;
  };
  llvm::Module &M;
  const Options &Opts;
  std::vector<Label> Labels;
  std::vector<LabelRecord> Records;
};

} // namespace reticle

#endif
