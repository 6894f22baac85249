// code_places.h - what an address of an executable or library is called: function, copies, line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For linked files, of any machine. Strings belong to the code_places.
#ifndef RETICLE_TOOLS_BINARY_CODE_CODE_PLACES_H
#define RETICLE_TOOLS_BINARY_CODE_CODE_PLACES_H

#include "tools/binary/elf_file.h"

/// Deepest inlining that is named.
#define CODE_FRAMES_MAX 32

/// One function that the source says the address belongs to.
struct code_frame {
  const char *name;       ///< linkage name where debug information has it, else the source's
  const char *file;       ///< "" if unknown
  unsigned line;          ///< in this function; 0 if unknown
  unsigned column;        ///< 0 if unknown
  unsigned first_line;    ///< where the function is declared; 0 if unknown
  unsigned discriminator; ///< tells apart blocks of one line; 0 if there is none
};

struct code_places;

/// Opens the file. *out is null on error.
enum elf_file_status code_places_open(const char *path, struct code_places **out);
void code_places_close(struct code_places *places);

/// The file itself: build id, symbols. Owned by the code_places.
struct elf_file *code_places_file(const struct code_places *places);

/// Link-time address of an offset in the file. False if no segment of code has it.
bool code_places_address(const struct code_places *places, uint64_t offset, uint64_t *address);

/// The segment of code that has the address. False
/// if there is none.
///
/// start, limit  out: link-time addresses
/// offset        out: of start in the file
bool code_places_segment(const struct code_places *places, uint64_t address, uint64_t *start,
                         uint64_t *limit, uint64_t *offset);

/// The bytes from the address on to the end of its segment; null if it has none.
///
/// bytes  out: how many
const uint8_t *code_places_code(const struct code_places *places, uint64_t address, size_t *bytes);

/// The function that the symbol table has there: the file's own, or that of its file of debug
/// information in /usr/lib/debug; else one that it exports. Null if there is none.
const struct elf_function *code_places_function(struct code_places *places, uint64_t address);

/// True if the file has debug information that libdw can read.
bool code_places_has_lines(struct code_places *places);

/// Functions of the source at the address: the innermost inlined copy first, the function that
/// holds the machine code last. 0 without debug information; one frame with a line and the name ""
/// where the functions are in a file that is gone (-gsplit-dwarf).
///
/// out  [CODE_FRAMES_MAX]
size_t code_places_frames(struct code_places *places, uint64_t address, struct code_frame *out);

#endif
