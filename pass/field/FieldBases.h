// FieldBases.h - names accesses by what the code before them did through the same pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FIELD_FIELDBASES_H
#define RETICLE_PASS_FIELD_FIELDBASES_H

#include "pass/field/FieldMarker.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace reticle {

/// The pointers of one function that are known to lead to structs: an access to a field through the
/// pointer, in the same block or on every way to another, says so of that (C's effective type: it
/// is one object).
class FieldBases {
public:
  explicit FieldBases(const FieldReader &Reader) : Reader(Reader) {}

  /// An access with names.
  void note(const llvm::Instruction &I, llvm::ArrayRef<FieldAccess> What);
  /// Names one without: fills in struct and offset. False if nothing, or more than one struct, is
  /// known.
  bool name(const llvm::Instruction &I, const llvm::DominatorTree &DT, FieldAccess &What) const;

private:
  struct Known {
    const llvm::Instruction *I;
    uint32_t Struct;
    int64_t Start; ///< bytes from the pointer to the struct
  };
  const FieldReader &Reader;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Known, 4>> Bases;
};

} // namespace reticle

#endif
