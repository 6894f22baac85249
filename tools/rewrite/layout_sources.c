// layout_sources.c - reads the sources of a program, and tells which changed since it was built.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/md5.h"
#include "tools/binary/source_files.h"
#include "tools/profile/regular.h"
#include "tools/rewrite/layout_values.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Larger files aren't sources, and what is more of them isn't read: debug information may name any
/// file any number of times.
#define BYTES_MOST (64 << 20)
#define ALL_BYTES_MOST ((off_t)1 << 30)

static bool is_system(const char *path) {
  return strncmp(path, "/usr/include/", 13) == 0 || strncmp(path, "/usr/lib", 8) == 0 ||
         strncmp(path, "/usr/local/include/", 19) == 0 || strstr(path, "/lib/clang/") ||
         *path != '/';
}

static void read_text(struct layout_source *source, off_t *left) {
  FILE *file = regular_fopen(source->path);
  struct stat status;
  if (file && fstat(fileno(file), &status) == 0 && status.st_size <= BYTES_MOST &&
      status.st_size <= *left) {
    *left -= status.st_size;
    source->text = memory_zeroed((size_t)status.st_size + 1, 1);
    source->bytes = fread(source->text, 1, (size_t)status.st_size, file);
  }
  if (file)
    fclose(file);
}

/// By the digest in the debug information; without one by the time of the last change.
static bool is_changed(const struct layout_source *source, const struct binary_source *built,
                       time_t built_at) {
  struct stat status;
  uint8_t md5[16];
  if (!built->has_md5)
    return stat(source->path, &status) == 0 && status.st_mtime > built_at;
  md5_digest(source->text, source->bytes, md5);
  return memcmp(md5, built->md5, sizeof md5) != 0;
}

bool layout_sources_read(const char *executable, struct layout_sources *out) {
  struct binary_sources built;
  struct stat status;
  off_t left = ALL_BYTES_MOST;
  *out = (struct layout_sources){0};
  bool is_read = source_files_read(executable, &built) && stat(executable, &status) == 0;
  out->all = memory_zeroed(built.count + 1, sizeof *out->all);
  for (size_t i = 0; is_read && i < built.count; i++) {
    struct layout_source *source = &out->all[out->count];
    if (is_system(built.all[i].path))
      continue;
    source->path = text_copy(built.all[i].path);
    read_text(source, &left);
    if (source->text) {
      source->is_changed = is_changed(source, &built.all[i], status.st_mtime);
      source_tokens_read(source->text, source->bytes, &source->tokens);
    }
    out->count++;
  }
  source_files_release(&built);
  return is_read;
}

void layout_sources_release(struct layout_sources *sources) {
  for (size_t i = 0; i < sources->count; i++) {
    struct layout_source *source = &sources->all[i];
    source_tokens_release(&source->tokens);
    source_edits_release(&source->edits);
    free(source->path);
    free(source->text);
  }
  free(sources->all);
  *sources = (struct layout_sources){0};
}
