// FieldTags.h - which field of which struct a load or store touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed addresses die in the first InstCombine, so they are read when the pipeline starts, and each
// access is marked. The mark is an access group, a kind of metadata that LLVM's passes keep where
// they merge, widen and move accesses, and that changes nothing unless a loop refers to it:
//
//   %x = load float, ptr %px, !llvm.access.group !{!field, !struct}     ; both distinct !{}
//
// Where two accesses become one, LLVM leaves the groups that both have.
#ifndef RETICLE_PASS_FIELDTAGS_H
#define RETICLE_PASS_FIELDTAGS_H

#include "pass/RecordFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <tuple>

namespace llvm {
class DataLayout;
class Instruction;
class MDNode;
class Module;
class StructType;
class Type;
class Value;
} // namespace llvm

namespace reticle {

/// A byte of a struct: which struct (see FieldTags::structs) and where in it.
struct FieldPlace {
  uint32_t Struct;
  uint32_t OffsetBytes;
};

/// What one instruction does to one field.
struct FieldAccess {
  uint32_t Struct;      ///< UINT32_MAX: memory without a name
  uint32_t OffsetBytes; ///< UINT32_MAX: which field isn't known
  uint32_t Bytes;       ///< of one access in the source's sense
  uint32_t Times;       ///< accesses in the source's sense, more than 1 if vectorised
  uint32_t Flags;       ///< enum reticle_access_flags
  bool IsPiece = false; ///< of a copy: all pieces in one block are the copy once
};

class FieldTags {
public:
  /// Facts: null without a front end.
  explicit FieldTags(std::shared_ptr<const RecordFacts> Facts);

  /// Marks the module's accesses. Before any pass has changed them.
  void mark(llvm::Module &M);

  /// What the load, store, atomic update or copy does, one entry for each struct around the field.
  /// Empty for other instructions. An access without a name has one entry that says so.
  void resolve(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;

  /// The structs met so far.
  llvm::ArrayRef<RecordFact> structs() const { return Structs; }

private:
  struct Tag {
    /// Struct: the field isn't known. CopyFrom, CopyTo: the sides of a copy.
    enum Kinds { Field, Struct, CopyFrom, CopyTo };
    llvm::SmallVector<FieldPlace, 2> Places; ///< innermost first; not of copies
    uint32_t Bytes = 0;
    Kinds Kind = Field;
    llvm::SmallVector<FieldAccess, 0> Covered; ///< of copies, innermost first
  };
  /// Structs that the source copies at some place; UINT32_MAX: none or several.
  struct CopyTypes {
    uint32_t To, From;
  };
  struct TypedPlace {
    llvm::StructType *Type;
    uint64_t OffsetBytes;
  };

  void addFact(const RecordFact &Fact);
  void placesOf(llvm::Value *Address, const llvm::DataLayout &DL,
                llvm::SmallVectorImpl<TypedPlace> &Out) const;
  void hintFromAround(llvm::ArrayRef<TypedPlace> Places, const llvm::DataLayout &DL);
  void hint(const llvm::Instruction &I, const llvm::DataLayout &DL);
  void markOne(llvm::Instruction &I, const llvm::DataLayout &DL);
  llvm::SmallVector<uint32_t, 2> candidates(llvm::StructType *T, const llvm::DataLayout &DL) const;
  uint32_t structOf(llvm::StructType *T, const llvm::DataLayout &DL);
  bool placeFromTBAA(const llvm::Instruction &I, FieldPlace &Out) const;
  const Tag *tagFromPlace(const llvm::Instruction &I) const;
  llvm::MDNode *groupOf(const llvm::Instruction &I, Tag T);
  static void addGroups(llvm::Instruction &I, llvm::ArrayRef<llvm::MDNode *> Groups);
  /// Field: that, or else Struct.
  const Tag *tagOf(const llvm::Instruction &I, Tag::Kinds Kind) const;
  static uint32_t storeSizeOf(const llvm::Instruction &I);
  void addCopyFact(const CopyFact &Fact);
  const Tag *copyFromPlace(const llvm::Instruction &I, bool Writes) const;
  void markCopy(llvm::Instruction &I, const llvm::DataLayout &DL);
  Tag coveredBy(llvm::ArrayRef<FieldPlace> Places, uint64_t Length, uint32_t Flags) const;
  void coverInner(uint32_t Struct, uint64_t Start, uint64_t End, FieldAccess Access,
                  llvm::SmallVectorImpl<FieldAccess> &Out, unsigned Depth) const;
  void resolveCopy(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveWide(const llvm::Instruction &I, const Tag &T, FieldAccess Access,
                   llvm::SmallVectorImpl<FieldAccess> &Out) const;

  std::vector<RecordFact> Structs;
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> ByIRName, ByTBAAName;
  llvm::DenseMap<llvm::StructType *, uint32_t> ByType;
  llvm::DenseMap<const void *, uint32_t> ByKey;
  std::vector<Tag> Tags;
  std::map<std::vector<uint32_t>, llvm::MDNode *> Groups;
  llvm::DenseMap<const llvm::MDNode *, uint32_t> TagOfGroup;
  /// Scope, line, column and kind of a marked access -> the tag of its struct; UINT32_MAX where
  /// they name several structs.
  std::map<std::tuple<const void *, unsigned, unsigned, bool>, uint32_t> TagOfPlace;
  /// The same for the sides of copies: LLVM makes a store of a short memset without its marks.
  std::map<std::tuple<const void *, unsigned, unsigned, bool>, uint32_t> CopyTagOfPlace;
  /// Function, line, column.
  std::map<std::tuple<std::string, unsigned, unsigned>, CopyTypes> CopyOfPlace;
};

} // namespace reticle

#endif
