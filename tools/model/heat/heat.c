// heat.c - gives each sample to the program's own code that it was taken for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heat/heat.h"

#include "tools/analysis/stats/sample_share.h"
#include "tools/binary/code/decode.h"
#include "tools/binary/code/import_call.h"
#include "tools/model/block/block_view.h"
#include "tools/model/measurement/lazy.h"
#include "tools/model/sample/call_places.h"
#include "tools/model/sample/site_names.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_PLACE SIZE_MAX
/// Code of a function that is no more than its call.
enum { SHORT_BYTES = 128 };
/// Template arguments of a callee that are shown.
enum { ARGUMENTS_MOST = 24 };

/// An address of the code, as heat sees it.
struct spot {
  bool is_program; ///< the program's own code
  bool is_own;     ///< of Reticle
  bool is_fault;   ///< the kernel was entered without a call of it, as far as is known
  size_t file;     ///< in samples.files
  uint64_t address;
  const char *holder;   ///< linkage name of the function that holds the code; "" unknown
  const char *function; ///< of the source: the innermost copy that isn't the standard library's
  const char *source;   ///< "" if unknown
  unsigned line;
  const struct block_view *view; ///< null: not known
  size_t machine_loop;           ///< innermost there, or BLOCK_LOOP_NONE
  const struct measured_loop *loop;
  size_t place;       ///< in places, or NO_PLACE until it is asked for
  int indirect;       ///< whether it is an indirect call; -1: not asked for
  const char *import; ///< what it calls through the file's table of imports; "" nothing, null: not
                      ///< asked for
};

/// What one sampled stack says: its place, and the call it is in.
struct item {
  size_t place;
  const struct measured_loop *around; ///< of the callers, the innermost; null: none
  const char *callee;                 ///< null: the place's own code
  const char *library;                ///< path
  const char *file;
  unsigned line;
  const struct spot *spot;
  struct heat_time time;
};

struct builder {
  const struct measurement *m;
  struct heat *out;
  struct block_views views;
  struct spot *spots;   ///< [spot_count]
  struct spot *between; ///< [spot_count] of calls, by place: what is called there; address 0: none
  size_t spot_count;
  struct item *items; ///< [item_count]
  size_t item_count, item_room, place_room;
  size_t *seen; ///< [m->loop_count] the stack, plus 1, that was last added to the loop
  const struct block_view *last; ///< of the file below: most spots in a row are in one function
  size_t last_file;
};

void heat_time_add(struct heat_time *sum, const struct heat_time *time) {
  sum->user_ns += time->user_ns;
  sum->system_ns += time->system_ns;
  sum->fault_ns += time->fault_ns;
  sum->samples += time->samples;
}

static double all_ns(const struct heat_time *t) { return t->user_ns + t->system_ns + t->fault_ns; }

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

static void find_loop(struct builder *b, const char *path, struct spot *spot) {
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
  }
}

