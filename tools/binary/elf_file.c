// elf_file.c - opens an ELF file by libelf: kind, build-id, libraries, sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/elf_file.h"

#include "tools/profile/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Longest build id that is kept; SHA-1 has 20 bytes, none in use is longer than 64.
#define BUILD_ID_BYTES 64

struct elf_file {
  int fd;
  Elf *elf;
  GElf_Ehdr header;
  size_t section_names; ///< section that holds the sections' names
  char build_id[2 * BUILD_ID_BYTES + 1];
  const char **needed;
  size_t needed_count;
  struct elf_function *names; ///< [name_count] with aliases
  size_t name_count;
  bool names_read;
  struct elf_function *functions;
  size_t function_count;
  bool functions_read;
};

const char *elf_file_error(enum elf_file_status status) {
  switch (status) {
  case ELF_FILE_OK:
    return "is fine";
  case ELF_FILE_UNREADABLE:
    return regular_problem(errno);
  case ELF_FILE_NOT_ELF:
    return "is no ELF executable (a script or an archive?): name the program it starts";
  case ELF_FILE_DAMAGED:
    return "is a damaged ELF file: build it again";
  case ELF_FILE_BLOATED:
    return "has compressed sections that say they unpack to more than 64 times the file and 64 MB: "
           "no compiler writes such; if you trust it, objcopy --decompress-debug-sections makes "
           "one "
           "that is read";
  }
  return "unknown status";
}

static Elf_Scn *find_section(const struct elf_file *file, const char *name, GElf_Shdr *header) {
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(file->elf, section))) {
    if (!gelf_getshdr(section, header))
      continue;
    const char *have = elf_strptr(file->elf, file->section_names, header->sh_name);
    if (have && strcmp(have, name) == 0)
      return section;
  }
  return NULL;
}

static Elf_Scn *find_section_type(const struct elf_file *file, uint32_t type, GElf_Shdr *header) {
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(file->elf, section)))
    if (gelf_getshdr(section, header) && header->sh_type == type)
      return section;
  return NULL;
}

static void read_build_id(struct elf_file *file) {
  GElf_Shdr header;
  Elf_Scn *section = find_section(file, ".note.gnu.build-id", &header);
  Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
  if (!data)
    return;
  GElf_Nhdr note;
  size_t name_at, id_at, next = 0;
  while ((next = gelf_getnote(data, next, &note, &name_at, &id_at)) > 0) {
    if (note.n_type != NT_GNU_BUILD_ID || note.n_descsz > BUILD_ID_BYTES)
      continue;
    static const char digits[] = "0123456789abcdef";
    const unsigned char *id = (const unsigned char *)data->d_buf + id_at;
    for (size_t i = 0; i < note.n_descsz; i++) {
      file->build_id[2 * i] = digits[id[i] >> 4];
      file->build_id[2 * i + 1] = digits[id[i] & 15];
    }
    return;
  }
}

static void read_needed(struct elf_file *file) {
  GElf_Shdr header;
  Elf_Scn *section = find_section_type(file, SHT_DYNAMIC, &header);
  Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
  if (!data || !header.sh_entsize)
    return;
  size_t count = header.sh_size / header.sh_entsize;
  file->needed = calloc(count ? count : 1, sizeof(*file->needed));
  for (size_t i = 0; file->needed && i < count; i++) {
    GElf_Dyn entry;
    if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag != DT_NEEDED)
      continue;
    const char *name = elf_strptr(file->elf, header.sh_link, entry.d_un.d_val);
    if (name)
      file->needed[file->needed_count++] = name;
  }
}

/// Bytes that compressed sections may unpack to, and more of them for each byte of the file. They
/// are debug information, which packs to a third or a fifth; deflate makes up to a thousand bytes
/// of one, zstd any number.
#define UNPACKED_BYTES ((uint64_t)64 << 20)
#define UNPACKED_A_BYTE 64

