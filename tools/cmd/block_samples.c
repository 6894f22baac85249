// block_samples.c - see block_samples.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/block_samples.h"

#include "tools/binary/block_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sampled_file *find_file(const struct measurement *m, const char *path) {
  for (size_t i = 0; i < m->samples.file_count; i++)
    if (m->samples.files[i].places && strcmp(m->samples.files[i].file->path, path) == 0)
      return &m->samples.files[i];
  return NULL;
}

/// Length of the whole block, its last jumps included; 0 if there is none at the address.
static uint32_t find_bytes(struct block_map *map, uint64_t address) {
  char place[32];
  struct block_function *functions = NULL;
  struct block_map_error error;
  struct block_list list = {0};
  uint32_t bytes = 0;
  snprintf(place, sizeof(place), "0x%" PRIx64, address);
  if (block_map_find(map, place, &functions) && block_map_read(map, &functions[0], &list, &error))
    for (size_t i = 0; i < list.count; i++)
      if (list.blocks[i].address == address)
        bytes = list.blocks[i].bytes;
  block_list_release(&list);
  free(functions);
  return bytes;
}

static void count(const struct measurement *m, const struct sampled_file *file, uint32_t bytes,
                  struct measured_block *block) {
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    if (&m->samples.files[f->file] != file)
      continue;
    for (size_t k = 0; k < f->place_count; k++)
      if (f->places[k].address - block->block->address < bytes) { // wraps around below it
        block->samples += f->places[k].record->samples;
        block->sampled_ns += f->places[k].record->time_ns;
      }
  }
  block->is_sampled = true;
}

void block_samples_count(struct measurement *m) {
  const char *path = "";
  struct block_map *map = NULL;
  struct block_map_error error;
  for (size_t i = 0; m->samples.all && i < m->block_count; i++) {
    struct measured_block *block = &m->blocks[i];
    const struct sampled_file *file = find_file(m, block->block->module);
    if (!file)
      continue;
    if (strcmp(path, block->block->module) != 0) { // mostly all of one file
      block_map_close(map);
      path = block->block->module;
      if (!block_map_open(path, &map, &error))
        map = NULL;
    }
    uint32_t bytes = map ? find_bytes(map, block->block->address) : 0;
    if (bytes)
      count(m, file, bytes, block);
  }
  block_map_close(map);
}
