// instrumentation.h - which instructions and functions of a file Reticle put there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   struct instrumentation *own = instrumentation_open(file);
//   instrumentation_find(own, block->code, block->bytes, block->address, found);
//   instrumentation_close(own);
//
// Only what nothing else can be is recognised, so some of it isn't: docs/method/samples.md.
#ifndef RETICLE_TOOLS_BINARY_BLOCK_INSTRUMENTATION_H
#define RETICLE_TOOLS_BINARY_BLOCK_INSTRUMENTATION_H

#include "tools/binary/code/decode.h"
#include "tools/binary/elf_file.h"

/// Symbols of a file's instrumentation: where its counters, cells and entry points lie.
struct instrumentation;

/// Reads the symbol table. Null if there is no memory; of a stripped file nothing is known but
/// what segment gs tells.
struct instrumentation *instrumentation_open(const struct elf_file *file);
void instrumentation_close(struct instrumentation *own);

/// Whether the function of that linkage name is the runtime's, or a helper that the plug-in made.
bool instrumentation_has_function(const char *symbol);

/// Whether an instruction by itself is instrumentation: a counter (segment gs), an access to a
/// thread-local or plain variable of Reticle, to a mark of shadow memory, a call of an entry point.
///
/// own   null: nothing but segment gs tells
/// next  address of the instruction behind it
bool instruction_is_instrumentation(const struct instrumentation *own,
                                    const struct instruction *instruction, uint64_t next);

/// The same of all instructions of a block, with those around that serve them alone: the branch on
/// a gate or mark, the computation of a mark's address, the cold call with its arguments.
///
/// code   [bytes]
/// found  [bytes], out: by the offset of an instruction's first byte; false elsewhere
///
/// Returns how many are.
size_t instrumentation_find(const struct instrumentation *own, const uint8_t *code, size_t bytes,
                            uint64_t address, bool *found);

/// Whether a block calls an entry point.
bool instrumentation_is_called(const struct instrumentation *own, const uint8_t *code, size_t bytes,
                               uint64_t address);

/// Whether a block holds marks of shadow memory, which cut the program's blocks into pieces.
bool instrumentation_marks(const struct instrumentation *own, const uint8_t *code, size_t bytes,
                           uint64_t address);

#endif
