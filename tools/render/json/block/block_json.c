// block_json.c - results of blocks, schema reticle-block/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block/block_json.h"

#include "tools/machine/machine.h"
#include "tools/render/json/json_quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *values_name(enum harness_values values) {
  switch (values) {
  case HARNESS_CONSTANT:
    return "constant";
  case HARNESS_SPREAD:
    return "spread";
  case HARNESS_CAPTURED:
    return "captured";
  }
  return "unknown";
}

static void put_machine(const struct machine *machine, struct json *report) {
  struct json *json = json_put(report, "env", json_object_new());
  json_put_text(json, "cpu_model", machine->cpu.model);
  json_put_text_or_null(json, "hypervisor", machine->cpu.hypervisor);
  json_put_text(json, "timer", machine->timer);
}

struct json *block_json_new(const struct harness_settings *settings, const struct machine *machine,
                            struct json **blocks) {
  struct json *report = json_object_new();
  json_put_text(report, "schema", "reticle-block/1");
  put_machine(machine, report);
  json_put_text(report, "mode", settings->loop ? "loop" : settings->decode ? "decode" : "unrolled");
  json_put_text(report, "values", values_name(settings->values));
  *blocks = json_put(report, "blocks", json_array_new());
  return report;
}

static void put_count_or_null(struct json *json, const char *key, uint64_t count, bool known) {
  if (known)
    json_put_count(json, key, count);
  else
    json_put_null(json, key);
}

static void put_accesses(struct json *json, const struct block_accesses *accesses) {
  if (!accesses->steps) {
    json_put_null(json, "accesses");
    return;
  }
  struct json *to = json_put(json, "accesses", json_object_new());
  json_put_count(to, "instructions", accesses->steps);
  json_put_count(to, "loads", accesses->loads);
  json_put_count(to, "stores", accesses->stores);
  json_put_count(to, "misaligned", accesses->misaligned);
  json_put_count(to, "aliases", accesses->aliases);
  json_put_count(to, "unknown", accesses->unknown);
}

static void put_pages(struct json *json, const struct harness_result *result) {
  struct json *list = json_put(json, "page_list", json_array_new());
  for (unsigned i = 0; i < result->pages; i++) {
    struct json *page = json_append(list, json_object_new());
    char address[24];
    snprintf(address, sizeof(address), "0x%llx", (unsigned long long)result->page_list[i].address);
    json_put_text(page, "address", address);
    json_put_count(page, "frame", result->page_list[i].frame);
    if (result->page_list[i].block_offset == UINT32_MAX)
      json_put_null(page, "offset");
    else
      json_put_count(page, "offset", result->page_list[i].block_offset);
  }
}

static void put_status(struct json *json, const struct block_outcome *outcome) {
  const struct harness_result *result = &outcome->result;
  bool broken = outcome->job->is_broken;
  json_put_text(json, "status", broken ? "invalid" : harness_status_name(result->status));
  json_put_text_or_null(json, "reason", result->detail ? result->detail : "");
  if (isnan(result->cycles))
    json_put_quantity(
        json, "cycles",
        quantity_none(QUANTITY_UNSUPPORTED,
                      result->detail ? result->detail : harness_status_text(result->status)),
        "cycles");
  else
    json_put_quantity(json, "cycles", quantity_of(result->cycles, result->low, result->high),
                      "cycles");
}

void block_json_add(struct json *blocks, const struct block_outcome *outcome) {
  const struct harness_result *result = &outcome->result;
  const struct block_job *job = outcome->job;
  struct json *json = json_append(blocks, json_object_new());
  json_put_text(json, "name", job->name);
  json_put_text(json, "hex", job->hex);
  json_put_count(json, "bytes", job->bytes);
  put_count_or_null(json, "instructions", outcome->instructions, outcome->instructions);
  put_status(json, outcome);
  json_put_number_or_null(json, "accepted", result->accepted);
  json_put_count(json, "rounds", result->rounds);
  bool timed = result->rounds > 0, run = block_has_run(result);
  put_count_or_null(json, "unroll_low", result->unroll_low, timed);
  put_count_or_null(json, "unroll_high", result->unroll_high, timed);
  put_count_or_null(json, "row", result->row, timed);
  put_count_or_null(json, "place_low", result->place_low, timed);
  put_count_or_null(json, "place_high", result->place_high, timed);
  json_put_number_or_null(json, "fastest_place", result->fastest);
  json_put_number_or_null(json, "slowest_place", result->slowest);
  put_count_or_null(json, "pages", result->pages, run);
  put_count_or_null(json, "frames", result->frames, run);
  put_count_or_null(json, "faults", result->faults, run);
  json_put_count(json, "attempt", result->attempt);
  put_count_or_null(json, "context_switches", result->context_switches, timed);
  json_put_number_or_null(json, "ticks_per_cycle", result->ticks_per_cycle);
  json_put_number_or_null(json, "canary", result->canary);
  json_put_number_or_null(json, "l1d_misses", result->l1d_misses);
  json_put_number_or_null(json, "l1i_misses", result->l1i_misses);
  json_put_text_or_null(json, "pmu_reason", result->pmu_error ? strerror(result->pmu_error) : "");
  put_accesses(json, &outcome->accesses);
  put_pages(json, result);
}

void block_json_end(struct json *report, const struct block_counts *counts) {
  struct json *json = json_put(report, "counts", json_object_new());
  json_put_count(json, "blocks", counts->all);
  json_put_count(json, "measured", counts->measured);
  json_put_count(json, "broken_lines", counts->broken);
  json_put_number(json, "seconds", counts->seconds);
  struct json *by = json_put(json, "by_status", json_object_new());
  for (size_t i = 0; i < HARNESS_STATUS_COUNT; i++)
    if (counts->by_status[i])
      json_put_count(by, harness_status_name((enum harness_status)i), counts->by_status[i]);
}
