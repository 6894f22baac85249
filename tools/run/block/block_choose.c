// block_choose.c - picks the blocks of the loops with most time or samples, and makes jobs of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_choose.h"

#include "tools/analysis/block/block_heat.h"
#include "tools/binary/block/block_probe.h"
#include "tools/run/block/block_elf.h"
#include "tools/store/kept_profile.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

/// Loops without blocks that are named.
#define NAMED 5
/// Samples of a function, and of a block, that is chosen by them.
#define SAMPLES_LEAST 3

static struct profile_block *append(struct block_choice *choice) {
  if (choice->count == choice->capacity) {
    choice->capacity = 2 * choice->capacity + 16;
    choice->blocks = memory_resized(choice->blocks, choice->capacity, sizeof(*choice->blocks));
  }
  struct profile_block *block = &choice->blocks[choice->count++];
  memset(block, 0, sizeof(*block));
  return block;
}

static bool is_taken(const struct block_choice *choice, const char *module, uint64_t address) {
  for (size_t i = 0; i < choice->count; i++)
    if (choice->blocks[i].address == address && strcmp(choice->blocks[i].module, module) == 0)
      return true;
  return false;
}

/// Whether the block is a piece of one that marks cut; notes it then. One counter more or less is
/// in place and by itself alike.
static bool marks(const struct measurement *m, const char *module, const struct block *block,
                  struct block_choice *choice) {
  const struct instrumentation *own = program_files_instrumentation(m->files, module);
  if (block->flags & BLOCK_HAS_CALL
          ? !instrumentation_is_called(own, block->code, block->bytes, block->address)
          : !instrumentation_marks(own, block->code, block->bytes, block->address))
    return false;
  for (size_t i = 0; i < choice->marked_count; i++)
    if (choice->marked[i].address == block->address &&
        strcmp(choice->marked[i].module, module) == 0)
      return true;
  choice->marked =
      memory_resized(choice->marked, choice->marked_count + 1, sizeof(*choice->marked));
  choice->marked[choice->marked_count++] = (struct block_place){module, block->address};
  return true;
}

/// loop  that it belongs to; null: none
static void add_block(const char *module, const struct measured_loop *loop,
                      const struct block_function *function, const struct block *block,
                      struct block_choice *choice, struct block_jobs *jobs) {
  struct text name = {0};
  if (loop)
    text_printf(&name, "L%zu ", loop->rank);
  block_jobs_add_block(jobs, text_get(&name), module, function, block);
  text_release(&name);
  *append(choice) = (struct profile_block){
      .loop = loop ? loop->loop->id : 0,
      .address = block->address,
      .offset = block->address - function->address,
      .cycles = UINT64_MAX,
      .cycles_low = UINT64_MAX,
      .cycles_high = UINT64_MAX,
      .module = module,
      .function = function->name,
      .file = block->file,
      .line = block->line,
      .instructions = block->instructions,
      .rank = (uint32_t)jobs->count,
  };
}

/// Adds blocks of the loop: those in the deepest machine loops first, in each those of every
/// iteration.
static void add_view(const struct measurement *m, const struct block_view *view, const char *module,
                     const struct measured_loop *loop, size_t most, struct block_choice *choice,
                     struct block_jobs *jobs) {
  const struct block_loops *loops = &view->loops;
  unsigned deepest = 0;
  for (size_t k = 0; k < loops->count; k++)
    if (block_view_is_within(view, k, loop) && loops->loops[k].depth > deepest)
      deepest = loops->loops[k].depth;
  for (unsigned depth = deepest; depth; depth--)
    for (int every_iteration = 1; every_iteration >= 0; every_iteration--)
      for (size_t i = 0; i < view->list.count && choice->count < most; i++) {
        const struct block *block = &view->list.blocks[i];
        size_t in = loops->innermost[i];
        if (in == BLOCK_LOOP_NONE || loops->loops[in].depth != depth ||
            loops->every_iteration[i] != every_iteration || !block->body_bytes ||
            block_is_probe(block) || !block_view_is_within(view, in, loop) ||
            is_taken(choice, module, block->address) || marks(m, module, block, choice))
          continue;
        add_block(module, view->labels[in] ? view->labels[in] : loop, &view->function, block,
                  choice, jobs);
      }
}

