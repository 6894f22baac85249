// field_time.c - lays samples on the fields that the sampled instructions access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/field_time.h"

#include "tools/model/measurement/lazy.h"

#include "tools/binary/code/decode.h"
#include "tools/binary/code/decode_effects.h"
#include "tools/model/block/function_code.h"
#include "tools/model/sample/skid.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>

#define REGISTER_RSP 4

/// Accesses of one function: positions in the profile's accesses.
struct function_accesses {
  size_t *all; ///< [count]
  size_t count;
};

/// A field that an instruction may access.
struct candidate {
  size_t structure, field; ///< SIZE_MAX: of memory without a name, or no field is known
  bool fits;               ///< the displacement is the field's, in some element
};

static const struct memory_operand *operand_of(const struct instruction *decoded) {
  for (size_t i = 0; i < decoded->memory_count; i++) {
    const struct memory_operand *operand = &decoded->memory[i];
    if (operand->base != REGISTER_RSP && operand->base != REGISTER_RIP &&
        operand->segment == SEGMENT_NONE)
      return operand;
  }
  return NULL;
}

/// The instruction that the time belongs to: itself where it accesses memory, else the load in its
/// block whose result it takes. SIZE_MAX: none.
static size_t accessing(const struct function_code *code, const struct block *block,
                        const struct code_block *range, size_t at, struct instruction *decoded) {
  struct instruction_effects wants, effects;
  const struct code_instruction *instruction = &code->instructions[at];
  size_t offset = instruction->address - block->address;
  if (instruction->is_bad || !decode_instruction(block->code + offset, block->bytes - offset,
                                                 instruction->address, decoded))
    return SIZE_MAX;
  if (operand_of(decoded))
    return at;
  if (decoded->memory_count || !decode_effects(block->code + offset, block->bytes - offset, &wants))
    return SIZE_MAX;
  for (size_t i = at; i-- > range->first;) {
    offset = code->instructions[i].address - block->address;
    if (code->instructions[i].is_bad ||
        !decode_effects(block->code + offset, block->bytes - offset, &effects) ||
        !(effects.writes & wants.reads))
      continue;
    bool is_load = decode_instruction(block->code + offset, block->bytes - offset,
                                      code->instructions[i].address, decoded) &&
                   operand_of(decoded) && operand_of(decoded)->read;
    return is_load ? i : SIZE_MAX;
  }
  return SIZE_MAX;
}

static bool is_line(const struct profile_access *access, const struct code_frame *frames,
                    size_t count) {
  for (size_t i = 0; i < count && access->line; i++)
    if (frames[i].line == access->line)
      return true;
  return !access->line; // in another file: anywhere
}

/// The field at the access's offset; SIZE_MAX: none.
static size_t field_at(const struct struct_use *use, uint32_t offset) {
  for (size_t i = 0; i < use->field_count; i++) {
    const struct profile_member *m = use->fields[i].member;
    if (m->offset_bytes <= offset && offset < m->offset_bytes + m->size_bytes)
      return i;
  }
  return SIZE_MAX;
}

static struct candidate candidate_of(const struct measurement *m, const size_t *uses,
                                     const struct profile_access *access,
                                     const struct memory_operand *operand) {
  struct candidate one = {SIZE_MAX, SIZE_MAX, false};
  if (access->structure >= m->input.profile.struct_count || uses[access->structure] == SIZE_MAX ||
      access->offset_bytes == UINT32_MAX)
    return one;
  const struct struct_use *use = &m->structs.structs[uses[access->structure]];
  int64_t bytes = use->record->size_bytes ? use->record->size_bytes : 1;
  one.structure = uses[access->structure];
  one.field = field_at(use, access->offset_bytes);
  one.fits = (operand->displacement - (int64_t)access->offset_bytes) % bytes == 0;
  return one;
}

/// The one field that remains; false where several may be, or none.
static bool choose(const struct measurement *m, const size_t *uses,
                   const struct function_accesses *accesses, const struct code_frame *frames,
                   size_t frame_count, const struct memory_operand *operand,
                   struct candidate *out) {
  bool has[2] = {false, false}, is_several[2] = {false, false};
  struct candidate best[2];
  for (size_t i = 0; i < accesses->count; i++) {
    const struct profile_access *access = &m->input.profile.accesses[accesses->all[i]];
    if (!is_line(access, frames, frame_count) ||
        !((operand->read && access->flags & RETICLE_ACCESS_READ) ||
          (operand->written && access->flags & RETICLE_ACCESS_WRITE)) ||
        (operand->bytes && operand->bytes < access->bytes))
      continue;
    struct candidate one = candidate_of(m, uses, access, operand);
    for (unsigned k = 0; k < 2; k++) {
      if (k && !one.fits)
        continue;
      is_several[k] |= has[k] && (best[k].structure != one.structure || best[k].field != one.field);
      best[k] = one;
      has[k] = true;
    }
  }
  // By the line alone, else by the displacement as well; 0 is anybody's.
  unsigned by = has[0] && !is_several[0] ? 0 : 1;
  if (!has[by] || is_several[by] || (by && !operand->displacement) || best[by].field == SIZE_MAX)
    return false;
  *out = best[by];
  return true;
}

/// Time that is blamed on an instruction. Where blocks aren't counted nothing tells where code came
/// from: then samples on a block's first instruction are nobody's.
static double blamed_ns(const struct function_code *code, const struct code_block *block,
                        size_t at) {
  if (!code->no_stall_causes)
    return code->instructions[at].blamed_ns;
  return at + 1 < block->first + block->count ? (double)code->instructions[at + 1].time_ns : 0;
}

