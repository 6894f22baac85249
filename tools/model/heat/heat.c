// heat.c - gives each sample to the program's own code that it was taken for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heat/heat.h"

#include "tools/analysis/stats/sample_share.h"
#include "tools/binary/code/decode.h"
#include "tools/binary/code/import_call.h"
#include "tools/model/heat/heat_parts.h"
#include "tools/model/measurement/lazy.h"
#include "tools/model/sample/call_places.h"
#include "tools/model/sample/site_names.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_PLACE SIZE_MAX
/// Code of a function that is no more than its call.
enum { SHORT_BYTES = 128 };

void heat_time_add(struct heat_time *sum, const struct heat_time *time) {
  sum->user_ns += time->user_ns;
  sum->system_ns += time->system_ns;
  sum->fault_ns += time->fault_ns;
  sum->samples += time->samples;
}

// --- what an address is

/// The executable is the program's, also where none of it was compiled with the plug-in.
static bool is_of_program(const struct measurement *m, const char *path) {
  return measurement_is_instrumented(m, path) || strcmp(m->input.profile.env.executable, path) == 0;
}

/// Whether the bytes in front of the address call the kernel.
static bool is_system_call(const struct code_places *places, uint64_t address) {
  size_t bytes;
  const uint8_t *code = code_places_code(places, address - 4, &bytes);
  if (!code || bytes < 4)
    return false;
  bool is_x86 = code[2] == 0x0f && code[3] == 0x05;
  bool is_arm = code[0] == 0x01 && code[1] == 0 && code[2] == 0 && code[3] == 0xd4;
  return is_x86 || is_arm;
}

static void find_loop(struct heat_builder *b, const char *path, struct heat_spot *spot) {
  const struct block_view *last = b->last_file == spot->file ? b->last : NULL;
  bool is_there = last && spot->address - last->function.address < last->function.bytes;
  spot->view = is_there ? last : block_views_at(b->m, path, spot->address, &b->views);
  b->last = spot->view;
  b->last_file = spot->file;
  for (size_t i = 0; spot->view && i < spot->view->list.count; i++) {
    const struct block *block = &spot->view->list.blocks[i];
    if (spot->address - block->address >= block->bytes) // wraps around below it
      continue;
    spot->machine_loop = spot->view->loops.innermost[i];
    spot->loop = block_view_loop(spot->view, i);
    spot->dispatches =
        (block->flags & (BLOCK_INDIRECT_BRANCH | BLOCK_TAIL_CALL)) == BLOCK_INDIRECT_BRANCH;
  }
}

/// file  in samples.files; address  link-time, 0: not known
static void make_spot(struct heat_builder *b, size_t file, uint64_t address,
                      struct heat_spot *spot) {
  const struct sampled_file *sampled = &b->m->samples.files[file];
  struct code_frame frames[CODE_FRAMES_MAX];
  *spot = (struct heat_spot){.file = file,
                             .address = address,
                             .holder = "",
                             .function = "",
                             .source = "",
                             .machine_loop = BLOCK_LOOP_NONE,
                             .place = NO_PLACE,
                             .indirect = -1};
  if (!sampled->places || !address)
    return;
  const struct elf_function *symbol = code_places_function(sampled->places, address);
  spot->holder = spot->function = symbol ? symbol->name : "";
  spot->is_own = symbol && instrumentation_has_function(symbol->name);
  spot->is_fault = !is_system_call(sampled->places, address);
  size_t count = sampled->has_lines ? code_places_frames(sampled->places, address, frames) : 0;
  if (spot->is_own || !is_of_program(b->m, sampled->file->path))
    return;
  find_loop(b, sampled->file->path, spot);
  size_t own = 0;
  while (own < count && site_is_library(frames[own].file, frames[own].name))
    own++;
  // What has no lines in a file that has them was linked from a static library; what has none but
  // the standard library's is a template of it.
  bool is_other = count ? own == count : sampled->has_lines || site_is_library("", spot->holder);
  spot->is_program = !is_other;
  if (is_other)
    return;
  if (count) {
    spot->source = frames[own].file;
    spot->line = frames[own].line;
  }
  if (own + 1 < count && *frames[own].name)
    spot->function = frames[own].name;
}

