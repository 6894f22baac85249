// measurement_load.c - joins profile, floor, analysis, coverage and notes, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/join/measurement_load.h"

#include "tools/analysis/loop/core_rate.h"
#include "tools/analysis/loop/loop_cpu.h"
#include "tools/analysis/loop/loop_nest.h"
#include "tools/analysis/loop/loop_rank.h"
#include "tools/machine/dilation.h"
#include "tools/model/block/block_samples.h"
#include "tools/model/heap/site_join.h"
#include "tools/model/measurement/lazy.h"
#include "tools/model/sample/skid.h"
#include "tools/model/study/gate_list.h"
#include "tools/profile/iterations.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A run shorter than this shows start-up more than the program.
#define SHORT_RUN_NS 20e6

static void name_loop(struct measured_loop *loop) {
  const struct profile_loop *record = loop->loop;
  if (record->flags & RETICLE_LOOP_REGION) {
    loop->region = record->inlined_from;
    loop->function = function_short_name(record->function);
    return;
  }
  loop->is_iteration = record->flags & RETICLE_LOOP_ITERATION;
  loop->function =
      function_short_name(*record->inlined_from ? record->inlined_from : record->function);
  if (*record->inlined_from && strcmp(record->inlined_from, record->function) != 0)
    loop->inlined_into = function_short_name(record->function);
}

/// Analyses all loops and puts them in the order of their ids.
static void analyse_loops(struct measurement *out) {
  const struct profile *profile = &out->input.profile;
  size_t count = profile->loop_count;
  struct loop_stats *stats = memory_zeroed(count + 1, sizeof(*stats));
  size_t *order = memory_zeroed(count + 1, sizeof(*order));
  out->loops = memory_zeroed(count + 1, sizeof(*out->loops));
  control_init(profile, &out->control);
  for (size_t i = 0; i < count; i++)
    stats[i] = loop_analyse(&profile->loops[i], &profile->env, &out->floor, &out->control);
  loop_nest(profile->loops, count, &profile->env, stats);
  struct loop_stats *cpu = memory_zeroed(count + 1, sizeof(*cpu));
  out->shares_wall = !loop_cpu(profile, &out->account, stats, cpu);
  out->outside_wall = loop_nest_outside(profile->loops, count, stats);
  if (!out->shares_wall)
    out->outside_cpu = loop_nest_outside(profile->loops, count, cpu);
  loop_rank(stats, count, order);
  for (; out->loop_count < count; out->loop_count++) {
    struct measured_loop *loop = &out->loops[out->loop_count];
    size_t from = order[out->loop_count];
    *loop = (struct measured_loop){
        .loop = &profile->loops[from], .stats = stats[from], .rank = out->loop_count + 1};
    loop->cpu_share = out->shares_wall
                          ? quantity_none(QUANTITY_UNSUPPORTED, "CPU time is not known")
                          : cpu[from].share;
    name_loop(loop);
  }
  free(cpu);
  free(stats);
  free(order);
  measurement_show_shares(out);
}

/// As they were chosen; those of merged profiles by place where that is the same.
static int compare_blocks(const void *left, const void *right) {
  const struct profile_block *a = ((const struct measured_block *)left)->block;
  const struct profile_block *b = ((const struct measured_block *)right)->block;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  if (a->loop != b->loop)
    return a->loop < b->loop ? -1 : 1;
  return (a->address > b->address) - (a->address < b->address);
}

static struct quantity cycles_of(const struct profile_block *block) {
  bool is_estimate = strcmp(block->status, "model") == 0; // of older versions, see abi.def
  if (block->cycles == UINT64_MAX || is_estimate)
    return quantity_none(QUANTITY_UNSUPPORTED, *block->reason ? block->reason : block->status);
  return quantity_of((double)block->cycles / 1000, (double)block->cycles_low / 1000,
                     (double)block->cycles_high / 1000);
}

