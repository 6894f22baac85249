// source_files.c - lists the sources in the line tables of all units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memrchr
#include "tools/binary/source_files.h"

#include "tools/binary/elf_file.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/// Takes "." and ".." out of a path, in place.
static void normalize(char *path) {
  char *out = path;
  for (char *from = path; *from;) {
    size_t length = strcspn(from, "/");
    bool is_up = length == 2 && memcmp(from, "..", 2) == 0;
    char *last = out > path + 1 ? memrchr(path, '/', (size_t)(out - path - 1)) : NULL;
    if (is_up && last && strncmp(last, "/../", 4) != 0) {
      out = last + 1;
    } else if (length && !(length == 1 && *from == '.')) {
      memmove(out, from, length);
      out += length;
      if (from[length])
        *out++ = '/';
    } else if (!length && out == path) {
      *out++ = '/';
    }
    from += length + (from[length] != 0);
  }
  *out = 0;
}

char *source_files_path(const char *directory, const char *path) {
  struct text whole = {0};
  if (*path != '/' && *directory)
    text_format(&whole, "%s/", directory);
  text_add(&whole, path);
  char *copy = text_copy(text_get(&whole));
  text_release(&whole);
  normalize(copy);
  return copy;
}

void source_files_add(struct binary_sources *out, const char *directory, const char *path,
                      const uint8_t *md5) {
  char *copy = source_files_path(directory, path);
  if ((out->count & (out->count - 1)) == 0)
    out->all = memory_resized(out->all, 2 * out->count + 1, sizeof *out->all);
  struct binary_source *source = &out->all[out->count++];
  *source = (struct binary_source){.path = copy, .has_md5 = md5};
  if (md5)
    memcpy(source->md5, md5, sizeof source->md5);
}

/// Those with a digest first.
static int compare(const void *left, const void *right) {
  const struct binary_source *a = left, *b = right;
  int paths = strcmp(a->path, b->path);
  return paths ? paths : b->has_md5 - a->has_md5;
}

static void keep_each_once(struct binary_sources *sources) {
  size_t kept = 0;
  if (sources->count)
    qsort(sources->all, sources->count, sizeof *sources->all, compare);
  for (size_t i = 0; i < sources->count; i++)
    if (kept && strcmp(sources->all[kept - 1].path, sources->all[i].path) == 0)
      free(sources->all[i].path);
    else
      sources->all[kept++] = sources->all[i];
  sources->count = kept;
}

/// The section's bytes, uncompressed; null without it.
static Elf_Data *section(Elf *elf, const char *name) {
  size_t names;
  Elf_Scn *at = NULL;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return NULL;
  while ((at = elf_nextscn(elf, at))) {
    GElf_Shdr header;
    const char *its = gelf_getshdr(at, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    if (!its || strcmp(its, name) != 0)
      continue;
    if (header.sh_flags & SHF_COMPRESSED && elf_compress(at, 0, 0) < 0)
      return NULL;
    return elf_getdata(at, NULL);
  }
  return NULL;
}

/// Sources of units without digests, as of DWARF 4.
static void add_files(Dwarf *dwarf, struct binary_sources *out) {
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
    Dwarf_Files *files;
    size_t count;
    if (dwarf_getsrcfiles(&die, &files, &count) != 0)
      continue;
    for (size_t i = 0; i < count; i++) {
      const char *path = dwarf_filesrc(files, i, NULL, NULL);
      if (path && *path == '/')
        source_files_add(out, "", path, NULL);
    }
  }
}

bool source_files_read(const char *executable, struct binary_sources *out) {
  *out = (struct binary_sources){0};
  struct elf_file *file;
  if (elf_file_open(executable, &file) == ELF_FILE_UNREADABLE)
    return false;
  Dwarf *dwarf = file ? dwarf_begin_elf(elf_file_handle(file), DWARF_C_READ, NULL) : NULL;
  if (dwarf) {
    add_files(dwarf, out);
    Elf_Data *line = section(dwarf_getelf(dwarf), ".debug_line");
    Elf_Data *strings = section(dwarf_getelf(dwarf), ".debug_line_str");
    if (line && strings)
      line_digests_add(line->d_buf, line->d_size, strings->d_buf, strings->d_size, out);
    keep_each_once(out);
    dwarf_end(dwarf);
  }
  elf_file_close(file);
  return true;
}

void source_files_release(struct binary_sources *sources) {
  for (size_t i = 0; i < sources->count; i++)
    free(sources->all[i].path);
  free(sources->all);
  *sources = (struct binary_sources){0};
}

const struct binary_source *source_files_find(const struct binary_sources *sources,
                                              const char *path) {
  for (size_t i = 0; i < sources->count; i++)
    if (strcmp(sources->all[i].path, path) == 0)
      return &sources->all[i];
  return NULL;
}
