// writer.c - the profile file: chunks one after the other, the table of chunks last of all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/writer.h"

#include "runtime/feature/account/facts.h"
#include "runtime/feature/field/fields.h"
#include "runtime/feature/loop/store.h"
#include "runtime/feature/sample/pointers.h"
#include "runtime/feature/sample/sample.h"
#include "runtime/feature/topdown/topdown.h"
#include "runtime/feature/wait/waits.h"
#include "runtime/heap/heap.h"
#include "runtime/session/place.h"
#include "runtime/session/registry.h"
#include "runtime/session/threads.h"
#include "runtime/support/deadline.h"
#include "runtime/support/strings.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum { CHUNKS_MAX = 48, BUFFER_BYTES = 16384, PARTS_MAX = 64, PACKED_FILES = 256 };

static struct {
  int fd, error;
  int is_named;     // files without a name first can't be made
  uint64_t offset;  // of the next byte to add
  uint64_t written; // offset up to which it is in the file
  uint32_t chunk_count;
  struct reticle_file_chunk chunks[CHUNKS_MAX];
  struct reticle_file_chunk *chunk; // the one being written
  uint64_t checksum;
  struct rrt_sys_part parts[PARTS_MAX]; // [part_count], of what is added and not yet written
  uint32_t part_count;
  size_t used;
  char buffer[BUFFER_BYTES]; // for records that aren't in memory as the file has them
  uint64_t *live_executions; // [live_capacity], of threads that still run
  uint32_t live_capacity;
  struct reticle_file_shadow shadow;
  struct rrt_sys_part windows[RRT_VISIT_WINDOWS]; // of visits, as the chunk before has them
} w;

static void flush(void) {
  if (!w.error && !rrt_deadline_left_ns(1))
    w.error = -ETIMEDOUT;
  uint64_t start = rrt_sys_monotonic_raw_ns();
  if (!w.error)
    w.error = rrt_sys_write_parts_at(w.fd, w.parts, w.part_count, w.written);
  rrt_deadline_spend(start);
  w.written = w.offset;
  w.part_count = 0;
  w.used = 0;
}

// The memory must stay as it is until it is flushed.
static void add_part(const void *data, size_t bytes) {
  if (!bytes)
    return;
  struct rrt_sys_part *last = w.part_count ? &w.parts[w.part_count - 1] : NULL;
  if (last && (const char *)last->data + last->bytes == data) {
    last->bytes += bytes;
  } else {
    if (w.part_count == PARTS_MAX)
      flush();
    w.parts[w.part_count++] = (struct rrt_sys_part){data, bytes};
  }
  w.offset += bytes;
}

// All but the last of a chunk are multiples of 8 bytes: see the checksum.
static void add(const void *data, size_t bytes) {
  w.checksum = reticle_checksum_add(w.checksum, data, bytes);
  w.chunk->bytes += bytes;
  add_part(data, bytes);
}

static void add_copy(const void *record, size_t bytes) {
  if (BUFFER_BYTES - w.used < bytes || w.part_count == PARTS_MAX)
    flush();
  char *copy = w.buffer + w.used;
  rrt_copy(copy, record, bytes);
  w.used += bytes;
  add(copy, bytes);
}

static void begin_chunk(const char *name, uint32_t record_bytes) {
  static const char zeros[8];
  w.chunk = &w.chunks[w.chunk_count++];
  rrt_zero(w.chunk, sizeof *w.chunk);
  rrt_copy(w.chunk->name, name, rrt_length(name));
  if (w.offset % 8)
    add_part(zeros, 8 - w.offset % 8);
  w.chunk->offset = w.offset;
  w.chunk->record_bytes = record_bytes;
  w.checksum = RETICLE_CHECKSUM_START;
}

static void end_chunk(void) {
  w.chunk->count = w.chunk->bytes / w.chunk->record_bytes;
  w.chunk->checksum = reticle_checksum_end(w.checksum, w.chunk->bytes);
}

static void chunk(const char *name, const void *records, uint32_t record_bytes, uint64_t count) {
  begin_chunk(name, record_bytes);
  add(records, record_bytes * count);
  end_chunk();
}

