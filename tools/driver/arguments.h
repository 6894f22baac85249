// arguments.h - what a compiler command line asks for: to preprocess, to compile, to link, or
// nothing. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_DRIVER_ARGUMENTS_H
#define RETICLE_TOOLS_DRIVER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum request_kind {
  REQUEST_NOTHING,    ///< no input (-v, --version, -print-*), or clang's own -cc1
  REQUEST_PREPROCESS, ///< -E -M -MM -fsyntax-only --analyze: no code comes out
  REQUEST_COMPILE,    ///< code comes out, but no executable or shared library: -c -S -r, a header
  REQUEST_LINK,       ///< an executable or shared library comes out
};

struct request {
  enum request_kind kind;
  bool has_runtime;           ///< the command names a libreticle_rt archive itself
  bool is_static;             ///< -static, -static-pie: no dynamic linker looks at symbols
  const char *foreign_target; ///< the option that asks for another machine than ours, or null
};

/// Reads a command line without the program's name, @response files already expanded.
struct request request_read(const char *const *arguments, size_t count);

#endif
