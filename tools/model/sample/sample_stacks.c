// sample_stacks.c - collects stacks, locations, functions and mappings, each once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/sample_stacks.h"

#include "tools/model/sample/call_tree.h"
#include "tools/support/demangle.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <math.h>
#include <stdlib.h>

static const char *const comments[] = {
    "written by reticle export: samples of the program counter, without call stacks",
    "a stack is a function and what was inlined into it; addresses are link-time",
};
static const char *const comments_of_calls[] = {
    "written by reticle export: samples with call stacks",
    "[unknown]: who called isn't known, as code there has no unwind information; addresses are "
    "link-time, "
    "a caller's that of the last byte of its call",
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

static size_t add_mapping(struct stacks *s, const struct stack_mapping *mapping) {
  for (size_t i = 0; i < s->mapping_count; i++)
    if (s->mappings[i].start == mapping->start && s->mappings[i].path == mapping->path &&
        s->mappings[i].build_id == mapping->build_id) {
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
static size_t find_mapping(struct stacks *s, const struct sampled_file *file, uint64_t offset,
                           uint64_t *address) {
  struct stack_mapping mapping = {.path = file->file->path, .build_id = file->file->build_id};
  uint64_t link_time = 0;
  if (file->places && code_places_address(file->places, offset, &link_time) &&
      code_places_segment(file->places, link_time, &mapping.start, &mapping.limit,
                          &mapping.offset)) {
    *address = link_time;
    mapping.has_functions = true;
    mapping.has_lines = file->has_lines;
  } else {
    *address = offset;
    mapping.limit = offset + 1;
  }
  return add_mapping(s, &mapping);
}

/// Room for so many frames more. The caller fills it in.
static struct stack_frame *add_frames(struct sample_stacks *s, struct stack_location *location,
                                      size_t count) {
  struct stacks *all = &s->stacks;
  if (all->frame_count + count > s->frame_room) {
    s->frame_room = 2 * s->frame_room + count + 256;
    all->frames = memory_resized(all->frames, s->frame_room, sizeof(*all->frames));
  }
  location->frame_first = all->frame_count;
  location->frame_count = count;
  all->frame_count += count;
  return &all->frames[location->frame_first];
}

static void name_frames(struct sample_stacks *s, const struct code_frame *frames, size_t count,
                        const char *nameless, struct stack_location *location) {
  struct stack_frame *to = add_frames(s, location, count ? count : 1);
  *to = (struct stack_frame){nameless, "", "", 0};
  for (size_t i = 0; i < count; i++)
    to[i] = (struct stack_frame){*frames[i].name ? full_name(s, frames[i].name) : nameless,
                                 frames[i].name, frames[i].file, frames[i].line};
}

static size_t add_location(struct sample_stacks *s, const struct stack_location *location) {
  struct stacks *all = &s->stacks;
  if (all->location_count == s->location_room) {
    s->location_room = 2 * s->location_room + 256;
    all->locations = memory_resized(all->locations, s->location_room, sizeof(*all->locations));
  }
  all->locations[all->location_count] = *location;
  return all->location_count++;
}

static size_t add_stack(struct sample_stacks *s, const struct stack *stack) {
  struct stacks *all = &s->stacks;
  if (all->stack_count == s->stack_room) {
    s->stack_room = 2 * s->stack_room + 256;
    all->stacks = memory_resized(all->stacks, s->stack_room, sizeof(*all->stacks));
  }
  all->stacks[all->stack_count] = *stack;
  return all->stack_count++;
}

/// A stack of one frame that is in no code.
static size_t add_placeless(struct sample_stacks *s, const char *name, uint64_t samples,
                            uint64_t time_ns) {
  struct stack_location location = {.mapping = STACK_NO_MAPPING};
  name_frames(s, NULL, 0, name, &location);
  return add_stack(s, &(struct stack){.location = add_location(s, &location),
                                      .caller = STACK_NO_CALLER,
                                      .samples = samples,
                                      .time_ns = time_ns});
}

/// A sampled place, of which that many samples aren't in call stacks.
static void add_place(struct sample_stacks *s, const struct samples *samples,
                      const struct sampled_function *f, const struct sampled_place *place,
                      struct stack stack) {
  const struct sampled_file *file = &samples->files[f->file];
  struct code_frame frames[CODE_FRAMES_MAX] = {{.name = "", .file = ""}};
  struct stack_location location = {0};
  location.mapping = find_mapping(&s->stacks, file, place->record->offset, &location.address);
  size_t count = file->has_lines ? code_places_frames(file->places, place->address, frames) : 0;
  count = count ? count : 1;
  // The function that holds the code is called as the report calls it.
  frames[count - 1].name = f->symbol;
  name_frames(s, frames, count, f->name, &location);
  stack.location = add_location(s, &location);
  add_stack(s, &stack);
}

/// Samples of each place that are in call stacks.
struct told {
  uint64_t samples, time_ns;
};

static struct told *find_told(const struct call_places *calls, struct told *told, size_t file,
                              uint64_t offset) {
  size_t low = 0, high = calls->place_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct call_place *p = &calls->places[middle];
    if (p->file == file && p->offset == offset)
      return &told[middle];
    bool before = p->file != file ? p->file < file : p->offset < offset;
    *(before ? &low : &high) = before ? middle + 1 : middle;
  }
  return NULL;
}

static uint64_t less(uint64_t all, uint64_t part) { return all > part ? all - part : 0; }

static void add_function(struct sample_stacks *s, const struct samples *samples,
                         const struct sampled_function *f, const struct call_places *calls,
                         struct told *told) {
  for (size_t i = 0; i < f->place_count; i++) {
    const struct profile_address *record = f->places[i].record;
    const struct told *had = find_told(calls, told, record->loadfile, record->offset);
    struct stack stack = {.caller = s->without,
                          .samples = less(record->samples, had ? had->samples : 0),
                          .time_ns = less(record->time_ns, had ? had->time_ns : 0)};
    if (stack.samples)
      add_place(s, samples, f, &f->places[i], stack);
  }
}

/// The stack of a function without a frame, below its caller's.
static size_t add_between(struct sample_stacks *s, const struct measurement *m,
                          const struct call_places *calls, const struct call_frame *frame,
                          size_t caller) {
  size_t of = calls->places[calls->frames[frame->caller].place].file;
  const struct sampled_file *file = &m->samples.files[of];
  struct stack_mapping mapping = {.path = file->file->path,
                                  .build_id = file->file->build_id,
                                  .has_functions = true,
                                  .has_lines = file->has_lines};
  struct stack_location location = {.mapping = STACK_NO_MAPPING};
  struct code_frame name = {.name = frame->between->name, .file = ""};
  if (code_places_segment(file->places, frame->between->address, &mapping.start, &mapping.limit,
                          &mapping.offset)) {
    location.mapping = add_mapping(&s->stacks, &mapping);
    location.address = frame->between->address;
  }
  name_frames(s, &name, 1, "", &location);
  return add_stack(s, &(struct stack){.location = add_location(s, &location), .caller = caller});
}

/// Call stacks: the nth frame of the profile becomes a stack, by way of where[n].
static void add_calls(struct sample_stacks *s, const struct measurement *m,
                      const struct call_places *calls, struct told *told, struct told *placeless) {
  const struct profile *profile = &m->input.profile;
  size_t *where = memory_zeroed(profile->stack_count + 1, sizeof(*where));
  size_t *location_of = memory_zeroed(calls->place_count + 1, sizeof(*location_of));
  size_t stops = add_placeless(s, "[unknown]", 0, 0), cut = add_placeless(s, "[deeper]", 0, 0);
  for (size_t i = 0; i < calls->place_count; i++) {
    const struct call_place *place = &calls->places[i];
    const struct sampled_file *file = &m->samples.files[place->file];
    struct stack_location location = {0};
    location.mapping = find_mapping(&s->stacks, file, place->offset, &location.address);
    name_frames(s, &calls->functions[place->frame_first], place->frame_count,
                s->nameless[place->file], &location);
    location_of[i] = add_location(s, &location);
  }
  for (size_t i = 0; i < profile->stack_count; i++) {
    const struct profile_stack *from = &profile->stacks[i];
    const struct call_frame *frame = &calls->frames[i];
    struct told *sum = frame->place == SIZE_MAX ? placeless : &told[frame->place];
    sum->samples += from->samples;
    sum->time_ns += from->time_ns;
    struct stack stack = {.samples = from->samples, .time_ns = from->time_ns};
    stack.caller = frame->caller == CALL_BEGINS  ? STACK_NO_CALLER
                   : frame->caller == CALL_STOPS ? stops
                   : frame->caller == CALL_CUT   ? cut
                                                 : where[frame->caller];
    if (frame->place == SIZE_MAX) {
      where[i] = stack.caller;
      s->stacks.stacks[stack.caller].samples += from->samples;
      s->stacks.stacks[stack.caller].time_ns += from->time_ns;
      continue;
    }
    if (frame->between)
      stack.caller = add_between(s, m, calls, frame, stack.caller);
    stack.location = location_of[frame->place];
    where[i] = add_stack(s, &stack);
  }
  free(where);
  free(location_of);
}

static void name_files(struct sample_stacks *out, const struct samples *samples) {
  out->nameless = memory_zeroed(samples->file_count + 1, sizeof(*out->nameless));
  out->file_count = samples->file_count;
  for (size_t i = 0; i < samples->file_count; i++) {
    const char *path = samples->files[i].file->path;
    struct text name = {0};
    text_format(&name, *path == '[' ? "%s" : "[%s]", base_name(path));
    out->nameless[i] = text_copy(text_get(&name));
    text_release(&name);
  }
}

static void add_all(const struct measurement *m, struct sample_stacks *out) {
  const struct samples *samples = &m->samples;
  struct call_places calls;
  call_places_read(m, &calls);
  struct told *told = memory_zeroed(calls.place_count + 1, sizeof(*told)), placeless = {0, 0};
  out->without = STACK_NO_CALLER;
  if (out->stacks.has_callers) {
    add_calls(out, m, &calls, told, &placeless);
    out->without = add_placeless(out, "[no stack]", 0, 0);
  }
  for (size_t k = 0; k < samples->file_count; k++) // file by file, as are their mappings
    for (size_t i = 0; i < samples->function_count; i++)
      if (samples->functions[i].file == k)
        add_function(out, samples, &samples->functions[i], &calls, told);
  free(told);
  call_places_release(&calls);
  uint64_t placed_ns = samples->named_ns + samples->nameless_ns + samples->unmapped_ns;
  uint64_t unmapped = less(samples->unmapped, placeless.samples);
  if (unmapped)
    add_placeless(out, "(in no file)", unmapped, less(samples->unmapped_ns, placeless.time_ns));
  if (samples->no_room)
    add_placeless(out, "(no place in a full table)", samples->no_room,
                  less(samples->all_ns, placed_ns));
}

void sample_stacks_make(const struct measurement *m, struct sample_stacks *out) {
  const struct profile *profile = &m->input.profile;
  *out = (struct sample_stacks){0};
  struct stacks *s = &out->stacks;
  s->has_callers = call_tree_is_sound(call_tree_get(m));
  name_files(out, &m->samples);
  add_all(m, out);
  s->period_ns = profile->sampling_count ? profile->sampling[0].period_ns : 0;
  s->start_time_s = profile->env.start_time_s;
  if (m->overview.elapsed_ns.status == QUANTITY_OK)
    s->elapsed_ns = (uint64_t)fmin(m->overview.elapsed_ns.value, 0x1p62); // a damaged file's
  s->comments = s->has_callers ? comments_of_calls : comments;
  s->comment_count = sizeof(comments) / sizeof(*comments);
}

void sample_stacks_release(struct sample_stacks *stacks) {
  for (size_t i = 0; i < stacks->file_count; i++)
    free(stacks->nameless[i]);
  free(stacks->nameless);
  free(stacks->stacks.mappings);
  free(stacks->stacks.locations);
  free(stacks->stacks.stacks);
  free(stacks->stacks.frames);
  string_table_release(&stacks->linkages);
  string_table_release(&stacks->names);
}