// --- places

static size_t find_place(struct heat_builder *b, const struct heat_spot *spot) {
  struct heat *out = b->out;
  for (size_t i = 0; i < out->place_count; i++)
    if (spot->loop ? out->places[i].loop == spot->loop
                   : !out->places[i].loop && strcmp(out->places[i].function, spot->function) == 0 &&
                         strcmp(out->places[i].linkage, spot->holder) == 0)
      return i;
  if (out->place_count == b->place_room) {
    b->place_room = 2 * b->place_room + 64;
    out->places = memory_resized(out->places, b->place_room, sizeof *out->places);
  }
  // Named when all are there: until then the linkage name tells functions apart.
  const struct profile_loop *record = spot->loop ? spot->loop->loop : NULL;
  const char *function = !record                 ? spot->function
                         : *record->inlined_from ? record->inlined_from
                                                 : record->function;
  bool is_short = spot->view && spot->view->function.bytes <= SHORT_BYTES &&
                  !spot->view->loops.count && strcmp(spot->function, spot->holder) == 0;
  out->places[out->place_count] =
      (struct heat_place){.short_bytes = is_short ? spot->view->function.bytes : 0,
                          .function = (char *)function,
                          .linkage = spot->holder,
                          .file = spot->source,
                          .loop = spot->loop};
  return out->place_count++;
}

static size_t place_of(struct heat_builder *b, struct heat_spot *spot) {
  if (spot->place == NO_PLACE)
    spot->place = find_place(b, spot);
  return spot->place;
}

static void add_item(struct heat_builder *b, const struct heat_item *item) {
  if (b->item_count == b->item_room) {
    b->item_room = 2 * b->item_room + 256;
    b->items = memory_resized(b->items, b->item_room, sizeof *b->items);
  }
  b->items[b->item_count++] = *item;
}

/// Adds to the loops around the code, each once a stack.
static void add_loops(struct heat_builder *b, const struct heat_spot *spot, size_t stack,
                      const struct heat_time *time) {
  const struct measured_loop *loops = b->m->loops;
  if (!spot->view)
    return;
  for (size_t in = spot->machine_loop; in != BLOCK_LOOP_NONE;
       in = spot->view->loops.loops[in].parent) {
    const struct measured_loop *loop = spot->view->labels[in];
    if (!loop || b->seen[loop - loops] == stack + 1)
      continue;
    b->seen[loop - loops] = stack + 1;
    heat_time_add(&b->out->loops[loop - loops], time);
  }
}

// --- with call stacks

static const char *callee_name(const struct heat_builder *b, const struct heat_spot *outermost,
                               struct heat_spot *caller) {
  const struct sampled_file *file = &b->m->samples.files[caller->file];
  if (!caller->import && file->places)
    caller->import = import_call_name(file->places, caller->address);
  if (!caller->import)
    caller->import = "";
  return *caller->import ? caller->import : outermost->holder;
}

/// A function of the program that has ended in a jump to this frame's, so that it has no frame.
static struct heat_spot *spot_between(struct heat_builder *b, const struct call_places *calls,
                                      uint32_t frame) {
  const struct elf_function *function = calls->frames[frame].between;
  if (!function || instrumentation_has_function(function->name))
    return NULL;
  size_t caller = calls->frames[calls->frames[frame].caller].place;
  struct heat_spot *spot = &b->between[caller];
  if (!spot->address)
    make_spot(b, calls->places[caller].file, function->address, spot);
  return spot;
}

/// Whether the call whose last byte the spot is goes to an address that it computes or reads.
static bool calls_indirectly(struct heat_spot *spot) {
  if (spot->indirect >= 0)
    return spot->indirect;
  spot->indirect = 0;
  for (size_t i = 0; spot->view && i < spot->view->list.count; i++) {
    const struct block *block = &spot->view->list.blocks[i];
    struct instruction decoded;
    if (spot->address - block->address >= block->bytes)
      continue;
    for (uint32_t at = 0; at < block->bytes; at += decoded.bytes) {
      uint64_t address = block->address + at;
      if (!decode_instruction(block->code + at, block->bytes - at, address, &decoded))
        break;
      bool is_slot = decoded.memory_count && decoded.memory[0].base == REGISTER_RIP;
      if (address + decoded.bytes == spot->address + 1)
        spot->indirect = decoded.kind == INSTRUCTION_CALL_AWAY && !is_slot;
    }
  }
  return spot->indirect;
}

