// Compat.h - every difference between the LLVM majors that the pass is built for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_MODULE_COMPAT_H
#define RETICLE_PASS_MODULE_COMPAT_H

#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/InstructionCost.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace reticle {

/// The pipeline's last step before code generation. Since LLVM 20 the callback is also told the
/// phase of LTO, which nobody here needs: what was done in an earlier phase is marked in the IR.
template <typename Callback> void registerOptimizerLast(llvm::PassBuilder &PB, Callback Add) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerLastEPCallback([Add](llvm::ModulePassManager &MPM,
                                           llvm::OptimizationLevel Level,
                                           llvm::ThinOrFullLTOPhase) { Add(MPM, Level); });
#else
  PB.registerOptimizerLastEPCallback(Add);
#endif
}

/// A valid cost as a number. Before LLVM 21 it came wrapped in an optional.
inline int64_t costValue(const llvm::InstructionCost &Cost) {
#if LLVM_VERSION_MAJOR >= 21
  return Cost.getValue();
#else
  return *Cost.getValue();
#endif
}

/// Before LLVM 20 it was told the data layout as well.
inline llvm::SCEVExpander makeExpander(llvm::ScalarEvolution &SE, const llvm::DataLayout &DL) {
#if LLVM_VERSION_MAJOR >= 22
  (void)DL;
  return llvm::SCEVExpander(SE, "reticle");
#else
  return llvm::SCEVExpander(SE, DL, "reticle");
#endif
}

} // namespace reticle

#endif