static int sum_live_executions(void) {
  if (w.live_capacity < rrt_store.count) {
    if (w.live_executions)
      rrt_sys_unmap(w.live_executions, w.live_capacity * sizeof *w.live_executions);
    w.live_capacity = rrt_store.capacity;
    w.live_executions = rrt_sys_map(w.live_capacity * sizeof *w.live_executions);
    if (!w.live_executions) {
      w.live_capacity = 0;
      return -ENOMEM;
    }
  }
  rrt_zero(w.live_executions, rrt_store.count * sizeof *w.live_executions);
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    if (__atomic_load_n(&t->life, __ATOMIC_ACQUIRE) == RRT_THREAD_FREE)
      continue;
    for (uint32_t i = __atomic_load_n(&t->entered, __ATOMIC_ACQUIRE); i;
         i = t->loops[i].next_entered)
      if (i < rrt_store.count)
        w.live_executions[i] += rrt_loop_executions(&t->loops[i]);
  }
  return 0;
}

static void write_hist(const struct rrt_store_loop *l) {
  for (uint32_t octave = 0; octave < RRT_OCTAVES && l->record.hist_count; octave++) {
    const struct reticle_file_hist *h = rrt_store_octave(l, octave);
    for (uint32_t i = 0; h && i < RRT_OCTAVE_BUCKETS; i++)
      if (h[i].weight)
        add_copy(&h[i], sizeof h[i]);
  }
}

// Writes loops, hist and samples; sums of what was lost go to the health record.
static void write_loops(struct reticle_file_health *health, int is_child) {
  uint64_t hist = 0, raw = 0;
  begin_chunk("loops", sizeof(struct reticle_file_loop));
  for (uint32_t i = 1; i < rrt_store.count; i++) {
    struct reticle_file_loop f;
    rrt_copy(&f, &rrt_store.loops[i].record, sizeof f);
    f.executions += w.live_executions[i];
    if (is_child && !f.executions && !f.hist_count && !f.raw_count)
      continue;
    f.hist_first = hist;
    f.raw_first = raw;
    hist += f.hist_count;
    raw += f.raw_count;
    health->lost_samples += f.lost;
    health->abandoned_samples += f.abandoned;
    health->migrated_samples += f.migrated;
    add_copy(&f, sizeof f);
  }
  end_chunk();
  begin_chunk("hist", sizeof(struct reticle_file_hist));
  for (uint32_t i = 1; i < rrt_store.count; i++)
    write_hist(&rrt_store.loops[i]);
  end_chunk();
  begin_chunk("samples", sizeof(struct reticle_file_sample));
  for (uint32_t i = 1; i < rrt_store.count; i++) {
    uint32_t left = rrt_store.loops[i].record.raw_count;
    for (uint32_t k = 0, n; left; k += n, left -= n) {
      n = left < RRT_CHUNK_SAMPLES ? left : RRT_CHUNK_SAMPLES;
      add(rrt_store_raw(&rrt_store.loops[i], k), n * sizeof(struct reticle_file_sample));
    }
  }
  end_chunk();
}

static void write_fields(void) {
  struct rrt_fields_tables t;
  if (!rrt_fields_present())
    return;
  rrt_fields_read(&t);
  chunk("structs", t.structs, sizeof *t.structs, t.struct_count);
  chunk("members", t.members, sizeof *t.members, t.member_count);
  chunk("accesses", t.accesses, sizeof *t.accesses, t.access_count);
  chunk("fieldunits", t.units, sizeof *t.units, t.unit_count);
  chunk("counts", t.counts, sizeof *t.counts, t.label_count);
}

static void write_topdown_record(const struct reticle_file_topdown *record) {
  add_copy(record, sizeof *record);
}

static void write_topdown(void) {
  if (!rrt_topdown_is_on())
    return;
  begin_chunk("topdown", sizeof(struct reticle_file_topdown));
  rrt_topdown_visit(write_topdown_record);
  end_chunk();
}

