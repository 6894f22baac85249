// ShadowHeap.h - puts the runtime in front of malloc and its kin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOW_SHADOWHEAP_H
#define RETICLE_PASS_SHADOW_SHADOWHEAP_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace reticle {

/// Defines weak malloc, free, calloc, realloc and aligned forms that call the runtime's. Nothing
/// where the module has its own, or uses no heap. Uses of mmap and its kin become uses of the
/// runtime's.
void wrapAllocator(llvm::Module &M);

/// Whether a function of that name has call stacks noted: an allocator, operator new, or mmap.
bool isAllocator(llvm::StringRef Name);

} // namespace reticle

#endif
