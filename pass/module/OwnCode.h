// OwnCode.h - what instructions that the pass adds have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_MODULE_OWNCODE_H
#define RETICLE_PASS_MODULE_OWNCODE_H

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

namespace reticle {

/// Weights of a branch to what hardly ever runs: far enough that its block leaves the hot path in
/// every layout.
constexpr unsigned ColdWeight = 1, HotWeight = 100000;

/// An access that sanitizers, and marks, leave alone.
template <typename Access> Access *ours(Access *A) {
  A->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(A->getContext(), {}));
  return A;
}

} // namespace reticle

#endif