static void name_blocks(struct measurement *out) {
  const struct profile *profile = &out->input.profile;
  out->blocks = memory_zeroed(profile->block_count + 1, sizeof(*out->blocks));
  for (size_t i = 0; i < profile->block_count; i++) {
    struct measured_block *block = &out->blocks[out->block_count++];
    *block = (struct measured_block){.block = &profile->blocks[i],
                                     .cycles = cycles_of(&profile->blocks[i])};
    for (size_t k = 0; k < out->loop_count && !block->loop; k++)
      if (out->loops[k].loop->id == block->block->loop)
        block->loop = &out->loops[k];
  }
  qsort(out->blocks, out->block_count, sizeof(*out->blocks), compare_blocks);
  for (size_t i = 0; i < out->block_count; i++)
    out->blocks[i].rank = i + 1;
}

/// Where probes are the largest part; what began, and the runtime's own thread, have many reasons.
static const char *over_budget_reason(const struct overview *overview) {
  double most = fmax(overview->setup_share.value, overview->sideline_share.value);
  return overview->probe_share.value >= most
             ? ": its loops take a few cycles, or RETICLE_OPTIONS has period="
             : "";
}

static void note_over_budget(struct measurement *out) {
  const struct overview *overview = &out->overview;
  if (overview->runtime_share.status != QUANTITY_OK) { // of an older version
    notes_add(
        &out->notes, "over_budget",
        "probes took %.1f %% of the CPU time, over the budget of %.1f %%: its loops take a few "
        "cycles, or RETICLE_OPTIONS has period=",
        100 * overview->probe_share.value, 100 * overview->probe_budget);
    return;
  }
  notes_add(&out->notes, "over_budget",
            "the runtime took %.1f %% of the CPU time, over the budget of %.1f %%: probes %.1f %%, "
            "threads and loops as they began %.1f %%, its own thread %.1f %%%s",
            100 * (overview->probe_share.value + overview->setup_share.value +
                   overview->sideline_share.value),
            100 * overview->probe_budget, 100 * overview->probe_share.value,
            100 * overview->setup_share.value, 100 * overview->sideline_share.value,
            over_budget_reason(overview));
}

/// Notes on how far the numbers can be trusted.
static void note_doubts(struct measurement *out) {
  const struct overview *overview = &out->overview;
  if (overview->objects_unoptimised)
    notes_add(&out->notes, "unoptimised",
              "%llu of %zu object files compiled with -O0: times are not representative; compile "
              "with -O2",
              (unsigned long long)overview->objects_unoptimised, out->input.profile.object_count);
  if (overview->over_budget)
    note_over_budget(out);
  if (overview->gap == OVERVIEW_MEASURED && overview->elapsed_ns.status == QUANTITY_OK &&
      overview->elapsed_ns.value < SHORT_RUN_NS)
    notes_add(&out->notes, "short_run",
              "the run took only %.1f ms: few samples; let it do more work, or set "
              "RETICLE_OPTIONS=probe_budget=10",
              overview->elapsed_ns.value / 1e6);
  const struct profile_env *env = &out->input.profile.env;
  if (!(env->timer_flags & RETICLE_TIMER_INVARIANT))
    notes_add(&out->notes, "timer_not_invariant",
              "the timer of this machine changes its rate with the processor's clock: durations "
              "are not comparable; set the governor 'performance'");
}

/// Code of the functions that take nine tenths of the time: at most so much of it is hot.
static uint64_t hot_code_bytes(const struct samples *samples) {
  uint64_t bytes = 0, time_ns = 0;
  for (size_t i = 0; i < samples->function_count && time_ns < samples->all_ns / 10 * 9; i++) {
    bytes += samples->functions[i].bytes;
    time_ns += samples->functions[i].time_ns;
  }
  return bytes;
}

static void note_laid(struct measurement *m, const char *path) {
  const struct laid_counts *laid = &m->laid;
  notes_add(&m->notes, "counts_laid",
            "counts of blocks are of another run, %s, %s by executions of loops: this one has %.3f "
            "times those of all (%.3f to %.3f by loop); %zu of %zu labelled functions are in it",
            path, laid->lowest == 1 && laid->highest == 1 ? "as they are" : "scaled", laid->ratio,
            laid->lowest, laid->highest, laid->counted, laid->functions);
  if (laid->otherwise)
    notes_add(&m->notes, "counts_left_out",
              "%s: left out are the counts of %s with loops that have other trip counts there: let "
              "both runs do the same work",
              path, units_counted(laid->otherwise, "function").data);
}

