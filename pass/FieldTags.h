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
#include "llvm/ADT/StringSet.h"
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
  /// Not 0: of a copy whose length is known at run time; Times for so many bytes of it, or a part.
  uint32_t PerBytes = 0;
};

/// What a load or store does on one of the ways to it: where its address is Leaf. Also, by a mask
/// or a length in place of Leaf, what it does so often (FieldCounters::countSome).
struct FieldChoice {
  const llvm::Value *Leaf;
  llvm::SmallVector<FieldAccess, 2> What; ///< empty: memory without a name
  uint32_t PerBytes = 0;
};

/// Which lanes a masked load or store, gather or scatter accesses; null for anything else.
llvm::Value *maskOf(const llvm::Instruction &I);

class FieldTags {
public:
  /// Scope, line, column.
  using SourcePlace = std::tuple<const void *, unsigned, unsigned>;

  /// Facts: null without a front end.
  explicit FieldTags(std::shared_ptr<const RecordFacts> Facts);

  /// Marks the module's accesses. Before any pass has changed them.
  void mark(llvm::Module &M);

  /// What the load, store, atomic update or copy does, one entry for each struct around the field.
  /// Empty for other instructions. An access without a name has one entry that says so.
  void resolve(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;

  /// For a load or store that resolve() has no name for: what it does by the way that was taken,
  /// where phis and selects make its address from few. Empty if nothing else is known.
  void choices(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldChoice> &Out) const;

  /// Whether an access of so many bytes stays in one field.
  bool holds(const FieldPlace &Place, uint32_t Bytes) const;

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
  /// The struct whose bitfields the source touches at some place.
  struct BitFieldPlace {
    uint32_t Struct; ///< UINT32_MAX: several
    bool FromMacro;
  };
  struct TypedPlace {
    llvm::StructType *Type;
    uint64_t OffsetBytes;
  };
  /// To indices of Tags; UINT32_MAX where the place has several meanings.
  using PlaceMap = llvm::DenseMap<SourcePlace, uint32_t>;

  void addFact(const RecordFact &Fact);
  void placesOf(llvm::Value *Address, const llvm::DataLayout &DL,
                llvm::SmallVectorImpl<TypedPlace> &Out) const;
  void hintFromAround(llvm::ArrayRef<TypedPlace> Places, const llvm::DataLayout &DL);
  void hint(const llvm::Instruction &I, const llvm::DataLayout &DL);
  void markOne(llvm::Instruction &I, const llvm::DataLayout &DL);
  llvm::SmallVector<uint32_t, 2> candidates(llvm::StructType *T, const llvm::DataLayout &DL) const;
  uint32_t structOf(llvm::StructType *T, const llvm::DataLayout &DL);
  bool placeFromTBAA(const llvm::Instruction &I, FieldPlace &Out) const;
  static void notePlace(PlaceMap &Places, const llvm::Instruction &I, uint32_t Index);
  const Tag *tagAt(const PlaceMap &Places, const llvm::Instruction &I) const;
  void noteAddress(const llvm::Instruction &I, const llvm::DataLayout &DL);
  void fieldsAt(llvm::Value *Address, const llvm::DataLayout &DL,
                llvm::SmallVectorImpl<FieldPlace> &Out);
  static const MemberFact *memberAt(const RecordFact &Fact, uint32_t Offset);
  bool fieldOfAddress(const llvm::Value *Address, uint32_t Bytes, const llvm::DataLayout &DL,
                      llvm::SmallVectorImpl<FieldPlace> &Out) const;
  bool resolveAddress(const llvm::Instruction &I, const FieldAccess &Access,
                      llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void addPlaces(llvm::ArrayRef<FieldPlace> Places, FieldAccess Access,
                 llvm::SmallVectorImpl<FieldAccess> &Out) const;
  uint32_t intern(Tag T);
  llvm::MDNode *groupOf(const llvm::Instruction &I, Tag T);
  static void addGroups(llvm::Instruction &I, llvm::ArrayRef<llvm::MDNode *> Groups);
  /// Field: that, or else Struct.
  const Tag *tagOf(const llvm::Instruction &I, Tag::Kinds Kind) const;
  static uint32_t storeSizeOf(const llvm::Instruction &I);
  void addCopyFact(const CopyFact &Fact);
  void addBitFieldFact(const BitFieldFact &Fact);
  bool placeOfBitField(const llvm::Instruction &I, uint32_t Bytes, FieldPlace &Out) const;
  void addUnionFact(const UnionFact &Fact);
  void addUnion(const llvm::Instruction &I, uint32_t Bytes,
                llvm::SmallVectorImpl<FieldPlace> &Places) const;
  void markCopy(llvm::Instruction &I, const llvm::DataLayout &DL);
  Tag coveredBy(llvm::ArrayRef<FieldPlace> Places, uint64_t Length, uint32_t Flags) const;
  void coverInner(uint32_t Struct, uint64_t Start, uint64_t End, FieldAccess Access,
                  llvm::SmallVectorImpl<FieldAccess> &Out, unsigned Depth) const;
  void resolveCopy(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveMadeCopy(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  llvm::SmallVector<FieldPlace, 2> startOf(const llvm::Value &Address, uint64_t Length,
                                           llvm::ArrayRef<FieldPlace> OfOne) const;
  void resolveMadeSide(llvm::ArrayRef<FieldPlace> Places, uint64_t Length, uint32_t Element,
                       FieldAccess Access, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveMasked(const llvm::Instruction &I, llvm::SmallVectorImpl<FieldAccess> &Out) const;
  void resolveWide(const llvm::Instruction &I, const Tag &T, FieldAccess Access,
                   llvm::SmallVectorImpl<FieldAccess> &Out) const;

  std::vector<RecordFact> Structs;
  llvm::StringSet<> Spellings; ///< names of LLVM types that are no structs of the program
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> ByIRName, ByTBAAName;
  llvm::DenseMap<llvm::StructType *, uint32_t> ByType;
  llvm::DenseMap<const void *, uint32_t> ByKey;
  std::vector<Tag> Tags;
  std::map<std::vector<uint32_t>, uint32_t> TagOfKey;
  llvm::DenseMap<uint32_t, llvm::MDNode *> Groups; ///< by index of the tag
  llvm::DenseMap<const llvm::MDNode *, uint32_t> TagOfGroup;
  /// Places of marked accesses: fields, and for accesses that became a vector structs.
  PlaceMap LoadOfPlace, StoreOfPlace, StructLoadOfPlace, StructStoreOfPlace;
  /// Places of stores of what was loaded right before: the load's field.
  PlaceMap LoadOfStorePlace;
  /// Places of instructions that compute addresses of fields.
  PlaceMap AddressOfPlace;
  /// The sides of copies: LLVM makes a store of a short memset without its marks.
  PlaceMap CopyFromOfPlace, CopyToOfPlace;
  /// Function, line, column.
  std::map<std::tuple<std::string, unsigned, unsigned>, CopyTypes> CopyOfPlace;
  std::map<std::tuple<std::string, unsigned, unsigned>, BitFieldPlace> BitFieldOfPlace;
  /// Function, line, column, whether an element of an array: the union; UINT32_MAX: several things.
  std::map<std::tuple<std::string, unsigned, unsigned, bool>, uint32_t> UnionOfPlace;
};

} // namespace reticle

#endif
