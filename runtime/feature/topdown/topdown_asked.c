// topdown_asked.c - which groups of counters the options ask for, and the parts that visits read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/topdown/pmu_player.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

enum { SLOTS_CODE = 0x400, METRICS_CODE = 0x8000, METRICS_STEP = 0x100, FIELDS_MOST = 8 };

struct rrt_topdown_asked rrt_topdown_asked = {.registers = RRT_PMU_COUNTERS_MOST};
static const char fake_prefix[] = "fake:";

int rrt_topdown_is_on(void) { return rrt_topdown_asked.group_count != 0; }

// --- options ------------------------------------------------------------------------------------

static void wrong_groups(const char *why) {
  rrt_topdown_asked.group_count = 0;
  if (rrt_options.verbosity)
    rrt_say("warning: option topdown: nothing is counted; it is for `reticle topdown` to set: ",
            why);
}

// "3c+19c" into the group; the number of characters, 0 if it is none.
static size_t read_codes(const char *text, struct rrt_topdown_group *group) {
  size_t length = 0, n;
  for (;;) {
    if (group->code_count == RRT_PMU_COUNTERS_MOST)
      return 0;
    n = rrt_parse_hex(text + length, &group->codes[group->code_count]);
    if (!n)
      return 0;
    group->code_count++;
    length += n;
    if (text[length] != '+')
      return length;
    length++;
  }
}

static uint32_t keep_text(const char *text, size_t length) {
  char copy[RRT_OPTION_TEXT_BYTES];
  rrt_copy(copy, text, length);
  copy[length] = 0;
  return rrt_strings_add(copy);
}

// Fields of PERF_METRICS that follow the slots: pseudo codes, and one register for all.
static uint32_t fields_of(const struct rrt_topdown_group *group) {
  uint32_t fields = 0;
  if (group->codes[0] != SLOTS_CODE)
    return 0;
  while (fields < FIELDS_MOST && fields + 1 < group->code_count &&
         group->codes[fields + 1] == METRICS_CODE + (uint64_t)fields * METRICS_STEP)
    fields++;
  return fields;
}

// What counters from number `first` on are among the codes.
static uint32_t code_of(const struct rrt_topdown_group *group, uint32_t counter) {
  return counter < 2 || !group->fields ? counter : counter + group->fields - 1;
}

// The group's clock with counters of the part alone, to be scheduled on its own.
static struct rrt_topdown_group cut(const struct rrt_topdown_group *group,
                                    struct rrt_pmu_part part) {
  struct rrt_topdown_group out = *group;
  uint32_t first = code_of(group, part.first), end = code_of(group, part.first + part.count);
  out.first = first;
  out.code_count = 1 + end - first;
  out.counters = 1 + part.count;
  out.fields = part.first == 1 ? group->fields : 0;
  out.is_cut = 1;
  for (uint32_t i = first; i < end; i++)
    out.codes[1 + i - first] = group->codes[i];
  return out;
}

// Adds a group, or its parts where it needs more counters than `most`. Returns 0 without a place.
static int add_group(const struct rrt_topdown_group *group, uint32_t most) {
  struct rrt_topdown_asked *asked = &rrt_topdown_asked;
  uint32_t parts = rrt_pmu_parts(group->counters, most);
  for (uint32_t p = 0; p < parts; p++) {
    if (asked->group_count == RRT_TOPDOWN_GROUPS)
      return 0;
    struct rrt_topdown_group *into = &asked->groups[asked->group_count++];
    *into = parts == 1 ? *group : cut(group, rrt_pmu_part(group->counters, most, 1 + p));
    into->first_total = asked->total_count;
    asked->total_count += into->counters; // the whole, and at most so many parts but one
  }
  return 1;
}

