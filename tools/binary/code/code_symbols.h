// code_symbols.h - the symbols of an ELF file's code, functions of assembly included.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_CODE_CODE_SYMBOLS_H
#define RETICLE_TOOLS_BINARY_CODE_CODE_SYMBOLS_H

#include "tools/binary/elf_file.h"

struct code_symbols;

/// Reads the symbol table, or of a file without one the dynamic one. Null if there is no memory.
///
/// file  owns the strings: close it later
struct code_symbols *code_symbols_read(const struct elf_file *file);
void code_symbols_release(struct code_symbols *symbols);

/// True if the file has a symbol table, not only the names that it exports.
bool code_symbols_are_whole(const struct code_symbols *symbols);

/// The function at a link-time address; null if there is none. One without a size reaches up to the
/// next one in its section.
const struct elf_function *code_symbols_find(const struct code_symbols *symbols, uint64_t address);

#endif
