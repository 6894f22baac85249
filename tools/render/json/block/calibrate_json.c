// calibrate_json.c - what reticle calibrate found, schema reticle-calibrate/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block/calibrate_json.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/render/json/json_quantity.h"

static void put_machine(struct json *report, const struct calibration *c) {
  struct json *json = json_put(report, "env", json_object_new());
  json_put_text(json, "cpu_model", c->machine.cpu.model);
  json_put_text_or_null(json, "hypervisor", c->machine.cpu.hypervisor);
  json_put_text_or_null(json, "clock_source", c->machine.cpu.clock_source);
  json_put_text(json, "timer", c->machine.timer);
  json_put_number_or_null(json, "tick_ns", c->timers[HARNESS_TIMER_PROBE].step_ns);
  json_put_number(json, "timer_hz", c->clock.ticks_per_ns * 1e9);
  json_put_number(json, "core_hz", 1e9 / c->clock.ns_per_add);
  json_put_count(json, "l1d_bytes", c->caches.l1d);
  json_put_count(json, "l2_bytes", c->caches.l2);
  json_put_count(json, "l3_bytes", c->caches.l3);
  if (c->cpu < 0)
    json_put_null(json, "cpu");
  else
    json_put_count(json, "cpu", (uint64_t)c->cpu);
}

static void put_timers(struct json *report, const struct calibration *c) {
  struct json *list = json_put(report, "timers", json_array_new());
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    const struct calibrate_timer *t = &c->timers[i];
    if (!t->asked)
      continue;
    struct json *json = json_append(list, json_object_new());
    json_put_text(json, "timer", t->timer->key);
    json_put_text(json, "reads", t->timer->name);
    json_put_quantity(json, "pair", t->pair_ns, "ns");
    json_put_quantity(json, "t_e", t->t_e_ns, "ns");
    json_put_number_or_null(json, "tick_ns", t->step_ns);
  }
}

/// Quantiles of measured less expected.
static void put_deviations(struct json *object, const struct calibrate_cell *cell) {
  static const struct {
    const char *key;
    double p;
  } quantiles[] = {{"p5", 0.05},  {"p25", 0.25}, {"p50", 0.5},
                   {"p75", 0.75}, {"p95", 0.95}, {"p99", 0.99}};
  if (!cell->deviation_count) {
    json_put_null(object, "deviation_ns");
    return;
  }
  struct json *json = json_put(object, "deviation_ns", json_object_new());
  json_put_count(json, "samples", cell->deviation_count);
  for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
    json_put_number(
        json, quantiles[i].key,
        statistics_quantile(cell->deviations_ns, cell->deviation_count, quantiles[i].p));
}

static void put_ratio(struct json *object, const char *key, struct quantity papi,
                      struct quantity ours) {
  json_put_quantity(object, key, quantity_ratio(papi, ours), "ratio");
}

static void put_flush(struct json *list, const struct calibration *c,
                      const struct calibrate_flush *flush) {
  struct json *json = json_append(list, json_object_new());
  json_put_text(json, "flush", flush->key);
  json_put_count(json, "bytes", flush->bytes);
  json_put_number(json, "sweep_ns", flush->sweep_ns);
  json_put_count(json, "rounds", flush->rounds);
  json_put_count(json, "samples", flush->samples);
  json_put_number(json, "seconds", flush->seconds);
  json_put_text_or_null(json, "reason", text_get(&flush->reason));
  struct json *results = json_put(json, "results", json_array_new());
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++) {
    const struct calibrate_cell *cell = &flush->cells[i];
    if (!c->timers[i].asked)
      continue;
    struct json *result = json_append(results, json_object_new());
    json_put_text(result, "timer", c->timers[i].timer->key);
    json_put_quantity(result, "t_e", cell->floor.t_e_ns, "ns");
    json_put_quantity(result, "t_min", cell->floor.t_min_ns, "ns");
    json_put_quantity(result, "t_diff", cell->floor.t_diff_ns, "ns");
    put_deviations(result, cell);
  }
  const struct timing_floor *papi = &calibrate_papi(flush)->floor;
  const struct timing_floor *ours = &calibrate_ours(flush)->floor;
  struct json *ratio = json_put(json, "papi_ratio", json_object_new());
  put_ratio(ratio, "t_min", papi->t_min_ns, ours->t_min_ns);
  put_ratio(ratio, "t_diff", papi->t_diff_ns, ours->t_diff_ns);
}

bool calibrate_json(const struct calibration *c, const struct calibrate_stored *stored,
                    FILE *stream) {
  struct json *report = json_object_new();
  json_put_text(report, "schema", "reticle-calibrate/1");
  json_put_text(report, "method", "robust");
  json_put_bool(report, "quick", c->request.quick);
  json_put_count(report, "mask_ticks", c->request.mask_ticks);
  json_put_count(report, "time_s", c->time_s);
  json_put_number(report, "seconds", c->seconds);
  put_machine(report, c);
  put_timers(report, c);
  struct json *list = json_put(report, "flushes", json_array_new());
  for (size_t f = 0; f < CALIBRATE_FLUSHES; f++)
    if (c->flushes[f].asked)
      put_flush(list, c, &c->flushes[f]);
  json_put_text_or_null(report, "stored", stored->path ? stored->path : "");
  json_put_text_or_null(report, "stored_reason", stored->path ? "" : stored->reason);
  bool written = json_write(report, stream);
  json_free(report);
  return written;
}
