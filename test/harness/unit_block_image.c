// unit_block_image.c - code around a block's copies: nothing behind the time is mispredicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/block/block_child.h"
#include "runtime/harness/block/block_code.h"
#include "test/unit.h"

#include <stdlib.h>
#include <string.h>

static struct block_image image;
static struct block_control *control;

static void emit_places(size_t copies, bool loop, size_t places) {
  static const uint8_t code[] = {0x48, 0x01, 0xc3, 0x90, 0x90}; // add rbx, rax; nop; nop
  const struct block_plan plan = {.code = code,
                                  .bytes = sizeof(code),
                                  .copies = copies,
                                  .loop = loop,
                                  .places = places,
                                  .loop_register = -1,
                                  .address = 7};
  memset(image.code, 0, BLOCK_CODE_BYTES);
  block_arch_emit(&plan, &image);
  CHECK(image.used < BLOCK_CODE_BYTES);
}

static void emit(bool loop) { emit_places(loop ? 1 : 100, loop, 1); }

static const uint8_t *find_last(const uint8_t *from, const uint8_t *to, const char *what,
                                size_t n) {
  while (to - from >= (ptrdiff_t)n)
    if (!memcmp(--to, what, n))
      return to;
  return NULL;
}

/// A direct jump to the entry ends each gate: where it leads doesn't depend on what ran before.
static void test_gates(bool loop) {
  emit(loop);
  for (size_t slot = 0; slot < BLOCK_SLOTS; slot++) {
    uint64_t entry = BLOCK_CODE_AT + image.body + slot * image.copy_bytes;
    block_arch_set_entry(&image, control, slot, entry);
    control->slots[slot].loops = slot + 1;
    const uint8_t *gate = image.code + image.gates[slot], *end = image.code + image.gate_ends[slot];
    int32_t distance;
    memcpy(&distance, end - 4, sizeof(distance));
    CHECK_EQUAL(end[-5], 0xe9);
    CHECK_EQUAL(BLOCK_CODE_AT + image.gate_ends[slot] + (uint64_t)(int64_t)distance, entry);
    CHECK_EQUAL(control->slots[slot].gate, BLOCK_CODE_AT + image.gates[slot]);
    CHECK_EQUAL(control->slots[slot].loops, slot + 1);
    const uint8_t *time = find_last(gate, end, "\x0f\x31", 2); // rdtsc
    CHECK(time && find_last(time, end, "\x0f\xae\xe8\xe9", 4) == end - 8);
    CHECK(image.gates[slot] % BLOCK_LINE_BYTES == 0);
  }
}

/// A run ends when its stores are done, not before.
static void test_end(void) {
  emit(false);
  CHECK(!memcmp(image.code + image.body_end, "\x0f\xae\xf0\x0f\xae\xe8\x0f\x01\xf9", 9));
}

/// Copies lie in a cache line as the block does in its program.
static void test_copies(void) {
  emit(false);
  CHECK_EQUAL(image.body % BLOCK_LINE_BYTES, 7);
  CHECK_EQUAL(image.body_end - image.body, 500);
  CHECK_EQUAL(block_image_entry(&image, 0, 100), BLOCK_CODE_AT + image.body);
}

/// A row of copies in a loop: each run starts with the first one, and takes as many iterations as
/// its executions need.
static void test_row(void) {
  emit_places(240, true, 1);
  CHECK_EQUAL(image.row, 240);
  CHECK_EQUAL(image.body % BLOCK_LINE_BYTES, 7);
  CHECK_EQUAL(block_image_entry(&image, 0, 480), BLOCK_CODE_AT + image.body);
  block_arch_set_slot(&image, control, 3, 0, 1200);
  CHECK_EQUAL(control->slots[3].loops, 5);
  int32_t distance; // of the branch back
  memcpy(&distance, image.code + image.body_end - 4, sizeof(distance));
  CHECK_EQUAL((int64_t)image.body_end + distance, (int64_t)image.body);
  CHECK_EQUAL(block_offset(&image, 5, BLOCK_CODE_AT + image.body + 5 * 239 + 3), 3);
}

/// The same row in several places: 8 bytes further on in a cache line each, with a branch and an
/// end of their own.
static void test_places(void) {
  emit_places(240, true, BLOCK_PLACES_MOST);
  for (size_t place = 0; place < BLOCK_PLACES_MOST; place++) {
    size_t at = (size_t)(block_image_entry(&image, place, 480) - BLOCK_CODE_AT);
    const uint8_t *behind = image.code + at + image.place_bytes;
    int32_t distance;
    memcpy(&distance, behind - 4, sizeof(distance));
    CHECK_EQUAL(at % BLOCK_LINE_BYTES, (7 + 8 * place) % BLOCK_LINE_BYTES);
    CHECK_EQUAL((int64_t)(at + image.place_bytes) + distance, (int64_t)at);
    CHECK(!memcmp(behind, "\x0f\xae\xf0\x0f\xae\xe8\x0f\x01\xf9", 9));
    CHECK(!memcmp(image.code + at + 5 * 239, "\x48\x01\xc3\x90\x90", 5));
    CHECK_EQUAL(block_offset(&image, 5, BLOCK_CODE_AT + at + 5 * 239 + 3), 3);
    CHECK_EQUAL(block_offset(&image, 5, BLOCK_CODE_AT + at + image.place_bytes), UINT32_MAX);
  }
  block_arch_set_slot(&image, control, 3, 2, 1200);
  CHECK_EQUAL(control->slots[3].loops, 5);
}

static void test_gates_of_copies(void) { test_gates(false); }
static void test_gates_of_a_loop(void) { test_gates(true); }

int main(void) {
  if (!block_arch_supported())
    return 77;
  image.code = malloc(BLOCK_CODE_BYTES);
  control = calloc(1, sizeof(*control));
  CHECK(image.code && control);
  RUN(test_gates_of_copies);
  RUN(test_gates_of_a_loop);
  RUN(test_copies);
  RUN(test_end);
  RUN(test_row);
  RUN(test_places);
  free(image.code);
  free(control);
  return unit_status();
}
