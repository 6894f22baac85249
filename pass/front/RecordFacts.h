// RecordFacts.h - struct types as the front end knows them: names, places, layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FRONT_RECORDFACTS_H
#define RETICLE_PASS_FRONT_RECORDFACTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace reticle {

/// One field. Flags: enum reticle_member_flags. The rest as in RETICLE_MEM_MEMBER.
struct MemberFact {
  std::string Name;
  std::string Type;
  uint32_t OffsetBytes = 0;
  uint32_t SizeBytes = 0;
  uint32_t BitOffset = 0;
  uint32_t BitSize = 0;
  uint32_t Flags = 0;
  const void *TypeKey = nullptr; ///< Key of the struct that the field (or an element of it) is
};

struct RecordFact {
  const void *Key = nullptr; ///< tells definitions apart while one file is compiled
  std::string IRName;        ///< of the LLVM type, without the number that LLVM may append
  std::string TBAAName;      ///< of the type in alias information; "" if it has none of its own
  std::string Name;          ///< for people
  std::string File;
  uint32_t Line = 0;
  uint32_t SizeBytes = 0;
  uint32_t Flags = 0; ///< enum reticle_struct_flags
  /// No struct of the program: a compiler's header spells an unaligned access so (_mm_loadu_si128).
  bool IsSpelling = false;
  std::vector<MemberFact> Members;
};

/// A copy or clearing of whole structs in the source; null: not of a struct.
struct CopyFact {
  std::string Function; ///< linkage name
  unsigned Line = 0, Column = 0;
  const void *To = nullptr, *From = nullptr; ///< Key of the struct written and read
};

/// An access to a bitfield in the source. In the struct's first unit LLVM has no typed address for
/// it.
struct BitFieldFact {
  std::string Function; ///< linkage name
  unsigned Line = 0, Column = 0;
  const void *Struct = nullptr; ///< Key; null: something else at this place
  bool FromMacro = false;       ///< other accesses of the macro have the same place
};

/// An access to a field of a union in the source, which has no typed address in LLVM.
struct UnionFact {
  std::string Function; ///< linkage name
  unsigned Line = 0, Column = 0;
  bool IsElement = false;      ///< of an array in it: the place is the expression's start
  const void *Union = nullptr; ///< Key; null: other accesses have this place, too
};

/// A call in the source that gives memory, or a global variable: what the memory holds.
struct AllocationFact {
  std::string Function; ///< linkage name; of a global variable: its own name
  std::string File;
  unsigned Line = 0, Column = 0; ///< of the call; column 0: of a global variable
  uint32_t Flags = 0;            ///< enum reticle_allocation_flags
  std::string Type;              ///< as the source spells it; "" if nothing says it
  uint32_t SizeBytes = 0;        ///< of one Type; 0 if not known
  const void *Record = nullptr;  ///< Key of Type, if it is a struct with a layout
};

struct RecordFacts {
  std::vector<RecordFact> Records;
  std::vector<CopyFact> Copies;
  std::vector<BitFieldFact> BitFields;
  std::vector<UnionFact> Unions;
  std::vector<AllocationFact> Allocations;
};

} // namespace reticle

#endif
