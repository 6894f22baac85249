// sharing_card.c - prints the shared lines of one site, word by word.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bytes 0 to 15  false sharing, suspected: 57 intervals, threads met in 95 % of looks
//     words    ww..ww..........
//     threads  22..33..........
//     thread 2: hits; thread 3: misses
#include "tools/model/heap/site_find.h"
#include "tools/model/heap/site_gap.h"
#include "tools/render/text/heap/sharing_show.h"
#include "tools/support/units.h"

#include <string.h>

enum { WORD_BYTES = 4, LINE_BYTES = 64, LINES_SHOWN = 4, NAMES_SHOWN = 4 };

#define NO_THREAD 0u
#define SEVERAL_THREADS (RETICLE_SHADOW_THREADS + 1u)

/// The number of the one that writes the word, or alone touches it; or one of the two above.
static unsigned thread_of(const struct profile_sharedline *line, unsigned word) {
  unsigned threads = sharing_threads(line, word), known = threads & (UINT8_MAX >> 1);
  if (!threads)
    return NO_THREAD;
  bool is_read_by_several = known != threads && !(line->written >> word & 1);
  return !known || known & (known - 1) || is_read_by_several ? SEVERAL_THREADS
                                                             : (unsigned)__builtin_ctz(known) + 1;
}

static uint64_t offset_of(const struct profile_sharedline *line, unsigned word) {
  return line->offset + WORD_BYTES * ((uint64_t)word - line->first);
}

static bool is_own(const struct profile_sharedline *line, unsigned word) {
  return line->own >> word & 1;
}

// --- the picture ---------------------------------------------------------------------------------

static char kind_of(const struct profile_sharedline *line, unsigned word) {
  bool is_read = line->read >> word & 1, is_written = line->written >> word & 1;
  char kind = is_read && is_written ? 'b' : is_written ? 'w' : is_read ? 'r' : '.';
  return is_own(line, word) || kind == '.' ? kind : (char)(kind - 'a' + 'A');
}

static void add_picture(const struct profile_sharedline *line, struct text *out) {
  text_add(out, "    words    ");
  for (unsigned word = 0; word < SHARING_LINE_WORDS; word++)
    text_printf(out, "%c", kind_of(line, word));
  text_add(out, "\n    threads  ");
  for (unsigned word = 0; word < SHARING_LINE_WORDS; word++) {
    unsigned thread = thread_of(line, word);
    text_printf(out, "%c",
                thread == NO_THREAD         ? '.'
                : thread == SEVERAL_THREADS ? '*'
                                            : '0' + (int)thread);
  }
  text_add(out, "\n");
  if (!line->shared)
    return;
  text_add(out, "    others   ");
  for (unsigned word = 0; word < SHARING_LINE_WORDS; word++)
    text_printf(out, "%c", line->shared >> word & 1 ? '+' : '.');
  text_add(out, "\n");
}

// --- names ---------------------------------------------------------------------------------------

static const struct allocation_member *member_at(const struct site_type *type, uint64_t offset) {
  const struct allocation_struct *s = type->structure;
  for (size_t i = 0; s && i < s->member_count; i++)
    if (offset >= s->members[i].offset_bytes &&
        offset < s->members[i].offset_bytes + s->members[i].size_bytes)
      return &s->members[i];
  return NULL;
}

/// "hits", "[2].hits", "[2]", or "+8" where the type isn't known.
static void add_name(const struct site_type *type, uint64_t offset, struct text *out) {
  bool is_known = type->status == SITE_TYPE_KNOWN && type->size_bytes;
  if (!is_known || (!type->is_array && offset >= type->size_bytes)) {
    text_printf(out, "+%llu", (unsigned long long)offset);
    return;
  }
  const struct allocation_member *member = member_at(type, offset % type->size_bytes);
  if (type->is_array)
    text_printf(out, "[%llu]%s", (unsigned long long)(offset / type->size_bytes),
                member ? "." : "");
  if (member)
    text_add_name(out, member->name);
  else if (!type->is_array)
    text_printf(out, "+%llu", (unsigned long long)offset);
}

/// What one thread, or several, touch: "thread 2: hits misses"
static void add_names(const struct profile_sharedline *line, const struct site_type *type,
                      unsigned thread, struct text *out) {
  struct text name = {0}, last = {0};
  unsigned count = 0;
  for (unsigned word = 0; word < SHARING_LINE_WORDS; word++) {
    if (!is_own(line, word) || thread_of(line, word) != thread)
      continue;
    text_clear(&name);
    add_name(type, offset_of(line, word), &name);
    if (last.length && strcmp(text_get(&name), text_get(&last)) == 0)
      continue;
    if (!count++)
      text_printf(out, thread == SEVERAL_THREADS ? "%sseveral threads:" : "%sthread %u:",
                  out->length ? "; " : "", thread);
    if (count <= NAMES_SHOWN)
      text_printf(out, " %s", text_get(&name));
    text_clear(&last);
    text_add(&last, text_get(&name));
  }
  if (count > NAMES_SHOWN)
    text_printf(out, " and %u more", count - NAMES_SHOWN);
  text_release(&name);
  text_release(&last);
}

static void add_all_names(const struct profile_sharedline *line, const struct site_type *type,
                          const struct terminal *terminal, struct text *out) {
  struct text names = {0};
  for (unsigned thread = 1; thread <= SEVERAL_THREADS; thread++)
    add_names(line, type, thread, &names);
  if (names.length) {
    text_add(out, "    ");
    text_add_wrapped(out, text_get(&names), 4, 6, terminal->width);
    text_add(out, "\n");
  }
  text_release(&names);
}

