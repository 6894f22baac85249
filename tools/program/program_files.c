// program_files.c - opens each file when it is first asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/program/program_files.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

struct opened {
  char *path;
  bool has_blocks, has_places, has_own; ///< they were asked for
  struct block_map *blocks;
  struct block_map_error blocks_error;
  struct code_places *places;
  enum elf_file_status places_status;
  struct instrumentation *own;
};

struct program_files {
  program_files_kept *kept;
  void *context;
  struct opened **items; ///< [count] they stay where they are
  size_t count;
};

struct program_files *program_files_new(program_files_kept *kept, void *context) {
  struct program_files *files = memory_zeroed(1, sizeof(*files));
  files->kept = kept;
  files->context = context;
  return files;
}

void program_files_free(struct program_files *files) {
  for (size_t i = 0; files && i < files->count; i++) {
    block_map_close(files->items[i]->blocks);
    code_places_close(files->items[i]->places);
    instrumentation_close(files->items[i]->own);
    free(files->items[i]->path);
    free(files->items[i]);
  }
  if (files)
    free(files->items);
  free(files);
}

static const char *place_of(struct program_files *files, const char *path, const char *build_id) {
  const char *kept = files->kept ? files->kept(files->context, path, build_id) : NULL;
  return kept ? kept : path;
}

const char *program_files_path(struct program_files *files, const char *path) {
  return place_of(files, path, NULL);
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
                                       const char *build_id, struct block_map_error *error) {
  struct opened *opened = find(files, place_of(files, path, build_id));
  if (!opened->has_blocks && !block_map_open(opened->path, &opened->blocks, &opened->blocks_error))
    opened->blocks = NULL;
  opened->has_blocks = true;
  if (!opened->blocks && error)
    *error = opened->blocks_error;
  return opened->blocks;
}

struct code_places *program_files_places(struct program_files *files, const char *path,
                                         const char *build_id, enum elf_file_status *status) {
  struct opened *opened = find(files, place_of(files, path, build_id));
  if (!opened->has_places)
    opened->places_status = code_places_open(opened->path, &opened->places);
  opened->has_places = true;
  *status = opened->places_status;
  return opened->places_status == ELF_FILE_OK ? opened->places : NULL;
}

const struct instrumentation *program_files_instrumentation(struct program_files *files,
                                                            const char *path) {
  enum elf_file_status status;
  struct code_places *places = program_files_places(files, path, NULL, &status);
  struct opened *opened = find(files, place_of(files, path, NULL));
  if (!opened->has_own && places) {
    opened->own = instrumentation_open(code_places_file(places));
    if (!opened->own)
      memory_exhausted();
  }
  opened->has_own = true;
  return opened->own;
}
