// elf_text.c - copies section .text and counts its relocations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/elf_text.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

static void copy(Elf_Scn *section, struct elf_text *out) {
  const Elf_Data *data = elf_getdata(section, NULL);
  if (!data || !data->d_buf || out->data)
    return;
  out->data = malloc(data->d_size);
  if (!out->data)
    return;
  memcpy(out->data, data->d_buf, data->d_size);
  out->bytes = data->d_size;
}

bool elf_text_read(int fd, struct elf_text *out) {
  *out = (struct elf_text){0};
  elf_version(EV_CURRENT);
  Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
  size_t names = 0, text = 0;
  if (elf && elf_getshdrstrndx(elf, &names) == 0) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
      GElf_Shdr header;
      const char *name =
          gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
      if (name && strcmp(name, ".text") == 0) {
        text = elf_ndxscn(section);
        copy(section, out);
      } else if (name && header.sh_type == SHT_RELA && header.sh_info == text && text) {
        out->relocations += header.sh_size;
      }
    }
  }
  elf_end(elf);
  return out->data;
}
