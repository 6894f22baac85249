// FieldTable.cpp - fills the tables; a struct's id is the hash of what is known of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/field/FieldTable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace reticle;

uint32_t FieldTable::text(StringRef Text) {
  if (Text.empty())
    return 0;
  auto [It, IsNew] = Offsets.try_emplace(Text, static_cast<uint32_t>(Texts.size()));
  if (IsNew) {
    Texts += Text;
    Texts += '\0';
  }
  return It->second;
}

/// The same in each object file that has the definition, another for any other definition.
static uint64_t hashOf(const RecordFact &Fact) {
  SmallString<256> Text;
  auto Add = [&Text](StringRef Part) {
    Text += Part;
    Text.push_back('\0');
  };
  Add(Fact.Name);
  Add(sys::path::filename(Fact.File)); // object files may spell the folder differently
  for (uint32_t Number : {Fact.Line, Fact.SizeBytes})
    Add(std::to_string(Number));
  for (const MemberFact &M : Fact.Members) {
    Add(M.Name);
    for (uint32_t Number : {M.OffsetBytes, M.SizeBytes, M.BitOffset, M.BitSize, M.Flags})
      Add(std::to_string(Number));
  }
  return xxh3_64bits(Text.str());
}

uint32_t FieldTable::structure(uint32_t Index) {
  auto [It, IsNew] = Position.try_emplace(Index, static_cast<uint32_t>(Structs.size()));
  if (!IsNew)
    return It->second;
  const RecordFact &Fact = Facts[Index];
  StructRecord Record;
  Record.id = hashOf(Fact);
  Record.name = text(Fact.Name);
  Record.file = text(Fact.File);
  Record.line = Fact.Line;
  Record.size_bytes = Fact.SizeBytes;
  Record.first_member = static_cast<uint32_t>(Members.size());
  Record.member_count = static_cast<uint32_t>(Fact.Members.size());
  Record.flags = Fact.Flags;
  for (const MemberFact &M : Fact.Members) {
    MemberRecord Member;
    Member.name = text(M.Name);
    Member.type = text(M.Type);
    Member.offset_bytes = M.OffsetBytes;
    Member.size_bytes = M.SizeBytes;
    Member.bit_offset = M.BitOffset;
    Member.bit_size = M.BitSize;
    Member.flags = M.Flags;
    Members.push_back(Member);
  }
  Structs.push_back(Record);
  return It->second;
}

void FieldTable::add(const AccessRecord &Access) {
  for (auto It = Accesses.rbegin(); It != Accesses.rend() && It->counter == Access.counter; ++It)
    if (It->structure == Access.structure && It->offset_bytes == Access.offset_bytes &&
        It->bytes == Access.bytes && It->flags == Access.flags && It->line == Access.line &&
        It->file == Access.file) {
      It->times += Access.times;
      return;
    }
  Accesses.push_back(Access);
}
