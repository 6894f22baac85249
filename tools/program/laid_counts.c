// laid_counts.c - joins two runs by labels and loops, and scales what one of them counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/program/laid_counts.h"

#include "tools/analysis/stats/trips.h"
#include "tools/binary/block/block_labels.h"
#include "tools/profile/memory.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A labelled function of the timed build.
struct labelled {
  uint64_t id;
  const char *name; ///< linkage name
  bool counted;
};

struct loop_pair {
  uint64_t id;
  const char *function; ///< that holds its machine code in the timed build
  double timed, counted;
  struct trip_counts timed_trips, counted_trips; ///< of one execution
};

struct lay {
  struct labelled *functions; ///< [function_count] ascending by id
  size_t function_count, capacity;
  const char *gone, *stripped, *unlabelled; ///< paths of files, instrumented ones, that are so
  struct loop_pair *loops;                  ///< [loop_count] executed in both runs
  size_t loop_count;
};

static void add_function(struct lay *lay, uint64_t id, const char *name) {
  if (lay->function_count && lay->functions[lay->function_count - 1].id == id)
    return;
  if (lay->function_count == lay->capacity) {
    lay->capacity = 2 * lay->capacity + 64;
    lay->functions = memory_resized(lay->functions, lay->capacity, sizeof(*lay->functions));
  }
  lay->functions[lay->function_count++] = (struct labelled){id, name, false};
}

static void read_file(struct lay *lay, struct program_files *files, const char *path,
                      const char *build_id) {
  enum elf_file_status status;
  struct block_labels labels;
  struct code_places *places = program_files_places(files, path, NULL, &status);
  if (!places || strcmp(elf_file_build_id(code_places_file(places)), build_id) != 0) {
    lay->gone = path;
    return;
  }
  if (!block_labels_read(code_places_file(places), &labels))
    memory_exhausted();
  if (!labels.count && elf_file_has_section(code_places_file(places), "reticle_objects"))
    *(labels.stripped ? &lay->stripped : &lay->unlabelled) = path;
  for (size_t i = 0; i < labels.count; i++) {
    if (i && labels.labels[i].function == labels.labels[i - 1].function)
      continue;
    const struct elf_function *function = code_places_function(places, labels.labels[i].address);
    add_function(lay, labels.labels[i].function, function ? function->name : "");
  }
  block_labels_release(&labels);
}

static int compare_functions(const void *left, const void *right) {
  const struct labelled *a = left, *b = right;
  return (a->id > b->id) - (a->id < b->id);
}

static void read_functions(struct lay *lay, const struct profile *timed,
                           struct program_files *files) {
  for (size_t i = 0; i < timed->module_count; i++)
    if (timed->modules[i].path[0] == '/')
      read_file(lay, files, timed->modules[i].path, timed->modules[i].build_id);
  for (size_t i = 0; i < timed->loadfile_count; i++) // of closed epochs, which list no modules
    if (timed->loadfiles[i].path[0] == '/')
      read_file(lay, files, timed->loadfiles[i].path, timed->loadfiles[i].build_id);
  if (!lay->function_count)
    return;
  qsort(lay->functions, lay->function_count, sizeof(*lay->functions), compare_functions);
  size_t kept = 1;
  for (size_t i = 1; i < lay->function_count; i++)
    if (lay->functions[i].id != lay->functions[kept - 1].id)
      lay->functions[kept++] = lay->functions[i];
  lay->function_count = kept;
}

static int compare_loops(const void *left, const void *right) {
  const struct loop_pair *a = left, *b = right;
  return (a->id > b->id) - (a->id < b->id);
}

static struct loop_pair *find_loop(const struct lay *lay, size_t count, uint64_t id) {
  struct loop_pair wanted = {.id = id};
  return count ? bsearch(&wanted, lay->loops, count, sizeof(wanted), compare_loops) : NULL;
}

static bool is_constant(const struct trip_counts *trips) {
  return trips->known_samples && trips->lowest == trips->highest;
}

/// Whether both runs are known to iterate differently in an execution: what is counted in the loop
/// can't be told from what is counted around it, so neither can be scaled.
static bool iterates_otherwise(const struct loop_pair *loop) {
  const struct trip_counts *a = &loop->timed_trips, *b = &loop->counted_trips;
  if (is_constant(a) && is_constant(b))
    return a->median != b->median;
  return trips_differ(a, b);
}

/// Copies of a loop, made by the optimiser, are one.
static void read_loops(struct lay *lay, const struct profile *timed, const struct profile *counts) {
  size_t count = 0, kept = 0;
  lay->loops = memory_zeroed(timed->loop_count + 1, sizeof(*lay->loops));
  for (size_t i = 0; i < timed->loop_count; i++)
    if (timed->loops[i].executions)
      lay->loops[count++] = (struct loop_pair){.id = timed->loops[i].id,
                                               .function = timed->loops[i].function,
                                               .timed = (double)timed->loops[i].executions,
                                               .timed_trips = trips_of(&timed->loops[i])};
  qsort(lay->loops, count, sizeof(*lay->loops), compare_loops);
  for (size_t i = 0; i < count; i++) {
    if (kept && lay->loops[kept - 1].id == lay->loops[i].id)
      lay->loops[kept - 1].timed += lay->loops[i].timed;
    else
      lay->loops[kept++] = lay->loops[i];
  }
  for (size_t i = 0; i < counts->loop_count; i++) {
    struct loop_pair *loop = find_loop(lay, kept, counts->loops[i].id);
    if (!loop || !counts->loops[i].executions)
      continue;
    loop->counted += (double)counts->loops[i].executions;
    loop->counted_trips = trips_of(&counts->loops[i]);
  }
  for (size_t i = 0; i < kept; i++)
    if (lay->loops[i].counted > 0)
      lay->loops[lay->loop_count++] = lay->loops[i];
}

