// loop_sites.c - finds for each sampled pointer of a loop the allocation site that it points into.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_sites.h"

#include "tools/model/measurement/lazy.h"

#include "tools/binary/code/decode.h"
#include "tools/model/block/block_view.h"
#include "tools/model/block/uncounted.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

/// Functions that may hold a loop's code: static ones of several files.
#define VIEWS 4
/// Samples from which something is said.
#define SAMPLES_LEAST 20

/// The loop's code: where it is, and by which registers it addresses memory.
struct code {
  struct range {
    uint64_t address, bytes;
  } *ranges; ///< [count]
  size_t count;
  uint32_t registers;
};

static uint32_t registers_of(const struct block *block) {
  uint32_t used = 0;
  struct instruction i;
  for (size_t at = 0; at < block->bytes; at += i.bytes) {
    if (!decode_instruction(block->code + at, block->bytes - at, block->address + at, &i))
      break;
    for (size_t k = 0; k < i.memory_count; k++) {
      used |= i.memory[k].base < REGISTER_RIP ? 1u << i.memory[k].base : 0;
      used |= i.memory[k].index < REGISTER_RIP ? 1u << i.memory[k].index : 0;
    }
  }
  return used & ~(1u << 4); // the stack isn't an object
}

static void add_view(const struct block_view *view, const struct measured_loop *loop,
                     struct code *code) {
  code->ranges =
      memory_resized(code->ranges, (code->count + view->list.count + 1), sizeof(*code->ranges));
  for (size_t i = 0; i < view->list.count; i++) {
    const struct block *block = &view->list.blocks[i];
    size_t in = view->loops.innermost[i];
    if (in == BLOCK_LOOP_NONE || !block_view_is_within(view, in, loop))
      continue;
    code->ranges[code->count++] = (struct range){block->address, block->bytes};
    code->registers |= registers_of(block);
  }
}

static bool holds(const struct code *code, uint64_t address) {
  for (size_t i = 0; i < code->count; i++)
    if (address - code->ranges[i].address < code->ranges[i].bytes) // wraps around below it
      return true;
  return false;
}

static const struct sampled_file *file_of(const struct measurement *m,
                                          const struct profile_pointer *pointer) {
  for (size_t i = 0; i < m->samples.file_count; i++) {
    const struct sampled_file *file = &m->samples.files[i];
    if (file->places && strcmp(file->file->path, pointer->module) == 0 &&
        strcmp(file->file->build_id, pointer->build_id) == 0)
      return file;
  }
  return NULL;
}

/// At one instruction.
struct here {
  uint64_t site, offset, samples;
};

static int compare_here(const void *left, const void *right) {
  const struct here *a = left, *b = right;
  if (a->site != b->site)
    return a->site < b->site ? -1 : 1;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return (a->samples < b->samples) - (a->samples > b->samples);
}

