// import_call.h - which function of another file a call is for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_CODE_IMPORT_CALL_H
#define RETICLE_TOOLS_BINARY_CODE_IMPORT_CALL_H

#include "tools/binary/code/code_places.h"

/// Linkage name of the function that a call or jump reaches through the file's table of imports:
/// a stub of the linker (.plt), or the slot itself (-fno-plt). Null if it is none, or the machine
/// isn't x86-64.
///
/// address  link-time, of the instruction's last byte
const char *import_call_name(const struct code_places *places, uint64_t address);

#endif
