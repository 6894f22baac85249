// sample_write.c - the feature `sample` in a profile; an epoch that is over in its own file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/feature/sample/sample.h"
#include "runtime/support/chunk.h"
#include "runtime/support/options.h"
#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

enum { PACKED_FILES = 256 };

static void watch(void) {
  if (rrt_options.sample)
    rrt_sample_start();
}

static uint64_t gather(void) { return (uint64_t)rrt_sample_drain() * RRT_RING_RECORDS / 1000; }
static int any(void) { return rrt_sample_count() != 0; }

static void write_slots(const struct rrt_sample_tables *t) {
  rrt_chunk_begin("addresses", sizeof(struct reticle_file_address));
  for (uint32_t i = 0; i < t->slot_count; i++)
    if (t->slots[i].samples)
      rrt_chunk_add_copy(&t->slots[i], sizeof t->slots[i]);
  rrt_chunk_end();
  if (t->stacks)
    rrt_chunk_write("stacks", t->stacks, sizeof *t->stacks, t->stack_count);
}

static void write_addresses(void) {
  struct rrt_sample_tables t;
  if (!rrt_sample_tables_get(&t))
    return;
  rrt_chunk_write("sampling", t.sampling, sizeof *t.sampling, 1);
  rrt_chunk_write("loadfiles", t.files, sizeof *t.files, t.file_count);
  write_slots(&t);
}

static void write(struct rrt_checkpoint *c) {
  if (c->epoch.number)
    rrt_chunk_write("epochs", &c->epoch, sizeof c->epoch, 1);
  write_addresses();
}

// --- a closed epoch: no loops, and only the strings that are needed

static struct {
  struct reticle_file_env env;
  struct reticle_file_loadfile files[PACKED_FILES];
  uint32_t used; // of the texts
  int is_full;
  char texts[16384];
} packed;

static int epoch_count(uint64_t *count) {
  struct rrt_sample_tables t;
  if (!rrt_sample_tables_get(&t))
    return 0;
  *count = t.sampling->samples;
  return 1;
}

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
static int pack_epoch(const struct rrt_checkpoint *c, uint32_t *count) {
  struct rrt_sample_tables t;
  rrt_zero(&packed, sizeof packed);
  packed.used = 1; // ""
  rrt_copy(&packed.env, &c->env, sizeof packed.env);
  pack_texts_of_env(&packed.env);
  if (!rrt_sample_tables_get(&t) || t.file_count > PACKED_FILES)
    return 0;
  *count = t.file_count;
  for (uint32_t i = 0; i < t.file_count; i++)
    packed.files[i] = (struct reticle_file_loadfile){.path = pack_text(t.files[i].path),
                                                     .build_id = pack_text(t.files[i].build_id)};
  return !packed.is_full;
}

static void epoch_write(const struct rrt_checkpoint *c) {
  struct rrt_sample_tables t;
  uint32_t file_count;
  int is_packed = pack_epoch(c, &file_count);
  rrt_chunk_write("env", is_packed ? &packed.env : &c->env, sizeof packed.env, 1);
  rrt_chunk_write("epochs", &c->epoch, sizeof c->epoch, 1);
  if (is_packed && rrt_sample_tables_get(&t)) {
    rrt_chunk_write("sampling", t.sampling, sizeof *t.sampling, 1);
    rrt_chunk_write("loadfiles", packed.files, sizeof packed.files[0], file_count);
    write_slots(&t);
  } else {
    write_addresses();
  }
  rrt_chunk_write("health", &c->health, sizeof c->health, 1);
  if (is_packed)
    rrt_chunk_write("strings", packed.texts, 1, packed.used);
  else
    rrt_chunk_write("strings", rrt_strings_data(), 1, rrt_strings_bytes());
}

const struct rrt_feature rrt_feature_sample = {.forked = rrt_sample_forked,
                                               .unload = rrt_sample_close,
                                               .watch = watch,
                                               .settle = rrt_sample_calibrate,
                                               .gather = gather,
                                               .count = rrt_sample_count,
                                               .bytes = rrt_sample_bytes,
                                               .any = any,
                                               .write = write,
                                               .epoch_count = epoch_count,
                                               .epoch_write = epoch_write,
                                               .epoch_next = rrt_sample_restart};
