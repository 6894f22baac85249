// source_place.h - a line of a source file as users name it: "src/in.c:12:5".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_SOURCE_PLACE_H
#define RETICLE_TOOLS_SUPPORT_SOURCE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_place {
  const char *text; ///< begins with the path; borrowed
  size_t path_bytes;
  uint32_t line, column; ///< column 0: none was named
};

/// False where it isn't FILE:LINE or FILE:LINE:COLUMN.
bool source_place_parse(const char *text, struct source_place *out);

/// True if the path ends in the parts that were named: "src/in.c" is meant by "in.c".
bool source_place_is_in(const struct source_place *place, const char *path);

#endif
