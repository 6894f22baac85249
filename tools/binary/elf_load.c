// elf_load.c - compares program headers with where the code was mapped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "tools/binary/elf_load.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { PAGE_BYTES = 4096 };

/// Link-time address of the code that stands at the offset in the file; false where none does.
static bool code_address(const struct elf_file *file, uint64_t offset, uint64_t *address) {
  size_t count = 0;
  GElf_Phdr header;
  if (elf_getphdrnum(elf_file_handle(file), &count))
    return false;
  for (size_t i = 0; i < count; i++) {
    if (!gelf_getphdr(elf_file_handle(file), (int)i, &header) || header.p_type != PT_LOAD ||
        !(header.p_flags & PF_X))
      continue;
    uint64_t before = header.p_offset % PAGE_BYTES; // pages are mapped as a whole
    if (offset >= header.p_offset - before && offset < header.p_offset + header.p_filesz) {
      *address = header.p_vaddr + (offset - header.p_offset);
      return true;
    }
  }
  return false;
}

bool elf_load_bias(const struct elf_file *file, const char *path, int pid, uint64_t *bias) {
  char name[64], line[8192];
  struct stat status;
  snprintf(name, sizeof(name), "/proc/%d/maps", pid);
  if (stat(path, &status))
    return false;
  FILE *maps = fopen(name, "re");
  bool found = false;
  while (maps && !found && fgets(line, sizeof(line), maps)) {
    uint64_t start, offset, inode, address;
    unsigned major_number, minor_number;
    char mode[5];
    found = sscanf(line, "%" SCNx64 "-%*x %4s %" SCNx64 " %x:%x %" SCNu64, &start, mode, &offset,
                   &major_number, &minor_number, &inode) == 6 &&
            mode[2] == 'x' && inode == status.st_ino &&
            makedev(major_number, minor_number) == status.st_dev &&
            code_address(file, offset, &address);
    if (found)
      *bias = start - address;
  }
  if (maps)
    fclose(maps);
  return found;
}
