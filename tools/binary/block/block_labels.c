// block_labels.c - reads the section of labels, function by function, and sorts it by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for each function of the machine code
//     id (8 bytes), number of probes, number of inlined functions
//     probe: index, kind | attributes << 4 | is_delta << 7, address
//       the first one is a sentinel: its address is the MD5 of the function's symbol, and what
//       follows it is relative to that symbol, then to the probe before
//     inlined functions: probe of the call, then the same again
#include "tools/binary/block/block_labels.h"

#include "tools/binary/block/bb_address_map.h"
#include "tools/binary/md5.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum {
  PROBE_ADDRESS_IS_DELTA = 1 << 7,
  PROBE_SENTINEL = 2 << 4,
  PROBE_HAS_DISCRIMINATOR = 4 << 4,
  INLINED_MAX = 64, ///< depth; our own labels are never inlined but by LTO
};

struct named {
  uint64_t hash, address, bytes;
};

struct reader {
  const uint8_t *at, *end;
  struct named *names; ///< [name_count] ascending by hash
  size_t name_count;
  struct bb_address_map mapped; ///< functions that were compiled with the plug-in; may be empty
  struct block_labels *out;
  size_t capacity, ambiguous_capacity;
  uint64_t symbol; ///< hash of the group's symbol, 0 before a sentinel
  uint64_t last;   ///< address of the probe before, relative to the symbol
  bool bad, no_memory;
};

static uint64_t read_fixed(struct reader *r, unsigned bytes) {
  uint64_t value = 0;
  if ((size_t)(r->end - r->at) < bytes) {
    r->bad = true;
    return 0;
  }
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)*r->at++ << 8 * i;
  return value;
}

static uint64_t read_leb(struct reader *r, bool is_signed) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = (uint8_t)read_fixed(r, 1);
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte & 0x80)
      continue;
    if (is_signed && byte & 0x40 && shift + 7 < 64)
      value |= ~(uint64_t)0 << (shift + 7);
    return value;
  }
  r->bad = true;
  return 0;
}

static void append(struct reader *r, uint64_t function, uint32_t number) {
  struct block_labels *out = r->out;
  if (out->count == r->capacity) {
    size_t capacity = 2 * r->capacity + 256;
    struct block_label *moved = realloc(out->labels, capacity * sizeof(*moved));
    if (!moved) {
      r->no_memory = r->bad = true;
      return;
    }
    out->labels = moved;
    r->capacity = capacity;
  }
  out->labels[out->count] = (struct block_label){
      .address = r->last, .function = function, .number = number, .order = (uint32_t)out->count};
  out->count++;
}

static void read_probe(struct reader *r, uint64_t function) {
  uint64_t number = read_leb(r, false);
  uint8_t kind = (uint8_t)read_fixed(r, 1);
  if (kind & PROBE_SENTINEL) {
    r->symbol = read_fixed(r, 8);
    r->last = 0;
    return;
  }
  r->last = kind & PROBE_ADDRESS_IS_DELTA ? r->last + read_leb(r, true) : read_fixed(r, 8);
  if (kind & PROBE_HAS_DISCRIMINATOR)
    read_leb(r, false);
  if (!r->bad && number <= UINT32_MAX)
    append(r, function, (uint32_t)number);
}

static void read_function(struct reader *r, unsigned depth) {
  if (depth > INLINED_MAX) {
    r->bad = true;
    return;
  }
  uint64_t function = read_fixed(r, 8);
  uint64_t probes = read_leb(r, false), inlined = read_leb(r, false);
  for (uint64_t i = 0; i < probes && !r->bad; i++)
    read_probe(r, function);
  for (uint64_t i = 0; i < inlined && !r->bad; i++) {
    read_leb(r, false); // probe of the call
    if (!r->bad)
      read_function(r, depth + 1);
  }
}

static int compare_names(const void *left, const void *right) {
  const struct named *a = left, *b = right;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return (a->address > b->address) - (a->address < b->address);
}

