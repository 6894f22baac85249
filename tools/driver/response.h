// response.h - reads @response files, to know what a command line asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_DRIVER_RESPONSE_H
#define RETICLE_TOOLS_DRIVER_RESPONSE_H

#include <stddef.h>

struct argument_list {
  const char **at; ///< [count], then a null pointer
  size_t count;
  size_t capacity;
};

/// Appends one argument; the string is kept, not copied.
void argument_list_add(struct argument_list *list, const char *argument);

/// Appends `arguments` [count] with each @FILE replaced by what stands in FILE, nested ones too.
/// As clang does, takes @FILE literally where FILE can't be read.
/// Source: GNU quoting, as described for @file in gcc(1).
void response_expand(struct argument_list *list, const char *const *arguments, size_t count);

/// Appends `arguments` [count], but with what stands in FILE for each @FILE that can be read but
/// once, as it is a pipe: <(...) of a shell, for one.
void response_keep(struct argument_list *list, const char *const *arguments, size_t count);

#endif
