// diff_samples.c - the samples of two sets of runs, added up by function or line, and compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/diff_samples.h"
#include "tools/analysis/stats/sample_share.h"
#include "tools/model/sample/samples.h"
#include "tools/program/program_files.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"
#include "tools/support/string_table.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

struct collecting {
  struct sample_comparison *out;
  struct problems *problems;
  struct string_table keys; ///< the nth key is the nth place's
  size_t capacity, runs;
  size_t run; ///< the one that is being added
};

/// The place with this key; a new one if there is none.
static struct compared_place *find(struct collecting *c, const struct sampled_file *file,
                                   const struct sampled_function *f,
                                   const struct sampled_place *place) {
  struct sample_comparison *out = c->out;
  bool by_line = place && place->line;
  struct text key = {0};
  // Builds of one program lie in different folders, and so do the sources of two checkouts.
  text_printf(&key, "%s\n%s\n%s\n%u", base_name(file->file->path), *f->symbol ? f->symbol : f->name,
              by_line ? base_name(place->source) : "", by_line ? place->line : 0);
  size_t number = string_table_add(&c->keys, text_get(&key));
  text_release(&key);
  if (number == SIZE_MAX)
    memory_exhausted();
  if (number < out->place_count)
    return &out->places[number];
  if (number == c->capacity) {
    c->capacity = 2 * c->capacity + 64;
    out->places = memory_resized(out->places, c->capacity, sizeof(*out->places));
  }
  struct compared_place *made = &out->places[out->place_count++];
  *made = (struct compared_place){.name = text_copy(f->name),
                                  .linkage = text_copy(f->symbol),
                                  .loadfile = text_copy(base_name(file->file->path)),
                                  .source = text_copy(by_line ? place->source : ""),
                                  .line = by_line ? place->line : 0,
                                  .samples = memory_zeroed(c->runs, sizeof(*made->samples)),
                                  .time_ns = memory_zeroed(c->runs, sizeof(*made->time_ns))};
  return made;
}

static void add_samples(struct collecting *c, const struct samples *samples) {
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sampled_function *f = &samples->functions[i];
    const struct sampled_file *file = &samples->files[f->file];
    if (!c->out->by_lines) {
      struct compared_place *place = find(c, file, f, NULL);
      place->samples[c->run] += f->samples;
      place->time_ns[c->run] += f->time_ns;
      continue;
    }
    for (size_t k = 0; k < f->place_count; k++) {
      struct compared_place *place = find(c, file, f, &f->places[k]);
      place->samples[c->run] += f->places[k].record->samples;
      place->time_ns[c->run] += f->places[k].record->time_ns;
    }
  }
}

/// A note that several runs make is one.
static void add_once(struct notes *notes, const struct note *note) {
  for (size_t i = 0; i < notes->count; i++)
    if (strcmp(notes->items[i].text, note->text) == 0)
      return;
  notes_add(notes, note->code, "%s", note->text);
}

/// Both builds often have one name, and the second one took the place of the first.
static void note_rebuilt(const struct compared_side *side, const struct samples *samples,
                         const char *executable, const char *name, struct notes *notes) {
  for (size_t i = 0; i < samples->file_count; i++)
    if (samples->files[i].status == SAMPLED_FILE_CHANGED &&
        strcmp(samples->files[i].file->path, executable) == 0)
      notes_add(notes, "binary_changed",
                "%s was built again since the runs of %s: its functions have no names; build A and "
                "B into different files, and run them again",
                side->merged.env.executable, name);
}

