// coverage.c - compares the sources that DWARF names with those that the plug-in compiled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/coverage.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// Appends the parts of the path to `out`, which holds *length bytes and has room for the rest.
static void append_normal(char *out, size_t *length, const char *path) {
  while (*path) {
    size_t part = strcspn(path, "/");
    if (part == 2 && path[0] == '.' && path[1] == '.' && *length) {
      while (*length && out[--*length] != '/')
        ;
    } else if (part && !(part == 1 && path[0] == '.')) {
      out[(*length)++] = '/';
      memcpy(out + *length, path, part);
      *length += part;
    }
    path += part + (path[part] == '/');
  }
}

/// Directory and name as one path without "." and "..". A relative path gets a leading slash like
/// an absolute one: both sides are spelled by the same rule.
static char *normal_path(const struct coverage_source *source) {
  char *out = memory_zeroed(strlen(source->directory) + strlen(source->name) + 3, 1);
  size_t length = 0;
  if (source->name[0] != '/')
    append_normal(out, &length, source->directory);
  append_normal(out, &length, source->name);
  out[length] = 0;
  return out;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int compare_strings(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Sorted spellings of the instrumented sources.
struct known_paths {
  char **paths;       ///< [count]
  const char **lasts; ///< [count], pointing into paths
  size_t count;
};

static void known_init(struct known_paths *known, const struct coverage_source *sources,
                       size_t count) {
  *known = (struct known_paths){.paths = memory_zeroed(count + 1, sizeof(*known->paths)),
                                .lasts = memory_zeroed(count + 1, sizeof(*known->lasts))};
  for (; known->count < count; known->count++) {
    char *path = normal_path(&sources[known->count]);
    known->paths[known->count] = path;
    known->lasts[known->count] = last_part(path);
  }
  qsort(known->paths, count, sizeof(*known->paths), compare_strings);
  qsort(known->lasts, count, sizeof(*known->lasts), compare_strings);
}

static void known_release(struct known_paths *known) {
  for (size_t i = 0; i < known->count; i++)
    free(known->paths[i]);
  free(known->paths);
  free(known->lasts);
}

static bool known_holds(const struct known_paths *known, const struct coverage_source *source,
                        const char *path) {
  const char *last = last_part(path);
  if (source->bare)
    return bsearch(&last, known->lasts, known->count, sizeof(last), compare_strings);
  return bsearch(&path, known->paths, known->count, sizeof(path), compare_strings);
}

static int compare_missing(const void *a, const void *b) {
  const struct coverage_source *x = *(const struct coverage_source *const *)a;
  const struct coverage_source *y = *(const struct coverage_source *const *)b;
  int rank = !*x->name - !*y->name; // files without a name come last
  rank = rank ? rank : x->bare - y->bare;
  if (rank)
    return rank;
  if (x->functions != y->functions)
    return x->functions > y->functions ? -1 : 1;
  int order = strcmp(x->name, y->name);
  return order ? order : strcmp(x->directory, y->directory);
}

void coverage_compute(const struct coverage_source *all, size_t all_count,
                      const struct coverage_source *instrumented, size_t instrumented_count,
                      struct coverage *out) {
  struct known_paths known;
  struct coverage result = {.missing = memory_zeroed(all_count + 1, sizeof(*result.missing))};
  known_init(&known, instrumented, instrumented_count);
  for (size_t i = 0; i < all_count; i++) {
    char *path = normal_path(&all[i]);
    result.functions += all[i].functions;
    if (known_holds(&known, &all[i], path))
      result.functions_instrumented += all[i].functions;
    else
      result.missing[result.missing_count++] = &all[i];
    free(path);
  }
  known_release(&known);
  qsort(result.missing, result.missing_count, sizeof(*result.missing), compare_missing);
  *out = result;
}

void coverage_release(struct coverage *coverage) {
  free(coverage->missing);
  *coverage = (struct coverage){0};
}
