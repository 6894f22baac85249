// Loops.h - the feature `loop`: gates in front of loops, tests behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_LOOPS_H
#define RETICLE_PASS_LOOP_LOOPS_H

#include "llvm/IR/PassManager.h"
#include <cstdint>
#include <memory>

namespace reticle {

struct Options;
class VectorRemarks;

/// Counts of the object record, over the functions of one module.
struct LoopCounts {
  uint32_t Functions = 0;
  uint32_t FunctionsProbed = 0;
  uint32_t Loops = 0;
  uint32_t Probed = 0;
  uint32_t Short = 0;
  uint32_t Ignored = 0;
  uint32_t Unsupported = 0;
};

/// Puts probes around a function's loops. A function is treated once, by whichever step of the
/// pipeline comes first; an attribute marks it.
class LoopsPass : public llvm::PassInfoMixin<LoopsPass> {
public:
  /// Vector: null where the vectoriser has run already.
  LoopsPass(std::shared_ptr<const Options> Opts, std::shared_ptr<LoopCounts> Counts,
            std::shared_ptr<VectorRemarks> Vector)
      : Opts(std::move(Opts)), Counts(std::move(Counts)), Vector(std::move(Vector)) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  /// Also at -O0.
  static bool isRequired() { return true; }

private:
  std::shared_ptr<const Options> Opts;
  std::shared_ptr<LoopCounts> Counts;
  std::shared_ptr<VectorRemarks> Vector;
};

} // namespace reticle

#endif