/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why the counts don't fit.
static int lay_counts(struct measurement *m, const char *path, struct problems *problems) {
  struct input counts = {0};
  struct text why = {0};
  char *name = text_copy(path);
  int status = input_read(&name, 1, &counts, &m->notes, problems);
  if (status == PROBLEM_NONE &&
      !laid_counts_put(&m->input.profile, &counts.profile, m->files, &m->laid, &why)) {
    problem_error(problems, "%s: its counts can't be used: %s", path, text_get(&why));
    status = PROBLEM_UNREADABLE;
  }
  if (status == PROBLEM_NONE)
    note_laid(m, path);
  text_release(&why);
  input_release(&counts);
  free(name);
  return status;
}

/// Loops whose executions in two builds differ by less did the same work.
#define LAID_ALIKE 1.01

/// Of a study: what doesn't fit is a note, as everything else can be shown.
static void lay_study_counts(struct measurement *m) {
  const struct profile *counts = study_input_counts(m->input.study);
  struct text why = {0};
  if (counts && laid_counts_put(&m->input.profile, counts, m->files, &m->laid, &why)) {
    // As many times in all loops: only the number of runs differs.
    if (m->laid.highest > m->laid.lowest * LAID_ALIKE || m->laid.otherwise)
      note_laid(m, "the build 'counts'");
  } else if (counts)
    notes_add(&m->notes, "counts_unused",
              "executions of blocks aren't known: of the build "
              "'counts', %s",
              text_get(&why));
  text_release(&why);
}

/// What follows from what was read.
static void analyse(struct measurement *out) {
  const struct profile *profile = &out->input.profile;
  out->overview = overview_of(profile);
  out->account = account_of(profile, &out->overview);
  out->pressure = pressure_of(profile);
  out->floor_source = floor_find(&profile->env, &out->floor, &out->notes);
  program_read(profile, program_files_path(out->files, profile->env.executable), &out->program,
               &out->notes);
  note_doubts(out);
  analyse_loops(out);
  gate_list_note(out);
  name_blocks(out);
  samples_read(profile, out->files, &out->samples, &out->notes);
  site_names_read(profile, out->files, &out->site_names, &out->notes);
  site_join(&out->input.profile, &out->site_names);
  out->core_rate = core_rate(&out->control);
  out->dilation = dilation_find(profile);
  out->skid = skid_find(profile);
  out->hot_code_bytes = hot_code_bytes(&out->samples);
  block_samples_count(out);
  struct_uses_make(profile, &out->structs);
  site_uses_make(profile, &out->sites);
  sharing_make(profile, &out->sharing);
}

static void begin(struct measurement *out) {
  *out = (struct measurement){.lazy = lazy_new()};
  out->files = program_files_new(input_program, &out->input);
}

int measurement_load_counted(char *const *paths, size_t count, const char *counts,
                             struct measurement *out, struct problems *problems) {
  begin(out);
  int status = input_read(paths, count, &out->input, &out->notes, problems);
  if (status == PROBLEM_NONE && counts) {
    out->input.counts = counts;
    status = lay_counts(out, counts, problems);
  }
  if (status == PROBLEM_NONE && out->input.study)
    lay_study_counts(out);
  if (status == PROBLEM_NONE)
    analyse(out);
  return status;
}

int measurement_load(char *const *paths, size_t count, struct measurement *out,
                     struct problems *problems) {
  return measurement_load_counted(paths, count, NULL, out, problems);
}

int measurement_load_interval(const char *earlier, const char *path, struct measurement *out,
                              struct problems *problems) {
  begin(out);
  int status = input_read_interval(earlier, path, &out->input, &out->notes, problems);
  if (status == PROBLEM_NONE)
    analyse(out);
  return status;
}
