// shadow_write.c - the feature `shadow` in a profile: sites, shared lines, pointers, visits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/feature/sample/pointers.h"
#include "runtime/heap/heap.h"
#include "runtime/support/chunk.h"
#include "runtime/sys/sys.h"

static struct {
  struct reticle_file_shadow shadow;
  struct rrt_sys_part windows[RRT_VISIT_WINDOWS]; // of visits, as the chunk before has them
} state;

static int wakes(uint64_t *due_ns) {
  *due_ns = rrt_heap_due_ns();
  return rrt_heap_present();
}

static void write_sites(void) {
  uint32_t count = rrt_heap_site_count();
  rrt_chunk_begin("sites", sizeof(struct reticle_file_site));
  for (uint32_t i = 1; i < count; i++) {
    struct reticle_file_site site;
    if (rrt_heap_site(i, &site))
      rrt_chunk_add_copy(&site, sizeof site);
  }
  rrt_chunk_end();
  rrt_chunk_begin("siteframes", sizeof(struct reticle_file_siteframe));
  for (uint32_t i = 1; i < count; i++) {
    struct reticle_file_siteframe frame;
    for (uint32_t depth = 0; rrt_heap_frame(i, depth, &frame); depth++)
      rrt_chunk_add_copy(&frame, sizeof frame);
  }
  rrt_chunk_end();
  rrt_chunk_begin("sitewords", sizeof(struct reticle_file_siteword));
  for (uint32_t i = 1; i < count; i++) {
    struct reticle_file_siteword word;
    int known;
    for (uint32_t n = 0; (known = rrt_heap_word(i, n, &word)) >= 0; n++)
      if (known)
        rrt_chunk_add_copy(&word, sizeof word);
  }
  rrt_chunk_end();
}

static void write_shared_lines(void) {
  struct reticle_file_sharedline line;
  if (!rrt_heap_has_detail())
    return;
  rrt_chunk_begin("sharedlines", sizeof line);
  for (uint32_t i = 0; rrt_heap_shared_line(i, &line); i++)
    rrt_chunk_add_copy(&line, sizeof line);
  rrt_chunk_end();
}

static void write_pointer(const struct reticle_file_pointer *record) {
  rrt_chunk_add_copy(record, sizeof *record);
}

// Registers of samples, by site: the sites' frames have their names by now.
static void write_pointers(void) {
  if (!rrt_pointers_any())
    return;
  rrt_chunk_begin("pointers", sizeof(struct reticle_file_pointer));
  rrt_pointers_visit(write_pointer);
  rrt_chunk_end();
}

enum { VISIT_RECORD_BYTES = sizeof(struct reticle_file_visit) };

static uint32_t write_windows(void) {
  struct reticle_file_visitwindow window;
  const uint8_t *bytes;
  uint64_t first = 0;
  uint32_t count = 0;
  int known;
  rrt_chunk_begin("visitwindows", sizeof window);
  for (uint32_t i = 0; (known = rrt_visits_window(i, &window, &bytes)) >= 0; i++)
    if (known && count < RRT_VISIT_WINDOWS) {
      window.first = first;
      first += (window.bytes + VISIT_RECORD_BYTES - 1) / VISIT_RECORD_BYTES;
      state.windows[count++] = (struct rrt_sys_part){bytes, window.bytes};
      rrt_chunk_add_copy(&window, sizeof window);
    }
  rrt_chunk_end();
  return count;
}

// Only what is used up to now: threads go on behind it.
static void write_visits(void) {
  static const uint8_t zeros[VISIT_RECORD_BYTES];
  struct rrt_visits_tables t;
  rrt_visits_read(&t);
  if (!t.site_count)
    return;
  rrt_visits_hold();
  rrt_chunk_write("visitsites", t.sites, sizeof *t.sites, t.site_count);
  uint32_t count = write_windows();
  rrt_chunk_begin("visits", VISIT_RECORD_BYTES);
  for (uint32_t i = 0; i < count; i++) {
    const struct rrt_sys_part *window = &state.windows[i];
    size_t rest = window->bytes % VISIT_RECORD_BYTES, whole = window->bytes - rest;
    uint8_t last[VISIT_RECORD_BYTES];
    rrt_chunk_add(window->data, whole);
    if (!rest)
      continue;
    rrt_copy(last, zeros, sizeof last);
    rrt_copy(last, (const uint8_t *)window->data + whole, rest);
    rrt_chunk_add_copy(last, sizeof last);
  }
  rrt_chunk_end();
  rrt_chunk_flush();
  rrt_visits_let_go();
}

static void write(struct rrt_checkpoint *c) {
  uint32_t unit_count;
  if (!rrt_heap_present())
    return;
  rrt_heap_read(&state.shadow, c->force_live_scan);
  rrt_chunk_write("shadow", &state.shadow, sizeof state.shadow, 1);
  write_sites();
  const struct reticle_file_shadowunit *units = rrt_heap_units(&unit_count);
  rrt_chunk_write("shadowunits", units, sizeof *units, unit_count);
  write_shared_lines();
  write_pointers();
  write_visits();
}

const struct rrt_feature rrt_feature_shadow = {.forked = rrt_heap_forked,
                                               .unload = rrt_heap_close,
                                               .wakes = wakes,
                                               .sample = rrt_heap_sample,
                                               .bytes = rrt_heap_bytes,
                                               .any = rrt_heap_any,
                                               .write = write};
