// ShadowCallers.h - keeps functions in call stacks that return what they allocate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_SHADOW_SHADOWCALLERS_H
#define RETICLE_PASS_SHADOW_SHADOWCALLERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace llvm {
class CallInst;
class Function;
class Value;
} // namespace llvm

namespace reticle {

struct RecordFacts;

/// Which calls give memory: of an allocator, of a function that returns what such a call gives, and
/// of one that isn't known where the source takes a void * for memory (RecordFacts::Allocations).
class ShadowCallers {
public:
  explicit ShadowCallers(const RecordFacts *Facts);

  /// A call that gives memory, behind which its function returns, would become a jump: then the
  /// function is in no call stack. It stays a call. All others may become jumps.
  void keep(llvm::Function &F);

private:
  bool givesMemory(const llvm::CallInst &Call);
  bool returnsMemory(const llvm::Function &F);
  bool isMemory(const llvm::Value *V, unsigned Depth);

  llvm::StringSet<> Places; ///< "function:line:column"
  llvm::DenseMap<const llvm::Function *, bool> Known;
};

} // namespace reticle

#endif
