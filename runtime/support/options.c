// options.c - run-time options: parser, range check and help from options.def.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/options.h"

#include "runtime/support/environment.h"
#include "runtime/support/message.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

#include <stddef.h>

enum option_type { BOOL, U64, PERCENT, TIME, CHOICE, TEXT, FILE };

struct rrt_options rrt_options;

// Reading is silent at first: where warnings go is itself an option.
static int complaining;

struct option {
  const char *name;
  const char *initial; // as text, so that one parser serves
  uint64_t low, high;
  const char *unit; // of CHOICE: its words
  const char *help;
  size_t offset;
  enum option_type type;
};

// Built-in numbers are held values (permille for PERCENT), texts are texts: one array for each.
static const struct option table[] = {
#define RETICLE_OPTION(type, name, initial, low, high, unit, help)                                 \
  {#name, #initial, low, high, unit, help, offsetof(struct rrt_options, name), type},
#include "include/reticle/options.def"
};
enum { OPTIONS = sizeof table / sizeof table[0] };

// The word at the start of a list "a|b|c": its length.
static size_t word_length(const char *list) {
  size_t n = 0;
  while (list[n] && list[n] != '|')
    n++;
  return n;
}

static const char *next_word(const char *list) {
  list += word_length(list);
  return list + (*list == '|');
}

static int parse_choice(const char *list, const char *text, uint64_t *out) {
  for (*out = 0; *list; list = next_word(list), ++*out) {
    size_t n = word_length(list), same = 0;
    while (same < n && text[same] == list[same])
      same++;
    if (same == n && !text[n])
      return 1;
  }
  return 0;
}

static void set_initial(const struct option *o) {
  char *to = (char *)&rrt_options + o->offset;
  uint64_t number = 0;
  if (o->type == TEXT || o->type == FILE) { // stringised with its quotes
    size_t n = rrt_length(o->initial);
    rrt_copy(to, o->initial + 1, n - 2);
    to[n - 2] = 0;
    return;
  }
  if (o->type == CHOICE)
    parse_choice(o->unit, o->initial, &number);
  else
    rrt_parse_number(o->initial, &number);
  *(uint64_t *)(void *)to = number;
}

static int parse_bool(const char *text, uint64_t *out) {
  static const char *const yes[] = {"1", "yes", "on", "true"};
  static const char *const no[] = {"0", "no", "off", "false"};
  for (unsigned i = 0; i < 4; i++) {
    if (rrt_equal(text, yes[i]) || rrt_equal(text, no[i])) {
      *out = rrt_equal(text, yes[i]);
      return 1;
    }
  }
  return 0;
}

static int parse_u64(const char *text, uint64_t *out) {
  uint64_t value;
  size_t n = rrt_parse_number(text, &value);
  if (!n)
    return 0;
  int shift = text[n] == 'K' ? 10 : text[n] == 'M' ? 20 : text[n] == 'G' ? 30 : 0;
  n += shift != 0;
  if (text[n] || value > (UINT64_MAX >> shift))
    return 0;
  *out = value << shift;
  return 1;
}

// "1", "1%", "0.5", "12.5%" to permille.
static int parse_percent(const char *text, uint64_t *out) {
  uint64_t whole, tenth = 0;
  size_t n = rrt_parse_number(text, &whole);
  if (!n || whole > 1000)
    return 0;
  if (text[n] == '.') {
    if (text[n + 1] < '0' || text[n + 1] > '9')
      return 0;
    tenth = (uint64_t)(text[n + 1] - '0');
    n += 2;
  }
  n += text[n] == '%';
  *out = whole * 10 + tenth;
  return text[n] == 0;
}

// "90", "90s", "10m", "2h", "7d" to seconds.
static int parse_time(const char *text, uint64_t *out) {
  uint64_t value;
  size_t n = rrt_parse_number(text, &value);
  if (!n)
    return 0;
  uint64_t unit = text[n] == 'm' ? 60 : text[n] == 'h' ? 3600 : text[n] == 'd' ? 86400 : 1;
  n += unit > 1 || text[n] == 's';
  if (text[n] || value > UINT64_MAX / unit)
    return 0;
  *out = value * unit;
  return 1;
}

// How many letters at the same place agree, the shorter name's length being the limit; enough to
// name the nearest of a dozen keys.
static unsigned likeness(const char *a, const char *b) {
  unsigned same = 0, n = 0;
  for (; a[n] && b[n]; n++)
    same += a[n] == b[n];
  size_t la = rrt_length(a), lb = rrt_length(b);
  unsigned apart = (unsigned)(la > lb ? la - lb : lb - la);
  return same * 4 > apart ? same * 4 - apart : 0;
}

static const struct option *nearest(const char *key) {
  const struct option *best = &table[0];
  for (unsigned i = 1; i < OPTIONS; i++)
    if (likeness(key, table[i].name) > likeness(key, best->name))
      best = &table[i];
  return best;
}

static void add_limit(struct rrt_text *text, const struct option *o, uint64_t limit) {
  if (o->type != PERCENT) {
    rrt_text_add_number(text, limit);
    return;
  }
  rrt_text_add_number(text, limit / 10);
  if (limit % 10) {
    rrt_text_add(text, ".");
    rrt_text_add_number(text, limit % 10);
  }
  rrt_text_add(text, " %");
}

// ": own, merge or none is needed, and own used; not: mine": what is used is known by now.
static void add_choices(struct rrt_text *text, const struct option *o, const char *value) {
  const char *used = o->unit;
  rrt_text_add(text, ": ");
  for (const char *word = o->unit; *word; word = next_word(word)) {
    rrt_text_add_bytes(text, word, word_length(word));
    if (*next_word(word))
      rrt_text_add(text, *next_word(next_word(word)) ? ", " : " or ");
  }
  for (uint64_t i = *(uint64_t *)(void *)((char *)&rrt_options + o->offset); i; i--)
    used = next_word(used);
  rrt_text_add(text, " is needed, and ");
  rrt_text_add_bytes(text, used, word_length(used));
  rrt_text_add(text, " used; not: ");
  rrt_text_add(text, value);
}

static void warn_value(const struct option *o, const char *value) {
  struct rrt_message m;
  if (!complaining)
    return;
  rrt_message_start(&m, "warning: option ");
  rrt_text_add(&m.text, o->name);
  if (o->type == CHOICE) {
    add_choices(&m.text, o, value);
    rrt_message_send(&m);
    return;
  }
  rrt_text_add(&m.text, ": '");
  rrt_text_add(&m.text, value);
  if (o->type == BOOL) {
    rrt_text_add(&m.text, "' is not 0 or 1");
  } else if (o->type == TEXT || o->type == FILE) {
    rrt_text_add(&m.text, "' is longer than 1023 bytes");
  } else {
    rrt_text_add(&m.text, o->type == TIME      ? "' is not a time from "
                          : o->type == PERCENT ? "' is not a share from "
                                               : "' is not a number from ");
    add_limit(&m.text, o, o->low);
    rrt_text_add(&m.text, " to ");
    add_limit(&m.text, o, o->high);
    if (*o->unit) {
      rrt_text_add(&m.text, " ");
      rrt_text_add(&m.text, o->type == PERCENT ? "(give 1 or 0.5%)"
                            : o->type == TIME  ? "s (give 90s, 10m, 2h or 7d)"
                                               : o->unit);
    }
  }
  rrt_text_add(&m.text, "; ignored");
  rrt_message_send(&m);
}

static void set_value(const struct option *o, const char *value) {
  char *to = (char *)&rrt_options + o->offset;
  if (o->type == TEXT || o->type == FILE) {
    size_t n = rrt_length(value);
    if (n >= RRT_OPTION_TEXT_BYTES)
      warn_value(o, "(...)");
    else
      rrt_copy(to, value, n + 1);
    return;
  }
  uint64_t number;
  int ok = o->type == BOOL     ? parse_bool(value, &number)
           : o->type == U64    ? parse_u64(value, &number)
           : o->type == TIME   ? parse_time(value, &number)
           : o->type == CHOICE ? parse_choice(o->unit, value, &number)
                               : parse_percent(value, &number);
  if (!ok || (o->type != CHOICE && (number < o->low || number > o->high)))
    warn_value(o, value);
  else
    *(uint64_t *)(void *)to = number;
}

static void set_pair(const char *key, const char *value, int privileged) {
  for (unsigned i = 0; i < OPTIONS; i++) {
    if (!rrt_equal(key, table[i].name))
      continue;
    if (!value)
      value = table[i].type == BOOL ? "1" : "";
    if (!(privileged && table[i].type == FILE))
      set_value(&table[i], value);
    return;
  }
  if (!complaining)
    return;
  struct rrt_message m;
  rrt_message_start(&m, "warning: unknown option '");
  rrt_text_add(&m.text, key);
  rrt_text_add(&m.text, "', nearest is '");
  rrt_text_add(&m.text, nearest(key)->name);
  rrt_text_add(&m.text, "'; RETICLE_OPTIONS=help=1 lists them");
  rrt_message_send(&m);
}

// pmu=fake:FILE has a colon of its own.
static int is_scheme(const char *text, size_t length) {
  static const char scheme[] = "pmu=fake";
  size_t i = 0;
  while (i < length && scheme[i] == text[i])
    i++;
  return i == length && length == sizeof scheme - 1;
}

// key=value:key=value
static void parse(const char *text, int privileged) {
  while (text && *text) {
    char pair[RRT_OPTION_TEXT_BYTES + 64];
    size_t n = 0, length = 0, equal = 0;
    for (; text[length] && (text[length] != ':' || is_scheme(text, length)); length++)
      if (text[length] == '=' && !equal)
        equal = length;
    n = length < sizeof pair ? length : sizeof pair - 1;
    rrt_copy(pair, text, n);
    pair[n] = 0;
    if (n) {
      int has_value = equal && equal < n;
      if (has_value)
        pair[equal] = 0;
      set_pair(pair, has_value ? pair + equal + 1 : NULL, privileged);
    }
    text += length;
    text += *text == ':';
  }
}

static int is_test_aid(const struct option *o) {
  static const char start[] = "test aid";
  for (unsigned i = 0; start[i]; i++)
    if (o->help[i] != start[i])
      return 0;
  return 1;
}

static void print_help(void) {
  struct rrt_message m;
  rrt_message_start(&m, "RETICLE_OPTIONS=key=value:key=value");
  rrt_message_send(&m);
  for (unsigned i = 0; i < OPTIONS; i++) {
    if (is_test_aid(&table[i]))
      continue;
    rrt_message_start(&m, "  ");
    rrt_text_add(&m.text, table[i].name);
    rrt_text_add(&m.text, "=");
    rrt_text_add(&m.text, table[i].initial);
    if (*table[i].unit) {
      rrt_text_add(&m.text, " ");
      rrt_text_add(&m.text, table[i].unit);
    }
    rrt_text_add(&m.text, "  ");
    rrt_text_add(&m.text, table[i].help);
    rrt_message_send(&m);
  }
}

__attribute__((weak, visibility("default"))) const char *__reticle_default_options(void) {
  return "";
}

static void read_all(char *const *environment, int privileged) {
  parse(__reticle_default_options(), privileged);
  parse(rrt_environment_get(environment, "RETICLE_OPTIONS"), privileged);
}

void rrt_options_read(char *const *environment, int privileged) {
  for (unsigned i = 0; i < OPTIONS; i++)
    set_initial(&table[i]);
  complaining = 0;
  read_all(environment, privileged);
}

void rrt_options_complain(char *const *environment, int privileged) {
  complaining = rrt_options.verbosity > 0;
  read_all(environment, privileged);
  if (rrt_options.help)
    print_help();
}
