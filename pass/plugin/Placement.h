// Placement.h - other places for the program's functions, to tell a change from its luck.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_PLUGIN_PLACEMENT_H
#define RETICLE_PASS_PLUGIN_PLACEMENT_H

#include <cstdint>

namespace llvm {
class Module;
}

namespace reticle {

/// Moves each function by 0, 16, 32 or 48 bytes against the lines and windows in which processors
/// fetch and decode, as Seed and the function's name have it; 0 leaves all where the compiler
/// puts them. The code itself stays the same.
///
/// Source: Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!",
/// ASPLOS 2009: such places alone change times by more than what is often measured.
void varyPlacement(llvm::Module &M, uint64_t Seed);

} // namespace reticle

#endif
