// dwarf_units.h - the compile units that the debug information names, and where their code lies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_DWARF_UNITS_H
#define RETICLE_TOOLS_BINARY_DWARF_UNITS_H

#include "tools/binary/elf_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Machine code [low, high) of a compile unit, link-time addresses.
struct dwarf_range {
  uint64_t low, high;
  size_t unit; ///< position in dwarf_units.units
};

struct dwarf_unit {
  const char *name;      ///< source as the compiler was given it
  const char *directory; ///< compilation directory, "" if unknown
  const char *producer;  ///< compiler, "" if unknown
  bool assembler;        ///< written in assembly
};

/// Start with dwarf_units_read, end with dwarf_units_release.
struct dwarf_units {
  struct dwarf_unit *units; ///< [count], strings belong to `handle`
  size_t count;
  struct dwarf_range *ranges; ///< [range_count], ascending, only non-empty ones
  size_t range_count;
  void *handle;
  struct elf_file *file;
};

/// Reads names and ranges of all units. A file without debug information has none. Returns false
/// if the file can't be opened; `out` can be released in any case.
bool dwarf_units_read(const char *path, struct dwarf_units *out);
void dwarf_units_release(struct dwarf_units *units);

/// The unit that holds the address; null if none does.
const struct dwarf_unit *dwarf_units_find(const struct dwarf_units *units, uint64_t address);

#endif
