// block_samples.c - see block_samples.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/block_samples.h"

#include "tools/binary/block_map.h"
#include "tools/cmd/block_in_place.h"

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

/// The blocks of the function that holds the address.
static bool read_function(struct block_map *map, uint64_t address, struct block_list *list) {
  char place[32];
  struct block_function *functions = NULL;
  struct block_map_error error;
  *list = (struct block_list){0};
  snprintf(place, sizeof(place), "0x%" PRIx64, address);
  bool found =
      block_map_find(map, place, &functions) && block_map_read(map, &functions[0], list, &error);
  free(functions);
  return found;
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

static void set_missing(struct measured_block *block, const char *reason) {
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, reason);
  block->place = (struct block_in_place){.reason = reason,
                                         .cycles = {.cycles = none, .cpi = none, .gap = none}};
}

static void read_block(const struct measurement *m, const struct sampled_file *file,
                       struct block_map *map, struct measured_block *block) {
  struct block_list list;
  struct counted_blocks counted;
  if (!read_function(map, block->block->address, &list))
    return;
  for (size_t i = 0; i < list.count; i++) {
    if (list.blocks[i].address != block->block->address)
      continue;
    count(m, file, list.blocks[i].bytes, block);
    counted_blocks_read(&m->input.profile, &file->labels, &list, &counted);
    block_in_place_read(m, &counted, i, &list.blocks[i], block->samples, block->sampled_ns, block,
                        &block->place);
    counted_blocks_release(&counted);
  }
  block_list_release(&list);
}

void block_samples_count(struct measurement *m) {
  const char *path = "";
  struct block_map *map = NULL;
  struct block_map_error error;
  for (size_t i = 0; i < m->block_count; i++) {
    struct measured_block *block = &m->blocks[i];
    const struct sampled_file *file = find_file(m, block->block->module);
    set_missing(block, m->samples.all ? "the file that was sampled isn't there as it was"
                                      : "no samples: RETICLE_OPTIONS=sample=1");
    if (!file || !m->samples.all)
      continue;
    if (strcmp(path, block->block->module) != 0) { // mostly all of one file
      block_map_close(map);
      path = block->block->module;
      if (!block_map_open(path, &map, &error))
        map = NULL;
    }
    if (map)
      read_block(m, file, map, block);
  }
  block_map_close(map);
}
