// counted_blocks.c - joins counters with labels by function, and says where both are ambiguous.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/program/counted_blocks.h"

#include "tools/binary/block/block_probe.h"
#include "tools/binary/code/decode.h"
#include "tools/support/memory.h"

#include <stdlib.h>

/// The profile's records, by function and label.
struct known {
  const struct profile_count **records; ///< [count]
  size_t count;
};

static int compare_counts(const void *left, const void *right) {
  const struct profile_count *a = *(const struct profile_count *const *)left;
  const struct profile_count *b = *(const struct profile_count *const *)right;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  return (a->label > b->label) - (a->label < b->label);
}

static struct known sort_records(const struct profile *profile) {
  struct known known = {calloc(profile->count_count + 1, sizeof(*known.records)),
                        profile->count_count};
  if (!known.records)
    memory_exhausted();
  for (size_t i = 0; i < known.count; i++)
    known.records[i] = &profile->counts[i];
  if (known.count)
    qsort(known.records, known.count, sizeof(*known.records), compare_counts);
  return known;
}

/// Sum of a label's records. Returns false if the run has none of the whole function.
static bool find_count(const struct known *known, const struct block_label *label, uint64_t *count,
                       bool *shared) {
  struct profile_count wanted = {.function = label->function, .label = label->number};
  const struct profile_count *key = &wanted;
  size_t low = 0, high = known->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (compare_counts(&known->records[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_known = low && known->records[low - 1]->function == label->function;
  *count = 0;
  for (; low < known->count && known->records[low]->function == label->function; low++) {
    is_known = true;
    if (known->records[low]->label != label->number)
      break;
    *count += known->records[low]->count;
    *shared |= (known->records[low]->flags & RETICLE_COUNT_SHARED) != 0;
  }
  return is_known;
}

/// Labels of the block. What stands in front of its first instruction may be the end of the block
/// before, but for the last one; what stands behind a call may not be reached.
static void add_labels(const struct known *known, const struct block_labels *labels,
                       const struct block *block, size_t position, struct block_count_label *out,
                       size_t *out_count, bool *shared) {
  size_t count, first = 0;
  const struct block_label *at = block_labels_find(labels, block->address, block->bytes, &count);
  while (first + 1 < count && at[first + 1].address == block->address)
    first++;
  bool may_end = block->flags & (BLOCK_HAS_CALL | BLOCK_SYSTEM_CALL) && !block_is_probe(block);
  for (size_t i = 0; i < count; i++) {
    uint64_t executions;
    if (find_count(known, &at[i], &executions, shared))
      out[(*out_count)++] = (struct block_count_label){
          .block = position,
          .label = at[i].function * UINT64_C(0x9e3779b97f4a7c15) + at[i].number,
          .count = executions,
          .is_part = i < first || (may_end && at[i].address != block->address),
      };
  }
}

static void describe(const struct block_list *list, bool *leaves, bool *entered) {
  const uint32_t leaving = BLOCK_RETURNS | BLOCK_TAIL_CALL | BLOCK_INDIRECT_BRANCH | BLOCK_TRAPS |
                           BLOCK_BRANCH_INSIDE | BLOCK_UNDECODED;
  const uint32_t entering = BLOCK_ENTRY | BLOCK_LANDING_PAD | BLOCK_BRANCH_INSIDE;
  bool has_table = false;
  for (size_t i = 0; i < list->count; i++)
    has_table |= (list->blocks[i].flags & BLOCK_INDIRECT_BRANCH) != 0;
  for (size_t i = 0; i < list->count; i++) {
    const struct block *block = &list->blocks[i];
    bool calls = block->flags & (BLOCK_HAS_CALL | BLOCK_SYSTEM_CALL) && !block_is_probe(block);
    leaves[i] = calls || block->flags & leaving;
    entered[i] = has_table || block->flags & entering;
  }
}

static bool is_ambiguous(const struct block_labels *labels, const struct known *known) {
  for (size_t i = 0; i < labels->ambiguous_count; i++)
    for (size_t k = 0; k < known->count; k++)
      if (known->records[k]->function == labels->ambiguous[i])
        return true;
  return false;
}

static void settle(const struct known *known, const struct block_labels *labels,
                   const struct block_list *list, const uint64_t *samples,
                   struct counted_blocks *out) {
  size_t n = list->count + 1, label_count = 0;
  bool *leaves = calloc(n, sizeof(*leaves)), *entered = calloc(n, sizeof(*entered));
  struct block_count_label *found = calloc(labels->count + 1, sizeof(*found));
  out->counts = calloc(n, sizeof(*out->counts));
  if (!leaves || !entered || !found || !out->counts || !block_edges_find(list, &out->edges))
    memory_exhausted();
  for (size_t i = 0; i < list->count; i++)
    add_labels(known, labels, &list->blocks[i], i, found, &label_count, &out->shared);
  describe(list, leaves, entered);
  size_t edge_count = out->edges.count;
  struct block_count_edge *flow = memory_zeroed(edge_count + 1, sizeof(*flow));
  out->taken = memory_zeroed(edge_count + 1, sizeof(*out->taken));
  for (size_t i = 0; i < edge_count; i++)
    flow[i] = (struct block_count_edge){out->edges.edges[i].from, out->edges.edges[i].to};
  struct block_count_input input = {list->count, flow,  edge_count,  leaves,
                                    entered,     found, label_count, samples};
  if (label_count)
    block_count(&input, out->counts, out->taken);
  if (!label_count) {
    free(out->counts);
    out->counts = NULL;
    out->reason = is_ambiguous(labels, known)
                      ? "several functions of the file have its name"
                      : "the run counted no block of it: it was built otherwise since, or without "
                        "-fplugin-arg-reticle-features=loop,block";
  }
  free(flow);
  free(found);
  free(leaves);
  free(entered);
}

void counted_blocks_read(const struct profile *profile, const struct block_labels *labels,
                         const struct block_list *list, const uint64_t *samples,
                         struct counted_blocks *out) {
  *out = (struct counted_blocks){0};
  if (!profile->count_count) {
    out->reason = "how often blocks run wasn't counted: compile with "
                  "-fplugin-arg-reticle-features=loop,block";
    return;
  }
  if (!labels->count) {
    out->reason =
        labels->damaged ? "section .pseudo_probe of the file, which labels its blocks, is damaged"
        : labels->stripped
            ? "the file is stripped (-s, or strip), which takes the labels of its blocks "
              "away, too (section .pseudo_probe): link without -s"
            : "the file has no labels of blocks (section .pseudo_probe): compiled without "
              "-fplugin-arg-reticle-features=loop,block, or with -flto, which makes "
              "machine code where no plug-in labels it";
    return;
  }
  struct known known = sort_records(profile);
  settle(&known, labels, list, samples, out);
  free(known.records);
}

void counted_blocks_release(struct counted_blocks *counted) {
  block_edges_release(&counted->edges);
  free(counted->taken);
  free(counted->counts);
  *counted = (struct counted_blocks){0};
}

unsigned counted_blocks_instructions(const struct block *block) {
  struct instruction instruction;
  unsigned count = 0;
  for (uint32_t at = 0; at < block->bytes; at += instruction.bytes, count++)
    if (!decode_instruction(block->code + at, block->bytes - at, block->address + at, &instruction))
      break;
  return count;
}
