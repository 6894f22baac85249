// elf_text.h - the code of an object file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_ELF_TEXT_H
#define RETICLE_TOOLS_BINARY_ELF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_text {
  uint8_t *data; ///< [bytes], to be freed by the caller
  size_t bytes;
  size_t relocations; ///< places in the code that a linker would still fill in
};

/// Reads section .text of the object file behind the descriptor. False, with null data, if there is
/// none.
bool elf_text_read(int fd, struct elf_text *out);

#endif
