// struct_lines.c - which cache lines the loops touch of a struct whose fields lie in a given order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/struct_layout_parts.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64u
/// What malloc aligns to: where an element may start in a line.
#define HEAP_ALIGN 16u
/// What a line costs, in lines, on which one item is written by others while another is read.
#define SHARED_LINE 1.0

uint64_t layout_round_up(uint64_t bytes, uint32_t align) {
  return (bytes + align - 1) / align * align;
}

static uint32_t gcd(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint64_t layout_place(const struct layout_problem *p, const size_t *order, size_t count,
                      uint64_t *offset) {
  uint64_t at = p->prefix_bytes;
  uint32_t align = p->align_bytes ? p->align_bytes : 1;
  for (size_t i = 0; i < count; i++) {
    const struct layout_item *item = &p->items[order[i]];
    uint32_t a = item->align_bytes ? item->align_bytes : 1;
    at = layout_round_up(at, a);
    offset[order[i]] = at;
    at += item->size_bytes; // 2^32 items of 2^32 bytes don't run over
    align = a > align ? a : align;
  }
  return layout_round_up(at, align);
}

/// Distance of the places in a line at which an element may start.
static uint32_t step_of(const struct layout_problem *p, uint64_t size) {
  uint32_t align = p->align_bytes ? p->align_bytes : 1;
  size = p->more_bytes == 0 ? size : HEAP_ALIGN; // allocated one by one
  uint32_t step = gcd(size ? (uint32_t)(size % HEAP_ALIGN) : LINE, HEAP_ALIGN);
  if (step < align)
    step = align;
  return step > LINE ? LINE : step;
}

size_t layout_touched_by(const struct layout_problem *p, const struct layout_visit *visit,
                         const bool *chosen, size_t *touched) {
  size_t count = 0;
  for (size_t i = 0; i < p->item_count; i++)
    if (visit->share[i] > 0 && (!chosen || chosen[i])) {
      if (touched)
        touched[count] = i;
      count++;
    }
  return count;
}

void line_table_open(struct line_table *table, size_t items) {
  unsigned bits = 4;
  while (bits < 40 && (size_t)1 << bits < 4 * items) // an item has two lines at most
    bits++;
  *table = (struct line_table){.shift = 64 - bits, .mask = ((size_t)1 << bits) - 1};
  table->slots = memory_zeroed(table->mask + 1, sizeof *table->slots);
}

void line_table_release(struct line_table *table) { free(table->slots); }

static void forget(struct line_table *table) {
  if (++table->stamp)
    return;
  memset(table->slots, 0, (table->mask + 1) * sizeof *table->slots);
  table->stamp = 1;
}

static double *find(struct line_table *table, uint64_t line) {
  size_t at = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> table->shift);
  while (table->slots[at].stamp == table->stamp && table->slots[at].line != line)
    at = (at + 1) & table->mask;
  if (table->slots[at].stamp != table->stamp)
    table->slots[at] = (struct line_slot){.line = line, .stamp = table->stamp};
  return &table->slots[at].value;
}

/// Whether what is touched of it may lie anywhere behind the line of its start.
static bool is_long(const struct layout_problem *p, const struct layout_item *item) {
  return item->is_last && p->more_bytes != 0 && !(item->size_bytes + p->more_bytes <= LINE);
}

/// Bytes of which all are touched: of a large array that is one element.
static uint32_t touched_bytes(const struct layout_problem *p, const struct layout_item *item) {
  double more = item->is_last && !is_long(p, item) ? p->more_bytes : 0;
  uint32_t bytes = item->size_bytes + (uint32_t)more;
  return bytes > LINE || !bytes ? 1 : bytes;
}

double lines_of(const struct layout_problem *p, const struct layout_visit *visit,
                const size_t *touched, size_t count, const uint64_t *offset, uint64_t size,
                struct line_table *table) {
  uint32_t step = step_of(p, size), phases = 0;
  double sum = 0;
  for (uint32_t start = 0; start < LINE; start += step, phases++) {
    forget(table);
    table->work += count + 1;
    for (size_t k = 0; k < count; k++) {
      size_t i = touched[k];
      if (is_long(p, &p->items[i])) {
        sum += visit->share[i];
        continue;
      }
      uint64_t first = (start + offset[i]) / LINE;
      uint64_t end = (start + offset[i] + touched_bytes(p, &p->items[i]) - 1) / LINE;
      for (uint64_t l = first; l <= end; l++) {
        double *share = find(table, l);
        if (visit->share[i] > *share) {
          sum += visit->share[i] - *share;
          *share = visit->share[i];
        }
      }
    }
  }
  double lines = sum / phases, stride = (double)size + p->more_bytes;
  return visit->streaming && stride < LINE ? fmin(lines, stride / LINE) : lines;
}

double shared_lines(const struct layout_problem *p, const double *heat, const uint64_t *offset,
                    struct line_table *table) {
  double sum = 0;
  if (!p->written)
    return 0;
  forget(table);
  table->work += 2 * p->item_count;
  for (size_t i = 0; i < p->item_count; i++)
    if (!p->written[i] && heat[i] > 0)
      ++*find(table, offset[i] / LINE);
  for (size_t i = 0; i < p->item_count; i++)
    if (p->written[i])
      sum += SHARED_LINE * *find(table, offset[i] / LINE);
  return sum;
}

int layout_by_heat(const void *left, const void *right, void *heat) {
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  double x = ((const double *)heat)[a], y = ((const double *)heat)[b];
  if (x != y)
    return x > y ? -1 : 1;
  return (a > b) - (a < b);
}