static void write_wait_source(const struct reticle_file_waitsource *r) { add_copy(r, sizeof *r); }
static void write_wait(const struct reticle_file_wait *r) { add_copy(r, sizeof *r); }
static void write_wait_peer(const struct reticle_file_waitpeer *r) { add_copy(r, sizeof *r); }
static void write_arrival(const struct reticle_file_arrival *r) { add_copy(r, sizeof *r); }

static void write_waits(const struct reticle_file_env *env) {
  if (!rrt_waits_read(env))
    return;
  begin_chunk("waitsources", sizeof(struct reticle_file_waitsource));
  rrt_waits_visit_sources(write_wait_source);
  end_chunk();
  begin_chunk("waits", sizeof(struct reticle_file_wait));
  rrt_waits_visit(write_wait);
  end_chunk();
  begin_chunk("waitpeers", sizeof(struct reticle_file_waitpeer));
  rrt_waits_visit_peers(write_wait_peer);
  end_chunk();
  begin_chunk("arrivals", sizeof(struct reticle_file_arrival));
  rrt_waits_visit_arrivals(write_arrival);
  end_chunk();
}

static void write_fact(const struct reticle_file_fact *record) { add_copy(record, sizeof *record); }

static void write_facts(const struct rrt_writer_input *in) {
  begin_chunk("facts", sizeof(struct reticle_file_fact));
  for (uint32_t i = 1; i < rrt_store.count; i++)
    rrt_facts_visit(rrt_store.loops[i].facts, rrt_store.loops[i].record.id, &in->clock, write_fact);
  end_chunk();
}

static void write_sites(void) {
  uint32_t count = rrt_heap_site_count();
  begin_chunk("sites", sizeof(struct reticle_file_site));
  for (uint32_t i = 1; i < count; i++) {
    struct reticle_file_site site;
    if (rrt_heap_site(i, &site))
      add_copy(&site, sizeof site);
  }
  end_chunk();
  begin_chunk("siteframes", sizeof(struct reticle_file_siteframe));
  for (uint32_t i = 1; i < count; i++) {
    struct reticle_file_siteframe frame;
    for (uint32_t depth = 0; rrt_heap_frame(i, depth, &frame); depth++)
      add_copy(&frame, sizeof frame);
  }
  end_chunk();
  begin_chunk("sitewords", sizeof(struct reticle_file_siteword));
  for (uint32_t i = 1; i < count; i++) {
    struct reticle_file_siteword word;
    int known;
    for (uint32_t n = 0; (known = rrt_heap_word(i, n, &word)) >= 0; n++)
      if (known)
        add_copy(&word, sizeof word);
  }
  end_chunk();
}

static void write_pointer(const struct reticle_file_pointer *record) {
  add_copy(record, sizeof *record);
}

static void write_shadow(const struct rrt_writer_input *in) {
  uint32_t unit_count;
  if (!rrt_heap_present())
    return;
  rrt_heap_read(&w.shadow, in->force_live_scan);
  chunk("shadow", &w.shadow, sizeof w.shadow, 1);
  write_sites();
  const struct reticle_file_shadowunit *units = rrt_heap_units(&unit_count);
  chunk("shadowunits", units, sizeof *units, unit_count);
  if (rrt_heap_has_detail()) {
    struct reticle_file_sharedline line;
    begin_chunk("sharedlines", sizeof line);
    for (uint32_t i = 0; rrt_heap_shared_line(i, &line); i++)
      add_copy(&line, sizeof line);
    end_chunk();
  }
  if (!rrt_pointers_any())
    return;
  begin_chunk("pointers", sizeof(struct reticle_file_pointer));
  rrt_pointers_visit(write_pointer);
  end_chunk();
}

enum { VISIT_RECORD_BYTES = sizeof(struct reticle_file_visit) };