/// A block with samples.
struct sampled_block {
  const struct block_view *view;
  const char *module;
  size_t block;
  uint64_t samples;
};

static int compare_sampled(const void *left, const void *right) {
  const struct sampled_block *a = left, *b = right;
  if (a->samples != b->samples)
    return a->samples < b->samples ? 1 : -1;
  if (a->view != b->view)
    return a->view->function.address < b->view->function.address ? -1 : 1;
  return (a->block > b->block) - (a->block < b->block);
}

static uint64_t samples_on(const struct sampled_function *function, const struct block *block) {
  uint64_t samples = 0;
  for (size_t i = 0; i < function->place_count; i++)
    if (function->places[i].address - block->address < block->bytes) // wraps around below it
      samples += function->places[i].record->samples;
  return samples;
}

/// Adds the blocks with most samples, wherever they are but in the runtime.
static void add_sampled(const struct measurement *m, size_t most, struct block_choice *choice,
                        struct block_jobs *jobs) {
  struct sampled_block *all = NULL;
  size_t count = 0;
  for (size_t f = 0; f < m->samples.function_count; f++) {
    const struct sampled_function *function = &m->samples.functions[f];
    const struct sampled_file *file = &m->samples.files[function->file];
    if (!*function->symbol || function->own || function->samples < SAMPLES_LEAST ||
        !file->labels.count)
      continue;
    const struct block_view *view =
        block_views_at(m, file->file->path, function->address, &choice->views);
    all = view ? realloc(all, (count + view->list.count + 1) * sizeof(*all)) : all;
    if (view && !all)
      memory_exhausted();
    for (size_t b = 0; view && b < view->list.count; b++) {
      uint64_t samples = samples_on(function, &view->list.blocks[b]);
      if (samples >= SAMPLES_LEAST && view->list.blocks[b].body_bytes &&
          !block_is_probe(&view->list.blocks[b]) &&
          !marks(m, file->file->path, &view->list.blocks[b], choice))
        all[count++] = (struct sampled_block){view, file->file->path, b, samples};
    }
  }
  if (count)
    qsort(all, count, sizeof(*all), compare_sampled);
  for (size_t i = 0; i < count && choice->count < most; i++)
    add_block(all[i].module, block_view_loop(all[i].view, all[i].block), &all[i].view->function,
              &all[i].view->list.blocks[all[i].block], choice, jobs);
  free(all);
}

/// Copies of one function that are looked at: static ones of several files.
#define VIEWS 4

/// The timed loops inside of one, in all views of it. Returns how many; *out is to be freed.
static size_t find_inner(const struct measurement *m, const struct measured_loop *loop,
                         struct block_choice *choice, struct block_inner **out) {
  struct block_view *views[VIEWS];
  const char *path, *problem;
  size_t found = 0, most = 0;
  size_t count = block_views_find(m, loop, VIEWS, &choice->views, views, &path, &problem);
  for (size_t i = 0; i < count; i++)
    most += views[i]->loops.count;
  *out = memory_zeroed(most + 1, sizeof(**out));
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < views[i]->loops.count; k++) {
      const struct measured_loop *inner = views[i]->labels[k];
      size_t parent = views[i]->loops.loops[k].parent;
      if (inner && inner != loop && parent != BLOCK_LOOP_NONE &&
          block_view_is_within(views[i], parent, loop))
        (*out)[found++] =
            (struct block_inner){(size_t)(inner - m->loops), block_view_total_ns(inner)};
    }
  return found;
}

/// Loops that may be among the hottest, hottest first: [the result], to be freed.
static struct block_heat *find_hot(const struct measurement *m, const struct measured_loop *only,
                                   size_t most, struct block_choice *choice, size_t *count) {
  struct block_heat *hot = memory_zeroed(m->loop_count + 1, sizeof(*hot));
  size_t n = 0;
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *loop = &m->loops[i];
    double total_ns = block_view_total_ns(loop);
    bool is_hot = loop->loop->executions && total_ns > 0 && !loop->is_iteration;
    if (only ? loop == only : is_hot)
      hot[n++] = (struct block_heat){.loop = i,
                                     .rank = loop->rank,
                                     .calls = loop->loop->flags & RETICLE_LOOP_HAS_CALLS,
                                     .total_ns = total_ns};
  }
  // Each of those looked at gives a block at least, so more of them are never needed.
  block_heat_sort_by_total(hot, n);
  n = n > 2 * most ? 2 * most : n;
  for (size_t i = 0; i < n; i++) {
    struct block_inner *inner;
    size_t inside = find_inner(m, &m->loops[hot[i].loop], choice, &inner);
    hot[i].self_ns = block_heat_self_ns(hot[i].total_ns, inner, inside);
    free(inner);
  }
  block_heat_sort_by_self(hot, n);
  *count = n;
  return hot;
}

