// pmu_fake.c - reads the file that tells counters, and plays them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/topdown/pmu_fake.h"

#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum { OTHER_REGISTERS = 16, ALWAYS = 1000, REGISTERS = 32, SLOTS_CODE = 0x400 };

// --- script -------------------------------------------------------------------------------------

struct parser {
  const char *at;
  struct rrt_pmu_fake_script *script;
  const char *wrong;
};

static void skip_spaces(struct parser *p) {
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
    p->at++;
}

static int at_end(struct parser *p) {
  skip_spaces(p);
  return !*p->at || *p->at == '\n' || *p->at == '#';
}

static int take_word(struct parser *p, const char *word) {
  skip_spaces(p);
  size_t n = rrt_length(word);
  for (size_t i = 0; i < n; i++)
    if (p->at[i] != word[i])
      return 0;
  char next = p->at[n];
  if (next && next != ' ' && next != '\t' && next != '\r' && next != '\n' && next != '#')
    return 0;
  p->at += n;
  return 1;
}

static int take_number(struct parser *p, uint64_t *out) {
  skip_spaces(p);
  int is_hex = p->at[0] == '0' && p->at[1] == 'x';
  size_t n = is_hex ? rrt_parse_hex(p->at + 2, out) : rrt_parse_number(p->at, out);
  p->at += n ? n + (is_hex ? 2 : 0) : 0;
  if (!n)
    p->wrong = "a number is missing, decimal or 0x with hexadecimal digits";
  return n != 0;
}

static void read_error(struct parser *p) {
  static const struct {
    const char *name;
    uint32_t error;
  } errors[] = {{"ENOENT", ENOENT},
                {"EACCES", EACCES},
                {"EPERM", EPERM},
                {"EBUSY", EBUSY},
                {"EINVAL", EINVAL}};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (take_word(p, errors[i].name)) {
      p->script->error = errors[i].error;
      return;
    }
  p->wrong = "'open' needs ENOENT, EACCES, EPERM, EBUSY or EINVAL";
}

static void read_limited(struct parser *p, uint32_t *out, uint32_t low, uint32_t high,
                         const char *wrong) {
  uint64_t number;
  if (!take_number(p, &number))
    return;
  if (number < low || number > high)
    p->wrong = wrong;
  else
    *out = (uint32_t)number;
}

// Index of the event of that code, which is added if it is new.
static uint32_t event_of(struct parser *p, uint64_t code) {
  struct rrt_pmu_fake_script *script = p->script;
  for (uint32_t i = 0; i < script->event_count; i++)
    if (script->events[i].code == code)
      return i;
  if (script->event_count == RRT_PMU_FAKE_EVENTS) {
    p->wrong = "more than 48 events";
    return 0;
  }
  script->events[script->event_count].code = code;
  return script->event_count++;
}

static void read_event(struct parser *p) {
  uint64_t code, count;
  if (!take_number(p, &code))
    return;
  uint32_t event = event_of(p, code);
  if (!p->wrong && p->script->events[event].count_count)
    p->wrong = "this event has a line already";
  do {
    if (!take_number(p, &count) || p->wrong)
      return;
    uint32_t n = p->script->events[event].count_count;
    if (n == RRT_PMU_FAKE_COUNTS) {
      p->wrong = "more than 16 counts";
      return;
    }
    p->script->events[event].counts[n] = count;
    p->script->events[event].count_count = n + 1;
  } while (!at_end(p));
}

// "CODE N": where N goes, of the event of that code.
static void read_start(struct parser *p, int is_empty) {
  uint64_t code, number;
  if (!take_number(p, &code) || !take_number(p, &number))
    return;
  uint32_t event = event_of(p, code);
  if (!p->wrong)
    *(is_empty ? &p->script->events[event].empty : &p->script->events[event].start) = number;
}

static void read_visit(struct parser *p) {
  static const char *const words[] = {"",         "unscheduled", "moved",    "interrupted",
                                      "restless", "shared",      "backwards"};
  struct rrt_pmu_fake_script *script = p->script;
  uint64_t visit;
  if (!take_number(p, &visit))
    return;
  if (!visit || script->visit_count == RRT_PMU_FAKE_VISITS) {
    p->wrong = visit ? "more than 32 visits" : "visits are numbered from 1";
    return;
  }
  for (uint32_t i = 1; i < sizeof words / sizeof *words; i++)
    if (take_word(p, words[i])) {
      script->visits[script->visit_count].visit = visit;
      script->visits[script->visit_count++].what = (enum rrt_pmu_fake_what)i;
      return;
    }
  p->wrong = "'visit' needs unscheduled, moved, interrupted, restless, shared or backwards";
}

