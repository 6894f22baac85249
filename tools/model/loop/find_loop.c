// find_loop.c - matches a number, stable id, place, region or function with the loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/find_loop.h"

#include "tools/support/names.h"
#include "tools/support/nearest.h"
#include "tools/support/problem.h"
#include "tools/support/source_place.h"
#include "tools/support/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Candidates that are listed; more would scroll the message away.
#define LISTED 12

/// A name, read once.
struct wanted {
  const char *text;
  uint64_t rank; ///< of "L1"; 0 if it is none
  uint64_t id;   ///< stable id
  bool is_id;    ///< 16 hex digits
  struct source_place place;
  bool is_place;  ///< "book.c:8"
  bool is_region; ///< a region is called so: then no function is meant
};

static struct wanted parse(const char *name) {
  struct wanted out = {.text = name};
  char *end;
  if (name[0] == 'L' && name[1] >= '1' && name[1] <= '9') {
    out.rank = strtoull(name + 1, &end, 10);
    out.rank = *end ? 0 : out.rank;
  }
  if (strlen(name) == 16 && strspn(name, "0123456789abcdefABCDEF") == 16) {
    out.is_id = true;
    out.id = strtoull(name, NULL, 16);
  }
  out.is_place = source_place_parse(name, &out.place);
  return out;
}

static bool is_region_called(const struct measured_loop *loop, const char *name) {
  return loop->region && strcmp(loop->region, name) == 0;
}

static bool matches(const struct measured_loop *loop, const struct wanted *wanted) {
  const struct profile_loop *record = loop->loop;
  if (wanted->rank)
    return loop->rank == wanted->rank;
  if (wanted->is_id)
    return record->id == wanted->id;
  if (wanted->is_place)
    return record->line == wanted->place.line &&
           (!wanted->place.column || record->column == wanted->place.column) &&
           source_place_is_in(&wanted->place, record->file);
  if (wanted->is_region)
    return is_region_called(loop, wanted->text);
  return name_is_meant(loop->function, wanted->text) ||
         strcmp(record->function, wanted->text) == 0 ||
         strcmp(record->inlined_from, wanted->text) == 0 ||
         (loop->inlined_into && strcmp(loop->inlined_into, wanted->text) == 0);
}

/// One line of the list of candidates.
static void list_loop(const struct measured_loop *loop, struct problems *problems) {
  struct text line = {0};
  text_printf(&line, "  L%zu %016" PRIx64 " ", loop->rank, loop->loop->id);
  measurement_add_name(loop, &line);
  text_add(&line, " ");
  measurement_add_place(loop->loop, &line);
  if (loop->inlined_into)
    text_printf(&line, " in %s", loop->inlined_into);
  text_add(&line, "\n");
  struct text clean = {0};
  char *cut = text_copy(text_get(&line));
  name_cut(cut);
  text_add_clean(&clean, cut);
  free(cut);
  problem_lines(problems, text_get(&clean));
  text_release(&line);
  text_release(&clean);
}

static void report_missing(const struct measurement *m, const struct wanted *wanted,
                           struct problems *problems) {
  struct nearest nearest = {0};
  for (size_t i = 0; i < m->loop_count; i++)
    nearest_add(&nearest, wanted->text,
                m->loops[i].region ? m->loops[i].region : m->loops[i].function);
  if (!m->loop_count)
    problem_error(problems, "no loop '%s': the profile has none", wanted->text);
  else if (wanted->rank)
    problem_error(problems,
                  "no loop '%s': the profile has L1 to L%zu (a loop's number holds for one set of "
                  "profiles)",
                  wanted->text, m->loop_count);
  else if (nearest.name)
    problem_error(problems,
                  "no loop '%s'; did you mean '%s'? Loops are named by number (L1), stable id, "
                  "file:line, function or region:",
                  wanted->text, nearest.name);
  else
    problem_error(problems,
                  "no loop '%s': loops are named by number (L1), stable id, file:line, "
                  "function or region:",
                  wanted->text);
}

/// Whether one is the iterations of the other, which has too few executions to say anything.
static bool are_one(const struct measured_loop *a, const struct measured_loop *b) {
  return a->is_iteration != b->is_iteration && a->loop->line == b->loop->line &&
         a->loop->column == b->loop->column && a->loop->depth == b->loop->depth &&
         strcmp(a->loop->function, b->loop->function) == 0;
}

const struct measured_loop *find_loop(const struct measurement *m, const char *name,
                                      struct problems *problems) {
  struct wanted wanted = parse(name);
  const struct measured_loop *found = NULL;
  size_t count = 0;
  for (size_t i = 0; i < m->loop_count; i++)
    wanted.is_region |= is_region_called(&m->loops[i], name);
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *loop = &m->loops[i];
    if (!matches(loop, &wanted))
      continue;
    if (found && are_one(found, loop))
      found = loop->is_iteration ? loop : found;
    else if (!count++)
      found = loop;
  }
  if (count == 1)
    return found;
  if (count)
    problem_error(problems, "'%s' names %zu loops: use the number or the stable id of one", name,
                  count);
  else
    report_missing(m, &wanted, problems);
  size_t listed = 0, candidates = 0;
  for (size_t i = 0; i < m->loop_count; i++) {
    if (count && !matches(&m->loops[i], &wanted))
      continue;
    if (++candidates <= LISTED) {
      list_loop(&m->loops[i], problems);
      listed++;
    }
  }
  if (candidates > listed) {
    struct text more = {0};
    text_printf(&more, "  and %zu more: reticle report --all\n", candidates - listed);
    problem_lines(problems, text_get(&more));
    text_release(&more);
  }
  return NULL;
}
