// code_units.h - the functions of an executable, grouped by the source they come from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_CODE_CODE_UNITS_H
#define RETICLE_TOOLS_BINARY_CODE_CODE_UNITS_H

#include "tools/binary/dwarf_units.h"
#include "tools/binary/elf_file.h"

/// A source and what the linker kept of it.
struct code_unit {
  const char *name;      ///< source; "" for functions whose source is not named
  const char *directory; ///< compilation directory, "" if unknown
  size_t functions;      ///< how many of its functions are in the executable
  bool described;        ///< debug information names it; else only a symbol of the linker does
};

/// Start with code_units_read, end with code_units_release.
struct code_units {
  struct code_unit *units; ///< [count]
  size_t count;
  struct dwarf_units dwarf; ///< owns the strings of described units
};

/// Groups the functions of the file's symbol table, by debug information where there is some, else
/// by the linker's file symbols. Left out: assembly, start-up code of the C library, and Reticle's
/// own runtime. A stripped file has no units.
///
/// file  owns strings of the result: close it later
///
/// Returns false if there is no memory or the file can't be opened again.
bool code_units_read(const char *path, struct elf_file *file, struct code_units *out);
void code_units_release(struct code_units *units);

#endif
