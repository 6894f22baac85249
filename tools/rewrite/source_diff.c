// source_diff.c - works out which lines edits change, and writes them as hunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/rewrite/source_diff.h"

#include "tools/support/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT 3
/// Beyond so many pairs of lines a changed region isn't compared line by line.
#define PAIRS_MOST 4000000

/// Lines of a text: line i is [starts[i], starts[i + 1]).
struct lines {
  const char *text;
  size_t *starts; ///< [count + 1]
  size_t count;
};

/// Lines [at, at + gone) of the file become `come` lines of `source` from `first`.
struct change {
  size_t at, gone, first, come;
  const struct lines *source;
};

struct changes {
  struct change *all;
  size_t count;
};

void source_edits_add(struct source_edits *edits, size_t start, size_t end, const char *text) {
  edits->all = memory_resized(edits->all, edits->count + 1, sizeof *edits->all);
  edits->all[edits->count++] = (struct source_edit){start, end, text_copy(text)};
}

void source_edits_release(struct source_edits *edits) {
  for (size_t i = 0; i < edits->count; i++)
    free(edits->all[i].text);
  free(edits->all);
  *edits = (struct source_edits){0};
}

static struct lines split(const char *text, size_t bytes) {
  struct lines lines = {.text = text};
  size_t room = 0, at = 0;
  do {
    if (lines.count + 2 > room) {
      room = 2 * room + 64;
      lines.starts = memory_resized(lines.starts, room, sizeof *lines.starts);
    }
    lines.starts[lines.count++] = at;
    const char *end = at < bytes ? memchr(text + at, '\n', bytes - at) : NULL;
    at = end ? (size_t)(end - text) + 1 : bytes;
  } while (at < bytes);
  lines.count -= !bytes;
  lines.starts[lines.count] = bytes;
  return lines;
}

static bool is_same(const struct lines *a, size_t i, const struct lines *b, size_t k) {
  size_t length = a->starts[i + 1] - a->starts[i];
  return b->starts[k + 1] - b->starts[k] == length &&
         memcmp(a->text + a->starts[i], b->text + b->starts[k], length) == 0;
}

static void add_change(struct changes *out, struct change change) {
  struct change *last = out->count ? &out->all[out->count - 1] : NULL;
  if (last && last->source == change.source && last->at + last->gone == change.at &&
      last->first + last->come == change.first) {
    last->gone += change.gone, last->come += change.come;
    return;
  }
  out->all = memory_resized(out->all, out->count + 1, sizeof change);
  out->all[out->count++] = change;
}

/// Compares lines [at, at + gone) of the file with all of `now`: the longest common subsequence.
static void compare(const struct lines *old, size_t at, size_t gone, const struct lines *now,
                    struct changes *out) {
  size_t come = now->count, width = come + 1;
  if ((gone + 1) * width > PAIRS_MOST) {
    add_change(out, (struct change){at, gone, 0, come, now});
    return;
  }
  uint32_t *common = memory_zeroed((gone + 1) * width, sizeof *common);
  for (size_t i = gone; i-- > 0;)
    for (size_t k = come; k-- > 0;) {
      uint32_t down = common[(i + 1) * width + k], right = common[i * width + k + 1];
      common[i * width + k] = is_same(old, at + i, now, k) ? common[(i + 1) * width + k + 1] + 1
                              : down > right               ? down
                                                           : right;
    }
  for (size_t i = 0, k = 0; i < gone || k < come;) {
    if (i < gone && k < come && is_same(old, at + i, now, k))
      i++, k++;
    else if (i < gone && (k == come || common[(i + 1) * width + k] >= common[i * width + k + 1]))
      add_change(out, (struct change){at + i++, 1, k, 0, now});
    else
      add_change(out, (struct change){at + i, 0, k++, 1, now});
  }
  free(common);
}

static int compare_edits(const void *left, const void *right) {
  const struct source_edit *a = left, *b = right;
  return (a->start > b->start) - (a->start < b->start);
}

