// loop_delay_json.c - writes causes of lost time and slowest executions of a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/loop/loop_delay_json.h"

#include "tools/model/loop/loop_delay.h"
#include "tools/model/rank/rank_names.h"
#include "tools/render/json/json_quantity.h"

static void put_time(struct json *json, const char *key, uint64_t ns, const char *reason) {
  double value = (double)ns;
  json_put_quantity(json, key,
                    ns == UINT64_MAX ? quantity_none(QUANTITY_UNSUPPORTED, reason ? reason : "")
                                     : quantity_of(value, value, value),
                    "ns");
}

static void put_count(struct json *json, const char *key, uint64_t count, bool is_known) {
  if (is_known)
    json_put_count(json, key, count);
  else
    json_put_null(json, key);
}

static void put_slow(const struct measurement *m, const struct profile_fact *fact,
                     struct json *json) {
  struct text at = {0};
  loop_delay_add_time(fact->at_ns, &at);
  json_put_text(json, "at", text_get(&at));
  text_release(&at);
  put_time(json, "duration", fact->duration_ns, NULL);
  struct json *facts = json_put(json, "facts", json_object_new());
  bool is_known = slow_has_facts(fact);
  const char *why = is_known ? loop_delay_unknown(m) : "the kernel wasn't asked";
  put_time(facts, "cpu", fact->cpu_ns, why);
  put_time(facts, "runnable", fact->runnable_ns, why);
  put_count(facts, "minor_faults", fact->minor_faults, is_known);
  put_count(facts, "major_faults", fact->major_faults, is_known);
  put_count(facts, "waits", fact->waits, is_known);
  put_count(facts, "preemptions", fact->preemptions, is_known);
  json_put_bool(facts, "migrated", fact->flags & RETICLE_SAMPLE_MIGRATED);
  bool is_tagged = fact->flags & RETICLE_SAMPLE_TAGGED;
  bool has_work = fact->work != RETICLE_WORK_UNKNOWN;
  put_count(facts, "iterations", fact->work, has_work && !is_tagged);
  put_count(facts, "tag", fact->work, has_work && is_tagged);
  json_put_count(facts, "thread", fact->thread);
  const struct profile *profile = &m->input.profile;
  const struct profile_process *process = profile_process_of(profile, fact->thread);
  const struct profile_rank *rank = process ? profile_rank_of(profile, process) : NULL;
  put_count(facts, "pid", process ? process->pid : 0, process);
  put_count(facts, "rank", rank ? rank->rank : 0, rank);
}

void loop_delay_json(const struct measurement *m, const struct measured_loop *loop,
                     struct json *json) {
  const struct slow_causes *causes = slow_causes_get(m, loop);
  struct json *list = json_put(json, "causes", json_array_new());
  for (int i = 0; !causes->gap && i < SLOW_CAUSES; i++) {
    struct json *item = json_append(list, json_object_new());
    json_put_text(item, "cause", slow_cause_name(causes->order[i]));
    json_put_quantity(item, "share", causes->share[causes->order[i]], "share");
  }
  const char *unknown = causes->gap && !causes->executions ? loop_delay_unknown(m) : NULL;
  json_put_text_or_null(json, "causes_reason", unknown ? unknown : causes->gap ? causes->gap : "");
  json_put_quantity(json, "slow_period", causes->period_ns, "ns");
  struct json *slowest = json_put(json, "slowest", json_array_new());
  for (size_t i = 0; i < causes->slowest_count; i++)
    put_slow(m, causes->slowest[i], json_append(slowest, json_object_new()));
}