static void compare_runs(const struct lay *lay, struct laid_counts *out) {
  double timed = 0, counted = 0;
  out->loops = lay->loop_count;
  out->lowest = INFINITY;
  out->highest = 0;
  for (size_t i = 0; i < lay->loop_count; i++) {
    double ratio = lay->loops[i].timed / lay->loops[i].counted;
    timed += lay->loops[i].timed;
    counted += lay->loops[i].counted;
    out->lowest = fmin(out->lowest, ratio);
    out->highest = fmax(out->highest, ratio);
  }
  out->ratio = timed / counted;
}

/// By the loops of the function; without one by those of all. NAN: they iterate otherwise.
static double ratio_of(const struct lay *lay, const char *function, double of_all) {
  double timed = 0, counted = 0;
  for (size_t i = 0; i < lay->loop_count; i++)
    if (strcmp(lay->loops[i].function, function) == 0) {
      if (iterates_otherwise(&lay->loops[i]))
        return NAN;
      timed += lay->loops[i].timed;
      counted += lay->loops[i].counted;
    }
  return counted > 0 ? timed / counted : of_all;
}

static struct labelled *find_function(const struct lay *lay, uint64_t id) {
  struct labelled wanted = {.id = id};
  return lay->function_count ? bsearch(&wanted, lay->functions, lay->function_count, sizeof(wanted),
                                       compare_functions)
                             : NULL;
}

static const char *compiler_of(const struct profile *profile) {
  return profile->object_count ? profile->objects[0].compiler : "?";
}

static void explain(const struct lay *lay, const struct profile *timed,
                    const struct profile *counts, struct text *why) {
  if (!counts->count_count)
    text_add(why, "it has no counts of blocks: compile that build with "
                  "-fplugin-arg-reticle-features=loop,block");
  else if (!lay->function_count && lay->stripped)
    text_printf(why,
                "%s, which was timed, is stripped (-s, or strip), which takes the labels of its "
                "blocks away, too: link without -s",
                lay->stripped);
  else if (!lay->function_count && lay->unlabelled)
    text_printf(why,
                "%s, which was timed, has no labels of blocks: it was compiled with -flto, which "
                "makes machine code where no plug-in labels it, or without "
                "-fplugin-arg-reticle-features=loop,label",
                lay->unlabelled);
  else if (!lay->function_count)
    text_printf(why, "%s, which was timed, isn't there as it was: run it again",
                lay->gone ? lay->gone : "the program");
  else if (strcmp(compiler_of(timed), compiler_of(counts)) != 0)
    text_printf(why,
                "its program was compiled by %s, the one that was timed by %s: none of its %zu "
                "labelled functions is the same code",
                compiler_of(counts), compiler_of(timed), lay->function_count);
  else
    text_printf(why,
                "none of the %zu labelled functions of the program that was timed is in it: build "
                "both from the same sources with the same options",
                lay->function_count);
}

/// Marks the functions that have counts. Returns how many.
static size_t match(struct lay *lay, const struct profile *counts) {
  size_t matched = 0;
  for (size_t i = 0; i < counts->count_count; i++) {
    struct labelled *function = find_function(lay, counts->counts[i].function);
    if (!function || function->counted)
      continue;
    function->counted = true;
    matched++;
  }
  return matched;
}

static void put(const struct lay *lay, struct profile *timed, const struct profile *counts,
                struct laid_counts *out) {
  const struct labelled *last = NULL;
  double ratio = 1;
  timed->counts = profile_allocate(timed, counts->count_count, sizeof(*timed->counts));
  if (!timed->counts)
    memory_exhausted();
  timed->count_count = 0;
  for (size_t i = 0; i < counts->count_count; i++) {
    struct profile_count record = counts->counts[i];
    const struct labelled *function = find_function(lay, record.function);
    if (!function)
      continue;
    if (function != last) {
      ratio = ratio_of(lay, function->name, out->ratio);
      out->otherwise += isnan(ratio);
    }
    last = function;
    if (isnan(ratio))
      continue;
    record.count = (uint64_t)((double)record.count * ratio + 0.5);
    timed->counts[timed->count_count++] = record;
  }
}

bool laid_counts_put(struct profile *timed, const struct profile *counts,
                     struct program_files *files, struct laid_counts *out, struct text *why) {
  struct lay lay = {0};
  *out = (struct laid_counts){0};
  read_functions(&lay, timed, files);
  read_loops(&lay, timed, counts);
  out->functions = lay.function_count;
  out->counted = match(&lay, counts);
  if (!out->counted)
    explain(&lay, timed, counts, why);
  else if (!lay.loop_count)
    text_add(why, "no loop was executed in both runs: how far their work is the same isn't known");
  bool fits = out->counted && lay.loop_count;
  if (fits) {
    compare_runs(&lay, out);
    put(&lay, timed, counts, out);
  }
  free(lay.functions);
  free(lay.loops);
  return fits;
}
