// compiler.h - finds the clang or flang to call: the one asked for, or one that a plug-in fits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_DRIVER_COMPILER_H
#define RETICLE_TOOLS_DRIVER_COMPILER_H

#include <stdbool.h>

/// What the wrapper was called for.
enum driver_language { DRIVER_C, DRIVER_CXX, DRIVER_FORTRAN };

struct compiler {
  const char *path;
  bool needs_driver_mode; ///< called for C++ by a name that means C: --driver-mode=g++ makes it
                          ///< right
};

/// Finds the compiler to call, or ends the program with a message that says what to install.
///
/// library  directory with reticle.so and plugins/
/// chosen   name or path from --reticle-cc, or null: then RETICLE_CC, RETICLE_CXX or RETICLE_FC,
/// then
///          PATH
/// plain    no plug-in will be used, so any clang will do
struct compiler compiler_get(const char *library, const char *chosen, enum driver_language language,
                             bool plain);

#endif