void block_choose(const struct measurement *m, const struct measured_loop *only, size_t most,
                  struct block_choice *choice, struct block_jobs *jobs, struct problems *problems) {
  size_t count, named = 0;
  if (!only)
    add_sampled(m, most, choice, jobs);
  struct block_heat *hot = find_hot(m, only, most, choice, &count);
  for (size_t i = 0; i < count && choice->count < most; i++) {
    const struct measured_loop *loop = &m->loops[hot[i].loop];
    struct block_view *views[VIEWS];
    const char *path, *problem;
    size_t before = choice->count, end = before + BLOCK_CHOOSE_PER_LOOP;
    size_t n = block_views_find(m, loop, VIEWS, &choice->views, views, &path, &problem);
    for (size_t k = 0; k < n; k++)
      add_view(m, views[k], path, loop, end < most ? end : most, choice, jobs);
    if (problem && !choice->quiet && named++ < NAMED)
      problem_note(problems, "block: L%zu %s has no blocks: %s", loop->rank, loop->function,
                   problem);
  }
  free(hot);
  if (choice->marked_count)
    problem_note(
        problems,
        "block: %zu blocks are cut by marks of touched memory, and are left out: build without the "
        "feature shadow, or reticle study",
        choice->marked_count);
}

static uint64_t thousandths(double cycles) {
  return cycles >= 0 && cycles < 1e12 ? (uint64_t)(1000 * cycles + 0.5) : UINT64_MAX;
}

void block_choice_take(struct block_choice *choice, const struct block_jobs *jobs,
                       const struct block_outcome *outcome) {
  struct profile_block *block = &choice->blocks[outcome->job - jobs->items];
  const struct harness_result *result = &outcome->result;
  block->code = outcome->job->hex;
  block->status = harness_status_name(result->status);
  block->reason = result->detail ? result->detail : "";
  block->rounds = result->rounds;
  block->pages = result->pages;
  block->frames = result->frames;
  if (!harness_status_has_value(result->status))
    return;
  block->cycles = thousandths(result->cycles);
  block->cycles_low = thousandths(result->low);
  block->cycles_high = thousandths(result->high);
  block->accepted_permille = (uint32_t)quantity_count(1000 * result->accepted + 0.5);
}

static bool is_chosen(const struct block_choice *choice, uint64_t loop) {
  for (size_t i = 0; i < choice->count; i++)
    if (choice->blocks[i].loop == loop)
      return true;
  return false;
}

bool block_choice_save(struct block_choice *choice, const char *path, struct problems *problems) {
  struct kept_profile into;
  if (!kept_profile_open(path, &into, problems)) {
    kept_profile_close(&into);
    return false;
  }
  struct profile *profile = &into.profile;
  struct profile_block *kept =
      memory_zeroed(profile->block_count + choice->count + 1, sizeof(*kept));
  size_t count = 0;
  for (size_t i = 0; i < profile->block_count; i++)
    if (!is_chosen(choice, profile->blocks[i].loop))
      kept[count++] = profile->blocks[i];
  for (size_t i = 0; i < choice->count; i++)
    if (choice->blocks[i].status) // measured: the run may have ended early
      kept[count++] = choice->blocks[i];
  profile->blocks = kept;
  profile->block_count = count;
  bool fine = kept_profile_write(&into);
  free(kept);
  kept_profile_close(&into);
  return fine;
}

void block_choice_release(struct block_choice *choice) {
  block_views_release(&choice->views);
  free(choice->blocks);
  free(choice->marked);
  *choice = (struct block_choice){0};
}
