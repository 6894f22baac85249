// loop_bound.c - what memory costs a loop, measured on copies of it, in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_bound.h"

#include "tools/support/units.h"

#include <math.h>

/// Bytes of the two caches' part that copies work in (runtime/feature/bound/case.c).
#define FIRST_WORDS "with its data in the first cache"
#define SECOND_WORDS "in the second"

bool loop_bound_get(const struct measurement *m, const struct measured_loop *loop,
                    struct bound_cost *out) {
  const struct profile *profile = &m->input.profile;
  const struct quantity *mean = &loop->stats.mean_ns;
  for (size_t i = 0; i < profile->bound_count; i++)
    if (profile->bounds[i].id == loop->loop->id) {
      *out =
          bound_cost_of(profile, loop->loop->id, mean->status == QUANTITY_OK ? mean->value : NAN);
      return true;
    }
  return false;
}

static void add_time(struct quantity time, const char *words, struct text *out) {
  if (time.status == QUANTITY_OK)
    text_printf(out, "%s%s %s", out->length ? ", " : "", units_duration(time.value).data, words);
}

void loop_bound_add_times(const struct bound_cost *cost, struct text *out) {
  add_time(cost->as_is_ns, "as it is", out);
  if (cost->is_changing && !isnan(cost->cold_ns))
    text_printf(out, "%s as it is (behind a fork)", units_duration(cost->cold_ns).data);
  add_time(cost->first_ns, FIRST_WORDS, out);
  add_time(cost->second_ns, SECOND_WORDS, out);
  text_printf(out, "; %s%s", cost->entries == 1 ? "" : "medians of ",
              units_counted(cost->entries, "execution").data);
  if (cost->is_cut)
    text_add(out, ", of each the first part");
}

static void add_share(struct quantity share, struct text *out) {
  if (share.status != QUANTITY_OK) {
    text_printf(out, "unknown (%s)", share.reason);
    return;
  }
  text_add(out, units_share(share.value).data);
  text_printf(out, " (%s to %s)", units_share(share.low).data, units_share(share.high).data);
}

void loop_bound_add_shares(const struct bound_cost *cost, struct text *out) {
  add_share(cost->memory, out);
  text_add(out, " of its time, measured; each alone: loads ");
  add_share(cost->loads, out);
  text_add(out, ", stores ");
  add_share(cost->stores, out);
}
