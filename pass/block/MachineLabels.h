// MachineLabels.h - labels of blocks that are put in behind instruction selection.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BLOCK_MACHINELABELS_H
#define RETICLE_PASS_BLOCK_MACHINELABELS_H

#include "llvm/IR/ValueHandle.h"
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace reticle {

/// A block of the last IR, and what labels it.
struct MachineLabel {
  llvm::WeakVH Block; ///< null: gone since
  uint64_t Function;
  uint32_t Number;
};

/// Has the code generator of this process label the blocks of M. Without one (bitcode is written)
/// there are no labels.
void labelMachineBlocks(llvm::Module &M, std::vector<MachineLabel> Labels);

} // namespace reticle

#endif
