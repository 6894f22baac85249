// line_counts_read.c - goes through the machine blocks of a run's files, and asks for their lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/line_counts_read.h"

#include "tools/binary/block/block_map.h"
#include "tools/binary/code/decode.h"
#include "tools/model/block/uncounted.h"
#include "tools/program/counted_blocks.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPILE "compile with -g -fdebug-info-for-profiling"

/// A file of the run, as it was then.
struct counted_file {
  const char *path;
  struct code_places *places;
  struct block_map *map;
  const struct instrumentation *own;
  const struct block_labels *labels;
};

/// Why a file says nothing.
enum obstacle {
  OBSTACLE_NONE,
  OBSTACLE_CHANGED, ///< it isn't as it was, or can't be read
  OBSTACLE_LINES,   ///< no debug information
  OBSTACLE_CODE,    ///< its machine code can't be read
};

struct reader {
  const struct measurement *m;
  struct line_counts_read *out;
  uint64_t *counted; ///< [counted_count] functions that have counts, ascending
  size_t counted_count;
  // What is to be said where nothing comes of it: of the program itself, rather than of a library.
  enum obstacle obstacle;
  const char *hindered;         ///< the file
  struct block_map_error error; ///< of OBSTACLE_CODE
};

/// Executions of all of a block's instructions. Instrumentation has the lines of what it serves.
static void add_block(struct reader *reader, const struct counted_file *file,
                      const struct block *block, uint64_t count) {
  struct line_counts *counts = &reader->out->counts;
  struct code_frame frames[CODE_FRAMES_MAX];
  struct instruction decoded;
  bool *own = memory_zeroed(block->bytes + 1, sizeof *own);
  instrumentation_find(file->own, block->code, block->bytes, block->address, own);
  for (uint32_t at = 0; at < block->bytes; at += decoded.bytes) {
    size_t frame_count = 0;
    if (!decode_instruction(block->code + at, block->bytes - at, block->address + at, &decoded))
      break;
    if (!own[at] || !at)
      frame_count = code_places_frames(file->places, block->address + at, frames);
    if (!at && frame_count && block->flags & BLOCK_ENTRY)
      line_counts_enter(counts, &frames[frame_count - 1], count);
    if (!own[at])
      line_counts_add(counts, frames, frame_count, count);
  }
  free(own);
}

/// The samples of an instruction of the block, on average.
static uint64_t estimate(const struct sampled_function *function, const struct block *block) {
  uint64_t samples = 0;
  unsigned instructions = counted_blocks_instructions(block);
  for (size_t i = 0; i < function->place_count; i++)
    if (function->places[i].address - block->address < block->bytes)
      samples += function->places[i].record->samples;
  if (!samples || !instructions)
    return 0;
  return (samples * LINE_COUNTS_OF_SAMPLE + instructions - 1) / instructions;
}

/// The blocks of one symbol; those of a function that was split up have several.
///
/// sampled  null: by counts
static void read_code(struct reader *reader, const struct counted_file *file, uint64_t address,
                      uint64_t bytes, const struct sampled_function *sampled) {
  struct block_function *found = NULL;
  struct block_list list = {0};
  struct counted_blocks counted = {0};
  struct block_map_error error;
  char name[32];
  snprintf(name, sizeof name, "0x%" PRIx64, address);
  bool fine = block_map_find(file->map, name, &found) &&
              block_map_read(file->map, &found[0], &list, &error);
  if (fine && !sampled)
    counted_blocks_read(&reader->m->input.profile, file->labels, &list, NULL, &counted);
  for (size_t i = 0; fine && (sampled || counted.counts) && i < list.count; i++) {
    const struct block *block = &list.blocks[i];
    if (block->address - address >= bytes)
      continue;
    uint64_t count = sampled ? estimate(sampled, block) : counted.counts[i].count;
    bool is_known = sampled ? count != 0 : block_count_is_known(&counted.counts[i]);
    reader->out->blocks += is_known;
    reader->out->unknown += !is_known;
    if (is_known)
      add_block(reader, file, block, count);
  }
  reader->out->is_shared |= counted.shared;
  counted_blocks_release(&counted);
  block_list_release(&list);
  free(found);
}

static void hinder(struct reader *reader, enum obstacle obstacle, const char *path) {
  if (reader->obstacle && strcmp(path, reader->m->input.profile.env.executable) != 0)
    return;
  reader->obstacle = obstacle;
  reader->hindered = path;
}

static bool open_file(struct reader *reader, const char *path, const char *build_id,
                      struct counted_file *file) {
  struct program_files *files = reader->m->files;
  enum elf_file_status status;
  *file = (struct counted_file){.path = path,
                                .places = program_files_places(files, path, NULL, &status)};
  if (!file->places || strcmp(elf_file_build_id(code_places_file(file->places)), build_id) != 0) {
    hinder(reader, OBSTACLE_CHANGED, path);
    return false;
  }
  if (!code_places_has_lines(file->places)) {
    hinder(reader, OBSTACLE_LINES, path);
    return false;
  }
  struct block_map_error error;
  file->map = program_files_blocks(files, path, NULL, &error);
  if (!file->map) {
    hinder(reader, OBSTACLE_CODE, path);
    if (reader->hindered == path)
      reader->error = error;
    return false;
  }
  file->own = program_files_instrumentation(files, path);
  return true;
}

