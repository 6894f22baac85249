// notes.c - adds a note to the list, and frees the list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/support/notes.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <stdlib.h>

void notes_add(struct notes *notes, const char *code, const char *format, ...) {
  if (notes->count == notes->capacity) {
    size_t capacity = 2 * notes->capacity + 8;
    struct note *items = memory_resized(notes->items, capacity, sizeof(*items));
    notes->items = items;
    notes->capacity = capacity;
  }
  struct text text = {0}, clean = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&text, format, arguments);
  va_end(arguments);
  text_add_clean(&clean, text_get(&text));
  notes->items[notes->count++] = (struct note){.code = code, .text = text_copy(text_get(&clean))};
  text_release(&text);
  text_release(&clean);
}

void notes_release(struct notes *notes) {
  for (size_t i = 0; i < notes->count; i++)
    free(notes->items[i].text);
  free(notes->items);
  *notes = (struct notes){0};
}