/// What a section says that it unpacks to; 0: it isn't compressed. In the form of before
/// SHF_COMPRESSED (.zdebug_*) "ZLIB" comes first, and the size with its highest byte first.
static uint64_t unpacked_bytes(Elf_Scn *section, const GElf_Shdr *header, const char *name) {
  GElf_Chdr compressed;
  if (header->sh_flags & SHF_COMPRESSED)
    return gelf_getchdr(section, &compressed) ? compressed.ch_size : 0;
  if (!name || strncmp(name, ".zdebug", 7) != 0 || header->sh_type == SHT_NOBITS)
    return 0;
  const Elf_Data *data = elf_rawdata(section, NULL);
  uint64_t bytes = 0;
  if (data && data->d_buf && data->d_size >= 12 && memcmp(data->d_buf, "ZLIB", 4) == 0)
    for (int i = 4; i < 12; i++)
      bytes = bytes << 8 | ((const unsigned char *)data->d_buf)[i];
  return bytes;
}

/// Whether what the sections say that they unpack to is in proportion to the file: libelf and libdw
/// take memory for what is said there.
static bool is_in_proportion(const struct elf_file *file) {
  struct stat status;
  if (fstat(file->fd, &status) != 0)
    return false;
  uint64_t most = UNPACKED_BYTES + UNPACKED_A_BYTE * (uint64_t)status.st_size;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header))
      continue;
    const char *name = elf_strptr(file->elf, file->section_names, header.sh_name);
    uint64_t bytes = unpacked_bytes(section, &header, name);
    if (bytes > most)
      return false;
    most -= bytes;
  }
  return true;
}

enum elf_file_status elf_file_open(const char *path, struct elf_file **out) {
  *out = NULL;
  elf_version(EV_CURRENT);
  int fd = regular_open(path);
  if (fd < 0)
    return ELF_FILE_UNREADABLE;
  char magic[SELFMAG];
  ssize_t have = read(fd, magic, sizeof(magic));
  if (have != (ssize_t)sizeof(magic) || memcmp(magic, ELFMAG, SELFMAG) != 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return have < 0 ? ELF_FILE_UNREADABLE : ELF_FILE_NOT_ELF;
  }
  struct elf_file *file = calloc(1, sizeof(*file));
  if (!file) {
    close(fd);
    return ELF_FILE_UNREADABLE;
  }
  file->fd = fd;
  file->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
  if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &file->header) ||
      elf_getshdrstrndx(file->elf, &file->section_names) != 0) {
    elf_file_close(file);
    return ELF_FILE_DAMAGED;
  }
  if (!is_in_proportion(file)) {
    elf_file_close(file);
    return ELF_FILE_BLOATED;
  }
  read_build_id(file);
  read_needed(file);
  *out = file;
  return ELF_FILE_OK;
}

void elf_file_close(struct elf_file *file) {
  if (!file)
    return;
  elf_end(file->elf);
  close(file->fd);
  free(file->needed);
  free(file->names);
  free(file->functions);
  free(file);
}

/// True if the dynamic section's DT_FLAGS_1 has the bit.
static bool has_flag_1(const struct elf_file *file, uint64_t bit) {
  GElf_Shdr header;
  Elf_Scn *section = find_section_type(file, SHT_DYNAMIC, &header);
  Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
  GElf_Dyn entry;
  for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
    if (entry.d_tag == DT_FLAGS_1)
      return entry.d_un.d_val & bit;
  return false;
}

enum elf_file_kind elf_file_kind(const struct elf_file *file) {
  bool interpreter = false;
  for (int i = 0; i < file->header.e_phnum; i++) {
    GElf_Phdr segment;
    if (gelf_getphdr(file->elf, i, &segment) && segment.p_type == PT_INTERP)
      interpreter = true;
  }
  if (file->header.e_type == ET_EXEC)
    return interpreter ? ELF_FILE_EXECUTABLE : ELF_FILE_STATIC;
  if (file->header.e_type != ET_DYN)
    return ELF_FILE_OTHER;
  if (interpreter)
    return ELF_FILE_PIE;
  return has_flag_1(file, DF_1_PIE) ? ELF_FILE_STATIC_PIE : ELF_FILE_SHARED_LIBRARY;
}

const char *elf_file_kind_name(enum elf_file_kind kind) {
  switch (kind) {
  case ELF_FILE_STATIC:
    return "static executable";
  case ELF_FILE_STATIC_PIE:
    return "static position-independent executable";
  case ELF_FILE_EXECUTABLE:
    return "executable (not position-independent)";
  case ELF_FILE_PIE:
    return "position-independent executable";
  case ELF_FILE_SHARED_LIBRARY:
    return "shared library";
  case ELF_FILE_OTHER:
    return "object or core file";
  }
  return "unknown";
}

const char *elf_file_build_id(const struct elf_file *file) { return file->build_id; }

