// elf_file.h - what an ELF executable or library says about itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_ELF_FILE_H
#define RETICLE_TOOLS_BINARY_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Why a file can't be read; the text is elf_file_error's.
enum elf_file_status {
  ELF_FILE_OK = 0,
  ELF_FILE_UNREADABLE = -1, ///< open or read failed: errno says why
  ELF_FILE_NOT_ELF = -2,    ///< a script, an object archive, a foreign format
  ELF_FILE_DAMAGED = -3,    ///< starts like ELF, but libelf can't make sense of it
  ELF_FILE_BLOATED = -4,    ///< its compressed sections would unpack to any size
};

enum elf_file_kind {
  ELF_FILE_STATIC,         ///< executable at a fixed address, no dynamic linker
  ELF_FILE_STATIC_PIE,     ///< position-independent, no dynamic linker
  ELF_FILE_EXECUTABLE,     ///< dynamic executable at a fixed address
  ELF_FILE_PIE,            ///< dynamic, position-independent
  ELF_FILE_SHARED_LIBRARY, ///< no entry in the program headers for an interpreter
  ELF_FILE_OTHER,          ///< object file, core file
};

struct elf_file;

/// Opens the file. *out is null on error; release with elf_file_close.
enum elf_file_status elf_file_open(const char *path, struct elf_file **out);
void elf_file_close(struct elf_file *file);
/// What the status means, for a message: "is no ELF file (a script?)".
const char *elf_file_error(enum elf_file_status status);

enum elf_file_kind elf_file_kind(const struct elf_file *file);
/// "PIE", "static executable", ...
const char *elf_file_kind_name(enum elf_file_kind kind);

/// Build id in hex; "" if there is none. Owned by the file.
const char *elf_file_build_id(const struct elf_file *file);

/// True if the file has a section of that name with contents.
bool elf_file_has_section(const struct elf_file *file, const char *name);

/// Contents of the section of that name, owned by the file; null if there are none.
///
/// bytes  out: how many; unchanged without any
const char *elf_file_section(const struct elf_file *file, const char *name, size_t *bytes);

/// True if the symbol table, or the dynamic one, defines the symbol.
bool elf_file_defines(const struct elf_file *file, const char *symbol);

/// Names of the libraries the file needs (DT_NEEDED).
///
/// count  out: how many
///
/// Returns [count], owned by the file; null if it needs none.
const char *const *elf_file_needed(const struct elf_file *file, size_t *count);

/// A function of the symbol table.
struct elf_function {
  uint64_t address;   ///< link-time
  uint64_t bytes;     ///< may be 0: assembly
  const char *name;   ///< linkage name
  const char *file;   ///< STT_FILE symbol it stands under, "" for global symbols
  size_t file_number; ///< tells apart files of one name; 0 where file is ""
  size_t section;     ///< that holds it; addresses of an object file are relative to it
};

/// The functions that the file holds, in ascending order of address, one per address (aliases are
/// left out, a global name wins).
///
/// count  out: how many; 0 if the file was stripped
///
/// Returns [count], owned by the file.
const struct elf_function *elf_file_functions(struct elf_file *file, size_t *count);

/// The same with aliases, and where a file was stripped, the functions that it exports.
const struct elf_function *elf_file_function_names(struct elf_file *file, size_t *count);

/// True if the file takes a symbol of that name from a library.
bool elf_file_imports(const struct elf_file *file, const char *symbol);

/// libelf's handle (Elf *), for readers of single sections. Owned by the file.
struct Elf *elf_file_handle(const struct elf_file *file);

#endif