// TREE,*MOST,CODES,CODES...: the second part may be missing.
static void read_groups(const char *text) {
  struct rrt_topdown_asked *asked = &rrt_topdown_asked;
  uint64_t most = RRT_PMU_COUNTERS_MOST;
  size_t tree = 0;
  while (text[tree] && text[tree] != ',')
    tree++;
  asked->tree = keep_text(text, tree);
  for (text += tree; *text == ',';) {
    struct rrt_topdown_group group = {.first = 1};
    int is_most = *++text == '*';
    text += is_most;
    size_t length = is_most ? rrt_parse_number(text, &most) : read_codes(text, &group);
    if (!length || (text[length] && text[length] != ',') || most < 2) {
      wrong_groups("a group is 1 to 12 codes in hexadecimal, with + between");
      return;
    }
    group.whole = is_most ? 0 : keep_text(text, length);
    group.fields = fields_of(&group);
    group.counters = group.code_count - (group.fields ? group.fields - 1 : 0);
    text += length;
    if (!is_most && !add_group(&group, (uint32_t)most)) {
      wrong_groups("more than 32 groups");
      return;
    }
  }
  if (!asked->group_count)
    wrong_groups("TREE,CODE+CODE...,CODE+CODE...");
}

static int starts_with(const char *text, const char *prefix) {
  while (*prefix && *text == *prefix) {
    text++;
    prefix++;
  }
  return !*prefix;
}

static void read_player(const char *path) {
  struct rrt_topdown_asked *asked = &rrt_topdown_asked;
  uint32_t registers = rrt_pmu_player.start(path);
  asked->is_fake = 1;
  if (registers)
    asked->registers = registers;
  else
    asked->group_count = 0;
}

static const char *why_not_played(const char *pmu) {
  if (!starts_with(pmu, fake_prefix) || !pmu[sizeof fake_prefix - 1])
    return "warning: option pmu: only fake:FILE is known; ignored: ";
  if (!rrt_options.topdown[0])
    return "warning: option pmu: nothing asks for counters; use it with `reticle topdown`: ";
  if (!&rrt_pmu_player)
    return "warning: option pmu: for tests, whose programs are linked with "
           "libreticle_pmu_fake.a; ignored: ";
  return NULL;
}

void rrt_topdown_read_options(void) {
  const char *pmu = rrt_options.pmu;
  if (rrt_options.topdown[0])
    read_groups(rrt_options.topdown);
  if (!pmu[0])
    return;
  const char *why = why_not_played(pmu);
  if (!why)
    read_player(pmu + sizeof fake_prefix - 1);
  else if (rrt_options.verbosity)
    rrt_say(why, pmu);
}

// --- parts --------------------------------------------------------------------------------------

uint32_t rrt_topdown_parts(const struct rrt_topdown_group *group) {
  return rrt_pmu_parts(group->counters, rrt_topdown_asked.registers);
}

uint32_t rrt_topdown_part_codes(const struct rrt_topdown_group *group, uint32_t part,
                                uint32_t *first) {
  struct rrt_pmu_part counters = rrt_pmu_part(group->counters, rrt_topdown_asked.registers, part);
  *first = code_of(group, counters.first);
  return code_of(group, counters.first + counters.count) - *first;
}

// CODES, or CODES@FIRST-COUNT for a part: places among the codes, the clock not counted.
void rrt_topdown_name_parts(void) {
  for (uint32_t g = 0; g < rrt_topdown_asked.group_count; g++) {
    struct rrt_topdown_group *group = &rrt_topdown_asked.groups[g];
    uint32_t parts = rrt_topdown_parts(group), first;
    for (uint32_t p = 0; p <= parts && p < RRT_PMU_COUNTERS_MOST; p++) {
      char buffer[RRT_OPTION_TEXT_BYTES + 32];
      struct rrt_text text;
      uint32_t count = rrt_topdown_part_codes(group, p, &first);
      rrt_text_init(&text, buffer, sizeof buffer);
      rrt_text_add(&text, rrt_strings_data() + group->whole);
      if (p || group->is_cut) {
        rrt_text_add(&text, "@");
        rrt_text_add_number(&text, group->first + first - 1);
        rrt_text_add(&text, "-");
        rrt_text_add_number(&text, count);
      }
      group->events[p] = rrt_strings_add(buffer);
    }
  }
}
