// sample_stacks.c - collects stacks, frames, functions and mappings, each once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample_stacks.h"

#include "tools/support/demangle.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

static const char *const comments[] = {
    "written by reticle export: samples of the program counter, without call stacks",
    "a stack is a function and what was inlined into it; addresses are link-time",
};

/// What the function is called in the source, in full: overloads differ.
static const char *full_name(struct sample_stacks *s, const char *linkage) {
  size_t before = s->linkages.count, number = string_table_add(&s->linkages, linkage);
  if (number == SIZE_MAX)
    memory_exhausted();
  if (s->linkages.count > before) {
    // Different linkage names may read the same, so each gets an entry of its own.
    char *name = demangle(linkage);
    char **texts = realloc(s->names.texts, s->linkages.count * sizeof(*texts));
    if (!name || !texts)
      memory_exhausted();
    s->names.texts = texts;
    texts[s->names.count++] = name;
  }
  return s->names.texts[number];
}

static size_t add_mapping(struct stacks *s, const struct stack_mapping *mapping, size_t first) {
  for (size_t i = first; i < s->mapping_count; i++)
    if (s->mappings[i].start == mapping->start) {
      if (s->mappings[i].limit < mapping->limit)
        s->mappings[i].limit = mapping->limit;
      return i;
    }
  struct stack_mapping *moved = memory_resized(s->mappings, (s->mapping_count + 1), sizeof(*moved));
  s->mappings = moved;
  s->mappings[s->mapping_count] = *mapping;
  return s->mapping_count++;
}

/// The segment that holds the place; of a file that can't be named its offsets stand for addresses.
static size_t find_mapping(struct stacks *s, const struct sampled_file *file,
                           const struct sampled_place *place, size_t first, uint64_t *address) {
  struct stack_mapping mapping = {.path = file->file->path, .build_id = file->file->build_id};
  if (file->places && code_places_segment(file->places, place->address, &mapping.start,
                                          &mapping.limit, &mapping.offset)) {
    *address = place->address;
    mapping.has_functions = true;
    mapping.has_lines = file->has_lines;
  } else {
    *address = place->record->offset;
    mapping.limit = place->record->offset + 1;
  }
  return add_mapping(s, &mapping, first);
}

static void add_frames(struct sample_stacks *s, const struct sampled_function *f,
                       const struct sampled_file *file, const struct sampled_place *place,
                       struct stack *stack) {
  struct code_frame frames[CODE_FRAMES_MAX];
  size_t count = file->has_lines ? code_places_frames(file->places, place->address, frames) : 0;
  stack->frame_first = s->stacks.frame_count;
  stack->frame_count = count ? count : 1;
  struct stack_frame *to = &s->stacks.frames[stack->frame_first];
  for (size_t i = 0; i + 1 < count; i++)
    to[i] = (struct stack_frame){full_name(s, frames[i].name), frames[i].name, frames[i].file,
                                 frames[i].line};
  // The function that holds the code is called as the report calls it.
  struct stack_frame *last = &to[stack->frame_count - 1];
  *last = (struct stack_frame){*f->symbol ? full_name(s, f->symbol) : f->name, f->symbol, "", 0};
  if (count) {
    last->file = frames[count - 1].file;
    last->line = frames[count - 1].line;
  }
  s->stacks.frame_count += stack->frame_count;
}

/// Frames that the places need at most.
static size_t frames_most(const struct samples *samples, size_t *places) {
  size_t frames = 2; // no file, no room
  *places = 2;
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sampled_function *f = &samples->functions[i];
    *places += f->place_count;
    frames += f->place_count * (samples->files[f->file].has_lines ? CODE_FRAMES_MAX : 1);
  }
  return frames;
}

static void add_placeless(struct sample_stacks *s, const char *name, uint64_t samples,
                          uint64_t time_ns) {
  if (!samples)
    return;
  s->stacks.frames[s->stacks.frame_count] = (struct stack_frame){name, "", "", 0};
  s->stacks.stacks[s->stacks.stack_count++] = (struct stack){.mapping = STACK_NO_MAPPING,
                                                             .samples = samples,
                                                             .time_ns = time_ns,
                                                             .frame_first = s->stacks.frame_count++,
                                                             .frame_count = 1};
}

static void add_function(const struct samples *samples, const struct sampled_function *f,
                         size_t *first_of_file, struct sample_stacks *out) {
  struct stacks *s = &out->stacks;
  const struct sampled_file *file = &samples->files[f->file];
  for (size_t i = 0; i < f->place_count; i++) {
    const struct sampled_place *place = &f->places[i];
    struct stack *stack = &s->stacks[s->stack_count++];
    *stack = (struct stack){.samples = place->record->samples, .time_ns = place->record->time_ns};
    size_t first = first_of_file[f->file];
    stack->mapping = find_mapping(s, file, place, first, &stack->address);
    add_frames(out, f, file, place, stack);
  }
}

void sample_stacks_make(const struct measurement *m, struct sample_stacks *out) {
  const struct profile *profile = &m->input.profile;
  const struct samples *samples = &m->samples;
  size_t places, frames = frames_most(samples, &places);
  *out = (struct sample_stacks){0};
  struct stacks *s = &out->stacks;
  s->stacks = memory_zeroed(places, sizeof(*s->stacks));
  s->frames = memory_zeroed(frames, sizeof(*s->frames));
  size_t *first = memory_zeroed(samples->file_count + 1, sizeof(*first));
  // File by file, so that a file's mappings stand in a row.
  for (size_t k = 0; k < samples->file_count; k++) {
    first[k] = s->mapping_count;
    for (size_t i = 0; i < samples->function_count; i++)
      if (samples->functions[i].file == k)
        add_function(samples, &samples->functions[i], first, out);
  }
  free(first);
  uint64_t placed_ns = samples->named_ns + samples->nameless_ns + samples->unmapped_ns;
  add_placeless(out, "(in no file)", samples->unmapped, samples->unmapped_ns);
  add_placeless(out, "(no place in a full table)", samples->no_room,
                samples->all_ns > placed_ns ? samples->all_ns - placed_ns : 0);
  s->period_ns = profile->sampling_count ? profile->sampling[0].period_ns : 0;
  s->start_time_s = profile->env.start_time_s;
  if (m->overview.elapsed_ns.status == QUANTITY_OK)
    s->elapsed_ns = (uint64_t)fmin(m->overview.elapsed_ns.value, 0x1p62); // a damaged file's
  s->comments = comments;
  s->comment_count = sizeof(comments) / sizeof(*comments);
}

void sample_stacks_release(struct sample_stacks *stacks) {
  free(stacks->stacks.mappings);
  free(stacks->stacks.stacks);
  free(stacks->stacks.frames);
  string_table_release(&stacks->linkages);
  string_table_release(&stacks->names);
}
