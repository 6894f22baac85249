// trials_json.c - writes the array of trials that were found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/struct/trials_json.h"
#include "tools/render/json/json_quantity.h"

void trials_json(const struct known_trial *known, uint64_t loop, struct json *json) {
  const struct profile_trial *t = known->trial;
  if (!t) {
    json_put_null(json, "trial");
    return;
  }
  struct json *trial = json_put(json, "trial", json_object_new());
  json_put_text(trial, "state", trial_state_name(known->state));
  json_put_bool(trial, "stale",
                known->state == TRIAL_OTHER_STRUCT || known->state == TRIAL_OTHER_BUILD);
  json_put_text(trial, "change", t->change);
  json_put_text(trial, "verdict", trial_verdict_name(t->verdict));
  json_put_quantity(trial, "gain", trial_gain(t), "ratio");
  json_put_number(trial, "tells", 1e-6 * (double)t->tells);
  json_put_count(trial, "pairs", t->pairs);
  json_put_text(trial, "clock", t->clock == RETICLE_TRIAL_WALL ? "wall" : "cpu");
  json_put_count(trial, "time_s", t->time_s);
  json_put_text_or_null(trial, "build_id", t->build_id);
  json_put_null(trial, "profile"); // always: it is kept in what was read
  const struct profile_trialloop *l = loop ? trial_loop_find(known->profile, t, loop) : NULL;
  if (loop)
    json_put_quantity(trial, "loop_gain",
                      l ? trial_loop_gain(l)
                        : quantity_none(QUANTITY_TOO_NOISY, "no more than runs differ"),
                      "ratio");
}
