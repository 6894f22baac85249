// BoundMarks.h - the feature bound, first half: marks around chosen loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_BOUND_BOUNDMARKS_H
#define RETICLE_PASS_BOUND_BOUNDMARKS_H

#include "llvm/IR/PassManager.h"
#include <memory>

namespace reticle {

struct Options;

/// In front of the loop a call of BoundOpenName, behind each exit one of BoundCloseName; their
/// argument is the loop's struct reticle_bound_desc. BoundCopies.h takes them away.
inline constexpr const char *BoundOpenName = "__reticle_bound_open";
inline constexpr const char *BoundCloseName = "__reticle_bound_close";

/// Marks the loops that the option bound= lists. Runs where probes are placed, in front of the
/// vectoriser.
class BoundMarkPass : public llvm::PassInfoMixin<BoundMarkPass> {
public:
  explicit BoundMarkPass(std::shared_ptr<const Options> Opts) : Opts(std::move(Opts)) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  std::shared_ptr<const Options> Opts;
};

} // namespace reticle

#endif
