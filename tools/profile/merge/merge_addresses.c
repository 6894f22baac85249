// merge_addresses.c - adds up sampled addresses by build id and offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"
#include "tools/profile/merge/merge_stacks.h"

#include <stdlib.h>
#include <string.h>

struct numbered_file {
  const struct profile_loadfile *file;
  size_t profile, index;
};

/// Files are the same if path and build id are: of one without an id the path must do.
static int compare_files(const void *left, const void *right) {
  const struct numbered_file *a = left, *b = right;
  return merge_compare(PROFILE_LOADFILES, a->file, b->file);
}

/// Fills in out->loadfiles. map: [count], of arrays owned by out: new position of each file.
static int merge_files(const struct profile *const *in, size_t count, struct profile *out,
                       uint32_t **map) {
  size_t total = 0, next = 0;
  for (size_t i = 0; i < count; i++)
    total += in[i]->loadfile_count;
  struct numbered_file *all = calloc(total + 1, sizeof *all);
  out->loadfiles = profile_allocate(out, total, sizeof *out->loadfiles);
  int result = all && out->loadfiles ? 0 : RETICLE_E_MEMORY;
  for (size_t i = 0; result == 0 && i < count; i++) {
    map[i] = profile_allocate(out, in[i]->loadfile_count, sizeof **map);
    for (size_t k = 0; map[i] && k < in[i]->loadfile_count; k++)
      all[next++] = (struct numbered_file){&in[i]->loadfiles[k], i, k};
    result = map[i] ? 0 : RETICLE_E_MEMORY;
  }
  if (result == 0 && total)
    qsort(all, total, sizeof *all, compare_files);
  for (size_t i = 0; result == 0 && i < total; i++) {
    if (!i || compare_files(&all[i - 1], &all[i]) != 0) {
      struct profile_loadfile *file = &out->loadfiles[out->loadfile_count++];
      *file = *all[i].file;
      result = merge_own_texts(out, PROFILE_LOADFILES, file);
    }
    map[all[i].profile][all[i].index] = (uint32_t)(out->loadfile_count - 1);
  }
  free(all);
  return result;
}

static int compare_addresses(const void *left, const void *right, void *chunk) {
  const struct profile_address *a = left, *b = right;
  (void)chunk;
  if (a->loadfile != b->loadfile)
    return a->loadfile < b->loadfile ? -1 : 1;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

static int add_addresses(const struct profile *const *in, size_t count, uint32_t *const *map,
                         struct profile *out) {
  size_t total = 0, next = 0;
  for (size_t i = 0; i < count; i++)
    total += in[i]->address_count;
  struct profile_address *all = profile_allocate(out, total, sizeof *all);
  if (!all)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < in[i]->address_count; k++) {
      all[next] = in[i]->addresses[k];
      all[next].loadfile = map[i][all[next].loadfile];
      next++;
    }
  out->addresses = all;
  out->address_count = merge_equal(PROFILE_ADDRESSES, all, total, sizeof *all, compare_addresses);
  return 0;
}

static bool has_closed(const struct profile *profile, uint32_t number) {
  for (size_t i = 0; i < profile->epoch_count; i++)
    if (profile->epochs[i].closed && profile->epochs[i].number == number)
      return true;
  return false;
}

/// A process that was killed as it had closed an epoch, and before it wrote its own file anew, left
/// the epoch's samples in both: the closed file has all of them.
static bool is_superseded(const struct profile *const *in, size_t count, size_t which) {
  const struct profile *mine = in[which];
  bool is_own = mine->epoch_count == 1 && !mine->epochs->closed;
  for (size_t i = 0; is_own && i < count; i++)
    if (has_closed(in[i], mine->epochs->number) && merge_is_one_process(in[i], mine))
      return true;
  return false;
}

/// Adds up samples at the same offset of the same file; with load files, stacks, epochs, sampling.
int merge_addresses(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  (void)chunk;
  uint32_t **map = calloc(count, sizeof *map);
  const struct profile **used = calloc(count, sizeof(*used));
  size_t used_count = 0;
  for (size_t i = 0; used && i < count; i++)
    if (!is_superseded(in, count, i))
      used[used_count++] = in[i];
  int result = map && used ? merge_files(used, used_count, out, map) : RETICLE_E_MEMORY;
  if (result == 0)
    result = add_addresses(used, used_count, map, out);
  if (result == 0)
    result = merge_stacks(used, used_count, map, out);
  if (result == 0)
    result = merge_sums(m, PROFILE_EPOCHS, out);
  if (result == 0)
    result = merge_sums(&(struct merge){.in = used, .count = used_count}, PROFILE_SAMPLING, out);
  free(map);
  free(used);
  return result;
}