static int compare_ids(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static bool is_counted(const struct reader *reader, const struct block_labels *labels,
                       const struct elf_function *function) {
  size_t count;
  const struct block_label *label =
      block_labels_find(labels, function->address, function->bytes, &count);
  for (size_t i = 0; i < count; i++)
    if (bsearch(&label[i].function, reader->counted, reader->counted_count, sizeof *reader->counted,
                compare_ids))
      return true;
  return false;
}

static void read_counted_file(struct reader *reader, const char *path, const char *build_id) {
  struct counted_file file;
  struct block_labels labels;
  size_t count;
  if (!open_file(reader, path, build_id, &file))
    return;
  if (!block_labels_read(code_places_file(file.places), &labels))
    memory_exhausted();
  file.labels = &labels;
  const struct elf_function *functions = elf_file_functions(code_places_file(file.places), &count);
  for (size_t i = 0; i < count; i++)
    if (!instrumentation_has_function(functions[i].name) &&
        is_counted(reader, &labels, &functions[i]))
      read_code(reader, &file, functions[i].address, functions[i].bytes, NULL);
  block_labels_release(&labels);
}

/// Of a closed epoch only the load files are known.
static void read_counts(struct reader *reader) {
  const struct profile *profile = &reader->m->input.profile;
  reader->counted = memory_zeroed(profile->count_count + 1, sizeof *reader->counted);
  for (size_t i = 0; i < profile->count_count; i++)
    if (!i || profile->counts[i].function != profile->counts[i - 1].function)
      reader->counted[reader->counted_count++] = profile->counts[i].function;
  if (reader->counted_count)
    qsort(reader->counted, reader->counted_count, sizeof *reader->counted, compare_ids);
  for (size_t i = 0; i < profile->module_count; i++)
    if (profile->modules[i].instrumented && profile->modules[i].path[0] == '/')
      read_counted_file(reader, profile->modules[i].path, profile->modules[i].build_id);
  free(reader->counted);
}

static void read_samples(struct reader *reader) {
  const struct samples *samples = &reader->m->samples;
  for (size_t k = 0; k < samples->file_count; k++) {
    const struct profile_loadfile *loadfile = samples->files[k].file;
    struct counted_file file;
    if (loadfile->path[0] != '/' || !open_file(reader, loadfile->path, loadfile->build_id, &file))
      continue;
    for (size_t i = 0; i < samples->function_count; i++) {
      const struct sampled_function *function = &samples->functions[i];
      if (function->file == k && *function->symbol && !function->own)
        read_code(reader, &file, function->address, function->bytes, function);
    }
  }
}

static void explain(const struct reader *reader, struct text *out) {
  const struct profile *profile = &reader->m->input.profile;
  if (reader->m->input.study && uncounted_reason(reader->m) && !reader->m->samples.all)
    text_printf(out, "the study has no samples, and %s", uncounted_reason(reader->m));
  else if (!profile->count_count && !reader->m->samples.all)
    text_add(out, "the profile has neither counts of blocks nor samples: " COMPILE
                  " -fplugin-arg-reticle-features=loop,block, which counts exactly, or run it with "
                  "RETICLE_OPTIONS=sample=1");
  else if (reader->obstacle == OBSTACLE_CODE)
    text_printf(out, "%s: %s", reader->hindered, reader->error.text);
  else if (reader->obstacle == OBSTACLE_LINES)
    text_printf(out,
                "%s has no debug information, which names the lines: " COMPILE
                ", and run the program again",
                reader->hindered);
  else if (reader->obstacle == OBSTACLE_CHANGED)
    text_printf(out, "%s isn't there as it was: run the program again, and export then",
                reader->hindered);
  else if (reader->out->counts.lacks_first_lines)
    text_add(out,
             "debug information has lines, but not where functions begin (line tables alone, or "
             ".dwo files that are gone): " COMPILE ", and run the program again");
  else
    text_add(out, "no code with debug information has counts or samples: " COMPILE);
}

void line_counts_read(const struct measurement *m, struct line_counts_read *out) {
  struct reader reader = {.m = m, .out = out};
  *out = (struct line_counts_read){0};
  if (m->input.profile.count_count)
    read_counts(&reader);
  if (!out->counts.count && m->samples.all) {
    out->is_sampled = true;
    out->blocks = out->unknown = 0;
    read_samples(&reader);
  }
  line_counts_finish(&out->counts);
  size_t kept = 0;
  for (size_t i = 0; i < out->counts.count; i++) {
    const struct line_function *function = &out->counts.functions[i];
    if (function->parent == LINE_NO_PARENT && function->total) {
      out->left_out += function->is_left_out;
      kept += !function->is_left_out;
    }
  }
  if (!kept)
    explain(&reader, &out->reason);
}

void line_counts_read_release(struct line_counts_read *read) {
  line_counts_release(&read->counts);
  text_release(&read->reason);
}
