// names.h - names of functions and files as the commands show them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_NAMES_H
#define RETICLE_TOOLS_SUPPORT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/// The name a reader knows a function by: demangled, without parameters and return type.
///
/// Returns what the caller frees; ends the program where there is no memory.
char *function_short_name(const char *linkage_name);

/// Takes libraries' namespaces, marks of versions and nameless namespaces out of a C++ name, in
/// place: "std::__cxx11::string f[abi:cxx11]" becomes "std::string f".
void name_cut_versions(char *name);

/// Cuts template arguments that are longer down to "<...>".
void name_cut_arguments(char *name, size_t most_bytes);

/// Both, as reports show names: of arguments 24 characters are left.
void name_cut(char *name);

/// Takes suffixes of numbers among template arguments out, in place: "Pool<120ul>" becomes
/// "Pool<120>", as where the argument's type alone has changed.
void name_cut_suffixes(char *name);

/// Whether a user means that name: whole, or as reports cut it.
bool name_is_meant(const char *name, const char *wanted);

/// What is behind the last slash of a path; all of it where that is nothing.
const char *base_name(const char *path);

/// The processor's name without what the vendor adds to all of them: "AMD EPYC 9R14 (VM)".
///
/// out  [bytes], terminated
void cpu_short_name(const char *cpu_model, const char *hypervisor, char *out, size_t bytes);

#endif
