// FieldMarker.h - marks each access with the field that it touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mark is an access group, a kind of metadata that LLVM's passes keep where they merge, widen
// and move accesses, and that changes nothing unless a loop refers to it:
//
//   %x = load float, ptr %px, !llvm.access.group !{!field, !struct}     ; both distinct !{}
//
// Where two accesses become one, LLVM leaves the groups that both have.
#ifndef RETICLE_PASS_FIELD_FIELDMARKER_H
#define RETICLE_PASS_FIELD_FIELDMARKER_H

#include "pass/field/FieldReader.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class DataLayout;
class DISubprogram;
class Function;
class Instruction;
class LoadInst;
class MDNode;
class Module;
} // namespace llvm

namespace reticle {

/// What one instruction does to one field.
struct FieldAccess {
  uint32_t Struct;      ///< UINT32_MAX: memory without a name
  uint32_t OffsetBytes; ///< UINT32_MAX: which field isn't known
  uint32_t Bytes;       ///< of one access in the source's sense
  uint32_t Times;       ///< accesses in the source's sense, more than 1 if vectorised
  uint32_t Flags;       ///< enum reticle_access_flags
  uint32_t PieceOf = 0; ///< not 0: of a copy of so many bytes, which all its pieces are together
  /// Not 0: of a copy whose length is known at run time; Times for so many bytes of it, or a part.
  uint32_t PerBytes = 0;
};

/// What a mark says.
struct FieldTag {
  /// Struct: the field isn't known. CopyFrom, CopyTo: the sides of a copy.
  enum Kinds { Field, Struct, CopyFrom, CopyTo };
  llvm::SmallVector<FieldPlace, 2> Places; ///< innermost first; not of copies
  uint32_t Bytes = 0;
  Kinds Kind = Field;
  llvm::SmallVector<FieldAccess, 0> Covered; ///< of copies, innermost first
};

class FieldMarker {
public:
  /// Scope, line, column.
  using SourcePlace = std::tuple<const void *, unsigned, unsigned>;
  /// Places in the source of which it is known what is done there.
  enum Place {
    Loads,
    Stores,
    StructLoads, ///< of accesses that became a vector: the struct alone
    StructStores,
    LoadsOfStores, ///< of stores of what was loaded right before: the load's field
    Addresses,     ///< of instructions that compute addresses of fields
    CopiesFrom,    ///< the sides of copies: LLVM makes a store of a short memset without its marks
    CopiesTo,
    PlaceKinds
  };

  explicit FieldMarker(FieldReader &Reader) : Reader(Reader) {}

  /// Marks the module's accesses. Before any pass has changed them.
  void mark(llvm::Module &M);

  /// By the instruction's mark. Field: that, or else Struct. Null: none.
  const FieldTag *tagOf(const llvm::Instruction &I, FieldTag::Kinds Kind) const;
  /// By its place in the source. Null: none, or several.
  const FieldTag *tagAt(Place Which, const llvm::Instruction &I) const;
  /// Of a load or store, the side of a copy that has its place, if nothing else is read or written
  /// there: all of a macro has one place.
  const FieldTag *copySideAt(const llvm::Instruction &I) const;

  /// Whether some function of the module takes such a struct by value, in memory.
  bool isPassedByValue(const llvm::StructType *T) const { return PassedByValue.contains(T); }
  /// Whether it may have been made of the inliner's copy of such a struct: its place in the source
  /// is in a function that takes one, and nothing says a struct.
  bool mayBeArgument(const llvm::LoadInst &I) const;

private:
  /// To indices of Tags; UINT32_MAX where the place has several meanings.
  using PlaceMap = llvm::DenseMap<SourcePlace, uint32_t>;

  void markOne(llvm::Instruction &I, const llvm::DataLayout &DL);
  void markCopy(llvm::Instruction &I, const llvm::DataLayout &DL);
  void noteArguments(const llvm::Function &F);
  bool markArgument(llvm::Instruction &I);
  void noteAddress(const llvm::Instruction &I, const llvm::DataLayout &DL);
  void notePlace(Place Which, const llvm::Instruction &I, uint32_t Index);
  FieldTag coveredBy(llvm::ArrayRef<FieldPlace> Places, uint64_t Length, uint32_t Flags) const;
  void coverInner(uint32_t Struct, uint64_t Start, uint64_t End, FieldAccess Access,
                  llvm::SmallVectorImpl<FieldAccess> &Out, unsigned Depth) const;
  uint32_t intern(FieldTag T);
  llvm::MDNode *groupOf(const llvm::Instruction &I, FieldTag T);
  static void addGroups(llvm::Instruction &I, llvm::ArrayRef<llvm::MDNode *> Groups);

  FieldReader &Reader;
  std::vector<FieldTag> Tags;
  std::map<std::vector<uint32_t>, uint32_t> TagOfKey;
  llvm::DenseMap<uint32_t, llvm::MDNode *> Groups; ///< by index of the tag
  llvm::DenseMap<const llvm::MDNode *, uint32_t> TagOfGroup;
  PlaceMap TagOfPlace[PlaceKinds];
  llvm::SmallPtrSet<const llvm::StructType *, 4> PassedByValue;
  llvm::SmallPtrSet<const llvm::DISubprogram *, 4> TakesByValue;
};

} // namespace reticle

#endif
