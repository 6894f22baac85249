// character.h - the one place that knows which characters may be shown, and how wide they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in a profile, an ELF file, a source file or a command line may hold anything: escape
// sequences that drive the terminal, newlines and carriage returns that forge lines, marks that
// turn the direction of what follows, invisible characters. All of them are written as
// "\\x1b" or "\\u202e". The backslash itself stays, so escaping twice changes nothing.
#ifndef RETICLE_TOOLS_SUPPORT_CHARACTER_H
#define RETICLE_TOOLS_SUPPORT_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decodes the character at the start of a string that isn't empty.
///
/// point  gets the code point
///
/// Returns its length; 0 where the bytes are no well-formed UTF-8. Source: Unicode 15, table 3-7.
size_t character_read(const char *string, uint32_t *point);

/// Whether the code point is shown as it is: no control character, no format character (Unicode's
/// Cc, Cf, Zl, Zp and what is ignorable by default), no noncharacter.
bool character_is_shown(uint32_t point);

/// Columns that it takes: 0 (combining), 1 or 2 (East Asian).
unsigned character_width(uint32_t point);

/// Room for an escape, its 0 included.
#define CHARACTER_ESCAPE 12
/// Writes what stands in place of the character (length > 0) or the byte (length 0) at the start.
void character_escape(const char *string, size_t length, uint32_t point, char *out);

#endif
