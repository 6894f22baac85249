// fuzz_elf.c - changes an ELF file: headers, symbols, DWARF, map of blocks, the plug-in's sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/fuzz.h"

#include <elf.h>
#include <string.h>

/// Sections that the tools read, by the start of their names.
static const char *const read_ones[] = {".symtab",  ".strtab",   ".debug_", ".llvm_bb",
                                        "reticle_", ".dyn",      ".note",   ".shstr",
                                        ".text",    ".eh_frame", ".rela",   ".data"};

/// A run of bytes whose entries have a size; 0: any.
struct range {
  uint64_t offset, bytes, entry;
};

static bool is_inside(const struct fuzz_bytes *file, uint64_t offset, uint64_t bytes) {
  return offset <= file->count && bytes <= file->count - offset;
}

static const char *name_of(const struct fuzz_bytes *file, const Elf64_Ehdr *head,
                           const Elf64_Shdr *section) {
  Elf64_Shdr names;
  uint64_t at = head->e_shoff + (uint64_t)head->e_shstrndx * sizeof names;
  if (!is_inside(file, at, sizeof names))
    return "";
  memcpy(&names, file->data + at, sizeof names);
  if (!is_inside(file, names.sh_offset, names.sh_size) || section->sh_name >= names.sh_size ||
      !memchr(file->data + names.sh_offset + section->sh_name, 0, names.sh_size - section->sh_name))
    return "";
  return (const char *)file->data + names.sh_offset + section->sh_name;
}

static bool is_read(const char *name) {
  for (size_t i = 0; i < sizeof read_ones / sizeof *read_ones; i++)
    if (strncmp(name, read_ones[i], strlen(read_ones[i])) == 0)
      return true;
  return false;
}

/// Chooses one of the sections that are read, or a table of headers.
static struct range choose(const struct fuzz_bytes *file, struct fuzz_random *random) {
  struct range ranges[128];
  size_t count = 0;
  Elf64_Ehdr head;
  ranges[count++] = (struct range){0, file->count < 64 ? file->count : 64, 4};
  if (file->count < sizeof head)
    return ranges[0];
  memcpy(&head, file->data, sizeof head);
  uint64_t table = (uint64_t)head.e_shnum * sizeof(Elf64_Shdr);
  uint64_t program = (uint64_t)head.e_phnum * sizeof(Elf64_Phdr);
  if (is_inside(file, head.e_phoff, program) && program)
    ranges[count++] = (struct range){head.e_phoff, program, 8};
  if (!is_inside(file, head.e_shoff, table) || !table)
    return ranges[fuzz_below(random, count)];
  for (int i = 0; i < 3; i++) // three times as likely
    ranges[count++] = (struct range){head.e_shoff, table, 4};
  for (size_t i = 0; i < head.e_shnum && count < 128; i++) {
    Elf64_Shdr section;
    memcpy(&section, file->data + head.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS && section.sh_size &&
        is_inside(file, section.sh_offset, section.sh_size) &&
        is_read(name_of(file, &head, &section)))
      ranges[count++] =
          (struct range){section.sh_offset, section.sh_size, section.sh_type == SHT_SYMTAB ? 8 : 0};
  }
  return ranges[fuzz_below(random, count)];
}

void fuzz_elf_mutate(struct fuzz_bytes *file, struct fuzz_random *random) {
  if (!file->count)
    return;
  if (fuzz_once_in(random, 200)) {
    file->count = fuzz_below(random, file->count);
    return;
  }
  struct range range = choose(file, random);
  // The start of a section heads its parts: half of the changes go there.
  uint64_t reach = fuzz_once_in(random, 2) && range.bytes > 256 ? 256 : range.bytes;
  uint64_t at = fuzz_below(random, reach);
  uint64_t value = fuzz_number(random), width = 1u << fuzz_below(random, 4);
  if (range.entry)
    at -= at % range.entry;
  if (!is_inside(file, range.offset + at, width))
    return;
  unsigned char *place = file->data + range.offset + at;
  switch (fuzz_below(random, 4)) {
  case 0:
    *place ^= (unsigned char)(1u << fuzz_below(random, 8));
    break;
  case 1:
    *place = (unsigned char)value;
    break;
  case 2: { // a copy from elsewhere in it
    uint64_t from = fuzz_below(random, range.bytes), n = 1 + fuzz_below(random, 64);
    if (is_inside(file, range.offset + from, n) && is_inside(file, range.offset + at, n))
      memmove(place, file->data + range.offset + from, n);
    break;
  }
  default:
    memcpy(place, &value, width);
  }
}
