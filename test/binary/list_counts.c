// list_counts.c - prints how often a profile says each machine block ran, and compares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: list_counts PROFILE FILE [TRUTH]
// One line for each block of a function whose labels were counted: FUNCTION ADDRESS STATUS COUNT.
// TRUTH is what step_counts wrote: then only blocks that it contradicts, and at the end
//   N blocks of M functions: L by label, F by flow, U unlabelled, C copies, X contradict; ran: ...
//   E executions of all blocks, K of them in blocks whose count is known; W wrong
// Exit status 1 if a count is wrong.
#include "tools/profile/file.h"
#include "tools/program/counted_blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct truth {
  uint64_t address, count;
};

struct totals {
  size_t functions, blocks, wrong, by[5], ran_by[5];
  uint64_t executions, known;
};

static struct truth *read_truth(const char *path, size_t *count) {
  struct truth *all = NULL;
  size_t capacity = 0;
  *count = 0;
  FILE *file = fopen(path, "re");
  for (struct truth one;
       file && fscanf(file, "%" SCNx64 " %" SCNu64, &one.address, &one.count) == 2;
       all[(*count)++] = one)
    if (*count == capacity) {
      capacity = 2 * capacity + 4096;
      if (!(all = realloc(all, capacity * sizeof *all)))
        abort();
    }
  if (!file)
    fprintf(stderr, "list_counts: %s: can't be read\n", path);
  else
    fclose(file);
  return all;
}

/// Ascending addresses.
static uint64_t true_count(const struct truth *truth, size_t n, uint64_t address) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (truth[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && truth[low].address == address ? truth[low].count : 0;
}

static void list_function(const char *name, const struct block_list *list,
                          const struct counted_blocks *counted, const struct truth *truth, size_t n,
                          struct totals *totals) {
  totals->functions++;
  for (size_t i = 0; i < list->count; i++) {
    const struct block_count *count = &counted->counts[i];
    uint64_t address = list->blocks[i].address, ran = true_count(truth, n, address);
    bool is_known = block_count_is_known(count), wrong = truth && is_known && ran != count->count;
    if (!truth || wrong)
      printf("%s 0x%" PRIx64 " %s %" PRIu64, name, address, block_count_status_name(count->status),
             count->count);
    if (wrong)
      printf(" but ran %" PRIu64, ran);
    if (!truth || wrong)
      printf("\n");
    totals->blocks++;
    totals->by[count->status]++;
    totals->ran_by[count->status] += ran != 0;
    totals->wrong += wrong;
    totals->executions += ran;
    totals->known += is_known ? ran : 0;
  }
}

static void print_totals(const struct totals *t) {
  printf("%zu blocks of %zu functions: %zu by label, %zu by flow, %zu unlabelled, %zu copies, %zu "
         "contradict; ran: %zu, %zu, %zu, %zu, %zu\n",
         t->blocks, t->functions, t->by[0], t->by[1], t->by[2], t->by[3], t->by[4], t->ran_by[0],
         t->ran_by[1], t->ran_by[2], t->ran_by[3], t->ran_by[4]);
  printf("%" PRIu64
         " executions of all blocks, %.3f %% in blocks whose count is known; %zu wrong\n",
         t->executions, t->executions ? 100 * (double)t->known / (double)t->executions : 0.0,
         t->wrong);
}

int main(int argc, char **argv) {
  struct profile profile = {0};
  struct profile_error profile_error;
  struct block_map *map;
  struct block_map_error error;
  struct elf_file *file;
  struct block_labels labels;
  struct totals totals = {0};
  struct truth *truth = NULL;
  size_t truths = 0, symbols;
  if (argc < 3 || profile_read(argv[1], &profile, &profile_error) != 0 ||
      !block_map_open(argv[2], &map, &error) || elf_file_open(argv[2], &file) != ELF_FILE_OK ||
      !block_labels_read(file, &labels)) {
    fprintf(stderr, "list_counts: a file can't be read\n");
    return 3;
  }
  if (argc > 3)
    truth = read_truth(argv[3], &truths);
  const struct elf_function *symbol = elf_file_functions(file, &symbols);
  for (size_t i = 0; i < symbols; i++) {
    char place[32];
    struct block_function *functions = NULL;
    struct block_list list;
    struct counted_blocks counted;
    snprintf(place, sizeof place, "0x%" PRIx64, symbol[i].address);
    if (block_map_find(map, place, &functions) && functions[0].mapped &&
        block_map_read(map, &functions[0], &list, &error)) {
      counted_blocks_read(&profile, &labels, &list, NULL, &counted);
      if (counted.counts)
        list_function(symbol[i].name, &list, &counted, truth, truths, &totals);
      counted_blocks_release(&counted);
      block_list_release(&list);
    }
    free(functions);
  }
  if (truth)
    print_totals(&totals);
  printf("%zu labels, %zu functions of one name\n", labels.count, labels.ambiguous_count);
  free(truth);
  block_labels_release(&labels);
  elf_file_close(file);
  block_map_close(map);
  profile_release(&profile);
  return totals.wrong != 0;
}