/// The line that holds the byte; the last one for the end of the file.
static size_t line_at(const struct lines *lines, size_t byte) {
  size_t low = 0, high = lines->count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (lines->starts[middle] <= byte)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void add_line(const struct lines *lines, size_t at, char sign, struct text *out) {
  size_t length = lines->starts[at + 1] - lines->starts[at];
  const char *line = lines->text + lines->starts[at];
  text_add_bytes(out, &sign, 1);
  text_add_bytes(out, line, length);
  if (!length || line[length - 1] != '\n')
    text_add(out, "\n\\ No newline at end of file\n");
}

/// Adds changes [first, end) as one hunk. shift: lines by which those before have moved it.
static long add_hunk(const struct lines *old, const struct changes *changes, size_t first,
                     size_t end, long shift, struct text *out) {
  const struct change *a = &changes->all[first], *z = &changes->all[end - 1];
  size_t from = a->at > CONTEXT ? a->at - CONTEXT : 0, to = z->at + z->gone + CONTEXT;
  long grown = 0;
  to = to < old->count ? to : old->count;
  for (size_t i = first; i < end; i++)
    grown += (long)changes->all[i].come - (long)changes->all[i].gone;
  text_format(out, "@@ -%zu,%zu +%ld,%ld @@\n", from + (to > from), to - from,
              (long)from + shift + 1, (long)(to - from) + grown);
  for (size_t i = first; i < end; i++) {
    const struct change *c = &changes->all[i];
    for (; from < c->at; from++)
      add_line(old, from, ' ', out);
    for (; from < c->at + c->gone; from++)
      add_line(old, from, '-', out);
    for (size_t k = 0; k < c->come; k++)
      add_line(c->source, c->first + k, '+', out);
  }
  for (; from < to; from++)
    add_line(old, from, ' ', out);
  return shift + grown;
}

static void add_hunks(const struct lines *old, const struct changes *changes, struct text *out) {
  long shift = 0;
  for (size_t i = 0, end; i < changes->count; i = end) {
    for (end = i + 1; end < changes->count; end++) {
      const struct change *before = &changes->all[end - 1];
      if (changes->all[end].at > before->at + before->gone + 2 * CONTEXT)
        break;
    }
    shift = add_hunk(old, changes, i, end, shift, out);
  }
}

/// A region of whole lines as it becomes.
struct region {
  struct text text;
  struct lines lines;
};

void source_diff_add(const char *path, const char *old_text, size_t bytes,
                     struct source_edits *edits, struct text *out) {
  struct lines old = split(old_text, bytes);
  struct changes changes = {0};
  struct region *regions = memory_zeroed(edits->count + 1, sizeof *regions);
  if (edits->count)
    qsort(edits->all, edits->count, sizeof *edits->all, compare_edits);
  for (size_t i = 0; i < edits->count;) {
    struct region *region = &regions[i];
    size_t first = line_at(&old, edits->all[i].start), at = old.starts[first], last;
    do {
      text_add_bytes(&region->text, old_text + at, edits->all[i].start - at);
      text_add(&region->text, edits->all[i].text);
      at = edits->all[i].end;
      last = line_at(&old, at);
    } while (++i < edits->count && line_at(&old, edits->all[i].start) <= last);
    size_t end = old.count ? old.starts[last + 1] : 0;
    text_add_bytes(&region->text, old_text + at, end - at);
    region->lines = split(text_get(&region->text), region->text.length);
    compare(&old, first, last + 1 - first, &region->lines, &changes);
  }
  if (changes.count) {
    text_format(out, "--- a/%s\n+++ b/%s\n", path, path);
    add_hunks(&old, &changes, out);
  }
  for (size_t i = 0; i < edits->count; i++) {
    text_release(&regions[i].text);
    free(regions[i].lines.starts);
  }
  free(regions);
  free(changes.all);
  free(old.starts);
}
