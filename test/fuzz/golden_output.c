// golden_output.c - what every command prints of profiles that are kept, byte for byte
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unit_golden_output       compares with PROFILE.txt in test/golden_output; exits 1, prints the
//                          first lines that differ
// unit_golden_output -u    writes these files anew
//
// The command lines are the fuzzer's, and so are the stand-ins for what depends on the machine or
// on time; profiles are of a program that is kept beside them (make.sh), as addresses lead into it.
#define _GNU_SOURCE // open_memstream, mkdtemp
#include "test/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Profile under test, and the other one of commands that take two.
static const struct pair {
  const char *first, *second;
} pairs[] = {{"all", "again"}, {"threads", "all"}, {"topdown", "burst"}};

static const char folder[] = RETICLE_TEST_DIR "/golden_output";

static struct fuzz_bytes read_kept(const char *name, const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
  return fuzz_read(path);
}

static void print_part(FILE *to, const char *name, const struct fuzz_bytes *bytes) {
  if (!bytes->count)
    return;
  fprintf(to, "--- %s\n", name);
  fwrite(bytes->data, 1, bytes->count, to);
  if (bytes->data[bytes->count - 1] != '\n')
    fputc('\n', to);
}

static void print_run(FILE *to, const struct fuzz_command *command,
                      const struct fuzz_outcome *outcome) {
  fprintf(to, "=== reticle");
  for (int i = 0; i < command->argc; i++)
    fprintf(to, " %s", command->argv[i]);
  fprintf(to, "\n=== exit status %d\n", outcome->status);
  print_part(to, "stdout", &outcome->out);
  print_part(to, "stderr", &outcome->err);
  if (!command->written || command->is_binary || access(command->written, R_OK) != 0)
    return;
  struct fuzz_bytes written = fuzz_read(command->written);
  print_part(to, command->written, &written);
  free(written.data);
}

static void write_localised(const char *name, const struct fuzz_bytes *bytes) {
  struct fuzz_profile profile;
  if (!fuzz_profile_parse(bytes, &profile))
    fuzz_fail("%s: can't be taken apart", name);
  fuzz_profile_localise(&profile);
  struct fuzz_bytes built = fuzz_profile_build(&profile);
  fuzz_write(name, built.data, built.count);
  free(built.data);
  fuzz_profile_release(&profile);
}

/// All commands on a pair of profiles; [*count] bytes that the caller frees.
static char *output_of(const struct pair *pair, size_t *count) {
  char *text = NULL;
  struct fuzz_bytes first = read_kept(pair->first, ".prof");
  struct fuzz_bytes second = read_kept(pair->second, ".prof");
  struct fuzz_profile profile;
  struct fuzz_random random = {1};
  FILE *to = open_memstream(&text, count);
  if (!to || !fuzz_profile_parse(&first, &profile))
    fuzz_fail("%s.prof: can't be taken apart", pair->first);
  write_localised("a.prof", &first);
  write_localised("b.prof", &second);
  for (size_t kind = 0; kind < fuzz_command_kinds(); kind++) {
    if (fuzz_command_reads_study(kind))
      continue;
    struct fuzz_command command;
    struct fuzz_outcome outcome;
    fuzz_command_make(kind, &profile, &random, &command);
    if (pair != pairs && strcmp(command.argv[0], "dump") == 0)
      continue; // one is enough: docs/format.md has its form
    fuzz_run(&command, &outcome);
    print_run(to, &command, &outcome);
    if (strcmp(command.argv[0], "dump") == 0 && command.argc == 2) // for dump --binary
      fuzz_write("a.txt", outcome.out.data, outcome.out.count);
  }
  fclose(to);
  fuzz_profile_release(&profile);
  free(first.data);
  free(second.data);
  return text;
}

/// Says where two texts part. Returns whether they are the same.
static bool compare(const char *name, const char *have, const char *need) {
  const char *command = "";
  size_t line = 1;
  while (*have && *have == *need) {
    if (*have == '\n') {
      line++;
      if (strncmp(have + 1, "=== reticle", 11) == 0)
        command = have + 5;
    }
    have++, need++;
  }
  if (*have == *need)
    return true;
  fuzz_say("%s.txt: differs in line %zu, of: %.*s\n  have: ...%.*s\n  need: ...%.*s\n", name, line,
           (int)strcspn(command, "\n"), command, (int)strcspn(have, "\n"), have,
           (int)strcspn(need, "\n"), need);
  return false;
}

int main(int argc, char **argv) {
  bool is_update = argc == 2 && strcmp(argv[1], "-u") == 0, fine = true;
  char work[] = "/tmp/reticle-golden.XXXXXX";
  if (argc > 2 || (argc == 2 && !is_update))
    fuzz_fail("usage: unit_golden_output [-u]");
  if (!mkdtemp(work) || chdir(work) < 0)
    fuzz_fail("no folder to work in");
  unsetenv("NO_COLOR");
  unsetenv("COLUMNS");
  unsetenv("RETICLE_OPTIONS");
  setenv("XDG_CACHE_HOME", work, 1);
  struct fuzz_bytes app = read_kept("app", "");
  struct fuzz_bytes source = fuzz_read(RETICLE_TEST_DIR "/../bench/fuzz/seed.cpp");
  fuzz_write("app", app.data, app.count);
  fuzz_write("seed.cpp", source.data, source.count);
  free(app.data);
  free(source.data);
  fuzz_run_prepare(false);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    size_t count = 0;
    char *have = output_of(&pairs[i], &count), path[4096];
    snprintf(path, sizeof path, "%s/%s.txt", folder, pairs[i].first);
    if (is_update) {
      fuzz_write(path, have, count);
    } else {
      struct fuzz_bytes need = fuzz_read(path);
      char *text = strndup((const char *)need.data, need.count);
      fine &= compare(pairs[i].first, have, text);
      free(text);
      free(need.data);
    }
    free(have);
  }
  static const char *const files[] = {"a.prof", "b.prof", "a.txt", "app", "seed.cpp", "out"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    unlink(files[i]);
  rmdir(work);
  return fine ? 0 : 1;
}
