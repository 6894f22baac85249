// finding_worth.c - groups findings by the loops they are on; lists kinds that have none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_worth.h"

#include "tools/model/finding/finding_parts.h"

#include "tools/model/heap/site_gap.h"
#include "tools/model/heat/heat.h"
#include "tools/model/stall/stalls.h"
#include "tools/model/struct/struct_find.h"
#include "tools/model/study/study_view.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>

/// The loops that a finding is on. `all`: the run as a whole.
struct reach {
  bool *loops; ///< [loop_count] by position in measurement->loops
  bool all;
};

/// Whether `inner` lies in `outer`, as far as places tell: loops of one function, in the order of
/// their lines, by depth.
static bool is_inside(const struct measurement *m, const struct profile_loop *outer,
                      const struct profile_loop *inner) {
  if (inner->depth <= outer->depth || inner->line < outer->line ||
      strcmp(inner->function, outer->function) != 0 || strcmp(inner->file, outer->file) != 0)
    return false;
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct profile_loop *other = m->loops[i].loop;
    if (other != outer && other->depth <= outer->depth && other->line > outer->line &&
        other->line <= inner->line && strcmp(other->function, outer->function) == 0 &&
        strcmp(other->file, outer->file) == 0)
      return false;
  }
  return true;
}

/// A loop with calls may hold any loop of other functions.
static bool may_call(const struct profile_loop *loop, const struct profile_loop *other) {
  return loop->work_class == RETICLE_WORK_CLASS_C && strcmp(loop->function, other->function) != 0;
}

static void reach_loop(const struct measurement *m, size_t rank, struct reach *out) {
  if (!rank || rank > m->loop_count)
    return;
  const struct profile_loop *loop = m->loops[rank - 1].loop;
  for (size_t i = 0; i < m->loop_count; i++)
    out->loops[i] |=
        i + 1 == rank || is_inside(m, loop, m->loops[i].loop) || may_call(loop, m->loops[i].loop);
}

static void reach_struct(const struct measurement *m, size_t rank, struct reach *out) {
  const struct struct_uses *uses = &m->structs;
  for (size_t k = 0; k < uses->pair_count; k++)
    for (size_t i = 0; uses->pairs[k].structure + 1 == rank && i < m->loop_count; i++)
      out->loops[i] |= m->loops[i].loop->id == uses->pairs[k].loop;
}

static struct reach reach_of(const struct measurement *m, const struct finding *finding) {
  struct reach reach = {.loops = memory_zeroed(m->loop_count + 1, sizeof *reach.loops)};
  size_t rank = *finding->about ? strtoul(finding->about + 1, NULL, 10) : 0;
  if (finding->about[0] == 'L')
    reach_loop(m, rank, &reach);
  else if (finding->about[0] == 'S')
    reach_struct(m, rank, &reach);
  else
    reach.all = true;
  return reach;
}

static bool overlap(const struct reach *a, const struct reach *b, size_t loops) {
  if (a->all || b->all)
    return true;
  for (size_t i = 0; i < loops; i++)
    if (a->loops[i] && b->loops[i])
      return true;
  return false;
}

static size_t group_of(const size_t *groups, size_t i) {
  while (groups[i] != i)
    i = groups[i];
  return i;
}

double findings_worth(const struct measurement *m, const struct findings *findings,
                      bool only_gained) {
  size_t count = findings->count;
  struct reach *reaches = memory_zeroed(count + 1, sizeof *reaches);
  size_t *groups = memory_zeroed(count + 1, sizeof *groups);
  double *best = memory_zeroed(count + 1, sizeof *best), sum = 0;
  for (size_t i = 0; i < count; i++) {
    const struct finding *f = &findings->items[i];
    reaches[i] = reach_of(m, f);
    groups[i] = i;
    if (f->gain.status == QUANTITY_OK && f->proof != FINDING_REFUTED &&
        (!only_gained || finding_is_gained(f)) && !f->is_possible && f->base == FINDING_OF_CPU)
      best[i] = f->gain.value;
    for (size_t k = 0; k < i && best[i] > 0; k++)
      if (best[k] > 0 && overlap(&reaches[i], &reaches[k], m->loop_count))
        groups[group_of(groups, k)] = group_of(groups, i);
  }
  for (size_t i = 0; i < count; i++) {
    double most = 0;
    for (size_t k = 0; k < count && groups[i] == i; k++)
      if (group_of(groups, k) == i && best[k] > most)
        most = best[k];
    sum += most;
    free(reaches[i].loops);
  }
  free(reaches);
  free(groups);
  free(best);
  return sum < 1 ? sum : 1;
}

static bool has_any(const struct findings *findings, enum finding_code first,
                    enum finding_code last) {
  for (size_t i = 0; i < findings->count; i++)
    if (findings->items[i].code >= first && findings->items[i].code <= last)
      return true;
  return false;
}

static struct text *next(struct text *out) {
  if (out->length)
    text_add(out, ", ");
  return out;
}

static size_t timed_loops(const struct measurement *m) {
  size_t count = 0;
  for (size_t i = 0; i < m->loop_count; i++)
    count += m->loops[i].stats.verdict == LOOP_STEADY || m->loops[i].stats.verdict == LOOP_UNSTEADY;
  return count;
}

