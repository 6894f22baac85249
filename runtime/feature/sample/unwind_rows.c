// unwind_rows.c - call frame information as rows: at which place which rule begins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler writes it for exceptions and debuggers, and so for all code: a frame without a frame
// pointer costs nothing. Of its registers only what leads to the caller's frame is followed.
#include "runtime/feature/sample/unwind.h"
#include "runtime/sys/sys.h"

enum {
  HEADER_VERSION = 1,
  TABLE_ENCODING = 0x3b,   // relative to the header, 4 bytes, signed
  COUNT_ENCODING = 0x03,   // 4 bytes
  POINTER_ENCODING = 0x1b, // relative to itself, 4 bytes, signed
  REMEMBERED = 8,
  ROWS_MAX = 2000000, // 24 MB
  WORD_BYTES = 8,
};

// DWARF's numbers of x86-64's registers (System V ABI, 3.6.2).
enum { REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_RETURN = 16 };

struct cursor {
  const unsigned char *at, *end;
  int is_over; // more was wanted than there is
};

struct image {
  const unsigned char *data;
  uint64_t bytes, address;
};

struct rule {
  int32_t cfa; // as rrt_unwind_row
  int16_t frame, returns;
};

struct common {
  uint64_t address; // 0: none was read
  uint64_t code_factor;
  int64_t data_factor;
  unsigned encoding;
  int has_length; // augmentations have one
  struct rule rule;
};

struct function {
  uint64_t pc, base;
  const struct common *common;
  struct rule rule, remembered[REMEMBERED];
  uint32_t depth;
  struct rrt_unwind_rows *out; // null: only the rule is of interest
};

// --- bytes -------------------------------------------------------------------------------------

static uint64_t take(struct cursor *c, unsigned bytes) {
  uint64_t value = 0;
  if ((uint64_t)(c->end - c->at) < bytes) {
    c->is_over = 1;
    c->at = c->end;
    return 0;
  }
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)c->at[i] << (8 * i);
  c->at += bytes;
  return value;
}

// LEB128; *bits: how many it has.
static uint64_t take_leb128(struct cursor *c, unsigned *bits) {
  uint64_t value = 0, byte;
  *bits = 0;
  do {
    byte = take(c, 1);
    value |= *bits < 64 ? (byte & 0x7f) << *bits : 0;
    *bits += 7;
  } while (byte & 0x80);
  return value;
}

static uint64_t take_unsigned(struct cursor *c) {
  unsigned bits;
  return take_leb128(c, &bits);
}

static int64_t take_signed(struct cursor *c) {
  unsigned bits;
  uint64_t value = take_leb128(c, &bits);
  if (bits < 64 && value >> (bits - 1) & 1)
    value |= ~UINT64_C(0) << bits;
  return (int64_t)value;
}

static void skip(struct cursor *c, uint64_t bytes) {
  if ((uint64_t)(c->end - c->at) < bytes) {
    c->is_over = 1;
    c->at = c->end;
  } else {
    c->at += bytes;
  }
}

static struct cursor cursor_at(const struct image *image, uint64_t address) {
  uint64_t from = address - image->address;
  struct cursor c = {image->data + image->bytes, image->data + image->bytes, 1};
  if (address >= image->address && from <= image->bytes) {
    c.at = image->data + from;
    c.is_over = 0;
  }
  return c;
}

static uint64_t address_of(const struct image *image, const struct cursor *c) {
  return image->address + (uint64_t)(c->at - image->data);
}

static unsigned pointer_bytes(unsigned encoding) {
  switch (encoding & 7) {
  case 2:
    return 2;
  case 3:
    return 4;
  default:
    return 8;
  }
}

// --- rows --------------------------------------------------------------------------------------

static int is_same(const struct rrt_unwind_row *row, const struct rule *rule) {
  return row->cfa == rule->cfa && row->frame == rule->frame && row->returns == rule->returns;
}

