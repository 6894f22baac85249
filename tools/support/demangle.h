// demangle.h - linkage names as the source spells them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_DEMANGLE_H
#define RETICLE_TOOLS_SUPPORT_DEMANGLE_H

/// The C++ name in full ("ns::f(int)"), or a copy where the name is no C++ linkage name. The caller
/// frees it. Null if there is no memory.
char *demangle(const char *linkage_name);

/// Takes parameters and return type off a demangled name, in place: "void ns::f<int>(int) const"
/// becomes "ns::f<int>". Parentheses that belong to the name ("operator()", "(anonymous
/// namespace)") stay.
void demangle_shorten(char *name);

#endif
