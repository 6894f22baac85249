// code_scopes.h - functions of the source at an address, from debug information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index of units and of each unit's functions: libdw's own search walks a unit from its start
// for each address, seconds for a program in one large file.
#ifndef RETICLE_TOOLS_BINARY_CODE_CODE_SCOPES_H
#define RETICLE_TOOLS_BINARY_CODE_CODE_SCOPES_H

#include "tools/binary/code/code_places.h"

struct Dwarf;
struct code_scopes;

/// Null if there is no memory.
struct code_scopes *code_scopes_open(struct Dwarf *dwarf);
void code_scopes_close(struct code_scopes *scopes);

/// Units that have code; null has none.
size_t code_scopes_count(const struct code_scopes *scopes);

/// As code_places_frames. scopes may be null.
size_t code_scopes_frames(struct code_scopes *scopes, uint64_t address, struct code_frame *out);

#endif
