// replay.c - from visits and advice to lists, from times to what the program would gain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/replay.h"

#include "tools/model/replay/visit_cost.h"
#include "tools/model/struct/struct_time.h"
#include "tools/run/trial/replay_parts.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Visits below which nothing is said.
#define VISITS_LEAST 2000
/// Of the memory that is free so much is used at most.
#define MEMORY_PART 0.8
/// Visits that take less of memory haven't left the first caches, if they differ by less.
#define VISIT_LEAST_NS 0.4
#define VISIT_TELLS_NS 0.1

static const char *name_of(const struct replay *r) { return r->change->advice->use->record->name; }

static int explain_none(const struct replay *r) {
  const struct profile *p = &r->m->input.profile;
  if (!p->visitsite_count && !p->visit_count)
    problem_error(r->problems,
                  "try: the profile has no visits to replay: compile the program with "
                  "-fplugin-arg-reticle-features=loop,field,shadow, run it, and name its profile");
  else if (!r->visits.count)
    problem_error(
        r->problems,
        "try: no visit of struct %s was noted, but %llu of others: its accesses ran outside of "
        "the windows, or their element isn't known where they are; run longer",
        name_of(r), (unsigned long long)r->visits.noted);
  else
    problem_error(
        r->problems,
        "try: only %zu visits of struct %s were noted, of at least %d that a replay needs: "
        "run longer, or with more work",
        r->visits.count, name_of(r), VISITS_LEAST);
  return PROBLEM_UNREADABLE;
}

static void weigh(struct replay *r, struct replay_result *out) {
  struct struct_loop *loops;
  size_t count;
  struct_loops_make(&r->m->input.profile, r->change->advice->use, &loops, &count);
  out->coverage = visits_weigh(&r->visits, loops, count, r->weights);
  struct_loops_free(loops, count);
}

static int open_replay(struct replay *r, struct replay_result *out) {
  const struct struct_advice *a = r->change->advice;
  if (a->is_open) {
    problem_error(r->problems,
                  "try: struct %s can't be replayed: its objects differ in size, and visits don't "
                  "say how large each is; reticle try %s -- BUILD-AND-RUN measures an order",
                  name_of(r), name_of(r));
    return PROBLEM_UNREADABLE;
  }
  visits_make(&r->m->input.profile, a->use->record, &r->visits);
  if (r->visits.count < VISITS_LEAST)
    return explain_none(r);
  r->weights = memory_zeroed(r->visits.place_count + 1, sizeof *r->weights);
  weigh(r, out);
  r->input = (struct replay_input){.visits = &r->visits,
                                   .weights = r->weights,
                                   .count = a->count,
                                   .size_bytes = a->use->record->size_bytes,
                                   .branch_share = 1};
  replay_layout_written(a, &r->layouts[0]);
  if (r->change->order)
    replay_layout_order(a, r->change->order, &r->layouts[1]);
  else
    replay_layout_parts(a, &r->layouts[1]);
  bool fits = replay_make_lists(r);
  double bytes = fmax((double)r->lists[0].bytes, (double)r->lists[1].bytes);
  double room = replay_memory_bytes();
  if (!fits || bytes > MEMORY_PART * room) {
    problem_error(
        r->problems,
        "try: struct %s: the replay needs %s of memory, and %s can be "
        "used here; run it on a machine with more, or take the profile of a smaller input",
        name_of(r), units_bytes(fits ? bytes : fmax(bytes, 0x1p36)).data,
        units_bytes(MEMORY_PART * room).data);
    return PROBLEM_UNREADABLE;
  }
  return PROBLEM_NONE;
}

static void close_replay(struct replay *r) {
  for (size_t i = 0; i < 2; i++) {
    replay_list_release(&r->lists[i]);
    replay_layout_release(&r->layouts[i]);
  }
  replay_release_times(r);
  free(r->weights);
  visits_release(&r->visits);
}

