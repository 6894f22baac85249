// trial.c - one trial from the choice of its layout to the verdict.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/trial.h"

#include "tools/model/join/measurement_load.h"
#include "tools/model/struct/layout_file.h"
#include "tools/profile/file.h"
#include "tools/profile/regular.h"
#include "tools/run/child/run_program.h"
#include "tools/run/trial/try_build.h"
#include "tools/run/trial/try_keep.h"
#include "tools/support/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool trial_read_layout(const char *path, struct text *out, struct problems *problems) {
  FILE *file = regular_fopen_text(path);
  char buffer[4096];
  size_t got;
  while (file && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
    text_add_bytes(out, buffer, got);
  bool fine = file && !ferror(file);
  if (!fine)
    problem_error(problems, "try: %s: %s", path, regular_problem(errno));
  if (file)
    fclose(file);
  return fine;
}

/// The layout of a file that was named.
static int read_layout(struct trial *t) {
  const struct trial_settings *o = t->settings;
  const char *name = o->structure;
  if (!trial_read_layout(o->layout, &t->content, o->problems))
    return PROBLEM_UNREADABLE;
  t->structure = layout_file_struct(text_get(&t->content));
  if (t->structure && strcmp(t->structure, name) == 0)
    return PROBLEM_NONE;
  if (t->structure)
    problem_error(o->problems, "try: %s is of struct %s, not %s", o->layout, t->structure, name);
  else
    problem_error(o->problems,
                  "try: %s is no layout file; write one with `reticle layout %s --write %s`",
                  o->layout, name, o->layout);
  return PROBLEM_UNREADABLE;
}

/// The layout to be tried, from a file or from what a profile advises.
static int choose_layout(struct trial *t) {
  const struct trial_settings *o = t->settings;
  struct measurement measurement;
  struct struct_advice advice = {0};
  if (o->layout)
    return read_layout(t);
  int status = measurement_load(o->files, o->file_count, &measurement, o->problems);
  if (status == PROBLEM_NONE)
    status = layout_choose(&measurement, o->structure, &o->wish, "try", &advice, o->problems);
  if (status == PROBLEM_NONE && advice.order.kind == ADVICE_NONE && !o->wish.align_bytes) {
    problem_error(o->problems,
                  "try: %s: there is no order to try: %s; --layout FILE tries one of your own",
                  o->structure, *advice.reason ? advice.reason : "no better one was found");
    status = PROBLEM_USAGE;
  }
  if (status == PROBLEM_NONE) {
    uint32_t align = (uint32_t)o->wish.align_bytes;
    t->structure = text_copy(advice.use->record->name);
    layout_file_add(&advice, advice.best.order, align, &t->content);
    if (layout_declaration_add(&advice, advice.best.order, align, &t->source))
      text_clear(&t->source);
  }
  struct_advice_release(&advice);
  measurement_release(&measurement);
  return status;
}

/// A folder with the layout as a file.
static int make_files(struct trial *t) {
  struct profile_error error;
  const char *content = text_get(&t->content);
  char *path = run_directory_make("try", t->settings->problems);
  if (!path)
    return PROBLEM_UNREADABLE;
  text_add(&t->directory, path);
  free(path);
  text_format(&t->layout, "%s/%s", text_get(&t->directory), "changed.layout");
  t->changed.layout = text_get(&t->layout);
  t->changed.hash = layout_file_hash(content);
  if (file_write(t->changed.layout, content, strlen(content), &error) == 0)
    return PROBLEM_NONE;
  problem_error(t->settings->problems, "try: %s", error.text);
  return PROBLEM_UNREADABLE;
}

static double last_of(const struct try_side *side) { return side->cpu[side->count - 1]; }

/// Puts both sides' functions where pair i has them, and builds them if that is apart.
static int place(struct trial *t, size_t i) {
  const struct trial_settings *o = t->settings;
  const char *directory = text_get(&t->directory);
  size_t placement = o->placements - 1 - paired_build(i, o->pairs, o->placements);
  bool same = t->is_placed && placement == t->written.placement;
  int status = PROBLEM_NONE;
  t->is_placed = true;
  t->written.placement = t->changed.placement = placement;
  if (o->build && !same) {
    status = try_build(&t->changed, o->build, directory, o->problems);
    if (status == PROBLEM_NONE)
      status = try_build(&t->written, o->build, directory, o->problems);
  }
  return status;
}

