// memory.c - a chain of blocks, freed together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Small things share a block; large ones get their own, behind the current one in the chain.
#define BLOCK_BYTES ((size_t)16384)
#define ALIGNMENT ((size_t)16)

struct profile_memory {
  struct profile_memory *next;
  size_t used;
  size_t capacity;
  _Alignas(16) unsigned char data[];
};

static struct profile_memory *add_block(struct profile *profile, size_t capacity) {
  if (capacity > SIZE_MAX - sizeof(struct profile_memory))
    return NULL;
  struct profile_memory *block = calloc(1, sizeof *block + capacity);
  if (!block)
    return NULL;
  block->capacity = capacity;
  if (profile->memory && capacity > BLOCK_BYTES) {
    block->next = profile->memory->next;
    profile->memory->next = block;
  } else {
    block->next = profile->memory;
    profile->memory = block;
  }
  return block;
}

void *profile_allocate(struct profile *profile, size_t count, size_t bytes) {
  size_t need;
  if (__builtin_mul_overflow(count, bytes, &need) || need > SIZE_MAX - ALIGNMENT)
    return NULL;
  need = need ? (need + ALIGNMENT - 1) & ~(ALIGNMENT - 1) : ALIGNMENT;
  struct profile_memory *block = profile->memory;
  if (!block || block->capacity - block->used < need)
    block = add_block(profile, need > BLOCK_BYTES ? need : BLOCK_BYTES);
  if (!block)
    return NULL;
  void *result = block->data + block->used;
  block->used += need;
  return result;
}

const char *profile_copy_text(struct profile *profile, const char *text, size_t count) {
  if (count == SIZE_MAX)
    return NULL;
  char *copy = profile_allocate(profile, count + 1, 1);
  if (copy)
    memcpy(copy, text, count);
  return copy;
}

int profile_warn(struct profile *profile, const char *code, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);

  size_t count = profile->warning_count;
  struct profile_warning *grown = profile_allocate(profile, count + 1, sizeof *grown);
  const char *copy = profile_copy_text(profile, text, strlen(text));
  if (!grown || !copy)
    return RETICLE_E_MEMORY;
  if (count)
    memcpy(grown, profile->warnings, count * sizeof *grown);
  grown[count] = (struct profile_warning){.code = code, .text = copy};
  profile->warnings = grown;
  profile->warning_count = count + 1;
  return 0;
}

void profile_release(struct profile *profile) {
  struct profile_memory *block = profile->memory;
  while (block) {
    struct profile_memory *next = block->next;
    free(block);
    block = next;
  }
  *profile = (struct profile){0};
}
