// LayoutFile.h - the file of a what-if: how the fields of one struct are to be laid out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   reticle-layout 1
//   struct order
//   place book.c:15
//   size 152
//   align 64               optional
//   field 24 8 px          offset and size in bytes as written in the source; the lines' order is
//   field 88 4 qty         the new one. Of a bitfield: field 16.3 1 high
//   ...
//
// `reticle layout STRUCT --write FILE` writes it.
#ifndef RETICLE_PASS_MODULE_LAYOUTFILE_H
#define RETICLE_PASS_MODULE_LAYOUTFILE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace reticle {

struct LayoutField {
  std::string Name;
  uint32_t OffsetBytes = 0; ///< as written
  uint32_t BitOffset = 0;   ///< behind OffsetBytes
  uint32_t SizeBytes = 0;   ///< 0: a flexible array
};

struct LayoutFile {
  std::string Path;
  std::string Struct; ///< with namespaces and template arguments
  std::string File;   ///< without folders
  uint32_t Line = 0;
  uint32_t SizeBytes = 0;          ///< as written
  uint32_t AlignBytes = 0;         ///< 0: as written
  std::vector<LayoutField> Fields; ///< in the new order
  uint64_t Hash = 0;               ///< of what it says; never 0 in the low 32 bits
};

/// Reads the file. Returns an empty string, or the mistake and its fix; Out is then half set.
std::string readLayoutFile(llvm::StringRef Path, LayoutFile &Out);

} // namespace reticle

#endif
