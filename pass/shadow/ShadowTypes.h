// ShadowTypes.h - the section that says which types allocations are for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOW_SHADOWTYPES_H
#define RETICLE_PASS_SHADOW_SHADOWTYPES_H

#include "pass/front/RecordFacts.h"

namespace llvm {
class Module;
} // namespace llvm

namespace reticle {

/// Adds the section RETICLE_TYPES_SECTION; once a module. Nothing without allocations.
void writeTypes(llvm::Module &M, const RecordFacts &Facts);

} // namespace reticle

#endif
