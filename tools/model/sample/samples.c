// samples.c - opens the load files of a profile, and sums samples by function, line and address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/samples.h"

#include "tools/analysis/stats/sample_share.h"

#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

static void open_file(struct sampled_file *file, const struct profile *profile,
                      struct program_files *files, struct notes *notes) {
  const char *path = file->file->path;
  file->status = SAMPLED_FILE_NONE;
  if (path[0] != '/' || (!file->samples && !file->in_stacks))
    return;
  enum elf_file_status status;
  file->places = program_files_places(files, path, NULL, &status);
  if (!file->places) {
    file->status = SAMPLED_FILE_GONE;
    if (file->samples)
      notes_add(notes, "loadfile_gone", "%s %s: its %llu samples have no names", path,
                elf_file_error(status), (unsigned long long)file->samples);
    return;
  }
  const char *now = elf_file_build_id(code_places_file(file->places));
  file->status = *file->file->build_id || *now ? SAMPLED_FILE_SAME : SAMPLED_FILE_UNSURE;
  if (strcmp(now, file->file->build_id) != 0) {
    file->status = SAMPLED_FILE_CHANGED;
    // program.c has looked at the executable; but not of closed epochs, which list no modules.
    if (file->samples &&
        (profile_is_epochs_alone(profile) || strcmp(path, profile->env.executable) != 0))
      notes_add(
          notes, "loadfile_changed",
          "%s was built again since the run (build id %.8s, then %.8s): its %llu samples have "
          "no names; run it again",
          path, *now ? now : "none", *file->file->build_id ? file->file->build_id : "none",
          (unsigned long long)file->samples);
    file->places = NULL;
    return;
  }
  if (file->status == SAMPLED_FILE_UNSURE && file->samples)
    notes_add(notes, "loadfile_unsure",
              "%s has no build id: whether it is as it was during the run isn't known; link it "
              "with -Wl,--build-id",
              path);
  file->has_lines = code_places_has_lines(file->places);
  if (profile->count_count && !block_labels_read(code_places_file(file->places), &file->labels))
    memory_exhausted();
}

static struct sampled_function *append(struct samples *out, size_t *capacity) {
  if (out->function_count == *capacity) {
    *capacity = 2 * *capacity + 64;
    out->functions = memory_resized(out->functions, *capacity, sizeof(*out->functions));
  }
  struct sampled_function *function = &out->functions[out->function_count++];
  memset(function, 0, sizeof(*function));
  function->source = "";
  function->symbol = "";
  return function;
}

static int compare_copies(const void *left, const void *right) {
  const struct sampled_copy *a = left, *b = right;
  if (a->time_ns != b->time_ns)
    return a->time_ns > b->time_ns ? -1 : 1;
  return strcmp(a->name, b->name);
}

static int compare_by_copy(const void *left, const void *right) {
  const struct sampled_place *a = left, *b = right;
  return strcmp(a->copy ? a->copy : "", b->copy ? b->copy : "");
}

static int compare_by_line(const void *left, const void *right) {
  const struct sampled_place *a = left, *b = right;
  int order = strcmp(a->source, b->source);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_by_address(const void *left, const void *right) {
  const struct sampled_place *a = left, *b = right;
  return (a->address > b->address) - (a->address < b->address);
}

/// Adds up the places of one function. places: [count], get another order
static void describe(struct sampled_function *function, struct sampled_place *places,
                     size_t count) {
  for (size_t i = 0; i < count; i++) {
    function->samples += places[i].record->samples;
    function->time_ns += places[i].record->time_ns;
  }
  qsort(places, count, sizeof(*places), compare_by_line);
  for (size_t i = 0, end; i < count; i = end) {
    uint64_t time_ns = 0;
    for (end = i; end < count && compare_by_line(&places[i], &places[end]) == 0; end++)
      time_ns += places[end].record->time_ns;
    if (places[i].line && time_ns > function->line_ns) {
      function->line_ns = time_ns;
      function->source = places[i].source;
      function->line = places[i].line;
    }
  }
  function->copies = memory_zeroed(count + 1, sizeof(*function->copies));
  qsort(places, count, sizeof(*places), compare_by_copy);
  for (size_t i = 0, end; i < count; i = end) {
    struct sampled_copy copy = {0};
    for (end = i; end < count && compare_by_copy(&places[i], &places[end]) == 0; end++) {
      copy.samples += places[end].record->samples;
      copy.time_ns += places[end].record->time_ns;
    }
    if (!places[i].copy)
      continue;
    copy.name = function_short_name(places[i].copy);
    function->copies[function->copy_count++] = copy;
  }
  qsort(function->copies, function->copy_count, sizeof(*function->copies), compare_copies);
  qsort(places, count, sizeof(*places), compare_by_address);
  function->places = places;
  function->place_count = count;
}

static const char *nameless(const struct sampled_file *file) {
  switch (file->status) {
  case SAMPLED_FILE_CHANGED:
    return "(changed since the run)";
  case SAMPLED_FILE_GONE:
    return "(can't be read now)";
  case SAMPLED_FILE_NONE:
    return file->file->path;
  case SAMPLED_FILE_SAME:
  case SAMPLED_FILE_UNSURE:
    break;
  }
  if (file->runtime != SAMPLED_PROGRAM)
    return sampled_runtime_words(file->runtime);
  return "(no symbol: stripped, or a stub of the linker)";
}

static void add_function(struct samples *out, size_t file, struct sampled_place *places,
                         size_t count, size_t *capacity) {
  const struct elf_function *symbol = places[0].function;
  struct sampled_function *function = append(out, capacity);
  function->file = file;
  if (symbol) {
    function->symbol = symbol->name;
    function->address = symbol->address;
    function->bytes = symbol->bytes;
    function->name = function_short_name(symbol->name);
    function->own = instrumentation_has_function(symbol->name);
  } else {
    function->name = text_copy(nameless(&out->files[file]));
  }
  describe(function, places, count);
  *(symbol ? &out->named : &out->nameless) += function->samples;
  *(symbol ? &out->named_ns : &out->nameless_ns) += function->time_ns;
  if (function->own) {
    out->own += function->samples;
    out->own_ns += function->time_ns;
    out->files[file].own += function->samples;
    out->files[file].own_ns += function->time_ns;
  }
}

static int compare_by_function(const void *left, const void *right) {
  const struct sampled_place *a = left, *b = right;
  uint64_t x = a->function ? a->function->address : UINT64_MAX;
  uint64_t y = b->function ? b->function->address : UINT64_MAX;
  return (x > y) - (x < y);
}

static void name_place(struct code_places *places, bool has_lines, struct sampled_place *place) {
  struct code_frame frames[CODE_FRAMES_MAX];
  if (!code_places_address(places, place->record->offset, &place->address))
    return;
  place->function = code_places_function(places, place->address);
  size_t count = has_lines ? code_places_frames(places, place->address, frames) : 0;
  if (!count)
    return;
  place->source = frames[0].file;
  place->line = frames[0].line;
  place->copy = count > 1 ? frames[0].name : NULL;
}

/// Names the addresses of a file in `places`, which has room. Returns how many there are.
static size_t name_file(const struct profile *profile, size_t index, struct sampled_place *places,
                        struct samples *out, size_t *capacity) {
  const struct sampled_file *file = &out->files[index];
  size_t count = 0;
  for (size_t i = 0; i < profile->address_count; i++) {
    if (profile->addresses[i].loadfile != index)
      continue;
    places[count] = (struct sampled_place){.record = &profile->addresses[i], .source = ""};
    if (file->places)
      name_place(file->places, file->has_lines, &places[count]);
    count++;
  }
  qsort(places, count, sizeof(*places), compare_by_function);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && compare_by_function(&places[i], &places[end]) == 0; end++)
      ;
    add_function(out, index, places + i, end - i, capacity);
  }
  return count;
}

