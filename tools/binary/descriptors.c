// descriptors.c - reads the plug-in's records from the file, relocations applied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/descriptors.h"

#include "tools/profile/regular.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// Longest string of a record that is read: four times the longest path.
#define STRING_BYTES 16384

/// A whole ELF file in private memory.
struct image {
  char *memory;
  size_t bytes;
  const Elf64_Ehdr *header;
  const Elf64_Shdr *sections;
};

/// `bytes` bytes at the offset of the file, null if it has not that many.
static void *image_at(const struct image *image, uint64_t offset, uint64_t bytes) {
  if (offset > image->bytes || bytes > image->bytes - offset)
    return NULL;
  return image->memory + offset;
}

/// As image_at, for records: null also where they are not aligned.
static void *image_records(const struct image *image, uint64_t offset, uint64_t bytes) {
  return offset % 8 ? NULL : image_at(image, offset, bytes);
}

/// File offset of a link-time address, UINT64_MAX if the file holds no byte for it.
static uint64_t image_offset(const struct image *image, uint64_t address) {
  const Elf64_Ehdr *header = image->header;
  const Elf64_Phdr *segments =
      image_records(image, header->e_phoff, (uint64_t)header->e_phnum * sizeof(*segments));
  for (size_t i = 0; segments && i < header->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr &&
        address - segments[i].p_vaddr < segments[i].p_filesz)
      return segments[i].p_offset + (address - segments[i].p_vaddr);
  return UINT64_MAX;
}

/// The zero-terminated string at the address, "" if there is none, or none of a compiler's length:
/// records may share a string of the file's.
static const char *image_string(const struct image *image, uint64_t address) {
  uint64_t offset = image_offset(image, address);
  const char *string = address ? image_at(image, offset, 1) : NULL;
  size_t left = string ? image->bytes - offset : 0;
  if (!string || !memchr(string, 0, left < STRING_BYTES ? left : STRING_BYTES))
    return "";
  return string;
}

static const Elf64_Shdr *image_section(const struct image *image, const char *name) {
  const Elf64_Ehdr *header = image->header;
  if (header->e_shstrndx >= header->e_shnum)
    return NULL;
  uint64_t names = image->sections[header->e_shstrndx].sh_offset;
  size_t length = strlen(name) + 1;
  for (size_t i = 0; i < header->e_shnum; i++) {
    const char *have = image_at(image, names + image->sections[i].sh_name, length);
    if (have && memcmp(have, name, length) == 0)
      return &image->sections[i];
  }
  return NULL;
}

/// Position-independent files keep addresses in relocation records (unless they are packed as RELR,
/// then they are in place): writes those of the section into the private copy.
static void image_relocate(const struct image *image, const Elf64_Shdr *section) {
  uint64_t left = image->bytes; // tables that lie over each other could have any number of records
  for (size_t i = 0; i < image->header->e_shnum; i++) {
    const Elf64_Shdr *table = &image->sections[i];
    if (table->sh_type != SHT_RELA || table->sh_size > left)
      continue;
    left -= table->sh_size;
    const Elf64_Rela *records = image_records(image, table->sh_offset, table->sh_size);
    for (size_t r = 0; records && r < table->sh_size / sizeof(*records); r++) {
      uint64_t type = ELF64_R_TYPE(records[r].r_info), at = records[r].r_offset;
      if ((type != R_X86_64_RELATIVE && type != R_AARCH64_RELATIVE) || at < section->sh_addr ||
          section->sh_size < 8 || at - section->sh_addr > section->sh_size - 8)
        continue;
      memcpy(image->memory + section->sh_offset + (at - section->sh_addr), &records[r].r_addend, 8);
    }
  }
}

/// Turns the addresses of the record's strings into pointers.
static void resolve_strings(const struct image *image, struct reticle_object_desc *object) {
#define RESOLVE_U64(name)
#define RESOLVE_U32(name)
#define RESOLVE_PTR(name)
#define RESOLVE_STR(name) object->name = image_string(image, (uint64_t)(uintptr_t)object->name);
#define RETICLE_MEM_OBJECT(kind, name, unit, doc) RESOLVE_##kind(name)
#include "include/reticle/abi.def"
}

static bool image_map(const char *path, struct image *image) {
  int fd = regular_open(path);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0 || status.st_size <= 0) {
    if (fd >= 0)
      close(fd);
    return false;
  }
  image->bytes = (size_t)status.st_size;
  image->memory = mmap(NULL, image->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  close(fd);
  return image->memory != MAP_FAILED;
}

static bool image_understood(struct image *image) {
  image->header = image_records(image, 0, sizeof(*image->header));
  const Elf64_Ehdr *header = image->header;
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_shentsize != sizeof(*image->sections))
    return false;
  image->sections =
      image_records(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof(*image->sections));
  return image->sections != NULL;
}

bool descriptors_read(const char *path, struct descriptors *out) {
  *out = (struct descriptors){0};
  struct image image = {0};
  if (!image_map(path, &image))
    return false;
  out->memory = image.memory;
  out->bytes = image.bytes;
  if (!image_understood(&image))
    return true;
  const Elf64_Shdr *section = image_section(&image, "reticle_objects");
  if (!section || section->sh_type == SHT_NOBITS ||
      !image_at(&image, section->sh_offset, section->sh_size))
    return true;
  image_relocate(&image, section);
  out->count = section->sh_size / sizeof(*out->objects);
  out->objects = calloc(out->count ? out->count : 1, sizeof(*out->objects));
  if (!out->objects)
    out->count = 0;
  else
    memcpy(out->objects, image.memory + section->sh_offset, out->count * sizeof(*out->objects));
  for (size_t i = 0; i < out->count; i++)
    resolve_strings(&image, &out->objects[i]);
  return true;
}

void descriptors_release(struct descriptors *descriptors) {
  free(descriptors->objects);
  if (descriptors->memory)
    munmap(descriptors->memory, descriptors->bytes);
  *descriptors = (struct descriptors){0};
}
