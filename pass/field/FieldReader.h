// FieldReader.h - which field of which struct an address is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed addresses die in the first InstCombine, so it is asked when the pipeline starts; what it
// has learned about types then serves later, too.
#ifndef RETICLE_PASS_FIELD_FIELDREADER_H
#define RETICLE_PASS_FIELD_FIELDREADER_H

#include "pass/front/RecordFacts.h"
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
class StructType;
class Type;
class Value;
} // namespace llvm

namespace reticle {

/// A byte of a struct: which struct (see FieldReader::structs) and where in it.
struct FieldPlace {
  uint32_t Struct;
  uint32_t OffsetBytes;
};

/// The same before the struct is known.
struct TypedPlace {
  llvm::StructType *Type;
  uint64_t OffsetBytes;
};

/// Structs that the source copies at some place; UINT32_MAX: none or several.
struct CopyTypes {
  uint32_t To, From;
};

/// A load, store or atomic update; no address for other instructions.
struct MemoryAccess {
  llvm::Value *Address = nullptr;
  llvm::Type *T = nullptr;
  uint32_t Flags = 0; ///< enum reticle_access_flags
};
MemoryAccess memoryOf(const llvm::Instruction &I);
/// Of a load or store, and of a copy what is written, or else read; null: it has none.
llvm::Value *addressOf(const llvm::Instruction &I, bool IsWrite);
/// 0: known at run time alone.
uint32_t storeBytes(llvm::Type *T, const llvm::DataLayout &DL);

class FieldReader {
public:
  /// Facts: null without a front end.
  explicit FieldReader(std::shared_ptr<const RecordFacts> Facts);

  /// Learns from an access which struct a type is whose name doesn't say it. All of a module's
  /// accesses, before the first question.
  void hint(const llvm::Instruction &I, const llvm::DataLayout &DL);

  /// The structs around the byte at the address, innermost first.
  void placesOf(llvm::Value *Address, const llvm::DataLayout &DL,
                llvm::SmallVectorImpl<TypedPlace> &Out) const;
  /// The same of an address whose struct is known as an array's element alone: p[i] and an offset.
  void placesOfElement(const llvm::Value *Address, const llvm::DataLayout &DL,
                       llvm::SmallVectorImpl<TypedPlace> &Out) const;
  /// Where in an element of Place.Struct an address points that steps by the struct's size. False:
  /// it doesn't.
  bool placeOfElement(const llvm::Value *Address, const llvm::DataLayout &DL,
                      FieldPlace &Place) const;
  /// placesOf() as fields.
  void fieldsAt(llvm::Value *Address, const llvm::DataLayout &DL,
                llvm::SmallVectorImpl<FieldPlace> &Out);
  uint32_t structOf(llvm::StructType *T, const llvm::DataLayout &DL);
  /// UINT32_MAX: structOf() wasn't asked, nor a hint given.
  uint32_t knownStruct(llvm::StructType *T) const;
  /// By the front end's key, which may be null. UINT32_MAX: none.
  uint32_t structOfKey(const void *Key) const;

  /// What alias information says, and the source's expression at the access's place.
  bool placeFromTBAA(const llvm::Instruction &I, FieldPlace &Out) const;
  bool placeOfBitField(const llvm::Instruction &I, uint32_t Bytes, FieldPlace &Out) const;
  void addUnion(const llvm::Instruction &I, uint32_t Bytes,
                llvm::SmallVectorImpl<FieldPlace> &Places) const;
  CopyTypes copyAt(const llvm::Instruction &I) const;

  /// The structs met so far.
  llvm::ArrayRef<RecordFact> structs() const { return Structs; }
  static const MemberFact *memberAt(const RecordFact &Fact, uint32_t Offset);
  /// Whether an access of so many bytes stays in one field.
  bool holds(const FieldPlace &Place, uint32_t Bytes) const;

private:
  /// The struct whose bitfields the source touches at some place.
  struct BitFieldPlace {
    uint32_t Struct; ///< UINT32_MAX: several
    bool FromMacro;
  };

  void addFact(const RecordFact &Fact);
  void addCopyFact(const CopyFact &Fact);
  void addBitFieldFact(const BitFieldFact &Fact);
  void addUnionFact(const UnionFact &Fact);
  void hintFromAround(llvm::ArrayRef<TypedPlace> Places, const llvm::DataLayout &DL);
  llvm::SmallVector<uint32_t, 2> candidates(llvm::StructType *T, const llvm::DataLayout &DL) const;

  std::vector<RecordFact> Structs;
  llvm::StringSet<> Spellings; ///< names of LLVM types that are no structs of the program
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> ByIRName, ByTBAAName;
  llvm::DenseMap<llvm::StructType *, uint32_t> ByType;
  llvm::DenseMap<const void *, uint32_t> ByKey;
  /// Function, line, column.
  std::map<std::tuple<std::string, unsigned, unsigned>, CopyTypes> CopyOfPlace;
  std::map<std::tuple<std::string, unsigned, unsigned>, BitFieldPlace> BitFieldOfPlace;
  /// Function, line, column, whether an element of an array: the union; UINT32_MAX: several things.
  std::map<std::tuple<std::string, unsigned, unsigned, bool>, uint32_t> UnionOfPlace;
};

} // namespace reticle

#endif
