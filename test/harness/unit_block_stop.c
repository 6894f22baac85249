// unit_block_stop.c - what each signal says about the block that it stopped; initial values; names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_child.h"
#include "test/unit.h"

#include <signal.h>

enum { BODY = 0x1000, BODY_END = 0x1100, DONE = 0x80, KERNEL_CODE = 0x80 };

static const struct block_image image = {.body = BODY,
                                         .body_end = BODY_END,
                                         .copy_bytes = 16,
                                         .place_bytes = BODY_END - BODY,
                                         .place_stride = BODY_END - BODY};

static struct block_stop classify(int signal, int code, uint64_t address, uint64_t offset) {
  struct block_stop stop;
  block_stop_classify(signal, code, address, BLOCK_CODE_AT + offset, BLOCK_CODE_AT + DONE, &image,
                      &stop);
  return stop;
}

#define CHECK_STATUS(stop, expected)                                                               \
  do {                                                                                             \
    struct block_stop check_stop = (stop);                                                         \
    CHECK_EQUAL(check_stop.kind, BLOCK_STOP_FAILED);                                               \
    CHECK_TEXT(harness_status_name(check_stop.status), expected);                                  \
    CHECK(check_stop.detail != NULL);                                                              \
  } while (0)

static void test_done(void) {
  CHECK_EQUAL(classify(SIGTRAP, 0x80, 0, DONE).kind, BLOCK_STOP_DONE);
  CHECK_STATUS(classify(SIGTRAP, 0x80, 0, BODY + 3), "control_flow"); // int3 in the block
}

static void test_page_faults(void) {
  CHECK_EQUAL(classify(SIGSEGV, 1, 0x12345678, BODY).kind, BLOCK_STOP_FAULT);
  CHECK_EQUAL(classify(SIGSEGV, 1, 0x12345678, BODY_END - 1).kind, BLOCK_STOP_FAULT);
  CHECK_STATUS(classify(SIGSEGV, 1, 0x12345678, BODY_END), "control_flow");
  CHECK_STATUS(classify(SIGSEGV, 2, BLOCK_CODE_AT + BODY, BODY), "bad_address");
  CHECK_STATUS(classify(SIGSEGV, 1, BLOCK_CONTROL_AT + 8, BODY), "bad_address");
  CHECK_STATUS(classify(SIGSEGV, 1, UINT64_C(0xffffffffff600000), BODY), "bad_address");
  CHECK_STATUS(classify(SIGSEGV, 1, BLOCK_USER_END, BODY), "bad_address");
  CHECK_EQUAL(classify(SIGSEGV, 1, BLOCK_USER_END - 1, BODY).kind, BLOCK_STOP_FAULT);
}

static void test_jump_away(void) {
  struct block_stop stop;
  block_stop_classify(SIGSEGV, 1, 0x234500000000, 0x234500000000, BLOCK_CODE_AT + DONE, &image,
                      &stop);
  CHECK_STATUS(stop, "control_flow");
}

static void test_other_signals(void) {
  CHECK_STATUS(classify(SIGSEGV, KERNEL_CODE, 0, BODY), "general_protection");
  CHECK_STATUS(classify(SIGBUS, KERNEL_CODE, 0, BODY), "bus_error");
  CHECK_STATUS(classify(SIGILL, 2, 0, BODY), "illegal_instruction");
  CHECK_STATUS(classify(SIGFPE, 1, 0, BODY), "divide_error");
  CHECK_STATUS(classify(SIGSYS, 1, 0, BODY), "system_call");
  CHECK_STATUS(classify(SIGVTALRM, KERNEL_CODE, 0, BODY), "timeout");
  CHECK_STATUS(classify(SIGALRM, KERNEL_CODE, 0, BODY), "timeout");
}

static void test_offsets(void) {
  CHECK_EQUAL(block_offset(&image, 16, BLOCK_CODE_AT + BODY), 0);
  CHECK_EQUAL(block_offset(&image, 16, BLOCK_CODE_AT + BODY + 35), 3);
  CHECK_EQUAL(block_offset(&image, 16, BLOCK_CODE_AT + BODY_END), UINT32_MAX);
  CHECK_EQUAL(block_offset(&image, 16, 0), UINT32_MAX);
}

static void test_every_status_has_names(void) {
  for (int i = 0; i < HARNESS_STATUS_COUNT; i++) {
    CHECK(harness_status_name((enum harness_status)i) &&
          *harness_status_name((enum harness_status)i));
    CHECK(harness_status_text((enum harness_status)i) &&
          *harness_status_text((enum harness_status)i));
    for (int j = 0; j < i; j++)
      CHECK(strcmp(harness_status_name((enum harness_status)i),
                   harness_status_name((enum harness_status)j)) != 0);
  }
}

/// Pointers must be good for aligned vector moves, and no fill may set a trap flag by POPF.
static void test_initial_values(void) {
  struct harness_state state;
  unsigned attempts = 0;
  for (; harness_state_choose(HARNESS_CONSTANT, attempts, NULL, &state); attempts++)
    for (int i = 0; i < HARNESS_REGISTERS; i++)
      CHECK_EQUAL(state.registers[i] % 64, 0);
  CHECK(attempts >= 2);
  CHECK(harness_state_choose(HARNESS_CONSTANT, 0, NULL, &state));
  CHECK_EQUAL(state.registers[0], 0x12345600);
  CHECK_EQUAL(state.registers[15], 0x12345600);
  CHECK(harness_state_choose(HARNESS_SPREAD, 0, NULL, &state));
  for (int i = 0; i < HARNESS_REGISTERS; i++)
    for (int j = 0; j < i; j++)
      CHECK(state.registers[i] != state.registers[j]);
  CHECK(!harness_state_choose(HARNESS_CAPTURED, 0, NULL, &state));
  struct harness_state given = {.registers = {42}, .fill = 7}, got;
  CHECK(harness_state_choose(HARNESS_CAPTURED, 0, &given, &got));
  CHECK_EQUAL(got.registers[0], 42);
  CHECK_EQUAL(got.fill, 7);
  CHECK(!harness_state_choose(HARNESS_CAPTURED, 1, &given, &got));
}

int main(void) {
  RUN(test_done);
  RUN(test_page_faults);
  RUN(test_jump_away);
  RUN(test_other_signals);
  RUN(test_offsets);
  RUN(test_every_status_has_names);
  RUN(test_initial_values);
  return unit_status();
}
