// demangle.h - linkage names as the source spells them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_DEMANGLE_H
#define RETICLE_TOOLS_SUPPORT_DEMANGLE_H

#include <stdbool.h>

/// The name in full: of C++ "ns::f(int)", of Rust "crate::f", without its hash, of flang
/// "module::f"; a copy where it is none of these. ".llvm.4711" of ThinLTO is left out. The caller
/// frees it. Null if there is no memory.
char *demangle(const char *linkage_name);

/// Takes parameters and return type off a demangled name, in place: "void ns::f<int>(int) const"
/// becomes "ns::f<int>". Parentheses that belong to the name ("operator()", "(anonymous
/// namespace)") stay.
void demangle_shorten(char *name);

/// If `name`, demangled as C++, is rustc's (it ends with a hash), makes of it the name as the
/// source spells it, in place.
bool demangle_rust(char *name);

/// The name of a procedure that flang has in a module or in another procedure, or null where it
/// isn't one. The caller frees it.
char *demangle_fortran(const char *linkage_name);

#endif
