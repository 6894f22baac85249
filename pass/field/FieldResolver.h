// FieldResolver.h - which fields an instruction touches, after the passes have changed it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FIELD_FIELDRESOLVER_H
#define RETICLE_PASS_FIELD_FIELDRESOLVER_H

#include "pass/field/FieldMarker.h"
#include "llvm/ADT/SmallBitVector.h"

namespace reticle {

/// What a load or store does on one of the ways to it: where its address is Leaf. Also, by a mask
/// or a length in place of Leaf, what it does so often (FieldCounters::countSome).
struct FieldChoice {
  const llvm::Value *Leaf;
  llvm::SmallVector<FieldAccess, 2> What; ///< empty: memory without a name
  uint32_t PerBytes = 0;
};

/// Which lanes a masked load or store, gather or scatter accesses; null for anything else.
llvm::Value *maskOf(const llvm::Instruction &I);

/// The lanes of a vector load that something uses; of any other access all. Count: that there are.
llvm::SmallBitVector usedLanes(const llvm::Instruction &I, unsigned Count);

class FieldResolver {
public:
  FieldResolver(const FieldReader &Reader, const FieldMarker &Marker)
      : Reader(Reader), Marker(Marker) {}

  /// What the load, store, atomic update or copy does, one entry for each struct around the field.
  /// Empty for other instructions. An access without a name has one entry that says so.
  void resolve(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;

  /// For a load or store that resolve() has no name for: what it does by the way that was taken,
  /// where phis and selects make its address from few. Empty if nothing else is known.
  void choices(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldChoice> &Out) const;

private:
  bool fieldOfAddress(const llvm::Value *Address, uint32_t Bytes, const llvm::DataLayout &DL,
                      llvm::SmallVectorImpl<FieldPlace> &Out) const;
  bool fieldOfArgument(const llvm::LoadInst &I, uint32_t Bytes, const llvm::DataLayout &DL,
                       llvm::SmallVectorImpl<FieldPlace> &Out) const;
  bool resolveAddress(const llvm::Instruction &I, const FieldAccess &Access,
                      llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void addPlaces(llvm::ArrayRef<FieldPlace> Places, FieldAccess Access,
                 llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveCopy(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  bool resolvePiece(const llvm::Instruction &I, const FieldTag &T, uint32_t Bytes,
                    llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveMadeCopy(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  llvm::SmallVector<FieldPlace, 2> startOf(const llvm::Value &Address, uint64_t Length,
                                           llvm::ArrayRef<FieldPlace> OfOne,
                                           const llvm::DataLayout &DL) const;
  void resolveMadeSide(llvm::ArrayRef<FieldPlace> Places, uint64_t Length, uint32_t Element,
                       FieldAccess Access, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveMasked(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveWide(const llvm::Instruction &I, const FieldTag &T, FieldAccess Access,
                   llvm::SmallVectorImpl<FieldAccess> &Out) const;

  /// Where the first lane of a vector access lies, of which Around says the struct.
  bool startOfVector(const llvm::Instruction &I, const FieldTag &Around, uint32_t WideBytes,
                     llvm::SmallVectorImpl<FieldPlace> &Out) const;
  /// Each lane by itself. False where it isn't known which fields they are.
  bool resolveLanes(const llvm::Instruction &I, const FieldTag &T, FieldAccess Access,
                    llvm::SmallVectorImpl<FieldAccess> &Out) const;

  const FieldReader &Reader;
  const FieldMarker &Marker;
};

} // namespace reticle

#endif