static void read_function(const struct measurement *m, const size_t *uses,
                          const struct sampled_function *function,
                          const struct function_accesses *accesses, struct field_times *out) {
  const struct function_code *code = function_code_get(m, function);
  struct code_places *places = m->samples.files[function->file].places;
  struct code_frame frames[CODE_FRAMES_MAX];
  for (size_t b = 0; places && code->blocks && b < code->list.count; b++)
    for (size_t i = code->blocks[b].first; i < code->blocks[b].first + code->blocks[b].count; i++) {
      struct instruction decoded;
      struct candidate field;
      double ns = blamed_ns(code, &code->blocks[b], i);
      if (code->instructions[i].own || !(ns > 0))
        continue;
      size_t at = accessing(code, &code->list.blocks[b], &code->blocks[b], i, &decoded);
      if (at == SIZE_MAX || code->instructions[at].own)
        continue;
      out->accesses_ns += ns;
      size_t count = code_places_frames(places, code->instructions[at].address, frames);
      if (!choose(m, uses, accesses, frames, count, operand_of(&decoded), &field))
        continue;
      out->mapped_ns += ns;
      out->ns[out->first[field.structure] + field.field] += ns;
    }
}

static void collect(const struct profile *profile, const char *symbol,
                    struct function_accesses *out) {
  out->count = 0;
  for (size_t i = 0; i < profile->access_count; i++)
    if (strcmp(profile->accesses[i].function, symbol) == 0)
      out->all[out->count++] = i;
}

static void read_times(const struct measurement *m, struct field_times *out) {
  const struct profile *profile = &m->input.profile;
  size_t *uses = memory_zeroed(profile->struct_count + 1, sizeof *uses), fields = 0;
  struct function_accesses accesses = {
      .all = memory_zeroed(profile->access_count + 1, sizeof *accesses.all)};
  *out = (struct field_times){.first = memory_zeroed(m->structs.count + 1, sizeof *out->first)};
  for (size_t i = 0; i < profile->struct_count; i++)
    uses[i] = SIZE_MAX;
  for (size_t i = 0; i < m->structs.count; i++) {
    out->first[i] = fields;
    fields += m->structs.structs[i].field_count;
    uses[m->structs.structs[i].index] = i;
  }
  out->ns = memory_zeroed(fields + 1, sizeof *out->ns);
  if (!m->samples.all_ns)
    out->missing = "no samples: RETICLE_OPTIONS=sample=1 takes them";
  else
    out->missing = skid_missing(&m->skid);
  for (size_t i = 0; !out->missing && i < m->samples.function_count; i++) {
    const struct sampled_function *function = &m->samples.functions[i];
    if (function->own || !*function->symbol)
      continue;
    collect(profile, function->symbol, &accesses);
    if (accesses.count)
      read_function(m, uses, function, &accesses, out);
  }
  if (!out->missing && !(out->mapped_ns > 0))
    out->missing = "no sample lies on an access to a field that is known";
  free(accesses.all);
  free(uses);
}

static void release(struct field_times *times) {
  free(times->first);
  free(times->ns);
}

LAZY(field_times, struct field_times, read_times, release)

const struct struct_use *field_struct(const struct measurement *m, const struct field_use *field) {
  for (size_t i = 0; i < m->structs.count; i++) {
    const struct struct_use *use = &m->structs.structs[i];
    if (field >= use->fields && field < use->fields + use->field_count)
      return use;
  }
  return NULL;
}

struct quantity field_time_share(const struct measurement *m, const struct field_use *field) {
  const struct field_times *times = field_times_get(m);
  const struct struct_use *use = field_struct(m, field);
  if (times->missing || !use)
    return quantity_none(QUANTITY_UNSUPPORTED, times->missing ? times->missing : "unknown field");
  double ns = times->ns[times->first[use - m->structs.structs] + (size_t)(field - use->fields)];
  if (!(ns > 0))
    return quantity_none(QUANTITY_TOO_FEW, "no sample lies on an access to it");
  return samples_share(&m->samples, (uint64_t)ns);
}

void field_times_add_coverage(const struct measurement *m, struct text *out) {
  const struct field_times *times = field_times_get(m);
  if (times->missing) {
    text_printf(out, "time: not known: %s", times->missing);
    return;
  }
  text_printf(out,
              "time: of all sampled CPU time, that on accesses to the field and on what waits "
              "for them; %s ",
              units_share(times->mapped_ns / times->accesses_ns).data);
  text_printf(out, "of the %s on accesses of the program's functions lies on a field that is known",
              units_duration(times->accesses_ns).data);
}

uint64_t field_hole_bytes(const struct struct_use *use, const struct field_use *field) {
  uint64_t end = (uint64_t)field->member->offset_bytes + field->member->size_bytes;
  uint64_t next = use->record->size_bytes;
  for (size_t i = 0; i < use->field_count; i++) {
    const struct profile_member *m = use->fields[i].member;
    if (&use->fields[i] == field)
      continue;
    uint64_t its = (uint64_t)m->offset_bytes + m->size_bytes;
    if (m->offset_bytes <= end && (its > end || (its == end && &use->fields[i] > field)))
      return 0;
    if (m->offset_bytes >= end && m->offset_bytes < next)
      next = m->offset_bytes;
  }
  return next > end ? next - end : 0;
}
