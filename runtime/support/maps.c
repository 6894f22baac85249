// maps.c - what is mapped into the process, from /proc/thread-self/maps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// /proc/self has none where the process's first thread has ended.
// dl_iterate_phdr would take libc's loader lock, which the sideline must not.
#include "runtime/support/maps.h"

#include "runtime/support/strings.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

#include <elf.h>
#include <sys/auxv.h>

enum { LINE_BYTES = 4400, BUILD_ID_MAX = 64, NOTE_BYTES = 1024 };

// "low-high perms offset dev inode   path"
static int parse_line(char *line, struct rrt_mapping *m) {
  char *p = line;
  p += rrt_parse_hex(p, &m->low);
  if (*p++ != '-')
    return -1;
  p += rrt_parse_hex(p, &m->high);
  if (*p++ != ' ')
    return -1;
  m->is_code = p[2] == 'x';
  p += 5; // permissions and a blank
  rrt_parse_hex(p, &m->offset);
  while (*p && *p != '/' && *p != '[')
    p++;
  m->path = p;
  return 0;
}

// Build id from the notes of the module whose file header is mapped at m->low; reads through the
// kernel, as the module may be unloaded meanwhile.
int rrt_maps_identify(const struct rrt_mapping *m, uint64_t *bias, uint32_t *build_id) {
  Elf64_Ehdr head;
  Elf64_Phdr segments[16];
  if (rrt_sys_peek((const void *)m->low, &head, sizeof head) < 0 || head.e_ident[0] != 0x7f ||
      head.e_ident[1] != 'E' || head.e_phentsize != sizeof segments[0])
    return -1;
  uint32_t count = head.e_phnum < 16 ? head.e_phnum : 16;
  if (rrt_sys_peek((const void *)(m->low + head.e_phoff), segments, count * sizeof segments[0]) < 0)
    return -1;
  *bias = m->low;
  *build_id = 0;
  for (uint32_t i = 0; i < count; i++)
    if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0)
      *bias = m->low - segments[i].p_vaddr;
  for (uint32_t i = 0; i < count; i++) {
    char notes[NOTE_BYTES], hex[2 * BUILD_ID_MAX + 1];
    uint64_t bytes = segments[i].p_filesz < sizeof notes ? segments[i].p_filesz : sizeof notes;
    if (segments[i].p_type != PT_NOTE ||
        rrt_sys_peek((const void *)(*bias + segments[i].p_vaddr), notes, bytes) < 0)
      continue;
    for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= bytes;) {
      Elf64_Nhdr note;
      rrt_copy(&note, notes + at, sizeof note);
      uint64_t text = at + sizeof note + ((note.n_namesz + 3u) & ~3u);
      uint64_t next = text + ((note.n_descsz + 3u) & ~3u);
      if (next > bytes || next <= at)
        break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz <= BUILD_ID_MAX) {
        struct rrt_text id;
        rrt_text_init(&id, hex, sizeof hex);
        for (uint32_t b = 0; b < note.n_descsz; b++)
          rrt_text_add_hex(&id, (unsigned char)notes[text + b], 2);
        *build_id = rrt_strings_add(hex);
        return 0;
      }
      at = next;
    }
  }
  return 0;
}

void rrt_maps_visit(int (*visit)(const struct rrt_mapping *, void *), void *context) {
  char buffer[4096], line[LINE_BYTES];
  size_t used = 0;
  long got;
  int fd = rrt_sys_open_read("/proc/thread-self/maps"), done = fd < 0;
  while (!done && (got = rrt_sys_read(fd, buffer, sizeof buffer)) > 0)
    for (long i = 0; i < got && !done; i++) {
      if (buffer[i] != '\n') {
        line[used] = buffer[i];
        used += used < sizeof line - 1;
        continue;
      }
      struct rrt_mapping m;
      line[used] = 0;
      used = 0;
      done = parse_line(line, &m) == 0 && visit(&m, context);
    }
  if (fd >= 0)
    rrt_sys_close(fd);
}

extern const Elf64_Ehdr __ehdr_start __attribute__((weak, visibility("hidden")));

int rrt_maps_in_executable(void) {
  const Elf64_Ehdr *head = &__ehdr_start;
  return head && (uintptr_t)head + head->e_phoff == getauxval(AT_PHDR);
}

static int visit_own(const struct rrt_mapping *m, void *context) {
  struct rrt_text *name = context;
  uint64_t here = (uintptr_t)&rrt_maps_own_module;
  if (here < m->low || here >= m->high)
    return 0;
  const char *base = m->path;
  for (const char *p = m->path; *p; p++)
    if (*p == '/')
      base = p + 1;
  rrt_text_add(name, base);
  return 1;
}

void rrt_maps_own_module(char *out, size_t bytes) {
  struct rrt_text name;
  rrt_text_init(&name, out, bytes);
  rrt_maps_visit(visit_own, &name);
}