/// file  in samples.files; address  link-time, 0: not known
static void make_spot(struct builder *b, size_t file, uint64_t address, struct spot *spot) {
  const struct sampled_file *sampled = &b->m->samples.files[file];
  struct code_frame frames[CODE_FRAMES_MAX];
  *spot = (struct spot){.file = file,
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

static size_t find_place(struct builder *b, const struct spot *spot) {
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

static size_t place_of(struct builder *b, struct spot *spot) {
  if (spot->place == NO_PLACE)
    spot->place = find_place(b, spot);
  return spot->place;
}

static void add_item(struct builder *b, const struct item *item) {
  if (b->item_count == b->item_room) {
    b->item_room = 2 * b->item_room + 256;
    b->items = memory_resized(b->items, b->item_room, sizeof *b->items);
  }
  b->items[b->item_count++] = *item;
}

/// Adds to the loops around the code, each once a stack.
static void add_loops(struct builder *b, const struct spot *spot, size_t stack,
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

static const char *callee_name(const struct builder *b, const struct spot *outermost,
                               struct spot *caller) {
  const struct sampled_file *file = &b->m->samples.files[caller->file];
  if (!caller->import && file->places)
    caller->import = import_call_name(file->places, caller->address);
  if (!caller->import)
    caller->import = "";
  return *caller->import ? caller->import : outermost->holder;
}

/// A function of the program that has ended in a jump to this frame's, so that it has no frame.
static struct spot *spot_between(struct builder *b, const struct call_places *calls,
                                 uint32_t frame) {
  const struct elf_function *function = calls->frames[frame].between;
  if (!function || instrumentation_has_function(function->name))
    return NULL;
  size_t caller = calls->frames[calls->frames[frame].caller].place;
  struct spot *spot = &b->between[caller];
  if (!spot->address)
    make_spot(b, calls->places[caller].file, function->address, spot);
  return spot;
}

/// Whether the call whose last byte the spot is goes to an address that it computes or reads.
static bool calls_indirectly(struct spot *spot) {
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
static void add_indirect(struct builder *b, struct spot *target, struct spot *caller,
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

static void add_stack(struct builder *b, const struct call_places *calls, size_t index) {
  const struct profile_stack *s = &b->m->input.profile.stacks[index];
  struct heat_time time = {.user_ns = (double)s->time_ns,
                           .samples = s->samples + s->kernel_samples};
  struct spot *inner = NULL, *outermost = NULL, *program = NULL, *caller = NULL;
  const struct measured_loop *around = NULL;
  for (uint32_t f = (uint32_t)index; f < CALL_CUT; f = calls->frames[f].caller) {
    if (calls->frames[f].place == SIZE_MAX)
      break;
    struct spot *spot = &b->spots[calls->frames[f].place];
    struct spot *ended = program ? NULL : spot_between(b, calls, f);
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
    if (spot->is_program && !program)
      program = spot;
    if (!program && ended && ended->is_program)
      program = ended;
  }
  heat_time_add(&b->out->all, &time);
  struct spot *at = program ? program : outermost;
  if (!at)
    return;
  struct item item = {.place = place_of(b, at),
                      .around = around,
                      .library = "",
                      .file = at->source,
                      .line = at->line,
                      .spot = at,
                      .time = time};
  if (program && outermost) {
    item.callee = callee_name(b, outermost, program);
    item.library = b->m->samples.files[outermost->file].file->path;
  }
  add_item(b, &item);
  if (program && program == inner && caller)
    add_indirect(b, program, caller, &time);
}

static void read_stacks(struct builder *b) {
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

static void read_addresses(struct builder *b) {
  const struct samples *samples = &b->m->samples;
  for (size_t i = 0; i < samples->function_count; i++)
    b->spot_count += samples->functions[i].place_count;
  b->spots = memory_zeroed(b->spot_count + 1, sizeof *b->spots);
  struct spot *spot = b->spots;
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
      const struct item item = {.place = place_of(b, spot),
                                .library = "",
                                .file = spot->source,
                                .line = spot->line,
                                .spot = spot,
                                .time = time};
      add_item(b, &item);
    }
}

// --- sums

static int compare_items(const void *left, const void *right) {
  const struct item *a = left, *b = right;
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  if (!a->callee != !b->callee)
    return a->callee ? 1 : -1;
  int order = a->callee ? strcmp(a->callee, b->callee) : 0;
  order = order ? order : strcmp(a->library, b->library);
  order = order ? order : strcmp(a->file, b->file);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

static bool is_same_call(const struct item *a, const struct item *b) {
  return a->place == b->place && a->callee && b->callee && strcmp(a->callee, b->callee) == 0 &&
         strcmp(a->library, b->library) == 0;
}

static char *name_callee(const struct item *item) {
  if (*item->callee) {
    char *short_name = function_short_name(item->callee);
    name_cut_arguments(short_name, ARGUMENTS_MOST);
    return short_name;
  }
  struct text name = {0};
  text_format(&name, "[%s]", base_name(item->library));
  char *copy = text_copy(text_get(&name));
  text_release(&name);
  return copy;
}

/// Of each place without a loop, the loop around most of its time. Items are in the order of
/// places.
static void find_around(struct builder *b) {
  const struct measured_loop *loops = b->m->loops;
  double *sums = memory_zeroed(b->m->loop_count + 1, sizeof *sums);
  for (size_t i = 0, end; i < b->item_count; i = end) {
    struct heat_place *place = &b->out->places[b->items[i].place];
    double most = 0;
    for (end = i; end < b->item_count && b->items[end].place == b->items[i].place; end++) {
      const struct measured_loop *around = b->items[end].around;
      if (!around || place->loop)
        continue;
      double sum = sums[around - loops] += all_ns(&b->items[end].time);
      if (sum > most) {
        most = sum;
        place->around = around;
      }
    }
    for (size_t k = i; k < end; k++)
      if (b->items[k].around)
        sums[b->items[k].around - loops] = 0;
  }
  free(sums);
}

/// Folds the items of a place's own code, and those of each of its calls; of both the hottest line.
static void fold(struct builder *b) {
  struct heat *out = b->out;
  double *hottest = memory_zeroed(out->place_count + 1, sizeof *hottest);
  out->calls = memory_zeroed(b->item_count + 1, sizeof *out->calls);
  if (b->item_count)
    qsort(b->items, b->item_count, sizeof *b->items, compare_items);
  find_around(b);
  double line_ns = 0, call_line_ns = 0;
  for (size_t i = 0; i < b->item_count; i++) {
    const struct item *item = &b->items[i];
    struct heat_place *place = &out->places[item->place];
    bool is_new = !i || compare_items(&b->items[i - 1], item) != 0;
    line_ns = (is_new ? 0 : line_ns) + all_ns(&item->time);
    heat_time_add(&place->time, &item->time);
    if (item->line && line_ns > hottest[item->place]) {
      hottest[item->place] = line_ns;
      place->file = item->file;
      place->line = item->line;
      place->strides = (struct loop_strides){0};
      place->has_loop = item->spot->machine_loop != BLOCK_LOOP_NONE;
      if (item->spot->view && item->spot->machine_loop != BLOCK_LOOP_NONE)
        loop_strides_read(&item->spot->view->list, &item->spot->view->loops,
                          item->spot->machine_loop, &place->strides);
    }
    if (!item->callee) {
      heat_time_add(&place->own, &item->time);
      continue;
    }
    if (!i || !is_same_call(&b->items[i - 1], item)) {
      out->calls[out->call_count++] = (struct heat_call){.callee = name_callee(item),
                                                         .library = item->library,
                                                         .place = item->place,
                                                         .file = item->file,
                                                         .line = item->line};
      call_line_ns = 0;
    }
    struct heat_call *call = &out->calls[out->call_count - 1];
    heat_time_add(&call->time, &item->time);
    if (line_ns > call_line_ns) {
      call_line_ns = line_ns;
      call->file = item->file;
      call->line = item->line;
    }
  }
  free(hottest);
}

static int compare_calls(const void *left, const void *right) {
  const struct heat_call *a = left, *b = right;
  if (all_ns(&a->time) != all_ns(&b->time))
    return all_ns(&a->time) > all_ns(&b->time) ? -1 : 1;
  return a->place != b->place ? (a->place < b->place ? -1 : 1) : strcmp(a->callee, b->callee);
}

static int compare_indirect(const void *left, const void *right) {
  const struct heat_indirect *a = left, *b = right;
  if (all_ns(&a->time) != all_ns(&b->time))
    return all_ns(&a->time) > all_ns(&b->time) ? -1 : 1;
  return a->place != b->place ? (a->place < b->place ? -1 : 1)
                              : (a->line > b->line) - (a->line < b->line);
}

struct keyed {
  struct heat_place place;
  size_t number;
};

static int compare_places(const void *left, const void *right) {
  const struct keyed *a = left, *b = right;
  if (all_ns(&a->place.time) != all_ns(&b->place.time))
    return all_ns(&a->place.time) > all_ns(&b->place.time) ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

/// Names the places, and puts them in their order.
static void order_places(struct heat *out) {
  struct keyed *keyed = memory_zeroed(out->place_count + 1, sizeof *keyed);
  size_t *now = memory_zeroed(out->place_count + 1, sizeof *now);
  for (size_t i = 0; i < out->place_count; i++)
    keyed[i] = (struct keyed){out->places[i], i};
  if (out->place_count)
    qsort(keyed, out->place_count, sizeof *keyed, compare_places);
  for (size_t i = 0; i < out->place_count; i++) {
    now[keyed[i].number] = i;
    out->places[i] = keyed[i].place;
    out->places[i].function = function_short_name(keyed[i].place.function);
  }
  for (size_t i = 0; i < out->call_count; i++)
    out->calls[i].place = now[out->calls[i].place];
  for (size_t i = 0; i < out->indirect_count; i++) {
    out->indirect[i].place = now[out->indirect[i].place];
    for (size_t k = 0; k < out->indirect[i].target_count; k++)
      out->indirect[i].targets[k] = now[out->indirect[i].targets[k]];
  }
  if (out->indirect_count)
    qsort(out->indirect, out->indirect_count, sizeof *out->indirect, compare_indirect);
  if (out->call_count)
    qsort(out->calls, out->call_count, sizeof *out->calls, compare_calls);
  free(keyed);
  free(now);
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
  struct builder b = {.m = m, .out = out};
  b.seen = memory_zeroed(m->loop_count + 1, sizeof *b.seen);
  if (out->has_callers)
    read_stacks(&b);
  else
    read_addresses(&b);
  out->has_kernel = out->all.system_ns + out->all.fault_ns > 0;
  fold(&b);
  order_places(out);
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
