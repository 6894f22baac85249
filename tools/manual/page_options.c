// page_options.c - the manual page of RETICLE_OPTIONS: the options that a program is run with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/manual/page.h"
#include "tools/manual/roff.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { TYPE_BOOL, TYPE_U64, TYPE_PERCENT, TYPE_TIME, TYPE_CHOICE, TYPE_TEXT, TYPE_FILE };

struct run_option {
  enum type type;
  const char *name;
  const char *initial; ///< as written in the list: texts with their quotes
  uint64_t low, high;
  const char *unit, *help; ///< unit: of a choice its words
};

static const struct run_option options[] = {
#define RETICLE_OPTION(type, name, initial, low, high, unit, help)                                 \
  {TYPE_##type, #name, #initial, low, high, unit, help},
#include "include/reticle/options.def"
};

/// A number as one would type it: the largest unit that leaves it whole.
static void add_scaled(uint64_t number, const uint64_t *units, const char *letters,
                       struct text *out) {
  for (size_t i = 0; letters[i]; i++)
    if (number && number % units[i] == 0) {
      text_format(out, "%" PRIu64 "%c", number / units[i], letters[i]);
      return;
    }
  text_format(out, "%" PRIu64, number);
}

static void add_number(const struct run_option *o, uint64_t number, bool has_unit,
                       struct text *out) {
  static const uint64_t seconds[] = {86400, 3600, 60, 1}, bytes[] = {1 << 30, 1 << 20, 1 << 10};
  if (o->type == TYPE_TIME) { // held in seconds
    add_scaled(number, seconds, "dhms", out);
  } else if (o->type == TYPE_PERCENT) { // held in permille
    text_format(out, "%g %%", (double)number / 10);
  } else {
    add_scaled(number, bytes, strcmp(o->unit, "bytes") == 0 ? "GMK" : "", out);
    if (has_unit && *o->unit)
      text_format(out, " %s", o->unit);
  }
}

/// Default and range, in parentheses behind the help.
static void add_values(const struct run_option *o, struct text *out) {
  if (o->type == TYPE_TEXT || o->type == TYPE_FILE) {
    size_t length = strlen(o->initial) - 2;
    if (length)
      text_format(out, " (default %.*s)", (int)length, o->initial + 1);
    return;
  }
  if (o->type == TYPE_CHOICE) {
    text_format(out, " (default %s)", o->initial);
    return;
  }
  text_add(out, " (default ");
  add_number(o, strtoull(o->initial, NULL, 10), true, out);
  if (o->type != TYPE_BOOL) {
    text_add(out, ", ");
    add_number(o, o->low, false, out);
    text_add(out, " to ");
    add_number(o, o->high, true, out);
  }
  text_add(out, ")");
}

static void add_option(const struct run_option *o, struct text *out) {
  static const char *const values[] = {"0|1", "N", "PERCENT", "TIME", NULL, "TEXT", "FILE"};
  struct text meaning = {0};
  roff_item(out);
  roff_bold(o->name, out);
  text_add(out, "=");
  roff_typed(o->type == TYPE_CHOICE ? o->unit : values[o->type], out);
  text_add(&meaning, o->help);
  add_values(o, &meaning);
  roff_meaning(text_get(&meaning), out);
  text_release(&meaning);
}

void page_add_options(struct text *out) {
  roff_begin("reticle-options", "7", "run-time options of programs built with Reticle", out);
  roff_section("SYNOPSIS", out);
  text_add(out, "\\fBRETICLE_OPTIONS=\\fR\\fIkey\\fR=\\fIvalue\\fR:\\fIkey\\fR=\\fIvalue\\fR ");
  roff_typed("PROGRAM", out);
  text_add(out, "\n");
  roff_section("DESCRIPTION", out);
  roff_paragraph("A program that was built by `reticle-clang`(1) reads the variable "
                 "RETICLE_OPTIONS when it starts. It can bring its own defaults along by defining "
                 "`const char *__reticle_default_options(void)`, which returns such a string; the "
                 "environment overrides it.",
                 out);
  roff_paragraph(
      "An unknown key gets one warning that names the nearest known one, and a value out "
      "of range leaves the default in place.",
      out);
  roff_section("OPTIONS", out);
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
    if (strncmp(options[i].help, "test aid", strlen("test aid")) != 0)
      add_option(&options[i], out);
  roff_section("VALUES", out);
  roff_paragraph("Times are numbers with s, m, h or d behind them; without one, seconds. Numbers "
                 "take K, M and G for 2^10, 2^20 and 2^30. Switches take 0 and 1, no and yes, off "
                 "and on, false and true.",
                 out);
  roff_paragraph("In file names `%p` is the process, `%e` the executable's name, `%h` the host, "
                 "`%r` the MPI rank and `%%` a percent sign. A privileged process (set-user-ID and "
                 "the like) ignores options that name files.",
                 out);
  roff_section("EXAMPLES", out);
  roff_example("RETICLE_OPTIONS=sample=1:blocks=20 ./app", out);
  roff_example("RETICLE_OPTIONS=report=0:out=/tmp/%e.%p.prof ./app", out);
  const char *const references[] = {"reticle(1)", "reticle-clang(1)", "reticle-run(1)"};
  roff_see_also(references, 3, out);
}
