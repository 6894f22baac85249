// FieldTable.h - the tables of the feature `field`: structs, members, accesses, their texts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_PASS_FIELD_FIELDTABLE_H
#define RETICLE_PASS_FIELD_FIELDTABLE_H

#include "pass/front/RecordFacts.h"
#include "pass/module/Descriptors.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <string>
#include <vector>

namespace reticle {

/// Collects what createFields writes. Structs come in when an access refers to them.
class FieldTable {
public:
  explicit FieldTable(llvm::ArrayRef<RecordFact> Facts) : Facts(Facts), Texts(1, '\0') {}

  /// Offset of the text.
  uint32_t text(llvm::StringRef Text);
  /// Position of the struct Facts[Index].
  uint32_t structure(uint32_t Index);
  /// Stable id of the struct Facts[Index].
  uint64_t idOf(uint32_t Index) { return Structs[structure(Index)].id; }
  /// One that the same block has already adds to its times.
  void add(const AccessRecord &Access);

  llvm::ArrayRef<StructRecord> structs() const { return Structs; }
  llvm::ArrayRef<MemberRecord> members() const { return Members; }
  llvm::ArrayRef<AccessRecord> accesses() const { return Accesses; }
  llvm::StringRef texts() const { return Texts; }

private:
  llvm::ArrayRef<RecordFact> Facts;
  std::map<uint32_t, uint32_t> Position;
  std::vector<StructRecord> Structs;
  std::vector<MemberRecord> Members;
  std::vector<AccessRecord> Accesses;
  llvm::StringMap<uint32_t> Offsets;
  std::string Texts;
};

} // namespace reticle

#endif
