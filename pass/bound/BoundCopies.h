// BoundCopies.h - the feature bound, second half: copies of marked loops, behind the optimiser.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BOUND_BOUNDCOPIES_H
#define RETICLE_PASS_BOUND_BOUNDCOPIES_H

#include "llvm/IR/PassManager.h"

namespace reticle {

/// Puts copies beside the loops that BoundMarkPass has marked, and takes the marks away.
void copyBoundLoops(llvm::Module &M, llvm::FunctionAnalysisManager &AM);

} // namespace reticle

#endif
