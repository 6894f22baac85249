// sample_map.c - which load file was at an address at the time of a sample.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library may be unloaded and another one take its place before a sample is looked at: so each
// mapping has the time from which it holds, and the newest one at the sample's time counts.
#include "runtime/feature/sample/sample_parts.h"

#include "runtime/support/maps.h"
#include "runtime/support/strings.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

enum { MAPPINGS_MAX = 4096, FILES_MAX = 1024, BUILD_ID_MAX = 20 };

struct place {
  uint64_t low, high, offset, since_ns;
  uint32_t file;
};

static struct {
  struct place *places; // [count], ascending since_ns
  uint32_t place_count;
  uint32_t file_count, changes;
  struct reticle_file_loadfile *files;
} state;

int rrt_sample_map_open(void) {
  state.place_count = state.file_count = 0;
  if (!state.places)
    state.places = rrt_sys_map(MAPPINGS_MAX * sizeof *state.places);
  if (!state.files)
    state.files = rrt_sys_map(FILES_MAX * sizeof *state.files);
  return state.places && state.files ? 0 : -1;
}

const struct reticle_file_loadfile *rrt_sample_files(uint32_t *count) {
  *count = state.file_count;
  return state.files;
}

static uint32_t find_file(const char *path, const char *build_id) {
  const char *texts = rrt_strings_data();
  for (uint32_t i = 0; i < state.file_count; i++)
    if (rrt_equal(texts + state.files[i].path, path) &&
        rrt_equal(texts + state.files[i].build_id, build_id))
      return i;
  if (state.file_count == FILES_MAX)
    return RRT_SAMPLE_UNMAPPED;
  state.files[state.file_count].path = rrt_strings_add(path);
  state.files[state.file_count].build_id = rrt_strings_add(build_id);
  return state.file_count++;
}

// Those that newer ones cover are of use to samples not yet taken alone, and there are few.
static void drop_covered(void) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < state.place_count; i++) {
    uint32_t k = i + 1;
    while (k < state.place_count && !(state.places[k].low <= state.places[i].low &&
                                      state.places[i].high <= state.places[k].high))
      k++;
    if (k == state.place_count)
      state.places[kept++] = state.places[i];
  }
  state.place_count = kept;
}

static void add_place(const struct place *p) {
  for (uint32_t i = state.place_count; i && state.places[i - 1].since_ns >= p->since_ns; i--)
    if (state.places[i - 1].since_ns == p->since_ns && state.places[i - 1].low == p->low)
      return; // seen before: what follows a young sample in its ring stays there
  if (state.place_count == MAPPINGS_MAX)
    drop_covered();
  if (state.place_count == MAPPINGS_MAX)
    return;
  uint32_t at = state.place_count++;
  for (; at && state.places[at - 1].since_ns > p->since_ns; at--)
    state.places[at] = state.places[at - 1];
  state.places[at] = *p;
  state.changes += state.changes == UINT32_MAX ? 2 : 1;
}

uint32_t rrt_sample_map_changes(void) { return state.changes; }

// "" if the file has none, or it isn't mapped any more.
struct wanted {
  const char *path;
  uint32_t build_id;
};

static int visit_head(const struct rrt_mapping *m, void *context) {
  struct wanted *w = context;
  uint64_t bias;
  return m->offset == 0 && rrt_equal(m->path, w->path) &&
         rrt_maps_identify(m, &bias, &w->build_id) == 0;
}

static const char *read_build_id(const char *path) {
  struct wanted w = {path, 0};
  rrt_maps_visit(visit_head, &w);
  return rrt_strings_data() + w.build_id;
}

// Code that is in no file that one could open later.
static const char *name_of(const char *path) {
  if (path[0] == '/' && path[1] != '/') // the kernel's "//anon"
    return path;
  return rrt_equal(path, "[vdso]") ? path : "[anonymous]";
}

void rrt_sample_map_add(uint64_t low, uint64_t bytes, uint64_t offset, const char *path,
                        const unsigned char *build_id, uint32_t build_id_bytes, uint64_t time_ns) {
  char hex[2 * BUILD_ID_MAX + 1] = "";
  const char *name = name_of(path);
  if (build_id_bytes && build_id_bytes <= BUILD_ID_MAX) {
    struct rrt_text text;
    rrt_text_init(&text, hex, sizeof hex);
    for (uint32_t i = 0; i < build_id_bytes; i++)
      rrt_text_add_hex(&text, build_id[i], 2);
  }
  const char *id = hex[0] ? hex : name[0] == '/' ? read_build_id(path) : "";
  struct place p = {low, low + bytes, offset, time_ns, find_file(name, id)};
  if (p.file != RRT_SAMPLE_UNMAPPED)
    add_place(&p);
}

static int visit_code(const struct rrt_mapping *m, void *context) {
  const uint64_t *time_ns = context;
  uint64_t first, last;
  if (!m->is_code)
    return 0;
  // Most are as they were.
  uint32_t file = rrt_sample_map_find(m->low, *time_ns, &first);
  if (file != RRT_SAMPLE_UNMAPPED && (first == m->offset || m->path[0] != '/') &&
      rrt_equal(rrt_strings_data() + state.files[file].path, name_of(m->path)) &&
      rrt_sample_map_find(m->high - 1, *time_ns, &last) == file)
    return 0;
  rrt_sample_map_add(m->low, m->high - m->low, m->offset, m->path, NULL, 0, *time_ns);
  return 0;
}

void rrt_sample_map_read(uint64_t time_ns) { rrt_maps_visit(visit_code, &time_ns); }

static int holds(const struct place *p, uint64_t address, uint64_t time_ns) {
  return p->low <= address && address < p->high && p->since_ns <= time_ns;
}

uint32_t rrt_sample_map_find(uint64_t address, uint64_t time_ns, uint64_t *offset) {
  uint32_t i = state.place_count;
  while (i && !holds(&state.places[i - 1], address, time_ns))
    i--;
  if (!i)
    return RRT_SAMPLE_UNMAPPED;
  const struct place *p = &state.places[i - 1];
  int is_file = rrt_strings_data()[state.files[p->file].path] == '/';
  int is_vdso = !is_file && rrt_equal(rrt_strings_data() + state.files[p->file].path, "[vdso]");
  *offset = is_file ? address - p->low + p->offset : is_vdso ? address - p->low : 0;
  return p->file;
}