static int compare_numbers(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/// Sorts the values.
static double median(double *values, size_t count) {
  qsort(values, count, sizeof *values, compare_numbers);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/// CPU time of a run: as measured, else of a study's plain build, else as the profile has it, which
/// counters make longer. NaN: not known.
static double program_ns(const struct replay *r) {
  const struct measurement *m = r->m;
  double runs = m->input.profile.merged_count ? (double)m->input.profile.merged_count : 1;
  if (r->change->program_ns == r->change->program_ns)
    return r->change->program_ns;
  if (m->overview.cpu_ns.status != QUANTITY_OK || !(m->overview.cpu_ns.value > 0))
    return NAN;
  double plain = m->input.study ? study_input_plain_ratio(m->input.study) : NAN;
  return m->overview.cpu_ns.value / runs * (plain > 0 ? plain : 1);
}

/// Share of the program's time that the visits may be of.
static double code_share(const struct replay_result *out) {
  return out->loops_share == out->loops_share ? out->loops_share : 1;
}

/// Fills in what is known of the program, or why its gain isn't.
///
/// share  that the visits take of the program's time
static void judge_program(const struct replay *r, const struct replay_ends *ends, double share,
                          size_t pairs, struct replay_result *out) {
  out->memory_share = NAN;
  if (!(out->program_ns > 0)) {
    out->speedup = quantity_none(QUANTITY_UNSUPPORTED, "the profile has no CPU time of the run");
    return;
  }
  if (out->memory.gain.status != QUANTITY_OK) {
    out->speedup = out->memory.gain;
    return;
  }
  double run_ns = median(r->times[0].run_ns, pairs);
  out->memory_share = fmin(run_ns / visit_cost_runs(r->m) / out->program_ns, code_share(out));
  struct paired program = replay_gain_find(ends->saved, ends->count, share, pairs);
  out->speedup = program.gain;
  out->verdict = program.verdict;
}

static void judge_memory(const struct replay *r, size_t pairs, struct replay_result *out) {
  double *scratch = memory_zeroed(pairs, sizeof *scratch);
  const struct replay_times *a = &r->times[0], *b = &r->times[1];
  out->memory = paired_compare(a->run_ns, b->run_ns, pairs, 1, scratch);
  free(scratch);
  out->written_ns = median(a->visit_ns, pairs);
  out->changed_ns = median(b->visit_ns, pairs);
  out->list_ns = a->list_ns;
  out->program_visit_ns = a->program_ns;
  out->program_visit_instructions = a->program_instructions;
  out->branch_share = r->input.branch_share;
  if (fmax(out->written_ns, out->changed_ns) < VISIT_LEAST_NS &&
      fabs(out->written_ns - out->changed_ns) < VISIT_TELLS_NS) {
    out->memory.verdict = PAIRED_NONE;
    out->memory.gain = quantity_none(
        QUANTITY_BELOW_FLOOR, "visits take no time of memory: they stay in the first caches");
  }
  out->verdict = out->memory.verdict;
}

/// Whether waits for memory can be told from going through the list; says why not.
static bool can_tell(const struct replay *r, const struct replay_result *out) {
  double visit_ns = r->times[0].program_ns;
  if (!(visit_ns < out->list_ns) || out->written_ns >= VISIT_LEAST_NS)
    return true;
  problem_error(r->problems,
                "try: struct %s: the program takes %.2f ns for a visit, less than the replay's own "
                "%.2f ns, which hides what a visit waits for; make the change and time the program",
                name_of(r), visit_ns, out->list_ns);
  return false;
}

/// Runs the lists, and says what that means for the program. Returns whether they tell.
static bool measure(struct replay *r, size_t pairs, struct replay_result *out) {
  size_t windows = r->visits.window_count;
  double *window_ns = memory_zeroed(2 * windows + 1, sizeof *window_ns), share = 0;
  double *all = memory_zeroed(REPLAY_ENDS * REPLAY_WAITS * pairs + 1, sizeof *all);
  struct replay_program program = {0};
  struct replay_ends ends = {0};
  for (size_t k = 0; k < REPLAY_ENDS * REPLAY_WAITS; k++)
    ends.saved[k / REPLAY_WAITS].by[k % REPLAY_WAITS] = all + k * pairs;
  out->loops_share = struct_time_of(r->m, r->change->advice->use).cpu;
  out->is_least = !r->m->input.study && !(r->change->program_ns > 0);
  out->program_ns = r->program_ns = program_ns(r);
  if (out->program_ns > 0) {
    struct visit_cost_input cost = {r->m, &r->visits, r->weights, out->program_ns,
                                    code_share(out) * out->program_ns};
    share = visit_cost_find(&cost, window_ns, window_ns + windows);
    program = (struct replay_program){window_ns, window_ns + windows};
  }
  replay_run_ends(r, &program, pairs, &ends);
  judge_memory(r, pairs, out);
  bool tells = can_tell(r, out);
  judge_program(r, &ends, share, pairs, out);
  free(window_ns);
  free(all);
  return tells;
}

int replay_struct(const struct measurement *m, const struct replay_change *change, size_t pairs,
                  struct replay_result *out, struct problems *problems) {
  struct replay r = {.problems = problems, .m = m, .change = change};
  *out = (struct replay_result){.structure = change->advice->use->record->name,
                                .change = change->words,
                                .pairs = pairs,
                                .elements = change->advice->count.elements};
  int status = open_replay(&r, out);
  if (status == PROBLEM_NONE) {
    out->elements_seen = r.visits.element_count;
    out->windows = r.visits.window_count;
    out->written_bytes = (double)(r.lists[0].bytes - r.lists[0].lead_bytes);
    out->changed_bytes = (double)(r.lists[1].bytes - r.lists[1].lead_bytes);
    for (size_t i = 0; i < r.lists[0].window_count; i++)
      out->visits += r.lists[0].windows[i].visits;
    if (!measure(&r, pairs, out))
      status = PROBLEM_UNREADABLE;
  }
  close_replay(&r);
  return status;
}
