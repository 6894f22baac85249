// fuzz_block_map.c - fuzz target: any bytes are a file with blocks that lie within it, or an error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memfd_create
#include "tools/binary/block/block_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int is_true) {
  if (!is_true)
    abort();
}

/// Touches all code of the blocks, so that a block outside of the file is seen.
static unsigned read_blocks(struct block_map *map, const struct block_function *function) {
  struct block_list list;
  struct block_map_error error;
  unsigned sum = 0;
  if (!block_map_read(map, function, &list, &error)) {
    must(error.status != BLOCK_MAP_OK && error.text[0]);
    return 0;
  }
  for (size_t i = 0; i < list.count; i++) {
    must(list.blocks[i].bytes && list.blocks[i].body_bytes <= list.blocks[i].bytes);
    for (uint32_t at = 0; at < list.blocks[i].bytes; at++)
      sum += list.blocks[i].code[at];
  }
  block_list_release(&list);
  return sum;
}

static unsigned read_name(struct block_map *map, const char *name) {
  struct block_function *functions;
  struct block_map_error error;
  unsigned sum = 0;
  size_t n = block_map_find(map, name, &functions);
  if (!n) {
    block_map_missing(map, name, &error);
    must(error.status != BLOCK_MAP_OK && error.text[0]);
  }
  for (size_t i = 0; i < n; i++)
    sum += read_blocks(map, &functions[i]);
  free(functions);
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct block_map *map;
  struct block_map_error error;
  char path[64];
  int fd = memfd_create("block_map", MFD_CLOEXEC);
  must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (block_map_open(path, &map, &error)) {
    size_t n;
    const char *const *names = block_map_names(map, &n);
    for (size_t i = 0; i < n && i < 64; i++)
      read_name(map, names[i]);
    read_name(map, "0x10");
    read_name(map, "absent");
    block_map_close(map);
  } else {
    must(error.status != BLOCK_MAP_OK && error.text[0]);
  }
  close(fd);
  return 0;
}
