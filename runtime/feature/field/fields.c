// fields.c - counters of the feature `field`: a copy for each thread, sums.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   section reticle_counts of a module       thread A's copy        thread B's copy
//   +---------------------+      distance    +-------------+        +-------------+
//   | of whoever is not   |  --------------> | counters    |        | counters    |
//   | known to us         |                  +-------------+        +-------------+
//   +---------------------+
// The distance is in the thread's segment base (executables) and in the module's thread-local word.
// Only its thread writes to a copy; a checkpoint adds up all copies, the section itself, and the
// sum of the threads that have ended.
#include "runtime/feature/field/fields.h"

#include "runtime/feature/field/fields_table.h"
#include "runtime/session/threads.h"
#include "runtime/support/options.h"
#include "runtime/sys/sys.h"

static struct {
  struct rrt_field_module modules[RRT_FIELD_MODULES];
  uint32_t module_count;
  uint64_t full, bytes_held;
} state;

int rrt_fields_present(void) { return state.module_count != 0; }
uint64_t rrt_fields_full(void) { return __atomic_load_n(&state.full, __ATOMIC_RELAXED); }
uint64_t rrt_fields_bytes(void) { return __atomic_load_n(&state.bytes_held, __ATOMIC_RELAXED); }

static uint64_t count_of(const struct rrt_field_module *m) { return (uint64_t)(m->end - m->begin); }

// --- threads -------------------------------------------------------------------------------------

static uint64_t *make_copy(const struct rrt_field_module *m) {
  uint64_t size = count_of(m) * sizeof(uint64_t);
  uint64_t *copy = rrt_sys_map(size);
  if (copy)
    __atomic_fetch_add(&state.bytes_held, size, __ATOMIC_RELAXED);
  return copy;
}

// The thread counts in the module's own section, together with others that found no memory.
static void share(struct rrt_field_module *m) {
  __atomic_fetch_add(&state.full, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&m->shared, 1, __ATOMIC_RELAXED);
}

static void enter(const struct reticle_field_site *site) {
  uint64_t number = __atomic_load_n(&site->module->index, __ATOMIC_ACQUIRE);
  struct rrt_thread *t = rrt_thread_self;
  if (!number || number > RRT_FIELD_MODULES || *site->word)
    return;
  struct rrt_field_module *m = &state.modules[number - 1];
  if (!t && !(t = rrt_probe.enter ? rrt_probe.enter() : NULL)) {
    share(m);
    return;
  }
  uint64_t *copy = t->field_copies[number - 1];
  if (!copy && !(copy = make_copy(m))) {
    share(m);
    return;
  }
  __atomic_store_n(&t->field_copies[number - 1], copy, __ATOMIC_RELEASE);
  t->field_words[number - 1] = site->word;
  uint64_t distance = (uint64_t)((uintptr_t)copy - (uintptr_t)m->begin);
  if (m->by_segment && rrt_sys_set_segment(distance) < 0)
    share(m);
  *(volatile uint64_t *)site->word = distance;
}

void rrt_fields_enter(const struct reticle_field_site *site) {
  uint64_t before = rrt_sys_block_signals(); // a handler would enter once more
  enter(site);
  rrt_sys_restore_signals(before);
}

void rrt_fields_leave(struct rrt_thread *t) {
  for (uint32_t i = 0; i < RRT_FIELD_MODULES; i++) {
    uint64_t *word = t->field_words[i];
    if (!word)
      continue;
    t->field_words[i] = NULL;
    *(volatile uint64_t *)word = 0;
    if (state.modules[i].by_segment)
      rrt_sys_set_segment(0);
  }
}

static void add_up(uint64_t *sums, uint64_t *from, uint64_t n, int take) {
  for (uint64_t i = 0; i < n; i++) {
    uint64_t value = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    if (!value)
      continue;
    sums[i] += value;
    if (take)
      from[i] = 0;
  }
}

void rrt_fields_fold(struct rrt_thread *t) {
  for (uint32_t i = 0; i < state.module_count; i++)
    if (t->field_copies[i])
      add_up(state.modules[i].sums, t->field_copies[i], count_of(&state.modules[i]), 1);
}

void rrt_fields_forked(void) {
  struct rrt_thread *self = rrt_thread_self;
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    for (uint32_t i = 0; i < state.module_count; i++) {
      if (t->field_copies[i])
        rrt_zero(t->field_copies[i], count_of(&state.modules[i]) * sizeof(uint64_t));
      if (t != self)
        t->field_words[i] = NULL; // its thread-local memory is gone
    }
  }
  for (uint32_t i = 0; i < state.module_count; i++) {
    struct rrt_field_module *m = &state.modules[i];
    rrt_zero(m->sums, count_of(m) * sizeof(uint64_t));
    if (m->desc)
      rrt_zero(m->begin, count_of(m) * sizeof(uint64_t));
    m->shared = 0;
  }
}