static int compare_sites(const void *left, const void *right) {
  const struct loop_site *a = left, *b = right;
  if (a->samples != b->samples)
    return a->samples < b->samples ? 1 : -1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

static const struct site_use *find_site(const struct measurement *m, uint64_t id, size_t *rank) {
  for (size_t i = 0; i < m->sites.count; i++)
    if (m->sites.sites[i].record->id == id) {
      *rank = i + 1;
      return &m->sites.sites[i];
    }
  return NULL;
}

/// Several registers may have pointed into one site's objects in the same sample: at each
/// instruction the one that did most often counts, so the sum is what there was at least.
static void add_up(const struct measurement *m, struct here *all, size_t count,
                   struct loop_sites *out) {
  qsort(all, count, sizeof(*all), compare_here);
  for (size_t i = 0; i < count; i++) {
    size_t rank;
    const struct site_use *use = find_site(m, all[i].site, &rank);
    if (!use || (i && all[i].site == all[i - 1].site && all[i].offset == all[i - 1].offset))
      continue;
    struct loop_site *last = out->count ? &out->sites[out->count - 1] : NULL;
    if (!last || last->use != use) {
      last = &out->sites[out->count++];
      *last = (struct loop_site){.rank = rank, .use = use};
    }
    last->samples += all[i].samples;
  }
  qsort(out->sites, out->count, sizeof(*out->sites), compare_sites);
}

/// The build that pointers into the module were sampled in, if it isn't the timed one: of a study.
static const char *other_build(const struct measurement *m) {
  const struct profile *profile = &m->input.profile;
  for (size_t i = 0; m->input.study && i < profile->pointer_count; i++)
    if (*profile->pointers[i].build_id && !file_of(m, &profile->pointers[i]) &&
        study_input_program(m->input.study, profile->pointers[i].module,
                            profile->pointers[i].build_id))
      return profile->pointers[i].build_id;
  return NULL;
}

/// Names of the addresses where the pointer was sampled; null if they aren't known.
static const struct code_places *places_of(const struct measurement *m,
                                           const struct profile_pointer *pointer,
                                           const char *build_id) {
  enum elf_file_status status;
  if (build_id)
    return strcmp(pointer->build_id, build_id) == 0
               ? program_files_places(m->files, pointer->module, build_id, &status)
               : NULL;
  const struct sampled_file *file = file_of(m, pointer);
  return file ? file->places : NULL;
}

static void read_pointers(const struct measurement *m, const struct code *code, const char *module,
                          const char *build_id, struct loop_sites *out) {
  const struct profile *profile = &m->input.profile;
  struct here *all = memory_zeroed(profile->pointer_count + 1, sizeof(*all));
  out->sites = memory_zeroed(profile->pointer_count + 1, sizeof(*out->sites));
  size_t count = 0;
  for (size_t i = 0; i < profile->pointer_count; i++) {
    const struct profile_pointer *p = &profile->pointers[i];
    const struct code_places *places =
        strcmp(p->module, module) == 0 ? places_of(m, p, build_id) : NULL;
    uint64_t address;
    if (!places || !code_places_address(places, p->offset, &address) || !holds(code, address))
      continue;
    if (p->reg == RETICLE_POINTER_ALL)
      out->samples += p->samples;
    else if (p->reg < RETICLE_POINTER_ALL && code->registers >> p->reg & 1)
      all[count++] = (struct here){p->site, p->offset, p->samples};
  }
  add_up(m, all, count, out);
  free(all);
}

static void read_sites(const struct measurement *m, const struct measured_loop *loop,
                       struct loop_sites *out) {
  if (!m->sites.marked && uncounted_build(m))
    out->reason = uncounted_build(m);
  else if (!m->sites.marked)
    out->reason = "compile with -fplugin-arg-reticle-features=loop,shadow";
  else if (!m->input.profile.pointer_count)
    out->reason = "no samples with registers: RETICLE_OPTIONS=sample=1, x86-64, where the kernel "
                  "lets perf sample";
  else if (m->sites.every > 1)
    out->reason = "not all objects below 1 KiB were looked at: RETICLE_OPTIONS=shadow_objects=1";
  if (out->reason)
    return;
  struct block_views views = {.build_id = other_build(m)};
  struct block_view *found[VIEWS];
  struct code code = {0};
  const char *module, *problem;
  size_t count = block_views_find(m, loop, VIEWS, &views, found, &module, &problem);
  for (size_t i = 0; i < count; i++)
    add_view(found[i], loop, &code);
  if (count)
    read_pointers(m, &code, module, views.build_id, out);
  if (!code.count)
    out->reason = views.build_id ? "the loop's machine code was not found in the build 'counts', "
                                   "where registers were sampled: unrolled or moved there, or "
                                   "that build is stripped"
                                 : "the loop's machine code was not found";
  else if (out->samples < SAMPLES_LEAST)
    out->reason = "too few samples in the loop's own code";
  free(code.ranges);
  block_views_release(&views);
}

static void release(struct loop_sites *sites) { free(sites->sites); }

LAZY_OF(loop_sites, struct loop_sites, struct measured_loop, read_sites, release)