const char *elf_file_section(const struct elf_file *file, const char *name, size_t *bytes) {
  GElf_Shdr header;
  Elf_Scn *section = find_section(file, name, &header);
  Elf_Data *data = section && header.sh_type != SHT_NOBITS ? elf_getdata(section, NULL) : NULL;
  if (!data || !data->d_buf)
    return NULL;
  *bytes = data->d_size;
  return data->d_buf;
}

bool elf_file_has_section(const struct elf_file *file, const char *name) {
  GElf_Shdr header;
  return find_section(file, name, &header) && header.sh_size;
}

/// True if a symbol table has the symbol, defined here or not.
static bool has_symbol(const struct elf_file *file, const char *symbol, bool defined) {
  static const uint32_t tables[] = {SHT_SYMTAB, SHT_DYNSYM};
  for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
    GElf_Shdr header;
    Elf_Scn *section = find_section_type(file, tables[t], &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    GElf_Sym entry;
    for (int i = 0; data && gelf_getsym(data, i, &entry); i++) {
      const char *name = elf_strptr(file->elf, header.sh_link, entry.st_name);
      if ((entry.st_shndx != SHN_UNDEF) == defined && name && strcmp(name, symbol) == 0)
        return true;
    }
  }
  return false;
}

bool elf_file_defines(const struct elf_file *file, const char *symbol) {
  return has_symbol(file, symbol, true);
}

bool elf_file_imports(const struct elf_file *file, const char *symbol) {
  return has_symbol(file, symbol, false);
}

const char *const *elf_file_needed(const struct elf_file *file, size_t *count) {
  *count = file->needed_count;
  return file->needed_count ? file->needed : NULL;
}

static int compare_functions(const void *a, const void *b) {
  const struct elf_function *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  return (x->file[0] != 0) - (y->file[0] != 0);
}

/// Appends the functions of the symbol table in its order; returns how many.
static size_t collect_functions(const struct elf_file *file, Elf_Data *data, size_t names,
                                struct elf_function *functions) {
  const char *source = "";
  size_t count = 0, source_number = 0;
  GElf_Sym entry;
  for (int i = 0; gelf_getsym(data, i, &entry); i++) {
    const char *name = elf_strptr(file->elf, names, entry.st_name);
    int type = GELF_ST_TYPE(entry.st_info);
    if (type == STT_FILE) {
      source = name ? name : "";
      source_number++;
    }
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || entry.st_shndx == SHN_UNDEF || !name)
      continue;
    bool local = GELF_ST_BIND(entry.st_info) == STB_LOCAL && *source;
    functions[count++] = (struct elf_function){.address = entry.st_value,
                                               .bytes = entry.st_size,
                                               .name = name,
                                               .file = local ? source : "",
                                               .file_number = local ? source_number : 0,
                                               .section = entry.st_shndx};
  }
  return count;
}

const struct elf_function *elf_file_function_names(struct elf_file *file, size_t *count) {
  if (!file->names_read) {
    file->names_read = true;
    GElf_Shdr header;
    Elf_Scn *section = find_section_type(file, SHT_SYMTAB, &header);
    if (!section)
      section = find_section_type(file, SHT_DYNSYM, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    size_t symbols = data && header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
    file->names = symbols ? calloc(symbols, sizeof(*file->names)) : NULL;
    if (file->names)
      file->name_count = collect_functions(file, data, header.sh_link, file->names);
    if (file->name_count)
      qsort(file->names, file->name_count, sizeof(*file->names), compare_functions);
  }
  *count = file->name_count;
  return file->names;
}

const struct elf_function *elf_file_functions(struct elf_file *file, size_t *count) {
  GElf_Shdr header;
  if (!file->functions_read && find_section_type(file, SHT_SYMTAB, &header)) {
    size_t n;
    const struct elf_function *names = elf_file_function_names(file, &n);
    file->functions = n ? calloc(n, sizeof(*names)) : NULL;
    for (size_t i = 0; file->functions && i < n; i++) {
      const struct elf_function *last =
          file->function_count ? &file->functions[file->function_count - 1] : NULL;
      if (!last || last->address != names[i].address || last->section != names[i].section)
        file->functions[file->function_count++] = names[i];
    }
  }
  file->functions_read = true;
  *count = file->function_count;
  return file->functions;
}

struct Elf *elf_file_handle(const struct elf_file *file) { return file->elf; }