// --- modules -------------------------------------------------------------------------------------

static uint64_t checksum_of(const struct reticle_field_module_desc *desc) {
  uint64_t sum = RETICLE_CHECKSUM_START;
  for (const struct reticle_fields_desc *f = desc->fields_begin;
       f < (const struct reticle_fields_desc *)desc->fields_end; f++) {
    sum = reticle_checksum_add(sum, f->accesses,
                               f->access_count * sizeof(struct reticle_access_desc));
    sum = reticle_checksum_add(sum, f->labels, f->label_count * sizeof(struct reticle_label_desc));
  }
  return sum;
}

// A place for the module: its old one when it comes again after dlclose.
static struct rrt_field_module *find_place(const struct reticle_field_module_desc *desc,
                                           uint64_t checksum) {
  uint64_t n =
      (uint64_t)((const uint64_t *)desc->counts_end - (const uint64_t *)desc->counts_begin);
  for (uint32_t i = 0; i < state.module_count; i++)
    if (!state.modules[i].desc && state.modules[i].checksum == checksum &&
        count_of(&state.modules[i]) == n)
      return &state.modules[i];
  if (state.module_count == RRT_FIELD_MODULES)
    return NULL;
  struct rrt_field_module *m = &state.modules[state.module_count];
  m->sums = rrt_sys_map((n + 1) * sizeof(uint64_t)); // a module may have tables alone
  if (!m->sums)
    return NULL;
  state.bytes_held += n * sizeof(uint64_t);
  state.module_count++;
  return m;
}

void rrt_fields_add(struct reticle_field_module_desc *desc) {
  if (desc->fields_begin == desc->fields_end || desc->index)
    return;
  uint64_t checksum = checksum_of(desc);
  struct rrt_field_module *m = find_place(desc, checksum);
  if (!m) {
    __atomic_fetch_add(&state.full, 1, __ATOMIC_RELAXED);
    return;
  }
  m->desc = desc;
  m->checksum = checksum;
  m->begin = (uint64_t *)desc->counts_begin;
  m->end = (uint64_t *)desc->counts_end;
  for (const struct reticle_fields_desc *f = desc->fields_begin;
       f < (const struct reticle_fields_desc *)desc->fields_end; f++)
    m->by_segment |= (f->flags & RETICLE_FIELDS_BY_SEGMENT) != 0;
  __atomic_store_n(&desc->index, (uint64_t)(m - state.modules) + 1, __ATOMIC_RELEASE);
}

void rrt_fields_remove(struct reticle_field_module_desc *desc) {
  uint64_t number = desc->index;
  if (!number || state.modules[number - 1].desc != desc)
    return;
  struct rrt_field_module *m = &state.modules[number - 1];
  rrt_fields_describe(m);
  add_up(m->sums, m->begin, count_of(m), 1);
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    uint64_t *copy = t->field_copies[number - 1];
    t->field_words[number - 1] = NULL;
    if (copy)
      add_up(m->sums, copy, count_of(m), 1);
  }
  m->desc = NULL;
  desc->index = 0;
}

// --- checkpoints ---------------------------------------------------------------------------------

static uint64_t sum_at(const struct rrt_field_module *m, uint64_t i) {
  uint64_t sum = m->sums[i];
  if (m->desc)
    sum += __atomic_load_n(&m->begin[i], __ATOMIC_RELAXED);
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    const uint64_t *copy = __atomic_load_n(&t->field_copies[m - state.modules], __ATOMIC_ACQUIRE);
    if (copy)
      sum += __atomic_load_n(&copy[i], __ATOMIC_RELAXED);
  }
  return sum;
}

void rrt_fields_read(struct rrt_fields_tables *out) {
  for (uint32_t i = 0; i < state.module_count; i++) {
    struct rrt_field_module *m = &state.modules[i];
    rrt_fields_describe(m);
    uint64_t last = UINT64_MAX, sum = 0;
    for (uint32_t k = 0; k < m->access_count; k++) {
      struct rrt_field_access *a = rrt_fields_access(m->first_access + k);
      if (a->counter != last) // those of a block come in a row
        sum = sum_at(m, last = a->counter);
      a->record.count = sum;
    }
    last = UINT64_MAX;
    for (uint32_t k = 0; k < m->label_count; k++) {
      struct rrt_field_label *l = rrt_fields_label(m->first_label + k);
      if (l->counter != last)
        sum = sum_at(m, last = l->counter);
      l->record.count = sum;
    }
    rrt_fields_mark_shared(m);
  }
  rrt_fields_tables_get(out);
}

int rrt_fields_any(void) {
  for (uint32_t i = 0; i < state.module_count; i++)
    for (uint64_t k = 0; k < count_of(&state.modules[i]); k++)
      if (sum_at(&state.modules[i], k))
        return 1;
  return 0;
}