// Only what is used up to now: threads go on behind it.
static void write_visits(void) {
  static const uint8_t zeros[VISIT_RECORD_BYTES];
  struct rrt_visits_tables t;
  struct reticle_file_visitwindow window;
  const uint8_t *bytes;
  uint64_t first = 0;
  int known;
  if (!rrt_heap_present())
    return;
  rrt_visits_read(&t);
  if (!t.site_count)
    return;
  rrt_visits_hold();
  chunk("visitsites", t.sites, sizeof *t.sites, t.site_count);
  begin_chunk("visitwindows", sizeof window);
  uint32_t count = 0;
  for (uint32_t i = 0; (known = rrt_visits_window(i, &window, &bytes)) >= 0; i++)
    if (known && count < RRT_VISIT_WINDOWS) {
      window.first = first;
      first += (window.bytes + VISIT_RECORD_BYTES - 1) / VISIT_RECORD_BYTES;
      w.windows[count++] = (struct rrt_sys_part){bytes, window.bytes};
      add_copy(&window, sizeof window);
    }
  end_chunk();
  begin_chunk("visits", VISIT_RECORD_BYTES);
  for (uint32_t i = 0; i < count; i++) {
    size_t rest = w.windows[i].bytes % VISIT_RECORD_BYTES, whole = w.windows[i].bytes - rest;
    uint8_t last[VISIT_RECORD_BYTES];
    add(w.windows[i].data, whole);
    if (!rest)
      continue;
    rrt_copy(last, zeros, sizeof last);
    rrt_copy(last, (const uint8_t *)w.windows[i].data + whole, rest);
    add_copy(last, sizeof last);
  }
  end_chunk();
  flush();
  rrt_visits_let_go();
}

static void write_slots(const struct rrt_sample_tables *t) {
  begin_chunk("addresses", sizeof(struct reticle_file_address));
  for (uint32_t i = 0; i < t->slot_count; i++)
    if (t->slots[i].samples)
      add_copy(&t->slots[i], sizeof t->slots[i]);
  end_chunk();
  if (t->stacks)
    chunk("stacks", t->stacks, sizeof *t->stacks, t->stack_count);
}

static void write_addresses(void) {
  struct rrt_sample_tables t;
  if (!rrt_sample_tables_get(&t))
    return;
  chunk("sampling", t.sampling, sizeof *t.sampling, 1);
  chunk("loadfiles", t.files, sizeof *t.files, t.file_count);
  write_slots(&t);
}

// --- a closed epoch: no loops, and only the strings that are needed

static struct {
  struct reticle_file_env env;
  struct reticle_file_loadfile files[PACKED_FILES];
  uint32_t used; // of the texts
  int is_full;
  char texts[16384];
} packed;

static uint32_t pack_text(uint32_t from) {
  const char *text = rrt_strings_data() + from;
  size_t bytes = rrt_length(text) + 1;
  if (packed.used + bytes > sizeof packed.texts) {
    packed.is_full = 1;
    return 0;
  }
  uint32_t at = packed.used;
  rrt_copy(packed.texts + at, text, bytes);
  packed.used += (uint32_t)bytes;
  return at;
}

#define PACK_U64(value)
#define PACK_U32(value)
#define PACK_STR(value) value = pack_text(value);
#define RETICLE_FILE_BEGIN(record)                                                                 \
  static __attribute__((unused)) void pack_texts_of_##record(struct reticle_file_##record *r) {
#define RETICLE_FILE_FIELD(record, kind, name, merge, unit, doc) PACK_##kind(r->name)
#define RETICLE_FILE_END(record)                                                                   \
  (void)r;                                                                                         \
  }
#include "include/reticle/abi.def"

// Whether all strings found room; else the whole table is written, with the records as they are.
static int pack_epoch(const struct rrt_writer_input *in, uint32_t *count) {
  struct rrt_sample_tables t;
  rrt_zero(&packed, sizeof packed);
  packed.used = 1; // ""
  rrt_copy(&packed.env, &in->env, sizeof packed.env);
  pack_texts_of_env(&packed.env);
  if (!rrt_sample_tables_get(&t) || t.file_count > PACKED_FILES)
    return 0;
  *count = t.file_count;
  for (uint32_t i = 0; i < t.file_count; i++)
    packed.files[i] = (struct reticle_file_loadfile){.path = pack_text(t.files[i].path),
                                                     .build_id = pack_text(t.files[i].build_id)};
  return !packed.is_full;
}

