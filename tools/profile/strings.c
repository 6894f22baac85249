// strings.c - finds a text that is there already by its hash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/strings.h"

#include "include/reticle/abi.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const struct strings *strings, const char *text, size_t bytes) {
  uint64_t hash =
      reticle_checksum_end(reticle_checksum_add(RETICLE_CHECKSUM_START, text, bytes), bytes);
  size_t i = (size_t)hash & (strings->slot_count - 1);
  while (strings->slots[i] &&
         strcmp((const char *)strings->text.data + strings->slots[i] - 1, text) != 0)
    i = (i + 1) & (strings->slot_count - 1);
  return i;
}

static bool grow(struct strings *strings) {
  struct strings grown = *strings;
  grown.slot_count = strings->slot_count ? strings->slot_count * 2 : 256;
  grown.slots = calloc(grown.slot_count, sizeof *grown.slots);
  if (!grown.slots)
    return false;
  for (size_t i = 0; i < strings->slot_count; i++) {
    if (!strings->slots[i])
      continue;
    const char *text = (const char *)strings->text.data + strings->slots[i] - 1;
    grown.slots[slot_of(&grown, text, strlen(text))] = strings->slots[i];
  }
  free(strings->slots);
  *strings = grown;
  return true;
}

uint32_t strings_add(struct strings *strings, const char *text) {
  if (strings->text.failed || strings->is_full)
    return 0;
  if (2 * (strings->used + 1) > strings->slot_count && !grow(strings)) {
    strings->text.failed = true;
    return 0;
  }
  if (strings->text.count == 0 && text[0])
    strings_add(strings, "");
  size_t bytes = strlen(text);
  size_t i = slot_of(strings, text, bytes);
  if (strings->slots[i])
    return strings->slots[i] - 1;
  if (strings->text.count >= UINT32_MAX) {
    strings->is_full = true;
    return 0;
  }
  uint32_t offset = (uint32_t)strings->text.count;
  bytes_add(&strings->text, text, bytes + 1);
  if (strings->text.failed)
    return 0;
  strings->slots[i] = offset + 1;
  strings->used++;
  return offset;
}

void strings_release(struct strings *strings) {
  bytes_release(&strings->text);
  free(strings->slots);
  *strings = (struct strings){0};
}