/// Runs all pairs. The last build of all is the one as written, where the compiler puts functions.
static int run_pairs(struct trial *t) {
  const char *directory = text_get(&t->directory);
  struct problems *problems = t->settings->problems;
  struct try_side *a = &t->written, *b = &t->changed;
  size_t pairs = t->settings->pairs;
  int status = place(t, 0);
  // First runs fill caches, and show whether the command does what it must.
  for (int i = 0; status == PROBLEM_NONE && i < 2; i++) {
    problem_note(problems, "try: first run, %s", (i ? a : b)->name);
    status = try_run(i ? a : b, directory, 0, false, problems);
  }
  for (size_t i = 0; status == PROBLEM_NONE && i < pairs; i++) {
    struct try_side *first = i % 2 ? b : a, *second = i % 2 ? a : b;
    status = place(t, i);
    if (status == PROBLEM_NONE)
      status = try_run(first, directory, i + 1, true, problems);
    if (status == PROBLEM_NONE)
      status = try_run(second, directory, i + 1, true, problems);
    if (status == PROBLEM_NONE)
      problem_note(problems, "try: pair %zu of %zu: as written %.3f s of CPU, changed %.3f s",
                   i + 1, pairs, last_of(a), last_of(b));
  }
  return status;
}

/// Runs all pairs, and leaves the folder with the objects and programs that it has: those of
/// another layout, linked with others, would be a wrong program.
static int measure(struct trial *t) {
  struct problems *problems = t->settings->problems;
  t->objects =
      (struct plain_objects){.command = "try", .has_programs = true, .has_instrumented = true};
  try_run_begin();
  if (!plain_objects_put_back("try", problems) || !plain_objects_keep(&t->objects, problems))
    return PROBLEM_UNREADABLE;
  int status = run_pairs(t);
  if (!plain_objects_put_back("try", problems) && status == PROBLEM_NONE)
    status = PROBLEM_UNREADABLE;
  t->is_cut = status != PROBLEM_NONE;
  return status;
}

/// The verdict, and which loops differ.
static void judge(struct trial *t) {
  const struct try_side *written = &t->written, *changed = &t->changed;
  double *scratch = memory_zeroed(t->settings->pairs, sizeof *scratch);
  t->paired = paired_compare(try_side_times(written, changed), try_side_times(changed, written),
                             written->count, t->settings->placements, scratch);
  free(scratch);
  t->has_comparison = true;
  t->is_compared =
      comparison_load(written->profiles, written->count, changed->profiles, changed->count, 1,
                      &t->comparison, t->settings->problems) == PROBLEM_NONE;
}

static struct try_side side_of(const struct trial_settings *settings, const char *name,
                               const char *letter) {
  size_t pairs = settings->pairs;
  struct try_side side = {.name = name, .letter = letter, .argv = settings->command};
  side.profiles = memory_zeroed(pairs, sizeof *side.profiles);
  side.wall = memory_zeroed(pairs, sizeof *side.wall);
  side.cpu = memory_zeroed(pairs, sizeof *side.cpu);
  return side;
}

int trial_make(const struct trial_settings *settings, struct trial *out) {
  *out = (struct trial){.settings = settings};
  out->written = side_of(settings, "as written", "a");
  out->changed = side_of(settings, "changed", "b");
  int status = choose_layout(out);
  if (status == PROBLEM_NONE)
    status = make_files(out);
  if (status == PROBLEM_NONE)
    status = measure(out);
  if (status == PROBLEM_NONE)
    judge(out);
  return status;
}

void trial_keep(const struct trial *trial) {
  const struct trial_settings *o = trial->settings;
  const struct try_result result = {.structure = trial->structure,
                                    .layout = text_get(&trial->content),
                                    .written = &trial->written,
                                    .changed = &trial->changed,
                                    .paired = &trial->paired,
                                    .comparison = trial->is_compared ? &trial->comparison : NULL};
  try_keep(&result, o->files, o->file_count, o->problems);
}

static void release_side(struct try_side *side) {
  for (size_t i = 0; i < side->count; i++)
    free(side->profiles[i]);
  free(side->profiles);
  free(side->build_id);
  free(side->wall);
  free(side->cpu);
}

void trial_release(struct trial *trial, bool keeps_files) {
  if (trial->has_comparison)
    comparison_release(&trial->comparison);
  try_build_end(&trial->written);
  try_build_end(&trial->changed);
  if (trial->objects.builds.tv_sec)
    plain_objects_check(&trial->objects,
                        trial->is_cut ? "before you build: they may have the other layout"
                                      : "before you build without Reticle",
                        trial->settings->problems);
  if (trial->directory.length && keeps_files)
    problem_note(trial->settings->problems,
                 "try: profiles, layout and the last output are kept in %s", trial->directory.data);
  else if (trial->directory.length)
    run_directory_remove(trial->directory.data);
  release_side(&trial->written);
  release_side(&trial->changed);
  text_release(&trial->directory);
  text_release(&trial->content);
  text_release(&trial->layout);
  text_release(&trial->source);
  free(trial->structure);
}
