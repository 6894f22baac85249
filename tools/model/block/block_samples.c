// block_samples.c - counts the samples of a profile in each measured block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/block_samples.h"

#include "tools/model/block/function_code.h"

#include <string.h>

static const struct sampled_file *find_file(const struct measurement *m, const char *path) {
  for (size_t i = 0; i < m->samples.file_count; i++)
    if (m->samples.files[i].places && strcmp(m->samples.files[i].file->path, path) == 0)
      return &m->samples.files[i];
  return NULL;
}

/// The function that holds the block, as far as it was sampled.
static const struct sampled_function *
find_function(const struct measurement *m, const struct sampled_file *file, uint64_t address) {
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    if (&m->samples.files[f->file] == file && *f->symbol && address - f->address < f->bytes)
      return f;
  }
  return NULL;
}

static void set_missing(struct measured_block *block, const char *reason) {
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, reason);
  block->place = (struct block_in_place){.reason = reason,
                                         .cycles = {.cycles = none, .cpi = none, .gap = none}};
}

/// What the function's code says of those of its blocks that were measured in isolation.
static void read_blocks(struct measurement *m, const struct sampled_function *function) {
  struct function_code code;
  bool fine = function_code_read(m, function, &code);
  for (size_t b = 0; fine && b < code.list.count; b++) {
    // It is one of ours: only whom it belongs to is kept from others.
    struct measured_block *block = (struct measured_block *)code.blocks[b].isolated;
    if (!block)
      continue;
    block->is_sampled = true;
    block->samples = code.blocks[b].samples;
    block->sampled_ns = code.blocks[b].time_ns;
    block->place = code.blocks[b].place;
    block->no_stall_causes = code.no_stall_causes;
    if (code.tallies)
      block->tally = function_code_tally(&code, b);
  }
  function_code_release(&code);
}

void block_samples_count(struct measurement *m) {
  for (size_t i = 0; i < m->block_count; i++)
    set_missing(&m->blocks[i], m->samples.all ? "the file that was sampled isn't there as it was"
                                              : "no samples: RETICLE_OPTIONS=sample=1");
  for (size_t i = 0; m->samples.all && i < m->block_count; i++) {
    const struct profile_block *block = m->blocks[i].block;
    const struct sampled_file *file = find_file(m, block->module);
    if (!file || m->blocks[i].is_sampled)
      continue;
    bool has_map = program_files_blocks(m->files, block->module, NULL, NULL);
    const struct sampled_function *function = find_function(m, file, block->address);
    if (has_map && function)
      read_blocks(m, function);
    else if (has_map) {
      set_missing(&m->blocks[i], "no samples in its function");
      m->blocks[i].is_sampled = true;
    }
  }
}