static void add_row(struct rrt_unwind_rows *out, uint64_t at, const struct rule *rule) {
  enum { ROOM_LEAST = 4096 };
  if (at > UINT32_MAX || (out->count && out->list[out->count - 1].at > at))
    return;
  if (out->count && out->list[out->count - 1].at == at)
    out->count--;
  if (out->count && is_same(&out->list[out->count - 1], rule))
    return;
  if (out->count == out->room) {
    uint32_t room = out->room ? 2 * out->room : ROOM_LEAST;
    struct rrt_unwind_row *list =
        room > ROWS_MAX ? NULL
        : out->list     ? rrt_sys_grow(out->list, out->room * sizeof *list, room * sizeof *list)
                        : rrt_sys_map(room * sizeof *list);
    if (!list)
      return;
    out->list = list;
    out->room = room;
  }
  out->list[out->count++] =
      (struct rrt_unwind_row){(uint32_t)at, rule->cfa, rule->frame, rule->returns};
}

// --- rules -------------------------------------------------------------------------------------

static int32_t cfa_word(int64_t offset, enum rrt_unwind_base base) {
  int is_small = offset >= INT32_MIN / 4 && offset <= INT32_MAX / 4;
  return is_small ? (int32_t)(offset * 4 + (int64_t)base) : RRT_UNWIND_NONE;
}

static void set_cfa(struct rule *rule, uint64_t reg, int64_t offset) {
  enum rrt_unwind_base base = reg == REGISTER_SP   ? RRT_UNWIND_SP
                              : reg == REGISTER_FP ? RRT_UNWIND_FP
                                                   : RRT_UNWIND_NONE;
  rule->cfa = base == RRT_UNWIND_NONE ? RRT_UNWIND_NONE : cfa_word(offset, base);
}

static void set_cfa_offset(struct rule *rule, int64_t offset) {
  enum rrt_unwind_base base = (enum rrt_unwind_base)(rule->cfa & 3);
  if (base == RRT_UNWIND_SP || base == RRT_UNWIND_FP)
    rule->cfa = cfa_word(offset, base);
}

static void set_word(struct rule *rule, uint64_t reg, int16_t word) {
  if (reg == REGISTER_FP)
    rule->frame = word;
  else if (reg == REGISTER_RETURN)
    rule->returns = word;
}

static void set_saved(struct rule *rule, uint64_t reg, int64_t offset) {
  int64_t word = offset / WORD_BYTES;
  int is_known = offset % WORD_BYTES == 0 && word && word > RRT_UNWIND_LOST && word < INT16_MAX;
  set_word(rule, reg, is_known ? (int16_t)word : RRT_UNWIND_LOST);
}

static void restore(struct function *f, uint64_t reg) {
  if (reg == REGISTER_FP)
    f->rule.frame = f->common->rule.frame;
  else if (reg == REGISTER_RETURN)
    f->rule.returns = f->common->rule.returns;
}

// The expression that linkers write for stubs: sp + 8 + ((pc & 15) >= N) * 8.
static void set_expression(struct rule *rule, struct cursor *c) {
  static const unsigned char begin[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a},
                             end[] = {0x2a, 0x33, 0x24, 0x22};
  enum { LITERAL_0 = 0x30, BYTES = sizeof begin + 1 + sizeof end };
  uint64_t bytes = take_unsigned(c);
  int is_stub = bytes == BYTES && (uint64_t)(c->end - c->at) >= bytes;
  for (unsigned i = 0; is_stub && i < sizeof begin; i++)
    is_stub = c->at[i] == begin[i];
  for (unsigned i = 0; is_stub && i < sizeof end; i++)
    is_stub = c->at[sizeof begin + 1 + i] == end[i];
  rule->cfa = is_stub ? cfa_word(c->at[sizeof begin] - LITERAL_0, RRT_UNWIND_PLT) : RRT_UNWIND_NONE;
  skip(c, bytes);
}

static void advance(struct function *f, uint64_t delta) {
  if (f->out)
    add_row(f->out, f->pc - f->base, &f->rule);
  f->pc += delta * f->common->code_factor;
}