static void write_epoch(const struct rrt_writer_input *in) {
  struct rrt_sample_tables t;
  uint32_t file_count;
  int is_packed = pack_epoch(in, &file_count);
  chunk("env", is_packed ? &packed.env : &in->env, sizeof packed.env, 1);
  chunk("epochs", &in->epoch, sizeof in->epoch, 1);
  if (is_packed && rrt_sample_tables_get(&t)) {
    chunk("sampling", t.sampling, sizeof *t.sampling, 1);
    chunk("loadfiles", packed.files, sizeof packed.files[0], file_count);
    write_slots(&t);
  } else {
    write_addresses();
  }
  chunk("health", &in->health, sizeof in->health, 1);
  if (is_packed)
    chunk("strings", packed.texts, 1, packed.used);
  else
    chunk("strings", rrt_strings_data(), 1, rrt_strings_bytes());
}

static void write_head(void) {
  struct reticle_file_header h;
  uint64_t table_bytes = w.chunk_count * sizeof w.chunks[0];
  rrt_zero(&h, sizeof h);
  rrt_copy(h.magic, RETICLE_FILE_MAGIC, sizeof h.magic);
  h.version = RETICLE_FILE_VERSION;
  h.endian = RETICLE_FILE_ENDIAN;
  h.file_bytes = w.offset;
  h.table_offset = sizeof h;
  h.table_checksum = reticle_checksum_end(
      reticle_checksum_add(RETICLE_CHECKSUM_START, w.chunks, table_bytes), table_bytes);
  h.chunk_count = w.chunk_count;
  h.chunk_bytes = sizeof w.chunks[0];
  struct rrt_sys_part parts[] = {{&h, sizeof h}, {w.chunks, table_bytes}};
  if (!w.error)
    w.error = rrt_sys_write_parts_at(w.fd, parts, 2, 0);
}

static void write_profile(struct rrt_writer_input *in) {
  uint32_t objects;
  const struct reticle_file_object *object = rrt_registry_objects(&objects);
  chunk("env", &in->env, sizeof in->env, 1);
  chunk("objects", object, sizeof *object, objects);
  chunk("modules", in->modules, sizeof *in->modules, in->module_count);
  write_loops(&in->health, in->is_child);
  write_fields();
  write_topdown();
  chunk("account", &in->account, sizeof in->account, 1);
  chunk("pressure", &in->pressure, sizeof in->pressure, 1);
  write_facts(in);
  if (in->has_rank)
    chunk("ranks", &in->rank, sizeof in->rank, 1);
  write_waits(&in->env);
  if (in->epoch.number)
    chunk("epochs", &in->epoch, sizeof in->epoch, 1);
  write_addresses();
  write_shadow(in);
  write_visits();
  chunk("chain", rrt_store.chain, sizeof *rrt_store.chain, rrt_store.chain_count);
  chunk("health", &in->health, sizeof in->health, 1);
  chunk("strings", rrt_strings_data(), 1, rrt_strings_bytes());
}

static void write_all(struct rrt_writer_input *in) {
  w.chunk_count = w.part_count = 0;
  w.used = 0;
  w.offset = w.written = sizeof(struct reticle_file_header) + CHUNKS_MAX * sizeof w.chunks[0];
  if (in->epoch.closed)
    write_epoch(in);
  else
    write_profile(in);
  flush();
  write_head();
}

static int write_new(char path[RRT_PATH_BYTES], struct rrt_writer_input *in) {
  struct rrt_place place;
  int r = rrt_place_open(&place, path, w.is_named);
  if (r < 0)
    return r;
  w.fd = place.fd;
  w.error = 0;
  if (w.fd < 0) // /dev/null
    return 0;
  write_all(in);
  if (w.error) {
    rrt_place_drop(&place);
    return w.error;
  }
  return in->epoch.closed ? rrt_place_put_new(&place, path) : rrt_place_put(&place, path, &in->env);
}

int rrt_writer_write(char path[RRT_PATH_BYTES], struct rrt_writer_input *in) {
  int r = sum_live_executions();
  if (r == 0)
    r = write_new(path, in);
  if (r == -EXDEV && !w.is_named) {
    w.is_named = 1;
    r = write_new(path, in);
  }
  return r;
}
