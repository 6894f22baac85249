// debug_file.c - looks for the debug file by build-id, then by debug link and checksum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/debug_file.h"

#include "tools/profile/regular.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Where Debian and others put symbols and debug information of stripped files.
#define DEBUG_ROOT "/usr/lib/debug"
#define PATH_BYTES 4096

/// What .gnu_debuglink holds: a name, zeros up to a multiple of 4, a checksum.
struct link {
  const char *name;
  uint32_t checksum;
};

static bool read_link(const struct elf_file *file, struct link *out) {
  Elf *elf = (Elf *)elf_file_handle(file);
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return false;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    const char *name =
        gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    if (!name || strcmp(name, ".gnu_debuglink") != 0)
      continue;
    Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf)
      return false;
    size_t length = strnlen(data->d_buf, data->d_size), at = (length + 4) & ~(size_t)3;
    if (!length || at + 4 > data->d_size)
      return false;
    out->name = data->d_buf;
    const unsigned char *sum = (const unsigned char *)data->d_buf + at;
    bool is_big = elf_getident(elf, NULL)[EI_DATA] == ELFDATA2MSB;
    out->checksum = 0;
    for (int i = 0; i < 4; i++)
      out->checksum |= (uint32_t)sum[is_big ? 3 - i : i] << 8 * i;
    return strchr(out->name, '/') == NULL; // it is a name, no path
  }
  return false;
}

/// Larger files without a build id are taken for others': their checksum takes seconds.
#define CHECKED_BYTES ((off_t)512 << 20)

/// CRC-32 as gzip has it, of the whole file.
static bool has_checksum(const char *path, uint32_t wanted) {
  FILE *stream = regular_fopen(path);
  unsigned char buffer[8192];
  uint32_t crc = UINT32_MAX;
  size_t count;
  struct stat status;
  if (!stream)
    return false;
  if (fstat(fileno(stream), &status) != 0 || status.st_size > CHECKED_BYTES) {
    fclose(stream);
    return false;
  }
  while ((count = fread(buffer, 1, sizeof(buffer), stream)) > 0)
    for (size_t i = 0; i < count; i++) {
      crc ^= buffer[i];
      for (int bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
  fclose(stream);
  return ~crc == wanted;
}

/// The file at that path if it belongs to this build: by build id, and where there is none by the
/// checksum of the link (null: there is none).
static struct elf_file *open_same(const struct elf_file *file, const char *path,
                                  const struct link *link) {
  struct elf_file *found;
  const char *id = elf_file_build_id(file);
  if (elf_file_open(path, &found) != ELF_FILE_OK)
    return NULL;
  bool is_same =
      *id ? strcmp(id, elf_file_build_id(found)) == 0 : link && has_checksum(path, link->checksum);
  if (is_same)
    return found;
  elf_file_close(found);
  return NULL;
}

static struct elf_file *open_linked(const struct elf_file *file, const char *path) {
  static const char *const places[] = {"%.*s/%s", "%.*s/.debug/%s", DEBUG_ROOT "%.*s/%s"};
  struct link link;
  const char *slash = strrchr(path, '/');
  char candidate[PATH_BYTES];
  struct elf_file *found = NULL;
  if (!slash || !read_link(file, &link))
    return NULL;
  for (size_t i = 0; !found && i < sizeof(places) / sizeof(*places); i++)
    if (snprintf(candidate, sizeof(candidate), places[i], (int)(slash - path), path, link.name) <
            (int)sizeof(candidate) &&
        strcmp(candidate, path) != 0)
      found = open_same(file, candidate, &link);
  return found;
}

struct elf_file *debug_file_open(const struct elf_file *file, const char *path) {
  char candidate[PATH_BYTES];
  const char *id = elf_file_build_id(file);
  struct elf_file *found = NULL;
  if (strlen(id) >= 3 &&
      snprintf(candidate, sizeof(candidate), DEBUG_ROOT "/.build-id/%.2s/%s.debug", id, id + 2) <
          (int)sizeof(candidate))
    found = open_same(file, candidate, NULL);
  return found ? found : open_linked(file, path);
}