// DW_CFA_*, those with a register or more behind. 0: not known.
static int apply_extended(struct function *f, unsigned operation, struct cursor *c) {
  struct rule *rule = &f->rule;
  int64_t factor = f->common->data_factor;
  uint64_t reg = operation == 0x0e || operation == 0x0f || operation == 0x13 || operation == 0x2e
                     ? 0
                     : take_unsigned(c);
  switch (operation) {
  case 0x05: // offset_extended
    set_saved(rule, reg, (int64_t)take_unsigned(c) * factor);
    return 1;
  case 0x06: // restore_extended
    restore(f, reg);
    return 1;
  case 0x07: // undefined
    set_word(rule, reg, reg == REGISTER_RETURN ? RRT_UNWIND_OUTER : RRT_UNWIND_LOST);
    return 1;
  case 0x08: // same_value
    set_word(rule, reg, reg == REGISTER_RETURN ? RRT_UNWIND_LOST : RRT_UNWIND_SAME);
    return 1;
  case 0x09: // register
  case 0x14: // val_offset
    take_unsigned(c);
    set_word(rule, reg, RRT_UNWIND_LOST);
    return 1;
  case 0x15: // val_offset_sf
    take_signed(c);
    set_word(rule, reg, RRT_UNWIND_LOST);
    return 1;
  case 0x10: // expression
  case 0x16: // val_expression
    skip(c, take_unsigned(c));
    set_word(rule, reg, RRT_UNWIND_LOST);
    return 1;
  case 0x0c: // def_cfa
    set_cfa(rule, reg, (int64_t)take_unsigned(c));
    return 1;
  case 0x12: // def_cfa_sf
    set_cfa(rule, reg, take_signed(c) * factor);
    return 1;
  case 0x0d: // def_cfa_register
    set_cfa(rule, reg, rule->cfa >> 2);
    return 1;
  case 0x0e: // def_cfa_offset
    set_cfa_offset(rule, (int64_t)take_unsigned(c));
    return 1;
  case 0x13: // def_cfa_offset_sf
    set_cfa_offset(rule, take_signed(c) * factor);
    return 1;
  case 0x0f: // def_cfa_expression
    set_expression(rule, c);
    return 1;
  case 0x11: // offset_extended_sf
    set_saved(rule, reg, take_signed(c) * factor);
    return 1;
  case 0x2e: // GNU_args_size
    take_unsigned(c);
    return 1;
  case 0x2f: // GNU_negative_offset_extended
    set_saved(rule, reg, -(int64_t)take_unsigned(c) * factor);
    return 1;
  default:
    return 0;
  }
}

static int apply(struct function *f, struct cursor *c) {
  unsigned byte = (unsigned)take(c, 1), low = byte & 0x3f;
  switch (byte & 0xc0) {
  case 0x40:
    advance(f, low);
    return 1;
  case 0x80:
    set_saved(&f->rule, low, (int64_t)take_unsigned(c) * f->common->data_factor);
    return 1;
  case 0xc0:
    restore(f, low);
    return 1;
  default:
    break;
  }
  switch (byte) {
  case 0x00: // nop
    return 1;
  case 0x02:
    advance(f, take(c, 1));
    return 1;
  case 0x03:
    advance(f, take(c, 2));
    return 1;
  case 0x04:
    advance(f, take(c, 4));
    return 1;
  case 0x0a: // remember_state
    if (f->depth == REMEMBERED)
      return 0;
    f->remembered[f->depth++] = f->rule;
    return 1;
  case 0x0b: // restore_state
    if (!f->depth)
      return 0;
    f->rule = f->remembered[--f->depth];
    return 1;
  default:
    return apply_extended(f, byte, c);
  }
}

static const struct rule nothing = {RRT_UNWIND_NONE, RRT_UNWIND_LOST, RRT_UNWIND_LOST};

static void apply_all(struct function *f, struct cursor *c) {
  while (c->at < c->end)
    if (!apply(f, c) || c->is_over) {
      f->rule = nothing;
      return;
    }
}

// --- entries -----------------------------------------------------------------------------------

