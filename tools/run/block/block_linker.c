// block_linker.c - finds the dynamic linker's hook by AT_PHDR, PT_DYNAMIC and DT_DEBUG.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: the interface between dynamic linker and debugger, <link.h>: DT_DEBUG leads to struct
// r_debug, whose r_brk is called before and after each change.
#include "tools/run/block/block_linker.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { HEADERS_MOST = 64, ENTRIES_MOST = 256 };

uint64_t block_linker_aux(pid_t pid, uint64_t type) {
  char name[64];
  uint64_t pair[2] = {AT_NULL, 0};
  snprintf(name, sizeof(name), "/proc/%d/auxv", (int)pid);
  FILE *stream = fopen(name, "re");
  while (stream && fread(pair, sizeof(pair), 1, stream) == 1 && pair[0] != type)
    ;
  if (stream)
    fclose(stream);
  return pair[0] == type ? pair[1] : 0;
}

static bool peek(int memory, uint64_t address, void *out, size_t bytes) {
  return pread(memory, out, bytes, (off_t)address) == (ssize_t)bytes;
}

/// Address of the program's dynamic section; 0 if it has none.
static uint64_t dynamic_section(pid_t pid, int memory) {
  uint64_t at = block_linker_aux(pid, AT_PHDR), count = block_linker_aux(pid, AT_PHNUM);
  uint64_t bias = 0, dynamic = 0;
  ElfW(Phdr) header;
  for (uint64_t i = 0; at && i < count && i < HEADERS_MOST; i++) {
    if (!peek(memory, at + i * sizeof(header), &header, sizeof(header)))
      return 0;
    if (header.p_type == PT_PHDR)
      bias = at - header.p_vaddr;
    if (header.p_type == PT_DYNAMIC)
      dynamic = header.p_vaddr;
  }
  return dynamic ? dynamic + bias : 0;
}

uint64_t block_linker_break(pid_t pid, int memory) {
  uint64_t at = dynamic_section(pid, memory);
  ElfW(Dyn) entry;
  struct r_debug debug;
  for (int i = 0; at && i < ENTRIES_MOST; i++) {
    if (!peek(memory, at + (uint64_t)i * sizeof(entry), &entry, sizeof(entry)) ||
        entry.d_tag == DT_NULL)
      return 0;
    if (entry.d_tag == DT_DEBUG)
      return entry.d_un.d_ptr && peek(memory, entry.d_un.d_ptr, &debug, sizeof(debug)) ? debug.r_brk
                                                                                       : 0;
  }
  return 0;
}
