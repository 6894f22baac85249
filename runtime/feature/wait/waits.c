// waits.c - reads the tables of the preloaded library, whose threads go on meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/decisions/0050. Needs the drain lock, but for the entry point of include/reticle/waits.h.
#include "runtime/feature/feature.h"

#include "include/reticle/waits.h"

#include "runtime/probe/loop.h"
#include "runtime/session/session.h"
#include "runtime/support/chunk.h"
#include "runtime/support/maps.h"
#include "runtime/support/options.h"
#include "runtime/support/strings.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

enum {
  SITES_MAX = 4096, // of the library's: more are not looked at
  ARRIVALS_MAX = 1024,
  TRIES = 16, // to copy arrivals while none of them changes its place
};

struct place {
  uint64_t id, offset;
  uint32_t module, build_id;
};

static struct {
  const struct reticle_waits *attached; // the library's tables; null: it isn't there
  struct place *places;                 // [SITES_MAX] of the library's sites
  uint32_t named;                       // sites below it have their place
  struct reticle_wait_arrival *arrivals;
  uint32_t site_count, peer_count, arrival_count;
  struct reticle_file_wait site; // what all records of this checkpoint begin with
} state;

__attribute__((visibility("default"))) int RETICLE_WAITS_ATTACH(const struct reticle_waits *waits) {
  rrt_session_start();
  if (waits->version != RETICLE_WAITS_VERSION ||
      waits->site_bytes != sizeof(struct reticle_wait_site) ||
      waits->peer_bytes != sizeof(struct reticle_wait_peer) ||
      waits->arrival_bytes != sizeof(struct reticle_wait_arrival) ||
      rrt_session.state != RRT_SESSION_ON || !rrt_options.waits)
    return 0;
  __atomic_store_n(&state.attached, waits, __ATOMIC_RELEASE);
  return 1;
}

__attribute__((visibility("default"))) void RETICLE_WAITS_ENTER(void) {
  if (!rrt_thread_self && rrt_probe.enter)
    rrt_probe.enter();
}

// --- places -------------------------------------------------------------------------------------

struct naming {
  uint32_t limit, module, build_id;
};

static void name_places(const struct rrt_mapping *m, const struct naming *n) {
  for (uint32_t i = state.named; i < n->limit; i++) {
    uint64_t address = state.attached->sites[i].address;
    if (address >= m->low && address < m->high)
      state.places[i] = (struct place){0, address - m->low + m->offset, n->module, n->build_id};
  }
}

static int visit_mapping(const struct rrt_mapping *m, void *context) {
  struct naming *n = context;
  uint64_t bias;
  if (m->path[0] != '/')
    return 0;
  uint32_t module = rrt_strings_add(m->path);
  if (module != n->module) {
    n->module = module;
    n->build_id = 0;
    if (m->offset == 0)
      rrt_maps_identify(m, &bias, &n->build_id);
  }
  if (m->is_code)
    name_places(m, n);
  return 0;
}