/// A sample in a short function of the program that the caller calls indirectly.
static void add_indirect(struct heat_builder *b, struct heat_spot *target, struct heat_spot *caller,
                         const struct heat_time *time) {
  if (!caller->is_program || !b->out->places[target->place].short_bytes ||
      !calls_indirectly(caller))
    return;
  struct heat *out = b->out;
  size_t place = place_of(b, caller), i = 0, k = 0;
  while (i < out->indirect_count &&
         (out->indirect[i].place != place || out->indirect[i].line != caller->line))
    i++;
  if (i == out->indirect_count) {
    out->indirect = memory_resized(out->indirect, i + 1, sizeof *out->indirect);
    out->indirect[out->indirect_count++] =
        (struct heat_indirect){.place = place, .file = caller->source, .line = caller->line};
  }
  struct heat_indirect *call = &out->indirect[i];
  heat_time_add(&call->time, time);
  while (k < call->target_count && call->targets[k] != target->place)
    k++;
  if (k == call->target_count && k < HEAT_TARGETS)
    call->targets[call->target_count++] = target->place;
  heat_time_add(&out->places[target->place].indirect, time);
}

static void add_stack(struct heat_builder *b, const struct call_places *calls, size_t index) {
  const struct profile_stack *s = &b->m->input.profile.stacks[index];
  struct heat_time time = {.user_ns = (double)s->time_ns,
                           .samples = s->samples + s->kernel_samples};
  struct heat_spot *inner = NULL, *outermost = NULL, *program = NULL, *caller = NULL;
  const struct heat_spot *own_caller = NULL;
  const struct measured_loop *around = NULL;
  for (uint32_t f = (uint32_t)index; f < CALL_CUT; f = calls->frames[f].caller) {
    if (calls->frames[f].place == SIZE_MAX)
      break;
    struct heat_spot *spot = &b->spots[calls->frames[f].place];
    struct heat_spot *ended = program ? NULL : spot_between(b, calls, f);
    if (!inner) {
      inner = spot;
      *(spot->is_fault ? &time.fault_ns : &time.system_ns) = (double)s->kernel_ns;
    }
    if (spot->is_own)
      continue;
    add_loops(b, spot, index, &time);
    if (!spot->is_program && !program)
      outermost = spot;
    if (spot->is_program && program && !around)
      around = spot->loop;
    if (program && !caller)
      caller = spot;
    if (program && !own_caller && spot->is_program)
      own_caller = spot;
    if (spot->is_program && !program)
      program = spot;
    if (!program && ended && ended->is_program)
      program = ended;
  }
  heat_time_add(&b->out->all, &time);
  struct heat_spot *at = program ? program : outermost;
  if (!at)
    return;
  struct heat_item item = {.place = place_of(b, at),
                           .around = around,
                           .library = "",
                           .file = at->source,
                           .line = at->line,
                           .spot = at,
                           .caller = own_caller,
                           .time = time};
  if (program && outermost) {
    item.callee = callee_name(b, outermost, program);
    item.library = b->m->samples.files[outermost->file].file->path;
  }
  add_item(b, &item);
  if (program && program == inner && caller)
    add_indirect(b, program, caller, &time);
}

static void read_stacks(struct heat_builder *b) {
  struct call_places calls;
  call_places_read(b->m, &calls);
  b->spot_count = calls.place_count;
  b->spots = memory_zeroed(b->spot_count + 1, sizeof *b->spots);
  b->between = memory_zeroed(b->spot_count + 1, sizeof *b->between);
  for (size_t i = 0; i < calls.place_count; i++)
    make_spot(b, calls.places[i].file, calls.places[i].address, &b->spots[i]);
  for (size_t i = 0; i < b->m->input.profile.stack_count; i++)
    if (b->m->input.profile.stacks[i].samples || b->m->input.profile.stacks[i].kernel_samples)
      add_stack(b, &calls, i);
  call_places_release(&calls);
}

// --- without