static void read_statement(struct parser *p) {
  if (take_word(p, "open"))
    read_error(p);
  else if (take_word(p, "counters"))
    read_limited(p, &p->script->counters, 0, RRT_PMU_COUNTERS_MOST, "'counters' needs 0 to 12");
  else if (take_word(p, "width"))
    read_limited(p, &p->script->width, 8, 64, "'width' needs 8 to 64");
  else if (take_word(p, "registers"))
    read_limited(p, &p->script->registers, 2, RRT_PMU_COUNTERS_MOST, "'registers' needs 2 to 12");
  else if (take_word(p, "event"))
    read_event(p);
  else if (take_word(p, "start"))
    read_start(p, 0);
  else if (take_word(p, "empty"))
    read_start(p, 1);
  else if (take_word(p, "visit"))
    read_visit(p);
  else
    p->wrong = "no statement: open, counters, width, registers, event, start, empty or visit";
}

uint32_t rrt_pmu_fake_parse(const char *text, struct rrt_pmu_fake_script *script,
                            const char **wrong) {
  struct parser p = {.at = text, .script = script};
  rrt_zero(script, sizeof *script);
  script->counters = script->registers = RRT_PMU_COUNTERS_MOST;
  script->width = 48;
  for (uint32_t line = 1; *p.at; line++) {
    if (!at_end(&p))
      read_statement(&p);
    if (!p.wrong && !at_end(&p))
      p.wrong = "more on the line than the statement takes";
    if (p.wrong) {
      *wrong = p.wrong;
      return line;
    }
    while (*p.at && *p.at != '\n')
      p.at++;
    p.at += *p.at == '\n';
  }
  return 0;
}

// --- counters -----------------------------------------------------------------------------------

static uint64_t in_width(const struct rrt_pmu_fake *fake, uint64_t value) {
  return fake->script->width == 64 ? value : value & ((UINT64_C(1) << fake->script->width) - 1);
}

static int64_t as_signed(const struct rrt_pmu_fake *fake, uint64_t value) {
  unsigned unused = 64 - fake->script->width;
  return (int64_t)(value << unused) >> unused;
}

static enum rrt_pmu_fake_what what_in(const struct rrt_pmu_fake *fake, uint64_t visit) {
  for (uint32_t i = 0; i < fake->script->visit_count; i++)
    if (fake->script->visits[i].visit == visit)
      return fake->script->visits[i].what;
  return RRT_PMU_FAKE_NOTHING;
}

// code  place of its code in the group
static uint64_t count_in(const struct rrt_pmu_fake *fake, uint32_t code, uint64_t visit) {
  uint32_t event = fake->event[code];
  if (event != RRT_PMU_FAKE_EVENTS && fake->is_empty)
    return fake->script->events[event].empty;
  if (event == RRT_PMU_FAKE_EVENTS || !fake->script->events[event].count_count)
    return 0;
  uint32_t last = fake->script->events[event].count_count - 1;
  return fake->script->events[event].counts[visit - 1 < last ? visit - 1 : last];
}

static int is_metrics(const struct rrt_pmu_fake *fake, uint32_t counter) {
  return fake->fields && counter < 2;
}

// Slots and PERF_METRICS have registers of their own.
static int is_short_of_counters(const struct rrt_pmu_fake *fake) {
  return fake->count - fake->fixed > fake->script->counters;
}

static uint32_t code_of(const struct rrt_pmu_fake *fake, uint32_t counter) {
  return counter < 2 || !fake->fields ? counter : counter + fake->fields - 1;
}

// As the kernel does: what a register had goes into the offset, and another one begins at 0. Those
// of PERF_METRICS go with the thread as they are.
static void move(struct rrt_pmu_fake *fake, uint32_t i) {
  struct rrt_pmu_page *page = &fake->pages[i];
  uint32_t number = page->index - 1;
  if (is_metrics(fake, i)) {
    page->lock += 2;
    return;
  }
  page->offset += as_signed(fake, fake->registers[i]);
  fake->registers[i] = 0;
  page->index = (number ^ OTHER_REGISTERS) + 1;
  page->lock += 2;
}

// The register of PERF_METRICS: of all slots since it began, what part each field has, in 255ths.
static uint64_t metrics_of(const struct rrt_pmu_fake *fake) {
  uint64_t value = 0, slots = fake->registers[0] ? fake->registers[0] : 1;
  for (uint32_t f = 0; f < fake->fields; f++)
    value |= ((fake->field_slots[f] * 255 + slots / 2) / slots & 255) << 8 * f;
  return value;
}

