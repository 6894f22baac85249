// help.c - what the wrappers take beside the compiler's options, and how it is printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/help.h"

#include <stdio.h>
#include <string.h>

/// Column in which explanations start, and where lines end.
#define HELP_COLUMN 23
#define HELP_WIDTH 100

static const struct driver_setting clang_options[] = {
    {"--reticle-cc=CLANG", "the clang to call (name or path, without options)"},
    {"--reticle-help", "prints these options and variables"},
    {"-###", "as in clang: shows what would be run"},
    {0}};

#define OFF {"RETICLE=off", "adds nothing: a plain compiler"}
#define IGNORELIST                                                                                 \
  {"RETICLE_IGNORELIST=FILE", "functions and loops that are left alone, beside those of "          \
                              "-fplugin-arg-reticle-ignorelist=FILE"}
#define PLACEMENT                                                                                  \
  {"RETICLE_PLACEMENT=N", "functions at other places, which another N chooses: how much of a "     \
                          "difference is luck"}

#define STACKS                                                                                     \
  {"RETICLE_STACKS=1", "functions keep a frame pointer, for code without unwind tables; as with "  \
                       "-fplugin-arg-reticle-stacks=1"}

static const struct driver_setting clang_variables[] = {
    OFF,
    {"RETICLE=coverage", "adds clang's own coverage instead: which lines are executed"},
    {"RETICLE_CC=CLANG", "the clang to call; RETICLE_CXX=CLANG the one for reticle-clang++"},
    {"RETICLE_FEATURES=LIST", "what to compile in, e.g. loop,field,block; as with "
                              "-fplugin-arg-reticle-features=LIST, which wins"},
    {"RETICLE_SHADOW=FORM", "of the feature shadow: marks, always, detail, bursts"},
    {"RETICLE_LAYOUT=FILE", "a struct laid out as the file says, without a change of its source "
                            "(reticle layout STRUCT --write FILE)"},
    {"RETICLE_FORMS=FILE",
     "loops that are compiled in another form, lines loop:ID=FORM (-fplugin-arg-reticle-forms)"},
    {"RETICLE_BOUND=FILE",
     "loops that get copies, which children run in isolation: lines src:GLOB, "
     "fun:GLOB and loop:ID"},
    IGNORELIST,
    PLACEMENT,
    STACKS,
    {0}};

const struct driver_text driver_clang = {
    .names = "reticle-clang, reticle-clang++",
    .summary = "clang with Reticle's plug-in and runtime",
    .details = "Takes clang's options and passes them on. Adds the plug-in, -g (any -g option "
               "given, also -g0, wins) and, where an executable or a shared library is linked, the "
               "runtime.",
    .choice = "The clang is otherwise the first in PATH that a plug-in fits: clang-19, clang-22, "
              "then clang.",
    .options = clang_options,
    .variables = clang_variables};

static const struct driver_setting flang_options[] = {
    {"--reticle-cc=FLANG", "the flang to call (name or path, without options)"},
    {"--reticle-help", "prints these options and variables"},
    {"-###", "as in flang: shows what would be run"},
    {0}};

static const struct driver_setting flang_variables[] = {
    OFF,
    {"RETICLE_FC=FLANG", "the flang to call"},
    {"RETICLE_FEATURES=LIST", "what to compile in: loop, block, label, shadow; as with "
                              "-fplugin-arg-reticle-features=LIST, which wins"},
    IGNORELIST,
    PLACEMENT,
    STACKS,
    {0}};

const struct driver_text driver_flang = {
    .names = "reticle-flang",
    .summary = "flang with Reticle's plug-in and runtime (experimental)",
    .details = "Takes flang's options and passes them on. Adds the plug-in, -g (any -g option "
               "given, also -g0, wins) and, where an executable or a shared library is linked, the "
               "runtime. Options of the plug-in, -fplugin-arg-reticle-KEY=VALUE, become flang's "
               "-mllvm -reticle=KEY=VALUE.",
    .choice = "The flang is otherwise the first in PATH that a plug-in fits: flang-22, "
              "flang-new-19, then flang.",
    .options = flang_options,
    .variables = flang_variables};

/// Prints the text broken at blanks; lines after the first are indented to this column, too.
static void print_wrapped(const char *text, size_t column) {
  size_t at = column;
  for (const char *word = text; *word; word += *word == ' ') {
    size_t length = strcspn(word, " ");
    if (word != text && at + 1 + length > HELP_WIDTH) {
      printf("\n%*s", (int)column, "");
      at = column;
    } else if (word != text) {
      putchar(' ');
      at++;
    }
    printf("%.*s", (int)length, word);
    at += length;
    word += length;
  }
  putchar('\n');
}

static void print_settings(const struct driver_setting *setting) {
  putchar('\n');
  for (; setting->name; setting++) {
    int width = printf("  %-*s", HELP_COLUMN - 3, setting->name);
    if (width < HELP_COLUMN)
      putchar(' ');
    else
      printf("\n%*s", HELP_COLUMN, "");
    print_wrapped(setting->help, HELP_COLUMN);
  }
}

void driver_help(const struct driver_text *text) {
  printf("%s - %s\n\n", text->names, text->summary);
  print_wrapped(text->details, 0);
  print_settings(text->options);
  print_settings(text->variables);
  putchar('\n');
  print_wrapped(text->choice, 0);
}