// --- what may help -------------------------------------------------------------------------------

/// The first own word whose thread isn't that of the words before it; 0: none.
static unsigned border_of(const struct profile_sharedline *line) {
  unsigned before = NO_THREAD;
  for (unsigned word = 0; word < SHARING_LINE_WORDS; word++) {
    unsigned thread = is_own(line, word) ? thread_of(line, word) : NO_THREAD;
    if (thread == NO_THREAD)
      continue;
    if (before != NO_THREAD && thread != before)
      return word;
    before = thread;
  }
  return 0;
}

static void add_split(const struct profile_sharedline *line, const struct site_type *type,
                      struct text *out) {
  unsigned border = border_of(line);
  bool is_known = type->status == SITE_TYPE_KNOWN && type->size_bytes;
  if (is_known && type->is_array && type->size_bytes < LINE_BYTES) {
    text_printf(out, "one element of %s for each line: alignas(64), %llu -> 64 bytes", type->name,
                (unsigned long long)type->size_bytes);
  } else if (is_known && type->structure) {
    struct text name = {0};
    uint64_t offset = offset_of(line, border) % type->size_bytes;
    const struct allocation_member *member = member_at(type, offset);
    if (member)
      text_printf(&name, "%s", member->name);
    else
      text_printf(&name, "offset %llu", (unsigned long long)offset);
    text_printf(out,
                "alignas(64) in front of %s in %s, or a struct of its own for each thread's fields",
                text_get(&name), type->name);
    text_release(&name);
  } else {
    text_add(out, "a line of its own (alignas(64)) for what each thread writes");
  }
}

void sharing_advice_add(const struct measurement *m, const struct sharing_line *line,
                        const struct site_use *use, const struct site_type *type,
                        struct text *out) {
  const struct profile_sharedline *r = line->record;
  size_t neighbour = r->neighbour ? site_rank(&m->sites, r->neighbour) : 0;
  if (line->verdict == SHARING_TRUE) {
    text_add(out,
             "threads use the same words: no layout helps; writing less often, or a copy for each "
             "thread, does");
    return;
  }
  text_add(out, "try: ");
  if (border_of(r)) {
    add_split(r, type, out);
  } else if (use->record->kind == RETICLE_SITE_GLOBAL) {
    text_add(out, "alignas(64) on the variable");
    if (neighbour)
      text_printf(out, " and on A%zu, which lies in the same line", neighbour);
  } else {
    text_add(out, "objects of whole lines (aligned_alloc(64, ...))");
    if (neighbour)
      text_printf(out, ": one of A%zu lies in the same line", neighbour);
  }
  if (line->verdict == SHARING_MIXED)
    text_add(out, "; words in common move between threads all the same");
}

// --- lines ---------------------------------------------------------------------------------------

static void add_line(const struct measurement *m, const struct sharing_line *line,
                     const struct site_use *use, const struct site_type *type,
                     const struct terminal *terminal, struct text *out) {
  const struct profile_sharedline *r = line->record;
  struct text advice = {0};
  text_printf(out, "  line at byte %llu  ", (unsigned long long)r->offset);
  terminal_add(terminal, out, line->verdict == SHARING_FALSE ? STYLE_CAUTION : STYLE_PLAIN,
               sharing_verdict_name(line->verdict));
  text_printf(out, "%s: %s intervals", line->verdict <= SHARING_MIXED ? ", suspected" : "",
              units_exact(line->intervals).data);
  if (r->lines > 1)
    text_printf(out, " of %s lines", units_exact(r->lines).data);
  if (line->met.status == QUANTITY_OK)
    text_printf(out, ", threads met in %s of %s looks\n", units_share(line->met.value).data,
                units_exact(r->looks).data);
  else
    text_printf(out, "; how often threads meet: %s\n", line->met.reason);
  add_picture(r, out);
  add_all_names(r, type, terminal, out);
  sharing_advice_add(m, line, use, type, &advice);
  if (line->is_seldom)
    text_add(&advice, "; but threads never met there right behind a sample: handed over, or rarely "
                      "written, so it hardly costs");
  text_add(out, "    ");
  text_add_wrapped(out, text_get(&advice), 4, 6, terminal->width);
  text_add(out, "\n");
  text_release(&advice);
}

void sharing_card_add(const struct measurement *m, const struct site_use *use,
                      const struct site_type *type, const struct terminal *terminal,
                      struct text *out) {
  const char *gap = sharing_gap(m);
  size_t found = 0;
  terminal_add(terminal, out, STYLE_HEADING, "lines that threads share\n");
  if (*gap) {
    text_add(out, "  ");
    text_add_wrapped(out, gap, 2, 4, terminal->width);
    text_add(out, "\n");
    return;
  }
  for (size_t i = 0; i < m->sharing.count; i++)
    if (m->sharing.lines[i].record->site == use->record->id && found++ < LINES_SHOWN)
      add_line(m, &m->sharing.lines[i], use, type, terminal, out);
  if (!found)
    text_add(out, "  none was seen in three intervals of an object's life\n");
  else
    text_add(out,
             "  w written  r read  b both, in capitals: another object's; * several threads; a "
             "number is a thread's\n");
  if (found > LINES_SHOWN)
    text_printf(out, "  and %zu more: reticle report --json\n", found - LINES_SHOWN);
}
