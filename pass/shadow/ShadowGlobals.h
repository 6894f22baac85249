// ShadowGlobals.h - the global variables that the feature shadow looks at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOW_SHADOWGLOBALS_H
#define RETICLE_PASS_SHADOW_SHADOWGLOBALS_H

#include "pass/module/Descriptors.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace reticle {

/// Those that the module defines and that are at least a cache line long: of smaller ones nothing
/// is fetched for nothing that would be theirs. Apart: where reads and writes are told apart, small
/// ones as well: threads may share their line. The texts belong to the module.
llvm::SmallVector<GlobalRecord, 16> describeGlobals(llvm::Module &M, bool Apart);

/// Whether another module's variable may be one of those, or this one's is.
bool mayBeDescribed(const llvm::GlobalVariable &Global, bool Apart);

} // namespace reticle

#endif
