// block_status.c - names of what can come of a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_measure.h"

static const struct {
  const char *name, *text;
} statuses[HARNESS_STATUS_COUNT] = {
    [HARNESS_OK] = {"ok", "ok"},
    [HARNESS_NOISY] = {"noisy", "noisy"},
    [HARNESS_BAD_ADDRESS] = {"bad_address", "bad address"},
    [HARNESS_PROTECTION] = {"general_protection", "general protection"},
    [HARNESS_DIVIDE] = {"divide_error", "divide error"},
    [HARNESS_ILLEGAL] = {"illegal_instruction", "illegal instruction"},
    [HARNESS_BUS] = {"bus_error", "bus error"},
    [HARNESS_SYSTEM_CALL] = {"system_call", "system call"},
    [HARNESS_CONTROL_FLOW] = {"control_flow", "control flow inside"},
    [HARNESS_TOO_MANY_PAGES] = {"too_many_pages", "too many pages"},
    [HARNESS_TOO_LARGE] = {"too_large", "too large"},
    [HARNESS_TIMEOUT] = {"timeout", "timeout"},
    [HARNESS_NOT_PERMITTED] = {"not_permitted", "not permitted"},
    [HARNESS_NOT_REACHED] = {"not_reached", "not reached"},
};

const char *harness_status_name(enum harness_status status) { return statuses[status].name; }
const char *harness_status_text(enum harness_status status) { return statuses[status].text; }

bool harness_status_has_value(enum harness_status status) {
  return status == HARNESS_OK || status == HARNESS_NOISY;
}
