// frames.c - turns return addresses into modules and offsets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/frames.h"

#include "runtime/support/maps.h"
#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

static uint32_t named = 1; // sites below it are

struct naming {
  uint32_t limit;
  uint32_t module, build_id; // of the file whose mappings are passed
};

static void name_frames(const struct rrt_mapping *m, const struct naming *n) {
  for (uint32_t i = named; i < n->limit; i++) {
    struct rrt_site *s = rrt_site_get(i);
    for (uint32_t k = 0; k < s->depth; k++)
      if (s->addresses[k] >= m->low && s->addresses[k] < m->high)
        s->frames[k] =
            (struct rrt_frame){s->addresses[k] - m->low + m->offset, n->module, n->build_id};
  }
}

static int visit(const struct rrt_mapping *m, void *context) {
  struct naming *n = context;
  uint64_t bias;
  if (m->path[0] != '/')
    return 0;
  uint32_t module = rrt_strings_add(m->path);
  if (!rrt_equal(rrt_strings_data() + module, rrt_strings_data() + n->module) || !n->module) {
    n->module = module;
    n->build_id = 0;
    if (m->offset == 0)
      rrt_maps_identify(m, &bias, &n->build_id);
  }
  if (m->is_code)
    name_frames(m, n);
  return 0;
}

void rrt_frames_name(void) {
  struct naming n = {rrt_sites_count(), 0, 0};
  if (named == n.limit)
    return;
  rrt_maps_visit(visit, &n);
  for (; named < n.limit; named++)
    rrt_site_get(named)->is_named = 1;
}

static uint64_t add(uint64_t hash, const char *text) { // FNV-1a
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static const char *base_of(uint32_t text) {
  const char *path = rrt_strings_data() + text, *base = path;
  for (; *path; path++)
    if (*path == '/')
      base = path + 1;
  return base;
}

static uint64_t id_of(const struct rrt_site *site) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  if (site->is_global) {
    hash = add(add(hash, rrt_strings_data() + site->name), base_of(site->file));
    return (hash ^ site->line) * UINT64_C(0x9e3779b97f4a7c15);
  }
  for (uint32_t i = 0; i < site->depth; i++)
    hash = (add(hash, base_of(site->frames[i].module)) ^ site->frames[i].offset) *
           UINT64_C(0x9e3779b97f4a7c15);
  return hash;
}

uint64_t rrt_frames_id(struct rrt_site *site) {
  if (!site->is_named) // came since
    return id_of(site);
  if (!site->id)
    site->id = id_of(site);
  return site->id;
}
