// string_table.h - each text once, with a number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_STRING_TABLE_H
#define RETICLE_TOOLS_SUPPORT_STRING_TABLE_H

#include <stddef.h>

/// Start with {0}.
struct string_table {
  char **texts; ///< [count] copies, in the order they came
  size_t count, capacity;
  size_t *slots; ///< [slot_count] number of a text + 1, 0: free
  size_t slot_count;
};

/// The text's number: the one it had, or the next. SIZE_MAX without memory.
size_t string_table_add(struct string_table *table, const char *text);
void string_table_release(struct string_table *table);

#endif