static void happen(struct rrt_pmu_fake *fake, uint32_t i, enum rrt_pmu_fake_what what,
                   uint64_t visit) {
  struct rrt_pmu_page *page = &fake->pages[i];
  uint64_t count = count_in(fake, code_of(fake, i), visit);
  if (is_metrics(fake, i) && i == 1) {
    for (uint32_t f = 0; f < fake->fields; f++)
      fake->field_slots[f] += count_in(fake, 1 + f, visit);
    fake->registers[1] = metrics_of(fake); // the slots' own register is up to date
  } else {
    fake->registers[i] = in_width(fake, fake->registers[i] + count);
  }
  if (what == RRT_PMU_FAKE_BACKWARDS && !(is_metrics(fake, i) && i == 1))
    fake->registers[i] = in_width(fake, fake->registers[i] - 2 * count - 1);
  if (what == RRT_PMU_FAKE_MOVED)
    move(fake, i);
  if (what == RRT_PMU_FAKE_SHARED)
    page->time_enabled += 1000000;
  if (what == RRT_PMU_FAKE_UNSCHEDULED)
    page->index = 0;
}

// Between the readings of a visit, the counters count; before the first, the kernel has given them
// back their registers.
static void before(void *context, int is_end) {
  struct rrt_pmu_fake *fake = context;
  uint64_t visit = fake->visits + 1;
  fake->visits += is_end != 0;
  enum rrt_pmu_fake_what what = fake->is_empty ? RRT_PMU_FAKE_NOTHING : what_in(fake, visit);
  fake->changes = 0;
  if (is_end && (what == RRT_PMU_FAKE_INTERRUPTED || what == RRT_PMU_FAKE_RESTLESS))
    fake->changes = what == RRT_PMU_FAKE_RESTLESS ? ALWAYS : 1;
  for (uint32_t i = 0; i < fake->count; i++) {
    if (is_end)
      happen(fake, i, what, visit);
    else if (!fake->pages[i].index && !is_short_of_counters(fake))
      fake->pages[i].index = i + 1;
  }
}

static uint64_t read_register(void *context, uint32_t number) {
  struct rrt_pmu_fake *fake = context;
  uint32_t i = number % OTHER_REGISTERS;
  if (!fake->changes)
    return fake->registers[i];
  // Interrupted between the page and the register: the number is an old one's by now.
  fake->changes--;
  uint64_t stale = fake->registers[i];
  move(fake, i);
  return in_width(fake, stale + 12345);
}

void rrt_pmu_fake_set_empty(struct rrt_pmu_fake *fake, int is_empty) {
  fake->is_empty = is_empty;
  fake->visits = 0;
}

void rrt_pmu_fake_reset(struct rrt_pmu_fake *fake) {
  rrt_zero(fake->registers, 2 * sizeof fake->registers[0]);
  rrt_zero(fake->field_slots, sizeof fake->field_slots);
}

static int has_register(uint32_t number) { return number < REGISTERS; }

int rrt_pmu_fake_open(const struct rrt_pmu_fake_script *script, const uint64_t *codes,
                      uint32_t count, uint32_t fields, struct rrt_pmu_fake *fake,
                      struct rrt_pmu_group *group) {
  static const struct rrt_pmu_source source = {before, read_register, has_register};
  if (script->error)
    return (int)script->error;
  if (count > RRT_PMU_COUNTERS_MOST)
    return EINVAL;
  rrt_zero(fake, sizeof *fake);
  rrt_zero(group, sizeof *group);
  fake->script = script;
  fake->fields = fields;
  fake->count = count - (fields ? fields - 1 : 0);
  fake->fixed = (count && codes[0] == SLOTS_CODE) + (fields != 0);
  for (uint32_t i = 0; i < count; i++) {
    fake->event[i] = RRT_PMU_FAKE_EVENTS;
    for (uint32_t e = 0; e < script->event_count; e++)
      if (script->events[e].code == codes[i])
        fake->event[i] = e;
  }
  for (uint32_t i = 0; i < fake->count; i++) {
    uint32_t event = fake->event[code_of(fake, i)];
    if (event != RRT_PMU_FAKE_EVENTS && !is_metrics(fake, i))
      fake->registers[i] = in_width(fake, script->events[event].start);
    fake->pages[i].capabilities = RRT_PMU_CAN_READ;
    fake->pages[i].pmc_width = (uint16_t)script->width;
    // A pinned group has all its counters in registers, or none.
    fake->pages[i].index = fake->count <= script->counters ? i + 1 : 0;
    group->pages[i] = &fake->pages[i];
  }
  group->source = &source;
  group->context = fake;
  group->count = fake->count;
  group->fields = fields;
  return 0;
}