static int add_runs(struct collecting *c, const struct compared_side *side,
                    struct program_files *files, const char *name) {
  struct comparison *base = &c->out->base;
  for (size_t i = 0; i < side->merged.merged_count; i++, c->run++) {
    const struct profile *profile = side->profiles[i];
    struct samples samples;
    struct notes notes = {0};
    samples_read(profile, files, &samples, &notes);
    note_rebuilt(side, &samples, profile->env.executable, name, &notes);
    for (size_t k = 0; k < notes.count; k++)
      add_once(&base->notes, &notes.items[k]);
    add_samples(c, &samples);
    bool taken = samples.taken, any = samples.all > 0;
    samples_release(&samples);
    notes_release(&notes);
    if (!any) {
      problem_error(c->problems, "diff: %s: no samples: %s", side->runs[i].paths[0],
                    taken ? "the process took too little CPU time; let it do more work, or raise "
                            "sample_hz"
                          : "run it with RETICLE_OPTIONS=sample=1");
      return PROBLEM_UNREADABLE;
    }
  }
  return PROBLEM_NONE;
}

static int add_side(struct collecting *c, struct compared_side *side, const char *name) {
  struct program_files *files = program_files_new(comparison_program, side);
  int status = add_runs(c, side, files, name);
  program_files_free(files);
  return status;
}

static void compare(struct collecting *c) {
  struct sample_comparison *out = c->out;
  struct sample_diff_item *items = memory_zeroed(out->place_count + 1, sizeof(*items));
  for (size_t i = 0; i < out->place_count; i++)
    items[i] = (struct sample_diff_item){out->places[i].samples, out->places[i].time_ns};
  struct diff_design design = {0};
  comparison_turns(&out->base, &design);
  sample_diff_compare(items, out->place_count, out->base.a.merged.merged_count,
                      out->base.b.merged.merged_count, &design, &out->diff);
  free(items);
}

int sample_comparison_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                           bool by_lines, struct sample_comparison *out,
                           struct problems *problems) {
  *out = (struct sample_comparison){.by_lines = by_lines};
  int status = comparison_read(a, count_a, b, count_b, &out->base, problems);
  if (status != PROBLEM_NONE)
    return status;
  struct collecting c = {.out = out,
                         .problems = problems,
                         .runs = out->base.a.merged.merged_count + out->base.b.merged.merged_count};
  status = add_side(&c, &out->base.a, "A");
  if (status == PROBLEM_NONE)
    status = add_side(&c, &out->base.b, "B");
  if (status == PROBLEM_NONE)
    compare(&c);
  string_table_release(&c.keys);
  return status;
}

void sample_comparison_release(struct sample_comparison *comparison) {
  for (size_t i = 0; i < comparison->place_count; i++) {
    struct compared_place *place = &comparison->places[i];
    free(place->name);
    free(place->linkage);
    free(place->loadfile);
    free(place->source);
    free(place->samples);
    free(place->time_ns);
  }
  free(comparison->places);
  sample_diff_release(&comparison->diff);
  comparison_release(&comparison->base);
}

bool sample_comparison_has_finding(const struct sample_comparison *comparison) {
  const struct sample_diff *diff = &comparison->diff;
  return diff->verdicts[DIFF_SLOWER] + diff->verdicts[DIFF_FASTER] ||
         diff->total_verdict == DIFF_SLOWER || diff->total_verdict == DIFF_FASTER;
}

struct quantity sample_comparison_share(const struct sample_comparison *c,
                                        const struct sample_diff_row *row, bool is_b) {
  const struct sample_diff *d = &c->diff;
  const struct compared_place *place = &c->places[row->item];
  size_t runs_a = c->base.a.merged.merged_count, runs_b = c->base.b.merged.merged_count;
  uint64_t time_ns = 0;
  for (size_t i = is_b ? runs_a : 0; i < (is_b ? runs_a + runs_b : runs_a); i++)
    time_ns += place->time_ns[i];
  return sample_share(time_ns, is_b ? d->time_b_ns : d->time_a_ns,
                      is_b ? d->samples_b : d->samples_a);
}

bool sample_comparison_has_ratio(const struct sample_diff_row *row) {
  return row->outcome.is_known && row->samples_a && row->samples_b;
}
