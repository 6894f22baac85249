// call_places.c - names each place in the code once, and finds where stacks begin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/call_places.h"

#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <stdlib.h>
#include <string.h>

const char *call_kind_name(enum call_kind kind) {
  static const char *const names[] = {"program", "library", "kernel", "unknown"};
  return names[kind];
}

static enum call_kind kind_of(const struct measurement *m, const char *path) {
  if (path[0] == '/')
    return strcmp(path, m->input.profile.env.executable) == 0 ? CALL_PROGRAM : CALL_LIBRARY;
  return strcmp(path, "[vdso]") == 0 ? CALL_KERNEL : CALL_UNKNOWN;
}

/// The function that is called by the instruction whose last byte is there, if that says which.
static const struct elf_function *find_called(struct code_places *places, uint64_t address) {
  enum { CALL = 0xe8, CALL_BYTES = 5 }; // x86-64: call rel32
  size_t count;
  const uint8_t *code = code_places_code(places, address - (CALL_BYTES - 1), &count);
  if (!code || count < CALL_BYTES || *code != CALL)
    return NULL;
  int32_t distance;
  memcpy(&distance, code + 1, sizeof distance);
  uint64_t target = address + 1 + (uint64_t)(int64_t)distance;
  const struct elf_function *called = code_places_function(places, target);
  return called && called->address == target ? called : NULL;
}

/// Functions at the place, the innermost copy first.
static void add_functions(const struct sampled_file *file, struct call_place *place,
                          struct call_places *out, size_t *room) {
  struct code_frame found[CODE_FRAMES_MAX] = {{.name = "", .file = ""}};
  size_t count = 0;
  const struct elf_function *symbol = NULL;
  if (file->places && code_places_address(file->places, place->offset, &place->address)) {
    symbol = place->symbol = code_places_function(file->places, place->address);
    place->called = find_called(file->places, place->address);
    if (file->has_lines)
      count = code_places_frames(file->places, place->address, found);
  }
  count = count ? count : 1;
  // The function that holds the code is called as the symbol table calls it.
  if (symbol || !*found[count - 1].name)
    found[count - 1].name = symbol ? symbol->name : "";
  if (out->function_count + count > *room) {
    *room = 2 * *room + 256;
    out->functions = memory_resized(out->functions, *room, sizeof *out->functions);
  }
  place->frame_first = out->function_count;
  place->frame_count = count;
  memcpy(out->functions + out->function_count, found, count * sizeof *found);
  out->function_count += count;
}

struct keyed {
  const struct profile_stack *stack;
  size_t index;
};

static int compare_places(const void *left, const void *right) {
  const struct profile_stack *a = ((const struct keyed *)left)->stack;
  const struct profile_stack *b = ((const struct keyed *)right)->stack;
  if (a->loadfile != b->loadfile)
    return a->loadfile < b->loadfile ? -1 : 1;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

/// Most frames are at a place that others are at, too, below other callers.
static void find_places(const struct measurement *m, struct call_places *out) {
  const struct profile *profile = &m->input.profile;
  size_t count = profile->stack_count, room = 0;
  struct keyed *keys = memory_zeroed(count + 1, sizeof *keys);
  for (size_t i = 0; i < count; i++)
    keys[i] = (struct keyed){&profile->stacks[i], i};
  qsort(keys, count, sizeof *keys, compare_places);
  out->places = memory_zeroed(count + 1, sizeof *out->places);
  for (size_t i = 0; i < count; i++) {
    const struct profile_stack *s = keys[i].stack;
    out->frames[keys[i].index].place = SIZE_MAX;
    if (s->loadfile == UINT32_MAX)
      continue;
    if (!i || compare_places(&keys[i - 1], &keys[i]) != 0) {
      const struct sampled_file *file = &m->samples.files[s->loadfile];
      struct call_place *place = &out->places[out->place_count++];
      *place = (struct call_place){
          .file = s->loadfile, .offset = s->offset, .kind = kind_of(m, file->file->path)};
      add_functions(file, place, out, &room);
    }
    out->frames[keys[i].index].place = out->place_count - 1;
  }
  free(keys);
}

/// What calls main, and the first function of a thread.
static bool is_start(const char *name) {
  static const char *const names[] = {"_start",
                                      "__libc_start_main",
                                      "__libc_start_main_impl",
                                      "__libc_start_call_main",
                                      "start_thread",
                                      "clone",
                                      "clone3",
                                      "__clone",
                                      "__clone3"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/// Without its debug information the C library's start has no name.
static bool may_be_start(const struct measurement *m, const struct call_place *place,
                         const char *name) {
  const char *file = base_name(m->samples.files[place->file].file->path);
  return !*name && (strncmp(file, "libc.so", 7) == 0 || strncmp(file, "libc-", 5) == 0 ||
                    strncmp(file, "ld-linux", 8) == 0 || strncmp(file, "libpthread", 10) == 0);
}

static uint32_t caller_of(const struct measurement *m, const struct profile_stack *stack,
                          const struct call_frame *frame, const struct call_places *all) {
  if (frame->place == SIZE_MAX)
    return stack->offset == RETICLE_STACK_CUT ? CALL_CUT : CALL_STOPS;
  const struct call_place *place = &all->places[frame->place];
  const char *name = all->functions[place->frame_first + place->frame_count - 1].name;
  if (strcmp(name, "main") == 0 || is_start(name))
    return CALL_BEGINS;
  uint32_t caller = CALL_STOPS;
  if (stack->caller != UINT32_MAX) {
    const struct call_frame *above = &all->frames[stack->caller];
    const struct call_place *from = above->place == SIZE_MAX ? NULL : &all->places[above->place];
    if (!from)
      caller = above->caller;
    else
      caller = is_start(all->functions[from->frame_first + from->frame_count - 1].name)
                   ? CALL_BEGINS
                   : stack->caller;
  }
  if (caller == CALL_STOPS && !stack->samples && may_be_start(m, place, name))
    return CALL_BEGINS;
  return caller;
}

static const struct elf_function *find_between(const struct call_frame *frame,
                                               const struct call_places *all) {
  if (frame->caller >= CALL_CUT || frame->place == SIZE_MAX)
    return NULL;
  const struct call_place *caller = &all->places[all->frames[frame->caller].place];
  const struct call_place *place = &all->places[frame->place];
  bool is_it = caller->file == place->file && place->symbol && caller->called &&
               caller->called->address == place->symbol->address;
  return is_it || !place->symbol ? NULL : caller->called;
}

void call_places_read(const struct measurement *m, struct call_places *out) {
  const struct profile *profile = &m->input.profile;
  *out = (struct call_places){0};
  out->frames = memory_zeroed(profile->stack_count + 1, sizeof *out->frames);
  find_places(m, out);
  for (size_t i = 0; i < profile->stack_count; i++) { // callers first
    out->frames[i].caller = caller_of(m, &profile->stacks[i], &out->frames[i], out);
    out->frames[i].between = find_between(&out->frames[i], out);
  }
}

void call_places_release(struct call_places *places) {
  free(places->frames);
  free(places->places);
  free(places->functions);
  *places = (struct call_places){0};
}
