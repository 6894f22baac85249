// VectorRemarks.h - hears why the vectoriser left a loop as it was, for the loop's record.
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

/// Listens while the vectoriser runs, and never otherwise: what it says goes on to whoever asked
/// for it, and its decisions stay the same. Of one module.
class VectorRemarks : public std::enable_shared_from_this<VectorRemarks> {
public:
  /// Callbacks: of the pipeline; null: nothing will be heard.
  void attach(llvm::PassInstrumentationCallbacks *Callbacks);
  /// L is innermost and has the record at Index of Unit.
  void expect(const llvm::Loop &L, llvm::GlobalVariable &Unit, unsigned Index);
  void hear(const llvm::DiagnosticInfo &Info);
  /// Puts what was heard into the records.
  void write();

private:
  void begin(llvm::LLVMContext &In);
  void end();

  struct Heard {
    llvm::WeakTrackingVH Unit;
    unsigned Index;
    uint32_t What; ///< enum reticle_loop_vector
  };
  llvm::SmallVector<Heard, 0> Loops;
  llvm::ValueMap<const llvm::BasicBlock *, unsigned> Blocks; ///< positions in Loops
  llvm::LLVMContext *Context = nullptr;                      ///< while it is listened to
};

} // namespace reticle

#endif
