// arguments.h - what a compiler's command line asks for: to preprocess, compile, link, or nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// A machine that there may be a runtime for.
struct request_machine {
  const char *names[2]; ///< clang's for it
  const char *triple;   ///< as the folder of its runtime is called
  const char *packages; ///< Debian's with its libc
};

struct request {
  enum request_kind kind;
  bool is_test_program; ///< of a configure script and the like: include/reticle/test_program.h
  bool is_without_libc; ///< -nostdlib, -nodefaultlibs, -nolibc
  bool ends_in_inputs;  ///< there is a "--": what is added behind would be an input
  bool has_runtime;     ///< the command names a libreticle_rt archive itself
  bool is_static;       ///< -static, -static-pie: no dynamic linker looks at symbols
  const char *foreign_target; ///< the option that asks for a machine without a runtime, or null
  const char *cross_target;   ///< the option that asks for another one with a runtime, or null
  const struct request_machine *cross_machine; ///< the machine it means; null with cross_target
};

/// Reads a command line without the program's name, @response files already expanded.
struct request request_read(const char *const *arguments, size_t count);

#endif
