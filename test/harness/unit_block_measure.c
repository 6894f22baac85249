// unit_block_measure.c - the harness itself under sanitizers: every block a verdict, no child left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutated blocks do whatever machine code can do. RETICLE_MUTATIONS=10000 runs as many.
#include "runtime/harness/block/block_measure.h"
#include "test/unit.h"

#include <errno.h>
#include <sys/wait.h>

static struct harness_blocks *blocks;

static struct harness_result measure(const uint8_t *code, size_t bytes) {
  static struct harness_result result;
  struct harness_settings settings = harness_settings_default();
  const struct harness_block block = {.code = code, .bytes = bytes};
  settings.rounds_want = settings.rounds_most = 4;
  harness_block_measure(blocks, &block, &settings, &result);
  CHECK(result.status < HARNESS_STATUS_COUNT);
  CHECK(waitpid(-1, NULL, WNOHANG | __WALL) == -1 && errno == ECHILD);
  if (!isnan(result.cycles))
    CHECK(harness_status_has_value(result.status) && result.low <= result.cycles &&
          result.cycles <= result.high && result.cycles > 0);
  else
    CHECK(result.status != HARNESS_OK && result.detail);
  CHECK(result.pages <= HARNESS_PAGES_MOST && result.frames <= HARNESS_FRAMES_MOST);
  return result;
}

static void test_add(void) {
  const uint8_t add[] = {0x48, 0x01, 0xc0};
  struct harness_result result = measure(add, sizeof(add));
  CHECK(harness_status_has_value(result.status));
  CHECK_EQUAL(result.pages, 0);
}

static void test_load(void) {
  const uint8_t load[] = {0x48, 0x8b, 0x03}; // mov rax, [rbx]
  struct harness_result result = measure(load, sizeof(load));
  CHECK(harness_status_has_value(result.status));
  CHECK_EQUAL(result.pages, 1);
  CHECK_EQUAL(result.frames, 1);
  CHECK_EQUAL(result.page_list[0].address, 0x12345000);
  CHECK_EQUAL(result.page_list[0].block_offset, 0);
}

/// Copies stand in rows in a loop, as many as make 1200 bytes; where pointers grow until too many
/// pages are touched, there is none.
static void test_rows(void) {
  const uint8_t load[] = {0x48, 0x8b, 0x03};                                  // mov rax, [rbx]
  const uint8_t walk[] = {0x48, 0x8b, 0x03, 0x48, 0x81, 0xc3, 0, 0x10, 0, 0}; // add rbx, 4096
  struct harness_result result = measure(load, sizeof(load));
  CHECK_EQUAL(result.row, 400);
  CHECK(result.unroll_low % 400 == 0 && result.unroll_high % 400 == 0);
  CHECK(result.unroll_low < result.unroll_high);
  result = measure(walk, sizeof(walk));
  CHECK(harness_status_has_value(result.status));
  CHECK_EQUAL(result.row, 0);
}

static void test_refused(void) {
  static const uint8_t long_block[HARNESS_BLOCK_MOST_BYTES + 1] = {0x90};
  const uint8_t nop[] = {0x90};
  CHECK_EQUAL(measure(long_block, sizeof(long_block)).status, HARNESS_TOO_LARGE);
  CHECK_EQUAL(measure(nop, 0).status, HARNESS_ILLEGAL);
}

static const uint8_t seeds[][16] = {
    {0x48, 0x8b, 0x04, 0x24, 0x48, 0x01, 0xc3, 0x48, 0x89, 0x47, 0x08, 0x48, 0x83, 0xc7, 0x40,
     0x90},
    {0xf3, 0xa4, 0x48, 0xff, 0xc9, 0x48, 0x0f, 0xaf, 0xc3, 0x66, 0x0f, 0xef, 0xc1, 0x5b, 0x53,
     0x9c},
    {0x0f, 0x28, 0x06, 0x0f, 0x59, 0xc1, 0x0f, 0x29, 0x07, 0x48, 0xf7, 0xf1, 0x99, 0xf7, 0xf9,
     0x5c},
    {0xf3, 0x48, 0x0f, 0xae, 0xd0, 0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00, 0x50,
     0x9d},
};

static void test_mutations(void) {
  const char *asked = getenv("RETICLE_MUTATIONS");
  long count = asked ? atol(asked) : 100;
  uint64_t state = 42;
  for (long i = 0; i < count; i++) {
    uint8_t code[16];
    memcpy(code, seeds[i % 4], sizeof(code));
    for (int flips = 0; flips < 3; flips++)
      code[unit_random(&state) % 16] ^= (uint8_t)(1 << unit_random(&state) % 8);
    measure(code, 1 + unit_random(&state) % 16);
  }
}

int main(void) {
  int error;
  blocks = harness_blocks_open(&error);
  if (!blocks) {
    printf("SKIP: no memory to share with a child: %s\n", strerror(error));
    return 77;
  }
  const uint8_t nop[] = {0x90};
  unit_test = "start";
  struct harness_result first = measure(nop, 1);
  if (first.status == HARNESS_NOT_PERMITTED) {
    printf("SKIP: %s: %s\n", first.detail, strerror(first.error));
    return 77;
  }
  RUN(test_add);
  RUN(test_load);
  RUN(test_rows);
  RUN(test_refused);
  RUN(test_mutations);
  harness_blocks_close(blocks);
  return unit_status();
}