// An entry's bytes, behind its length; those of 64-bit DWARF are left out.
static struct cursor entry_at(const struct image *image, uint64_t address) {
  struct cursor c = cursor_at(image, address);
  uint64_t bytes = take(&c, 4);
  if (bytes >= 0xfffffff0u || bytes > (uint64_t)(c.end - c.at))
    c.is_over = 1;
  else
    c.end = c.at + bytes;
  return c;
}

static int read_common(const struct image *image, uint64_t address, struct common *out) {
  struct cursor c = entry_at(image, address);
  const unsigned char *augmentation = c.at;
  *out = (struct common){.encoding = 0, .rule = nothing};
  if (c.is_over || take(&c, 4) != 0)
    return -1;
  uint64_t version = take(&c, 1);
  augmentation = c.at;
  while (take(&c, 1))
    ;
  out->code_factor = take_unsigned(&c);
  out->data_factor = take_signed(&c);
  uint64_t reg = version == 1 ? take(&c, 1) : take_unsigned(&c);
  if (c.is_over || (version != 1 && version != 3) || reg != REGISTER_RETURN)
    return -1;
  if (*augmentation == 'z') {
    struct cursor data = c;
    uint64_t bytes = take_unsigned(&c);
    take_unsigned(&data);
    skip(&c, bytes);
    out->has_length = 1;
    for (const unsigned char *p = augmentation + 1; *p && !data.is_over; p++) {
      if (*p == 'R') {
        out->encoding = (unsigned)take(&data, 1);
      } else if (*p == 'P') {
        unsigned encoding = (unsigned)take(&data, 1);
        skip(&data, pointer_bytes(encoding));
      } else if (*p == 'L') {
        take(&data, 1);
      }
    }
  } else if (*augmentation) {
    return -1;
  }
  struct function f = {.common = out, .rule = nothing};
  f.rule.frame = RRT_UNWIND_SAME;
  apply_all(&f, &c);
  out->rule = f.rule;
  out->address = address;
  return c.is_over ? -1 : 0;
}

static void read_function(const struct image *image, uint64_t pc, uint64_t address, uint64_t base,
                          struct common *common, struct rrt_unwind_rows *out) {
  struct cursor c = entry_at(image, address);
  uint64_t here = address_of(image, &c), back = take(&c, 4);
  if (c.is_over || !back || back > here)
    return;
  if (common->address != here - back && read_common(image, here - back, common) < 0) {
    common->address = 0;
    return;
  }
  unsigned bytes = pointer_bytes(common->encoding);
  skip(&c, bytes);
  uint64_t length = take(&c, bytes);
  if (common->has_length)
    skip(&c, take_unsigned(&c));
  if (c.is_over || pc < base)
    return;
  struct function f = {.pc = pc, .base = base, .common = common, .rule = common->rule, .out = out};
  apply_all(&f, &c);
  add_row(out, f.pc - base, &f.rule);
  add_row(out, pc + length - base, &nothing);
}

int rrt_unwind_rows_read(const unsigned char *data, uint64_t bytes, uint64_t address,
                         uint64_t header, uint64_t base, struct rrt_unwind_rows *out) {
  struct image image = {data, bytes, address};
  struct cursor c = cursor_at(&image, header);
  struct common common = {.address = 0};
  *out = (struct rrt_unwind_rows){.list = NULL};
  if (take(&c, 1) != HEADER_VERSION || take(&c, 1) != POINTER_ENCODING ||
      take(&c, 1) != COUNT_ENCODING || take(&c, 1) != TABLE_ENCODING)
    return -1;
  take(&c, 4); // where .eh_frame is: the table's entries say so themselves
  uint64_t count = take(&c, 4);
  for (uint64_t i = 0; i < count && !c.is_over; i++) {
    uint64_t pc = header + (uint64_t)(int64_t)(int32_t)take(&c, 4);
    uint64_t entry = header + (uint64_t)(int64_t)(int32_t)take(&c, 4);
    if (!c.is_over)
      read_function(&image, pc, entry, base, &common, out);
  }
  return c.is_over ? -1 : 0;
}