static uint64_t add_text(uint64_t hash, const char *text) { // FNV-1a
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

// Of the file's name without its folder, so that it is the same on all hosts.
static uint64_t id_of(const struct place *place, const char *operation) {
  const char *path = rrt_strings_data() + place->module, *base = path;
  for (; *path; path++)
    if (*path == '/')
      base = path + 1;
  uint64_t hash = add_text(add_text(UINT64_C(0xcbf29ce484222325), operation), base);
  return (hash ^ place->offset) * UINT64_C(0x9e3779b97f4a7c15);
}

static int open_tables(void) {
  if (!state.places)
    state.places = rrt_sys_map(SITES_MAX * sizeof *state.places);
  if (!state.arrivals)
    state.arrivals = rrt_sys_map(ARRIVALS_MAX * sizeof *state.arrivals);
  return state.places && state.arrivals;
}

static void name_new_places(void) {
  struct naming n = {state.site_count, 0, 0};
  if (state.named >= n.limit)
    return;
  for (uint32_t i = state.named; i < n.limit; i++)
    state.places[i] = (struct place){.offset = state.attached->sites[i].address};
  rrt_maps_visit(visit_mapping, &n);
  for (; state.named < n.limit; state.named++)
    state.places[state.named].id =
        id_of(&state.places[state.named], state.attached->sites[state.named].operation);
}

// --- reading ------------------------------------------------------------------------------------

static void copy_arrivals(void) {
  for (int i = 0; i < TRIES; i++) {
    uint32_t before = __atomic_load_n(&state.attached->shuffles, __ATOMIC_ACQUIRE);
    uint32_t count = __atomic_load_n(&state.attached->arrival_count, __ATOMIC_ACQUIRE);
    count = count < ARRIVALS_MAX ? count : ARRIVALS_MAX;
    rrt_copy(state.arrivals, state.attached->arrivals, count * sizeof *state.arrivals);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (!(before & 1) && __atomic_load_n(&state.attached->shuffles, __ATOMIC_RELAXED) == before) {
      state.arrival_count = count;
      return;
    }
  }
  state.arrival_count = 0; // the next checkpoint has them
}

// Takes over what there is now; names the places of new call sites. Returns 0 if there is nothing.
static int read_all(const struct reticle_file_env *env) {
  const struct reticle_waits *waits = __atomic_load_n(&state.attached, __ATOMIC_ACQUIRE);
  if (!waits || !open_tables())
    return 0;
  // First what refers to sites, which are there before.
  copy_arrivals();
  state.peer_count = __atomic_load_n(&waits->peer_count, __ATOMIC_ACQUIRE);
  state.site_count = __atomic_load_n(&waits->site_count, __ATOMIC_ACQUIRE);
  state.site_count = state.site_count < SITES_MAX ? state.site_count : SITES_MAX;
  name_new_places();
  state.site.start_time_s = env->start_time_s;
  state.site.pid = env->pid;
  state.site.host = env->host;
  for (int i = 0; i < RETICLE_WAIT_SOURCES; i++)
    if (__atomic_load_n(&waits->sources[i].name, __ATOMIC_ACQUIRE))
      return 1;
  return 0;
}

static void visit_sources(void (*visit)(const struct reticle_file_waitsource *)) {
  for (uint32_t i = 0; i < RETICLE_WAIT_SOURCES; i++) {
    const struct reticle_wait_source *from = &state.attached->sources[i];
    const char *name = __atomic_load_n(&from->name, __ATOMIC_ACQUIRE);
    if (!name)
      continue;
    struct reticle_file_waitsource record = {.start_time_s = state.site.start_time_s,
                                             .pid = state.site.pid,
                                             .lost = from->lost,
                                             .untracked = from->untracked,
                                             .host = state.site.host,
                                             .name = rrt_strings_add(name),
                                             .source = i,
                                             .state = from->state};
    visit(&record);
  }
}

static void visit_waits(void (*visit)(const struct reticle_file_wait *)) {
  for (uint32_t i = 0; i < state.site_count; i++) {
    const struct reticle_wait_site *from = &state.attached->sites[i];
    const struct place *place = &state.places[i];
    struct reticle_file_wait record = state.site;
    record.calls = __atomic_load_n(&from->calls, __ATOMIC_RELAXED);
    if (!record.calls) // of the parent
      continue;
    record.id = place->id;
    record.offset = place->offset;
    record.bytes = __atomic_load_n(&from->bytes, __ATOMIC_RELAXED);
    record.time_ns = __atomic_load_n(&from->time_ns, __ATOMIC_RELAXED);
    record.longest_ns = __atomic_load_n(&from->longest_ns, __ATOMIC_RELAXED);
    record.module = place->module;
    record.build_id = place->build_id;
    record.operation = rrt_strings_add(from->operation);
    record.thread = from->thread;
    record.kind = from->kind;
    visit(&record);
  }
}

static void visit_peers(void (*visit)(const struct reticle_file_waitpeer *)) {
  for (uint32_t i = 0; i < state.peer_count; i++) {
    const struct reticle_wait_peer *from = &state.attached->peers[i];
    if (from->site >= state.site_count)
      continue;
    struct reticle_file_waitpeer record = {.start_time_s = state.site.start_time_s,
                                           .pid = state.site.pid,
                                           .wait = state.places[from->site].id,
                                           .calls = __atomic_load_n(&from->calls, __ATOMIC_RELAXED),
                                           .time_ns =
                                               __atomic_load_n(&from->time_ns, __ATOMIC_RELAXED),
                                           .host = state.site.host,
                                           .rank = from->rank};
    visit(&record);
  }
}

static void visit_arrivals(void (*visit)(const struct reticle_file_arrival *)) {
  for (uint32_t i = 0; i < state.arrival_count; i++) {
    const struct reticle_wait_arrival *from = &state.arrivals[i];
    if (from->site >= state.site_count)
      continue;
    struct reticle_file_arrival record = {.start_time_s = state.site.start_time_s,
                                          .pid = state.site.pid,
                                          .wait = state.places[from->site].id,
                                          .group = from->group,
                                          .number = from->number,
                                          .at_ns = from->at_ns,
                                          .time_ns = from->time_ns,
                                          .host = state.site.host,
                                          .root = from->root};
    visit(&record);
  }
}

static void write_source(const struct reticle_file_waitsource *r) {
  rrt_chunk_add_copy(r, sizeof *r);
}
static void write_wait(const struct reticle_file_wait *r) { rrt_chunk_add_copy(r, sizeof *r); }
static void write_peer(const struct reticle_file_waitpeer *r) { rrt_chunk_add_copy(r, sizeof *r); }
static void write_arrival(const struct reticle_file_arrival *r) {
  rrt_chunk_add_copy(r, sizeof *r);
}

static void write(struct rrt_checkpoint *c) {
  if (!read_all(&c->env))
    return;
  rrt_chunk_begin("waitsources", sizeof(struct reticle_file_waitsource));
  visit_sources(write_source);
  rrt_chunk_end();
  rrt_chunk_begin("waits", sizeof(struct reticle_file_wait));
  visit_waits(write_wait);
  rrt_chunk_end();
  rrt_chunk_begin("waitpeers", sizeof(struct reticle_file_waitpeer));
  visit_peers(write_peer);
  rrt_chunk_end();
  rrt_chunk_begin("arrivals", sizeof(struct reticle_file_arrival));
  visit_arrivals(write_arrival);
  rrt_chunk_end();
}

const struct rrt_feature rrt_feature_wait = {.write = write};