void findings_add_absent(const struct measurement *m, const struct findings *findings,
                         struct text *out) {
  size_t loops = timed_loops(m);
  if (loops && !has_any(findings, FINDING_BIMODAL, FINDING_UNSTEADY))
    text_printf(next(out), "unsteady loops (%zu judged)", loops);
  if (!*struct_gap(m) && !has_any(findings, FINDING_LAYOUT_SPLIT, FINDING_LAYOUT_ORDER) &&
      !has_any(findings, FINDING_LAYOUT_ARRAY, FINDING_LAYOUT_SOA))
    text_printf(next(out), "layouts (%s)", units_counted(m->structs.accessed, "struct").data);
  if (m->sharing.measured && m->sharing.threads > 1 && !*site_gap(m) &&
      !has_any(findings, FINDING_FALSE_SHARING, FINDING_FALSE_SHARING))
    text_printf(next(out), "false sharing (%s, %s samples of touched memory)",
                units_counted(m->sharing.threads, "thread").data,
                units_count((double)m->sites.samples).data);
  if (!*site_gap(m) && m->sites.samples &&
      !has_any(findings, FINDING_HEAP_WASTE, FINDING_HEAP_WASTE))
    text_printf(next(out), "wasted cache lines (%s)", units_counted(m->sites.count, "site").data);
  if (m->samples.all && !stalls_get(m)->missing && stalls_get(m)->count &&
      !has_any(findings, FINDING_STALL_MEMORY, FINDING_STALL_FRONT_END) &&
      !has_any(findings, FINDING_STRIDE, FINDING_STRIDE)) // which has the stall's cause
    text_printf(next(out), "one stall cause that stands out (%s)",
                units_counted(stalls_get(m)->count, "stall").data);
}

/// A load file that takes less of the CPU time isn't named.
#define FOREIGN_LEAST 0.1

/// Whether calls into the file are told by who makes them and what they are of.
static bool is_called_by_name(const struct heat *heat, const char *path) {
  bool is_named = false;
  for (size_t i = 0; heat->has_callers && i < heat->call_count; i++)
    if (strcmp(heat->calls[i].library, path) == 0) {
      if (*heat->calls[i].callee == '[')
        return false;
      is_named = true;
    }
  return is_named;
}

/// Code of others, of which nothing but samples is known.
static void add_foreign(const struct measurement *m, struct text *out) {
  for (size_t i = 0; m->samples.all_ns && i < m->samples.file_count; i++) {
    const struct sampled_file *file = &m->samples.files[i];
    double share = (double)file->time_ns / (double)m->samples.all_ns;
    if (share >= FOREIGN_LEAST && file->file->path[0] == '/' &&
        !measurement_is_instrumented(m, file->file->path) &&
        !is_called_by_name(heat_get(m), file->file->path))
      text_printf(next(out), "%s of the CPU time (in %s, which isn't instrumented)",
                  units_share(share).data, base_name(file->file->path));
  }
}

/// Samples in memory that no file is behind, user time, ns.
static double generated_ns(const struct measurement *m) {
  double sum = 0;
  for (size_t i = 0; i < m->samples.file_count; i++)
    if (strcmp(m->samples.files[i].file->path, "[anonymous]") == 0)
      sum += (double)m->samples.files[i].time_ns;
  return sum;
}

/// Code of the program without symbols: it has samples, and no place that could be named.
static void add_nameless(const struct measurement *m, struct text *out) {
  const struct heat *heat = heat_get(m);
  struct heat_time time = {0};
  for (size_t i = 0; i < heat->place_count; i++)
    if (!*heat->places[i].function)
      heat_time_add(&time, &heat->places[i].time);
  double share = heat_share(heat, &time).value;
  if (!heat->reason && share >= FOREIGN_LEAST)
    text_printf(next(out),
                2 * generated_ns(m) > time.user_ns
                    ? "which code takes %s of the CPU time (it is in memory without a file, as "
                      "what a JIT compiler makes)"
                    : "which code takes %s of the CPU time (it has no symbols: link without -s, "
                      "and don't strip it)",
                units_share(share).data);
}

/// Who called the kernel, where samples may not be taken there.
static void add_kernel(const struct measurement *m, struct text *out) {
  const struct heat *heat = heat_get(m);
  if (heat->reason || heat->has_kernel || 1 - heat->user_part < FINDING_KERNEL_LEAST)
    return;
  text_printf(next(out), "who calls the kernel for %s of the CPU time",
              units_share(1 - heat->user_part).data);
  for (size_t i = 0; i < m->input.profile.sampling_count; i++)
    if (m->input.profile.sampling[i].kernel_errno) {
      text_add(out, " (no samples there: as root, or with sysctl kernel.perf_event_paranoid=1)");
      return;
    }
}

/// The build of a study that counts, where its time was over before.
static const struct study_view_build *missing_counts(const struct measurement *m) {
  const struct study_view *view = m->input.study ? study_view_get(m) : NULL;
  for (size_t i = 0; view && i < view->count; i++)
    if (!view->builds[i].runs && strcmp(view->builds[i].name, "counts") == 0)
      return &view->builds[i];
  return NULL;
}

void findings_add_unknown(const struct measurement *m, struct text *out) {
  if (m->input.profile.count_count)
    add_foreign(m, out);
  add_kernel(m, out);
  add_nameless(m, out);
  if (missing_counts(m)) {
    text_printf(next(out),
                "layouts, wasted cache lines and stalls (the build 'counts' was not run: "
                "reticle study --resume, with a longer --time)");
    return;
  }
  if (*struct_gap(m))
    text_printf(next(out), "layouts (%s)", struct_gap(m));
  if (*site_gap(m))
    text_printf(next(out), "wasted cache lines (%s)", site_gap(m));
  if (!m->samples.all)
    text_printf(next(out), "stalls (no samples)");
  else if (stalls_get(m)->missing)
    text_printf(next(out), "stalls (%s)", stalls_get(m)->missing);
  else if (!stalls_get(m)->count && m->core_rate.status != QUANTITY_OK)
    text_printf(next(out), "stalls (the core's clock: %s)", m->core_rate.reason);
  else if (!stalls_get(m)->count)
    text_printf(next(out), "stalls (nothing counts the blocks of the code that was sampled)");
}
