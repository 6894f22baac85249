// page_reticle.c - manual pages of the program and of the compiler: tables, and a frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/commands.h"
#include "tools/driver/help.h"
#include "tools/manual/page.h"
#include "tools/manual/roff.h"

#include <string.h>

struct item {
  const char *term, *meaning;
};

static void add_items(const struct item *items, size_t count, struct text *out) {
  for (size_t i = 0; i < count; i++) {
    roff_item(out);
    roff_typed(items[i].term, out);
    roff_meaning(items[i].meaning, out);
  }
}

#define ADD_ITEMS(items, out) add_items(items, sizeof(items) / sizeof((items)[0]), out)

static void add_commands(struct text *out) {
  roff_section("COMMANDS", out);
  for (size_t i = 0; commands[i]; i++) {
    struct text page = {0};
    text_printf(&page, "reticle-%s", commands[i]->name);
    roff_item(out);
    roff_bold(text_get(&page), out);
    text_add(out, "(1)");
    roff_meaning(commands[i]->summary, out);
    text_release(&page);
  }
}

void page_add_reticle(struct text *out) {
  static const struct item options[] = {
      {"-h, --help", "list the commands"},
      {"-V, --version", "print the version, and that of the profiles it writes"},
  };
  static const struct item variables[] = {
      {"RETICLE_OPTIONS", "options of the programs that are measured: reticle-options(7)"},
      {"NO_COLOR", "if set, no colours; there are none but on a terminal anyway"},
      {"COLUMNS", "how wide reports are, where that isn't a terminal's width"},
      {"XDG_CACHE_HOME", "where the timing floor of this machine is kept, in the folder reticle; "
                         "default: ~/.cache"},
      {"TMPDIR", "where builds and runs have their files; default: /tmp"},
  };
  static const struct item files[] = {
      {"reticle.PROGRAM.PID.prof", "a profile, which an instrumented program writes in its working "
                                   "directory"},
      {"PROGRAM.reticle", "a study: profiles of several builds and what they say together"},
  };
  roff_begin("reticle", "1", "shows which loops of a program run unsteadily, and why", out);
  roff_section("SYNOPSIS", out);
  roff_typed("reticle COMMAND", out);
  text_add(out, " ...\n.br\n");
  roff_typed("reticle help [COMMAND]", out);
  text_add(out, "\n");
  roff_section("DESCRIPTION", out);
  roff_paragraph(
      "Reticle shows which loops of a C or C++ program run unsteadily, by how much, and "
      "whether the work or the processor is the reason. It is compiled in, needs no PMU, "
      "no root and no change to the program, and says what it could not measure.",
      out);
  roff_paragraph("`reticle study` does everything; or build by `reticle-clang`, run the program, "
                 "and look at the profile that it writes by `reticle report`.",
                 out);
  add_commands(out);
  roff_section("OPTIONS", out);
  ADD_ITEMS(options, out);
  page_add_status(NULL, out);
  roff_section("ENVIRONMENT", out);
  ADD_ITEMS(variables, out);
  roff_section("FILES", out);
  ADD_ITEMS(files, out);
  roff_section("EXAMPLES", out);
  roff_paragraph("Build, run, look:", out);
  roff_example("reticle-clang -O2 -g app.c -o app && ./app && reticle show L1", out);
  const char *const references[] = {"reticle-clang(1)", "reticle-options(7)"};
  roff_see_also(references, 2, out);
}

static void add_settings(const struct driver_setting *setting, struct text *out) {
  for (; setting->name; setting++) {
    size_t length = strcspn(setting->name, "=");
    struct text name = {0};
    text_add_bytes(&name, setting->name, length);
    roff_item(out);
    roff_bold(text_get(&name), out);
    text_release(&name);
    roff_typed(setting->name + length, out);
    roff_meaning(setting->help, out);
  }
}

static void add_compile_options(struct text *out) {
  static const struct {
    const char *key, *value, *help;
  } options[] = {
#define RETICLE_COMPILE_OPTION(key, value, words, help) {#key, value, help},
#include "include/reticle/compile_options.def"
  };
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    if (strncmp(options[i].help, "test aid", strlen("test aid")) == 0)
      continue;
    struct text name = {0};
    text_printf(&name, "-fplugin-arg-reticle-%s", options[i].key);
    roff_item(out);
    roff_bold(text_get(&name), out);
    text_add(out, "=");
    roff_typed(options[i].value, out);
    roff_meaning(options[i].help, out);
    text_release(&name);
  }
}

/// The sections of a wrapper's page between its synopsis and its examples.
static void add_wrapper(const struct driver_text *text, const char *status, struct text *out) {
  roff_section("DESCRIPTION", out);
  roff_paragraph(text->details, out);
  roff_section("OPTIONS", out);
  add_settings(text->options, out);
  add_compile_options(out);
  roff_section("EXIT STATUS", out);
  roff_paragraph(status, out);
  roff_section("ENVIRONMENT", out);
  add_settings(text->variables, out);
  roff_paragraph(text->choice, out);
  roff_section("EXAMPLES", out);
}

void page_add_clang(struct text *out) {
  roff_begin(driver_clang.names, "1", driver_clang.summary, out);
  roff_section("SYNOPSIS", out);
  roff_typed("reticle-clang", out);
  text_add(out, " [\\fIoptions of clang\\fR]\n.br\n");
  roff_typed("reticle-clang++", out);
  text_add(out, " [\\fIoptions of clang\\fR]\n");
  add_wrapper(&driver_clang, "Clang's.", out);
  roff_example("reticle-clang -O2 app.c -o app", out);
  roff_example("make CC=reticle-clang CXX=reticle-clang++", out);
  const char *const references[] = {"clang(1)", "reticle(1)", "reticle-options(7)"};
  roff_see_also(references, 3, out);
}

void page_add_flang(struct text *out) {
  roff_begin(driver_flang.names, "1", driver_flang.summary, out);
  roff_section("SYNOPSIS", out);
  roff_typed("reticle-flang", out);
  text_add(out, " [\\fIoptions of flang\\fR]\n");
  add_wrapper(&driver_flang, "Flang's.", out);
  roff_example("reticle-flang -O2 app.f90 -o app", out);
  roff_example("make FC=reticle-flang", out);
  const char *const references[] = {"reticle(1)", "reticle-clang(1)", "reticle-options(7)"};
  roff_see_also(references, 3, out);
}
