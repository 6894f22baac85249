// VectorRemarks.h - collects the vectoriser's remarks on loops, for their records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_LOOP_VECTORREMARKS_H
#define RETICLE_PASS_LOOP_VECTORREMARKS_H

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/ValueMap.h"
#include <cstdint>
#include <memory>

namespace llvm {
class DiagnosticInfo;
class LLVMContext;
class Loop;
} // namespace llvm

namespace reticle {

/// Collects remarks while LoopVectorize runs, and at no other time: they are handed on to whoever
/// asked for them, and what it decides stays the same. Of one module.
class VectorRemarks : public std::enable_shared_from_this<VectorRemarks> {
public:
  /// Callbacks: of the pipeline; null: no remark is collected.
  void attach(llvm::PassInstrumentationCallbacks *Callbacks);
  /// L is innermost and has the record at Index of Unit.
  void expect(const llvm::Loop &L, llvm::GlobalVariable &Unit, unsigned Index);
  void collect(const llvm::DiagnosticInfo &Info);
  /// Puts what was collected into the records.
  void write();

private:
  void begin(llvm::LLVMContext &In);
  void end();

  struct Remarked {
    llvm::WeakTrackingVH Unit;
    unsigned Index;
    uint32_t What; ///< enum reticle_loop_vector
  };
  llvm::SmallVector<Remarked, 0> Loops;
  llvm::ValueMap<const llvm::BasicBlock *, unsigned> Blocks; ///< positions in Loops
  llvm::LLVMContext *Context = nullptr;                      ///< while its handler is ours
};

} // namespace reticle

#endif
