// program_files.c - opens each file when it is first asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/program/program_files.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

struct opened {
  char *path;
  bool has_blocks, has_places; ///< they were asked for
  struct block_map *blocks;
  struct block_map_error blocks_error;
  struct code_places *places;
  enum elf_file_status places_status;
};

struct program_files {
  struct opened **items; ///< [count] they stay where they are
  size_t count;
};

struct program_files *program_files_new(void) {
  return memory_zeroed(1, sizeof(struct program_files));
}

void program_files_free(struct program_files *files) {
  for (size_t i = 0; files && i < files->count; i++) {
    block_map_close(files->items[i]->blocks);
    code_places_close(files->items[i]->places);
    free(files->items[i]->path);
    free(files->items[i]);
  }
  if (files)
    free(files->items);
  free(files);
}

static struct opened *find(struct program_files *files, const char *path) {
  for (size_t i = 0; i < files->count; i++)
    if (strcmp(files->items[i]->path, path) == 0)
      return files->items[i];
  files->items = memory_resized(files->items, files->count + 1, sizeof(*files->items));
  struct opened *opened = memory_zeroed(1, sizeof(*opened));
  opened->path = text_copy(path);
  return files->items[files->count++] = opened;
}

struct block_map *program_files_blocks(struct program_files *files, const char *path,
                                       struct block_map_error *error) {
  struct opened *opened = find(files, path);
  if (!opened->has_blocks && !block_map_open(path, &opened->blocks, &opened->blocks_error))
    opened->blocks = NULL;
  opened->has_blocks = true;
  if (!opened->blocks && error)
    *error = opened->blocks_error;
  return opened->blocks;
}

struct code_places *program_files_places(struct program_files *files, const char *path,
                                         enum elf_file_status *status) {
  struct opened *opened = find(files, path);
  if (!opened->has_places)
    opened->places_status = code_places_open(path, &opened->places);
  opened->has_places = true;
  *status = opened->places_status;
  return opened->places_status == ELF_FILE_OK ? opened->places : NULL;
}