static int compare_functions(const void *left, const void *right) {
  const struct sampled_function *a = left, *b = right;
  if (a->time_ns != b->time_ns)
    return a->time_ns > b->time_ns ? -1 : 1;
  if (a->file != b->file)
    return a->file < b->file ? -1 : 1;
  return (a->address > b->address) - (a->address < b->address);
}

static void add_up(const struct profile *profile, struct samples *out) {
  for (size_t i = 0; i < profile->sampling_count; i++) {
    const struct profile_sampling *s = &profile->sampling[i];
    out->all += s->samples - (s->kernel < s->samples ? s->kernel : s->samples);
    out->all_ns += s->time_ns;
    out->unmapped += s->unmapped;
    out->unmapped_ns += s->unmapped * s->period_ns;
    out->kernel += s->kernel;
    out->lost += s->lost;
    out->no_room += s->no_room;
  }
}

void samples_read(const struct profile *profile, struct program_files *files, struct samples *out,
                  struct notes *notes) {
  size_t capacity = 0;
  *out = (struct samples){.taken = profile->sampling_count > 0};
  out->files = memory_zeroed(profile->loadfile_count + 1, sizeof(*out->files));
  out->places = memory_zeroed(profile->address_count + 1, sizeof(*out->places));
  size_t placed = 0;
  out->file_count = profile->loadfile_count;
  for (size_t i = 0; i < profile->address_count; i++) {
    out->files[profile->addresses[i].loadfile].samples += profile->addresses[i].samples;
    out->files[profile->addresses[i].loadfile].time_ns += profile->addresses[i].time_ns;
  }
  for (size_t i = 0; i < profile->stack_count; i++)
    if (profile->stacks[i].loadfile != UINT32_MAX)
      out->files[profile->stacks[i].loadfile].in_stacks = true;
  for (size_t i = 0; i < out->file_count; i++) {
    out->files[i].file = &profile->loadfiles[i];
    out->files[i].runtime = sampled_runtime_of(profile->loadfiles[i].path);
    out->runtime[out->files[i].runtime] += out->files[i].samples;
    out->runtime_ns[out->files[i].runtime] += out->files[i].time_ns;
    open_file(&out->files[i], profile, files, notes);
    if (out->files[i].samples)
      placed += name_file(profile, i, out->places + placed, out, &capacity);
  }
  add_up(profile, out);
  if (out->function_count)
    qsort(out->functions, out->function_count, sizeof(*out->functions), compare_functions);
}

void samples_release(struct samples *samples) {
  for (size_t i = 0; i < samples->function_count; i++) {
    for (size_t k = 0; k < samples->functions[i].copy_count; k++)
      free(samples->functions[i].copies[k].name);
    free(samples->functions[i].copies);
    free(samples->functions[i].name);
  }
  for (size_t i = 0; i < samples->file_count; i++)
    block_labels_release(&samples->files[i].labels);
  free(samples->functions);
  free(samples->files);
  free(samples->places);
  *samples = (struct samples){0};
}

const char *sampled_file_status_name(enum sampled_file_status status) {
  switch (status) {
  case SAMPLED_FILE_SAME:
    return "same";
  case SAMPLED_FILE_UNSURE:
    return "unsure";
  case SAMPLED_FILE_CHANGED:
    return "changed";
  case SAMPLED_FILE_GONE:
    return "gone";
  case SAMPLED_FILE_NONE:
    return "none";
  }
  return "unknown";
}

struct quantity samples_share(const struct samples *samples, uint64_t time_ns) {
  return sample_share(time_ns, samples->all_ns, samples->all);
}
