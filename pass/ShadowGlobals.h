// ShadowGlobals.h - the global variables that the feature shadow looks at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOWGLOBALS_H
#define RETICLE_PASS_SHADOWGLOBALS_H

#include "pass/Descriptors.h"
#include "llvm/ADT/SmallVector.h"

namespace reticle {

/// Those that the module defines and that are at least a cache line long: of smaller ones nothing
/// is fetched in vain that would be theirs. The texts belong to the module.
llvm::SmallVector<GlobalRecord, 16> describeGlobals(llvm::Module &M);

} // namespace reticle

#endif