static int compare_labels(const void *left, const void *right) {
  const struct block_label *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

static bool read_names(struct elf_file *file, struct reader *r) {
  size_t count;
  const struct elf_function *functions = elf_file_function_names(file, &count);
  r->names = calloc(count + 1, sizeof(*r->names));
  if (!r->names)
    return false;
  for (size_t i = 0; i < count; i++)
    r->names[i] = (struct named){md5_low(functions[i].name, strlen(functions[i].name)),
                                 functions[i].address, functions[i].bytes};
  r->name_count = count;
  qsort(r->names, count, sizeof(*r->names), compare_names);
  return true;
}

/// Whether the code may be of the plug-in's making: such functions have a BB address map.
static bool may_hold(const struct reader *r, const struct named *symbol) {
  bool is_mapped = r->mapped.range_count == 0;
  for (size_t i = 0; i < r->mapped.function_count && !is_mapped; i++)
    is_mapped = r->mapped.ranges[r->mapped.functions[i].first_range].base == symbol->address;
  return is_mapped;
}

/// Of the symbols of that name the only one that is large enough. Null: none, or several.
static const struct named *find_symbol(const struct reader *r, uint64_t largest, bool *several) {
  const struct named *found = NULL;
  bool is_first = true;
  size_t low = 0, high = r->name_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (r->names[middle].hash < r->symbol)
      low = middle + 1;
    else
      high = middle;
  }
  *several = false;
  for (; low < r->name_count && r->names[low].hash == r->symbol; low++) {
    if (largest > r->names[low].bytes || (found && found->address == r->names[low].address))
      continue;
    if (!is_first && !may_hold(r, &r->names[low]))
      continue;
    is_first = false;
    if (found && !may_hold(r, found))
      found = NULL;
    *several |= found != NULL;
    found = &r->names[low];
  }
  return *several ? NULL : found;
}

static bool add_ambiguous(struct reader *r, uint64_t function) {
  struct block_labels *out = r->out;
  if (out->ambiguous_count == r->ambiguous_capacity) {
    size_t capacity = 2 * r->ambiguous_capacity + 16;
    uint64_t *moved = realloc(out->ambiguous, capacity * sizeof(*moved));
    if (!moved)
      return false;
    out->ambiguous = moved;
    r->ambiguous_capacity = capacity;
  }
  out->ambiguous[out->ambiguous_count++] = function;
  return true;
}

/// Gives the labels from `first` on, which are relative to the group's symbol, their addresses; or
/// drops them.
static void place(struct reader *r, size_t first) {
  struct block_labels *out = r->out;
  uint64_t largest = 0;
  bool several = false;
  for (size_t i = first; i < out->count; i++)
    if (out->labels[i].address > largest) // also a negative one
      largest = out->labels[i].address;
  const struct named *symbol = find_symbol(r, largest, &several);
  for (size_t i = first; symbol && i < out->count; i++)
    out->labels[i].address += symbol->address;
  if (symbol || first == out->count)
    return;
  if (several && !add_ambiguous(r, out->labels[first].function))
    r->no_memory = r->bad = true;
  out->count = first;
}

static void read_section(struct reader *r) {
  while (r->at < r->end && !r->bad) {
    size_t first = r->out->count;
    r->symbol = r->last = 0;
    read_function(r, 0);
    place(r, first);
  }
  r->out->damaged |= r->bad;
}

static void read_map(Elf *elf, struct reader *r) {
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    char why[256];
    Elf_Data *data;
    if (gelf_getshdr(section, &header) && header.sh_type == BB_ADDRESS_MAP_SECTION_TYPE &&
        (data = elf_getdata(section, NULL)) && data->d_buf)
      bb_address_map_add(&r->mapped, data->d_buf, data->d_size, NULL, 0, why, sizeof(why));
  }
}

static bool find_sections(Elf *elf, struct reader *r) {
  Elf_Scn *section = NULL;
  size_t names;
  if (elf_getshdrstrndx(elf, &names))
    return true;
  read_map(elf, r);
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : "";
    if (!name || strcmp(name, ".pseudo_probe") != 0 || header.sh_type == SHT_NOBITS)
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !data->d_buf)
      continue;
    r->at = data->d_buf;
    r->end = r->at + data->d_size;
    read_section(r);
  }
  return !r->no_memory;
}

bool block_labels_read(struct elf_file *file, struct block_labels *out) {
  struct reader r = {.out = out};
  *out = (struct block_labels){.stripped = !elf_file_has_section(file, ".symtab")};
  bool fine = !elf_file_has_section(file, ".pseudo_probe") ||
              (read_names(file, &r) && find_sections(elf_file_handle(file), &r));
  free(r.names);
  bb_address_map_release(&r.mapped);
  if (fine && out->count)
    qsort(out->labels, out->count, sizeof(*out->labels), compare_labels);
  if (!fine)
    block_labels_release(out);
  return fine;
}

const struct block_label *block_labels_find(const struct block_labels *labels, uint64_t address,
                                            uint64_t bytes, size_t *count) {
  size_t low = 0, high = labels->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (labels->labels[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  *count = 0;
  while (low + *count < labels->count && labels->labels[low + *count].address - address < bytes)
    ++*count;
  return labels->labels + low;
}

void block_labels_release(struct block_labels *labels) {
  free(labels->labels);
  free(labels->ambiguous);
  *labels = (struct block_labels){0};
}
