// field.c - modules with counters come and go, and what is written of them: the feature `field`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/feature/field/fields.h"
#include "runtime/session/drain.h"
#include "runtime/session/session.h"
#include "runtime/support/chunk.h"
#include "runtime/support/options.h"

__attribute__((visibility("default"))) void
__reticle_fields_start(struct reticle_field_module_desc *module) {
  rrt_session_start();
  if (rrt_session.state != RRT_SESSION_ON || !rrt_options.field)
    return;
  rrt_drain_lock();
  rrt_fields_add(module);
  rrt_drain_unlock();
  rrt_session_start_sideline();
}

__attribute__((visibility("default"))) void
__reticle_fields_stop(struct reticle_field_module_desc *module) {
  if (rrt_session.state != RRT_SESSION_ON || !rrt_options.field)
    return;
  rrt_drain_lock();
  rrt_drain_all();
  rrt_fields_remove(module);
  rrt_drain_unlock();
}

static void health(struct reticle_file_health *h) { h->full_tables += rrt_fields_full(); }

static void write(struct rrt_checkpoint *c) {
  struct rrt_fields_tables t;
  (void)c;
  if (!rrt_fields_present())
    return;
  rrt_fields_read(&t);
  rrt_chunk_write("structs", t.structs, sizeof *t.structs, t.struct_count);
  rrt_chunk_write("members", t.members, sizeof *t.members, t.member_count);
  rrt_chunk_write("accesses", t.accesses, sizeof *t.accesses, t.access_count);
  rrt_chunk_write("fieldunits", t.units, sizeof *t.units, t.unit_count);
  rrt_chunk_write("counts", t.counts, sizeof *t.counts, t.label_count);
}

static void start(uint64_t ticks_per_us) {
  (void)ticks_per_us;
  rrt_probe.enter_fields = rrt_options.field ? rrt_fields_enter : NULL;
}

const struct rrt_feature rrt_feature_field = {.start = start,
                                              .forked = rrt_fields_forked,
                                              .leave = rrt_fields_leave,
                                              .fold = rrt_fields_fold,
                                              .moves = rrt_fields_present,
                                              .health = health,
                                              .bytes = rrt_fields_bytes,
                                              .any = rrt_fields_any,
                                              .write = write};
