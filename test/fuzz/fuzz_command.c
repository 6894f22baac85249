// fuzz_command.c - the command lines that an input goes through.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

/// Words of a command line. %: a number or name of something in the profile; !: a text of it; #: a
/// small number. A word in capitals is one of the files of the run: A, B profiles, APP the
/// executable, T the text form, O a file to write, S the study, SB one build of it.
static const struct kind {
  const char *line;
  bool is_json, is_binary;
} kinds[] = {
    {"report A", 0, 0},
    {"report --json A", 1, 0},
    {"report --all A", 0, 0},
    {"report --json --all A B", 1, 0},
    {"report A B", 0, 0},
    {"report --loops --sort share -n # A", 0, 0},
    {"report --sort p50 A", 0, 0},
    {"report --sort runs A", 0, 0},
    {"report --structs A", 0, 0},
    {"report --structs --all A", 0, 0},
    {"report --heap A", 0, 0},
    {"report --heap --all A", 0, 0},
    {"report --blocks A", 0, 0},
    {"report --blocks --all A", 0, 0},
    {"report --samples A", 0, 0},
    {"report --samples --all A", 0, 0},
    {"report --topdown A", 0, 0},
    {"report --topdown --all A", 0, 0},
    {"report --topdown --json A", 1, 0},
    {"report --at-exit A", 0, 0},
    {"show L1 A", 0, 0},
    {"show L1 --json A", 1, 0},
    {"show L# A", 0, 0},
    {"show S1 A", 0, 0},
    {"show S# A", 0, 0},
    {"show S1 --json A", 1, 0},
    {"show A1 A", 0, 0},
    {"show A# A", 0, 0},
    {"show A1 --json A", 1, 0},
    {"show B1 A", 0, 0},
    {"show B# A", 0, 0},
    {"show B1 --json A", 1, 0},
    {"show ! A", 0, 0},
    {"show ! --json A", 1, 0},
    {"annotate ! A", 0, 0},
    {"annotate sum A", 0, 0},
    {"annotate sum --all A", 0, 0},
    {"annotate sum --json A", 1, 0},
    {"annotate main --json --all A", 1, 0},
    {"layout S1 A", 0, 0},
    {"layout Node A", 0, 0},
    {"layout ! A", 0, 0},
    {"layout S1 --json A", 1, 0},
    {"layout S# --json --apart --align 64 A", 1, 0},
    {"layout S1 --pin ! A", 0, 0},
    {"layout S1 -w O A", 0, 0},
    {"diff A B", 0, 0},
    {"diff B A", 0, 0},
    {"diff --all A B", 0, 0},
    {"diff --json A B", 1, 0},
    {"diff --json A A -- B B", 1, 0},
    {"diff --samples A B", 0, 0},
    {"diff --samples --json --all A B", 1, 0},
    {"diff --lines A B", 0, 0},
    {"ranks A B", 0, 0},
    {"ranks --json A B", 1, 0},
    {"report --rank 0 A B", 0, 0},
    {"gates A", 0, 0},
    {"gates --budget 1 -o O A B", 0, 0},
    {"merge -o O A B", 0, 1},
    {"merge -o O A", 0, 1},
    {"dump A", 0, 0},
    {"dump -o O A", 0, 0},
    {"dump --binary -o O T", 0, 1},
    {"export --pprof O A", 0, 1},
    {"export --folded A", 0, 0},
    {"export --chrome O A", 0, 0},
    {"export --cpuprofile O A", 0, 0},
    {"export --remarks O A", 0, 0},
    {"export --sample-profile O A", 0, 0},
    {"block A", 0, 0},
    {"block --json A", 1, 0},
    {"block -n # A", 0, 0},
    {"block L1 A", 0, 0},
    {"block L# -v A", 0, 0},
    {"block B1 A", 0, 0},
    {"block -o - A", 0, 0},
    {"block --elf APP --function main", 0, 0},
    {"block --elf APP --function ! -v --json", 1, 0},
    {"report S", 0, 0},
    {"report --json S", 1, 0},
    {"report --all SB", 0, 0},
    {"report --csv loops S", 0, 0},
    {"show L1 S", 0, 0},
    {"annotate main S", 0, 0},
    {"layout S1 S", 0, 0},
    {"ranks --json S", 1, 0},
    {"diff S S", 0, 0},
    {"diff --json S A", 1, 0},
    {"gates S", 0, 0},
    {"export --folded S", 0, 0},
    {"export --pprof O S", 0, 1},
    {"block --json S", 1, 0},
    {"report --csv env A", 0, 0},
    {"report --csv loops A", 0, 0},
    {"doctor APP", 0, 0},
    {"doctor --json APP", 1, 0},
};

size_t fuzz_command_kinds(void) { return sizeof kinds / sizeof *kinds; }

static char *put(struct fuzz_command *out, const char *word) {
  size_t length = strlen(word) + 1;
  if (length > sizeof out->storage - out->used) // a text as long as this is cut
    length = sizeof out->storage - out->used;
  char *place = out->storage + out->used;
  if (!length)
    fuzz_fail("command line too long");
  memcpy(place, word, length);
  place[length - 1] = 0;
  out->used += length;
  return place;
}

static const char *file_of(const char *word) {
  static const char *const files[][2] = {
      {"A", "a.prof"},    {"B", "b.prof"},           {"APP", "app"}, {"T", "a.txt"}, {"O", "out"},
      {"S", "a.reticle"}, {"SB", "a.reticle@counts"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (strcmp(word, files[i][0]) == 0)
      return files[i][1];
  return NULL;
}

bool fuzz_command_reads_study(size_t kind) {
  return strstr(kinds[kind].line, " S ") || strstr(kinds[kind].line, " SB") ||
         strcmp(strrchr(kinds[kind].line, ' '), " S") == 0;
}

void fuzz_command_make(size_t kind, const struct fuzz_profile *profile, struct fuzz_random *random,
                       struct fuzz_command *out) {
  const char *line = kinds[kind].line;
  out->used = 0;
  out->argc = 0;
  out->written = NULL;
  out->is_json = kinds[kind].is_json;
  out->is_binary = kinds[kind].is_binary;
  while (*line) {
    char word[512];
    size_t length = strcspn(line, " "), used = 0;
    for (size_t i = 0; i < length; i++) {
      int n = 0;
      if (line[i] == '#')
        n = snprintf(word + used, sizeof word - used, "%u", (unsigned)(1 + fuzz_below(random, 6)));
      else if (line[i] == '!')
        n = snprintf(word + used, sizeof word - used, "%.256s", fuzz_profile_text(profile, random));
      else
        word[used++] = line[i];
      used += (size_t)n;
    }
    word[used] = 0;
    const char *file = file_of(word);
    if (file && strcmp(word, "O") == 0)
      out->written = file;
    out->argv[out->argc++] = put(out, file ? file : word);
    line += length;
    line += *line == ' ';
  }
  out->argv[out->argc] = NULL;
}
