// RegionHelpers.h - what reticle.h leaves in the IR: calls that begin and end regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_REGIONHELPERS_H
#define RETICLE_PASS_LOOP_REGIONHELPERS_H

#include "pass/loop/RegionStacks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace reticle {

/// Whether any region is begun or ended in the module.
bool hasRegions(const llvm::Module &M);
/// The begins and ends in F, in order, without numbers.
llvm::SmallVector<RegionMark, 8> regionMarks(llvm::Function &F);
/// Takes all of them away. Warn: and says that a coroutine takes none.
void removeRegionMarks(llvm::Function &F, bool Warn);

/// Inlines functions that begin a region and don't end it, or the other way round, into their
/// callers, where they are always_inline: constructor and destructor of reticle::region and what a
/// program builds on them. Their marks then stand where they are called. Returns these functions.
llvm::SmallPtrSet<const llvm::Function *, 4> inlineRegionHelpers(llvm::Module &M);

/// A constant of its own for the region that Begin begins; it holds the region's name.
llvm::GlobalVariable *createRegionName(const llvm::CallInst &Begin, llvm::StringRef Prefix);
llvm::StringRef regionName(const llvm::GlobalVariable &Name);

/// Drops the functions of reticle.h that nothing uses any more.
void removeRegionFunctions(llvm::Module &M);

} // namespace reticle

#endif