static void read_addresses(struct heat_builder *b) {
  const struct samples *samples = &b->m->samples;
  for (size_t i = 0; i < samples->function_count; i++)
    b->spot_count += samples->functions[i].place_count;
  b->spots = memory_zeroed(b->spot_count + 1, sizeof *b->spots);
  struct heat_spot *spot = b->spots;
  size_t number = 0;
  for (size_t i = 0; i < samples->function_count; i++)
    for (size_t k = 0; k < samples->functions[i].place_count; k++, spot++, number++) {
      const struct sampled_place *place = &samples->functions[i].places[k];
      struct heat_time time = {.user_ns = (double)place->record->time_ns,
                               .samples = place->record->samples};
      make_spot(b, samples->functions[i].file, place->address, spot);
      heat_time_add(&b->out->all, &time);
      if (spot->is_own)
        continue;
      add_loops(b, spot, number, &time);
      const struct heat_item item = {.place = place_of(b, spot),
                                     .library = "",
                                     .file = spot->source,
                                     .line = spot->line,
                                     .spot = spot,
                                     .time = time};
      add_item(b, &item);
    }
}

static void make_heat(const struct measurement *m, struct heat *out) {
  const struct account *account = &m->account;
  *out = (struct heat){.user_part = 1, .has_callers = m->input.profile.stack_count > 0};
  out->loops = memory_zeroed(m->loop_count + 1, sizeof *out->loops);
  if (account->user_ns.status == QUANTITY_OK && account->system_ns.status == QUANTITY_OK &&
      account->user_ns.value > 0)
    out->user_part = account->user_ns.value / (account->user_ns.value + account->system_ns.value);
  if (!m->samples.all_ns) {
    out->reason = m->samples.taken ? "no sample was taken" : "samples were not asked for";
    return;
  }
  struct heat_builder b = {.m = m, .out = out};
  b.seen = memory_zeroed(m->loop_count + 1, sizeof *b.seen);
  if (out->has_callers)
    read_stacks(&b);
  else
    read_addresses(&b);
  out->has_kernel = out->all.system_ns + out->all.fault_ns > 0;
  heat_sum(&b);
  block_views_release(&b.views);
  free(b.spots);
  free(b.between);
  free(b.items);
  free(b.seen);
}

static void release(struct heat *heat) {
  for (size_t i = 0; i < heat->place_count; i++)
    free(heat->places[i].function);
  for (size_t i = 0; i < heat->call_count; i++)
    free(heat->calls[i].callee);
  free(heat->places);
  free(heat->indirect);
  free(heat->calls);
  free(heat->loops);
}

LAZY(heat, struct heat, make_heat, release)

// --- shares

double heat_kernel_share(const struct heat *heat, const struct heat_time *time) {
  double kernel_ns = heat->all.system_ns + heat->all.fault_ns;
  return kernel_ns > 0 ? (1 - heat->user_part) * (time->system_ns + time->fault_ns) / kernel_ns : 0;
}

struct quantity heat_share(const struct heat *heat, const struct heat_time *time) {
  if (heat->reason || !heat->all.samples || !(heat->all.user_ns > 0))
    return quantity_none(QUANTITY_UNSUPPORTED, heat->reason ? heat->reason : "no samples");
  double share =
      heat->user_part * time->user_ns / heat->all.user_ns + heat_kernel_share(heat, time);
  double whole = 1e9; // the interval is that of so many samples
  return sample_share((uint64_t)(fmin(share, 1) * whole), (uint64_t)whole, heat->all.samples);
}

const struct heat_place *heat_loop_place(const struct heat *heat,
                                         const struct measured_loop *loop) {
  for (size_t i = 0; i < heat->place_count; i++)
    if (heat->places[i].loop == loop)
      return &heat->places[i];
  return NULL;
}

struct quantity heat_loop_share(const struct measurement *m, const struct measured_loop *loop) {
  const struct heat *heat = heat_get(m);
  const struct heat_time *time = &heat->loops[measurement_whole_loop(m, loop) - m->loops];
  if (!heat->reason && !time->samples)
    return quantity_none(QUANTITY_TOO_FEW, "no sample fell into its code");
  return heat_share(heat, time);
}
