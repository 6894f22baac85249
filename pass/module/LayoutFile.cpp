// LayoutFile.cpp - reads the file of a what-if.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/module/LayoutFile.h"
#include "include/reticle/abi.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace llvm;
using namespace reticle;

static constexpr uint32_t AlignMax = 4096;

static bool readNumber(StringRef Text, uint32_t &Out) { return !Text.getAsInteger(10, Out); }

/// "24 8 px" or "16.3 1 high".
static bool readField(StringRef Text, LayoutField &Out) {
  auto [Place, AfterPlace] = Text.split(' ');
  auto [Size, Name] = AfterPlace.split(' ');
  auto [Byte, Bit] = Place.split('.');
  Out.Name = Name.str();
  return !Name.empty() && readNumber(Byte, Out.OffsetBytes) && readNumber(Size, Out.SizeBytes) &&
         (Bit.empty() || readNumber(Bit, Out.BitOffset));
}

/// One line but the first. Returns what was expected in its place; null if it is fine.
static const char *readLine(StringRef Line, LayoutFile &Out) {
  auto [Key, Value] = Line.split(' ');
  if (Key == "struct") {
    Out.Struct = Value.str();
    return Value.empty() ? "struct NAME" : nullptr;
  }
  if (Key == "place") {
    auto [File, Number] = Value.rsplit(':');
    Out.File = File.str();
    return !File.empty() && readNumber(Number, Out.Line) && Out.Line ? nullptr : "place FILE:LINE";
  }
  if (Key == "size")
    return readNumber(Value, Out.SizeBytes) && Out.SizeBytes ? nullptr : "size BYTES";
  if (Key == "align")
    return readNumber(Value, Out.AlignBytes) && isPowerOf2_32(Out.AlignBytes) &&
                   Out.AlignBytes <= AlignMax
               ? nullptr
               : "align BYTES (a power of two up to 4096)";
  if (Key == "field") {
    Out.Fields.emplace_back();
    return readField(Value, Out.Fields.back()) ? nullptr : "field OFFSET SIZE NAME";
  }
  return "struct, place, size, align or field";
}

/// "size", or "field px": what may stand in a file once.
static StringRef subjectOf(StringRef Line) {
  auto [Key, Value] = Line.split(' ');
  return Key == "field" ? Value.split(' ').second.split(' ').second : Key;
}

/// As tools/model/struct/layout_file.c reckons it.
static uint64_t hashOf(const LayoutFile &File) {
  SmallString<256> Text;
  auto Add = [&Text](StringRef Part) {
    Text += Part;
    Text.push_back('\0');
  };
  Add(File.Struct);
  Add(File.File);
  for (uint32_t Number : {File.Line, File.SizeBytes, File.AlignBytes})
    Add(utostr(Number));
  for (const LayoutField &Field : File.Fields)
    Add(Field.Name);
  uint64_t Hash = reticle_checksum_end(
      reticle_checksum_add(RETICLE_CHECKSUM_START, Text.data(), Text.size()), Text.size());
  return static_cast<uint32_t>(Hash) ? Hash : Hash + 1;
}

namespace reticle {

std::string readLayoutFile(StringRef Path, LayoutFile &Out) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return ("layout: " + Path + ": " + Buffer.getError().message() +
            "; write one with `reticle layout STRUCT --write " + Path + "`")
        .str();
  Out.Path = Path.str();
  SmallVector<StringRef, 32> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n');
  if (Lines[0].rtrim() != "reticle-layout 1")
    return ("layout: " + Path +
            " is no layout file of this version: its first line is not `reticle-layout 1`; write "
            "it again with `reticle layout STRUCT --write`")
        .str();
  StringSet<> Keys, Fields;
  for (size_t I = 1; I < Lines.size(); ++I) {
    StringRef Line = Lines[I].trim();
    if (Line.empty() || Line.starts_with("#"))
      continue;
    if (!(Line.starts_with("field ") ? Fields : Keys).insert(subjectOf(Line)).second)
      return ("layout: " + Path + ":" + Twine(I + 1) + ": '" + Line +
              "' stands there a second time; leave one of them")
          .str();
    if (const char *Wanted = readLine(Line, Out))
      return ("layout: " + Path + ":" + Twine(I + 1) + ": '" + Line + "': expected " + Wanted)
          .str();
  }
  const char *Missing = Out.Struct.empty()   ? "struct NAME"
                        : !Out.Line          ? "place FILE:LINE"
                        : !Out.SizeBytes     ? "size BYTES"
                        : Out.Fields.empty() ? "field OFFSET SIZE NAME"
                                             : nullptr;
  if (Missing)
    return ("layout: " + Path + ": a line `" + Missing + "` is missing").str();
  Out.Hash = hashOf(Out);
  return "";
}

} // namespace reticle
