// fleet_choose.c - looks for the runs that are named behind "#" of a database's URL.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/fleet.h"

#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

/// Parameters in the order of enum chosen_key. Starts of commits, ids and build ids are enough;
/// what people type may hold "%" and "_", so no LIKE.
static const char question[] =
    "WITH chosen AS (SELECT number, started FROM reticle.runs WHERE"
    " ($1::text IS NULL OR starts_with(run::text, lower($1))) AND ($2::text IS NULL OR program = "
    "$2)"
    " AND ($3::text IS NULL OR starts_with(commit, $3))"
    " AND ($4::text IS NULL OR starts_with(build_id, $4)) AND ($5::text IS NULL OR label = $5)"
    " AND ($6::text IS NULL OR host = $6) AND ($7::text IS NULL OR job = $7)"
    " AND started >= coalesce($8::timestamptz, '-infinity')"
    " AND started < coalesce($9::timestamptz, 'infinity')"
    " ORDER BY started DESC, number DESC LIMIT $10::bigint) "
    "SELECT count(*), array_agg(number), min(started), max(started) FROM chosen";

static void say_none(const struct fleet *fleet, const struct postgres_url *url) {
  struct text asked = {0};
  for (size_t k = 0; k < CHOSEN_KEYS; k++)
    if (url->chosen[k])
      text_printf(&asked, "%s%s=%s", asked.length ? ", " : "", chosen_key_name(k), url->chosen[k]);
  problem_error(fleet->problems,
                "%s: %s: no run%s%s is in it: look into reticle.runs, or push some", fleet->command,
                fleet->shown, asked.length ? " with " : "", text_get(&asked));
  text_release(&asked);
}

bool fleet_choose(struct fleet *fleet, const struct postgres_url *url, struct fleet_runs *out) {
  *out = (struct fleet_runs){0};
  struct postgres_rows *rows =
      postgres_query(fleet->postgres, question, (const char *const *)url->chosen, CHOSEN_KEYS);
  if (postgres_rows_step(rows) && (out->count = postgres_rows_count(rows, 0, 0))) {
    out->numbers = text_copy(postgres_rows_text(rows, 1));
    out->first = text_copy(postgres_rows_text(rows, 2));
    out->last = text_copy(postgres_rows_text(rows, 3));
  }
  if (!postgres_rows_finish(rows))
    fleet_say(fleet, "");
  else if (!out->count)
    say_none(fleet, url);
  return out->count && !postgres_problem(fleet->postgres);
}

void fleet_runs_release(struct fleet_runs *runs) {
  free(runs->numbers);
  free(runs->first);
  free(runs->last);
  *runs = (struct fleet_runs){0};
}
