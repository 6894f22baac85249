// path.h - strings, paths and files, as far as the wrapper needs them; memory is never given back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wrapper ends in execv within milliseconds, so nothing here is freed.
#ifndef RETICLE_TOOLS_DRIVER_PATH_H
#define RETICLE_TOOLS_DRIVER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/// Memory for `bytes` bytes. Ends the program when there is none.
void *driver_allocate(size_t bytes);

/// A string made as by printf. Ends the program when there is no memory.
char *driver_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The name that messages begin with.
extern const char *driver_name;

/// Prints "reticle-clang: error: ..." in one write and ends with status 1, as compilers do.
_Noreturn void driver_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The part of `path` behind its last slash.
const char *path_base(const char *path);

/// The directory of `path`: "/usr" for "/usr/bin", "." where there is no slash.
char *path_directory(const char *path);

/// The running program with symbolic links resolved, or null.
char *path_self(void);

bool path_exists(const char *path);

/// Where `name` lies: itself if it has a slash, else the first executable of that name in PATH.
/// Never the running program, so that a link named clang to this wrapper doesn't call itself.
/// Null when there is none.
char *path_program(const char *name);

#endif
