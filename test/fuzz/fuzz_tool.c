// fuzz_tool.c - the fuzzer's program: seeds, inputs by number, coverage, a worker that may die.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unit_fuzz_tool                 the corpus through all commands, and some thousand inputs: the
// unit_fuzz_tool [-n RUNS] [-s SEED] [-1 NUMBER] [-f FINDINGS] [-a APP] [-k] [-j DIR]
// PROFILE...
//
// Input NUMBER of SEED is always the same one for the same list of files: a seed profile and one of
// the others, some changes, perhaps changes of the executable, and some command lines. A command
// line on an input is a run. A worker goes through the inputs; where it dies of one, the input is
// kept in FINDINGS and another worker goes on behind it.
#define _GNU_SOURCE // mkdtemp in stdlib.h
#include "test/fuzz/fuzz.h"
#include "tools/profile/profile.h"
#include "tools/profile/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  SEEDS_MOST = 256,
  COMMANDS_AN_INPUT = 4,
  INPUTS_A_WORKER = 5000,
  TWICE_EVERY = 16,
  CHECK_RUNS = 4000
};

/// What supervisor and worker share.
struct shared {
  uint64_t next, runs, findings, twice;
};

/// A command that asks for too much memory gets none, and says so: that is a finding of ours.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024:"
         "quarantine_size_mb=8:malloc_context_size=6";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }

struct fuzz {
  struct fuzz_profile seeds[SEEDS_MOST];
  struct fuzz_bytes raw[SEEDS_MOST];
  size_t seed_count;
  struct fuzz_bytes app; ///< count 0: none
  bool is_app_changed;
  struct fuzz_bytes profile, other; ///< of the input
  uint64_t study_of;                ///< number of the input that the study there is of
  uint64_t seed, runs_most, only;
  bool has_only, all_commands, is_verbose, is_raw, any_character;
  const char *findings, *samples;
  const char *dropped[8]; ///< [dropped_count] names of chunks
  size_t dropped_count;
  struct shared *shared;
};

// The tools get the stand-ins.
pid_t __real_fork(void);
int __real_clock_gettime(clockid_t clock, struct timespec *out);

/// Leaves out the chunks of -d.
static void drop(const struct fuzz *fuzz, struct fuzz_profile *profile) {
  for (size_t k = 0; k < fuzz->dropped_count; k++)
    for (size_t i = 0; i < profile->chunk_count; i++)
      if (strncmp(profile->chunks[i].name, fuzz->dropped[k], sizeof profile->chunks[i].name) == 0) {
        free(profile->chunks[i].data);
        profile->chunks[i--] = profile->chunks[--profile->chunk_count];
      }
}

/// The text form of a profile as its bytes; other bytes as they are. Text is what people can read
/// in a corpus.
static struct fuzz_bytes from_text(struct fuzz_bytes bytes) {
  struct profile profile;
  struct profile_error error;
  unsigned char *encoded;
  size_t count;
  if (profile_text_decode((const char *)bytes.data, bytes.count, "text", &profile, &error))
    return bytes;
  if (profile_encode(&profile, "seed", &encoded, &count, &error))
    fuzz_fail("%s", error.text);
  profile_release(&profile);
  free(bytes.data);
  return (struct fuzz_bytes){encoded, count};
}

static void load(struct fuzz *fuzz, const char *path) {
  if (fuzz->seed_count == SEEDS_MOST)
    return;
  struct fuzz_bytes bytes = from_text(fuzz_read(path));
  struct fuzz_profile *seed = &fuzz->seeds[fuzz->seed_count];
  if (fuzz_profile_parse(&bytes, seed)) {
    if (!fuzz->is_raw)
      fuzz_profile_localise(seed);
    drop(fuzz, seed);
    fuzz->raw[fuzz->seed_count++] = bytes;
  } else {
    free(bytes.data);
  }
}

static void copy_profile(const struct fuzz_profile *from, struct fuzz_profile *to) {
  *to = *from;
  for (size_t i = 0; i < to->chunk_count; i++) {
    struct fuzz_bytes part = {from->chunks[i].data, from->chunks[i].count * from->chunks[i].stride};
    to->chunks[i].data = fuzz_copy(&part, 0).data;
  }
}

/// Damage that the structure doesn't know of: any bytes, checksums right or not.
static void damage(struct fuzz_bytes *bytes, struct fuzz_random *random) {
  if (!bytes->count)
    return;
  if (fuzz_once_in(random, 8))
    bytes->count = fuzz_below(random, bytes->count);
  for (uint64_t n = 1 + fuzz_below(random, 4); n && bytes->count >= 8; n--) {
    uint64_t value = fuzz_number(random);
    size_t reach = fuzz_once_in(random, 2) && bytes->count > 600 ? 600 : bytes->count;
    memcpy(bytes->data + fuzz_below(random, reach - 7), &value, fuzz_once_in(random, 2) ? 4 : 8);
  }
  if (!fuzz_once_in(random, 4))
    fuzz_profile_reseal(bytes);
}

/// The text form for dump --binary, with damage of its own.
static void write_text(const struct fuzz_bytes *bytes, struct fuzz_random *random) {
  struct profile profile;
  struct profile_error error;
  char *text;
  size_t count;
  fuzz_write("a.txt", bytes->data, bytes->count < 64 ? bytes->count : 64);
  if (profile_decode(bytes->data, bytes->count, "a.prof", &profile, &error))
    return;
  if (profile_text_encode(&profile, &text, &count) == 0) {
    for (uint64_t n = fuzz_below(random, 4); n && count; n--) {
      size_t at = fuzz_below(random, count), from = fuzz_below(random, count);
      size_t some = fuzz_below(random, 40);
      if (fuzz_once_in(random, 2))
        text[at] = (char)fuzz_random(random);
      else if (at + some <= count && from + some <= count)
        memmove(text + at, text + from, some);
    }
    fuzz_write("a.txt", text, count);
    free(text);
  }
  profile_release(&profile);
}

static void restore_app(struct fuzz *fuzz) {
  if (fuzz->app.count && fuzz->is_app_changed)
    fuzz_write("app", fuzz->app.data, fuzz->app.count);
  fuzz->is_app_changed = false;
}

static void change_app(struct fuzz *fuzz, struct fuzz_random *random) {
  struct fuzz_bytes copy = fuzz_copy(&fuzz->app, 0);
  for (uint64_t n = 1 + fuzz_below(random, 4); n; n--)
    fuzz_elf_mutate(&copy, random);
  fuzz_write("app", copy.data, copy.count);
  free(copy.data);
  fuzz->is_app_changed = true;
}

static void keep_sample(const struct fuzz *fuzz, uint64_t number, size_t kind,
                        const struct fuzz_command *command, const struct fuzz_outcome *outcome) {
  char path[4096];
  if (!fuzz->samples || !command->is_json || outcome->status > 1)
    return;
  snprintf(path, sizeof path, "%s/%s-%zu-%" PRIu64 ".json", fuzz->samples, command->argv[0], kind,
           number);
  fuzz_write(path, outcome->out.data, outcome->out.count);
}

/// The study of an input is made for the first command that reads it: most don't.
static void need_study(struct fuzz *fuzz, uint64_t number) {
  struct fuzz_random random = {(fuzz->seed ^ UINT64_C(0x2545f4914f6cdd1d)) + number};
  if (fuzz->study_of == number)
    return;
  fuzz_study_write("a.reticle", &fuzz->profile, &fuzz->other, &fuzz->app,
                   number >= fuzz->seed_count, &random);
  fuzz->study_of = number;
}

static void run_kind(struct fuzz *fuzz, uint64_t number, size_t kind,
                     const struct fuzz_profile *profile, struct fuzz_random *random) {
  if (fuzz_command_reads_study(kind))
    need_study(fuzz, number);
  struct fuzz_command command;
  struct fuzz_outcome outcome;
  fuzz_command_make(kind, profile, random, &command);
  fuzz_run(&command, &outcome);
  fuzz->shared->runs++;
  keep_sample(fuzz, number, kind, &command, &outcome);
  if (fuzz->is_verbose)
    fuzz_say("%d reticle %s %s: %zu and %zu bytes\n", outcome.status, command.argv[0],
             command.argv[1], outcome.out.count, outcome.err.count);
  if (fuzz->is_verbose && outcome.err.count)
    fuzz_say("  %s", (const char *)outcome.err.data);
  if (!fuzz_once_in(random, TWICE_EVERY))
    return;
  struct fuzz_bytes first = fuzz_copy(&outcome.out, 0);
  int status = outcome.status;
  fuzz_run(&command, &outcome);
  fuzz->shared->runs++;
  fuzz->shared->twice++;
  if (status != outcome.status || first.count != outcome.out.count ||
      memcmp(first.data, outcome.out.data, first.count) != 0) {
    fuzz_write("first", first.data, first.count);
    fuzz_write("second", outcome.out.data, outcome.out.count);
    fuzz_fail("%s: another output the second time", command.argv[0]);
  }
  free(first.data);
}

static void write_profiles(struct fuzz *fuzz, struct fuzz_bytes profile, struct fuzz_bytes other) {
  fuzz_write("a.prof", profile.data, profile.count);
  fuzz_write("b.prof", other.data, other.count);
  fuzz->profile = profile;
  fuzz->other = other;
  fuzz->study_of = UINT64_MAX;
}

static void run_input(struct fuzz *fuzz, uint64_t number) {
  struct fuzz_random random = {fuzz->seed * UINT64_C(0x9e3779b97f4a7c15) + number};
  struct fuzz_profile profile;
  const struct fuzz_profile *seed = &fuzz->seeds[fuzz_below(&random, fuzz->seed_count)];
  const struct fuzz_profile *other = &fuzz->seeds[fuzz_below(&random, fuzz->seed_count)];
  bool is_app = fuzz->app.count && fuzz_once_in(&random, 4);
  copy_profile(seed, &profile);
  uint64_t changes = UINT64_C(1) << fuzz_below(&random, 5);
  for (uint64_t i = is_app && fuzz_once_in(&random, 2) ? changes : 0; i < changes; i++)
    fuzz_profile_mutate(&profile, other, &random);
  struct fuzz_bytes bytes = fuzz_profile_build(&profile);
  struct fuzz_bytes others = fuzz_profile_build(other);
  if (fuzz_once_in(&random, 20))
    damage(&bytes, &random);
  write_profiles(fuzz, bytes, others);
  if (is_app)
    change_app(fuzz, &random);
  if (fuzz->all_commands || fuzz_once_in(&random, 8))
    write_text(&bytes, &random);
  size_t kinds = fuzz_command_kinds();
  if (fuzz->all_commands)
    for (size_t i = 0; i < kinds; i++)
      run_kind(fuzz, number, i, &profile, &random);
  else
    for (int i = 0; i < COMMANDS_AN_INPUT; i++)
      run_kind(fuzz, number, fuzz_below(&random, kinds), &profile, &random);
  restore_app(fuzz);
  free(bytes.data);
  free(others.data);
  fuzz_profile_release(&profile);
}

/// A seed as it is, through all commands.
static void run_seed(struct fuzz *fuzz, size_t number) {
  struct fuzz_random random = {fuzz->seed};
  const struct fuzz_profile *seed = &fuzz->seeds[number];
  const struct fuzz_profile *other = &fuzz->seeds[(number + 1) % fuzz->seed_count];
  struct fuzz_bytes bytes =
      fuzz->is_raw ? fuzz_copy(&fuzz->raw[number], 0) : fuzz_profile_build(seed);
  struct fuzz_bytes others = fuzz_profile_build(other);
  write_profiles(fuzz, bytes, others);
  write_text(&bytes, &random);
  for (size_t k = 0; k < fuzz_command_kinds(); k++)
    run_kind(fuzz, number, k, seed, &random);
  free(bytes.data);
  free(others.data);
}

/// The first inputs are the seeds.
static void run_number(struct fuzz *fuzz, uint64_t number) {
  if (number < fuzz->seed_count)
    run_seed(fuzz, (size_t)number);
  else
    run_input(fuzz, number);
}

static _Noreturn void work(struct fuzz *fuzz) {
  fuzz_run_prepare(fuzz->any_character);
  if (fuzz->has_only)
    run_number(fuzz, fuzz->only);
  for (int i = 0; i < INPUTS_A_WORKER && !fuzz->has_only && fuzz->shared->runs < fuzz->runs_most;
       i++) {
    run_number(fuzz, fuzz->shared->next);
    fuzz->shared->next++;
  }
  _exit(0);
}

static void keep_finding(const struct fuzz *fuzz, const char *folder, uint64_t number) {
  static const char *const files[] = {"a.prof", "b.prof", "app",      "a.txt",
                                      "first",  "second", "a.reticle"};
  if (!fuzz->findings)
    return;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char from[4096], to[4096];
    snprintf(from, sizeof from, "%s/%s", folder, files[i]);
    snprintf(to, sizeof to, "%s/%" PRIu64 "-%s", fuzz->findings, number, files[i]);
    if (access(from, R_OK) != 0 || (i == 2 && !fuzz->app.count))
      continue;
    struct fuzz_bytes bytes = fuzz_read(from);
    fuzz_write(to, bytes.data, bytes.count);
    free(bytes.data);
  }
}

static double now_s(void) {
  struct timespec t;
  __real_clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/// Starts workers until all runs are done. Returns whether there was no finding.
static bool supervise(struct fuzz *fuzz, const char *folder) {
  struct shared *shared = fuzz->shared;
  double start_s = now_s(), said_s = start_s;
  do {
    int status;
    pid_t worker = __real_fork();
    if (worker == 0)
      work(fuzz);
    if (worker < 0 || waitpid(worker, &status, 0) != worker)
      fuzz_fail("no worker: %s", strerror(errno));
    if (status) {
      uint64_t number = fuzz->has_only ? fuzz->only : shared->next;
      shared->findings++;
      fuzz_say("fuzz: input %" PRIu64 " of seed %" PRIu64
               ": worker ended with %d; repeat it with -1 %" PRIu64 "\n\n",
               number, fuzz->seed, status, number);
      keep_finding(fuzz, folder, number);
      shared->next++;
      fuzz->is_app_changed = true;
      restore_app(fuzz);
    }
    if (now_s() > said_s + 30) {
      said_s = now_s();
      fuzz_say("fuzz: %" PRIu64 " runs, %" PRIu64 " inputs, %" PRIu64 " findings, %.0f s\n",
               shared->runs, shared->next, shared->findings, said_s - start_s);
    }
  } while (!fuzz->has_only && shared->runs < fuzz->runs_most);
  double seconds = now_s() - start_s;
  fuzz_say("fuzz: %" PRIu64 " runs of %" PRIu64 " inputs, %" PRIu64 " twice, %" PRIu64
           " findings, %.0f s, %.0f runs/s\n",
           shared->runs, shared->next, shared->twice, shared->findings, seconds,
           (double)shared->runs / seconds);
  return !shared->findings;
}

/// All files of a folder of test/, in the order of their names.
static void load_folder(struct fuzz *fuzz, const char *name) {
  char pattern[4096];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/%s/*", RETICLE_TEST_DIR, name);
  if (glob(pattern, 0, NULL, &found) != 0)
    return;
  for (size_t i = 0; i < found.gl_pathc; i++)
    load(fuzz, found.gl_pathv[i]);
  globfree(&found);
}

static void read_arguments(struct fuzz *fuzz, int argc, char **argv) {
  for (int letter; (letter = getopt(argc, argv, "n:s:1:f:a:j:d:krvx")) != -1;)
    switch (letter) {
    case 'n':
      fuzz->runs_most = strtoull(optarg, NULL, 10);
      break;
    case 's':
      fuzz->seed = strtoull(optarg, NULL, 10);
      break;
    case '1':
      fuzz->only = strtoull(optarg, NULL, 10);
      fuzz->has_only = true;
      break;
    case 'f':
      fuzz->findings = realpath(optarg, NULL);
      break;
    case 'j':
      fuzz->samples = realpath(optarg, NULL);
      break;
    case 'a':
      fuzz->app = fuzz_read(optarg);
      break;
    case 'k':
      fuzz->all_commands = true;
      break;
    case 'd':
      if (fuzz->dropped_count < 8)
        fuzz->dropped[fuzz->dropped_count++] = optarg;
      break;
    case 'x':
      fuzz->any_character = true;
      break;
    case 'r':
      fuzz->is_raw = true;
      break;
    case 'v':
      fuzz->is_verbose = true;
      break;
    default:
      fuzz_fail(
          "usage: unit_fuzz_tool [-n RUNS] [-s SEED] [-1 NUMBER] [-f FINDINGS] [-a APP] [-j DIR] "
          "[-k] [-v] PROFILE...");
    }
}

int main(int argc, char **argv) {
  static struct fuzz fuzz = {.seed = 1};
  read_arguments(&fuzz, argc, argv);
  for (int i = optind; i < argc; i++)
    load(&fuzz, argv[i]);
  if (fuzz.seed_count && !fuzz.runs_most)
    fuzz.runs_most = 1000;
  if (!fuzz.seed_count) {
    fuzz.app = fuzz_read(RETICLE_TEST_DIR "/corpus_blocks/library_19");
    load_folder(&fuzz, "corpus_tool");
    load_folder(&fuzz, "golden");
    if (!fuzz.runs_most)
      fuzz.runs_most = CHECK_RUNS;
  }
  if (!fuzz.seed_count)
    fuzz_fail("no profile given");
  fuzz.shared =
      mmap(NULL, sizeof *fuzz.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char folder[64] = "/dev/shm/reticle-fuzz.XXXXXX";
  if (fuzz.shared == MAP_FAILED ||
      (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/reticle-fuzz.XXXXXX"))) ||
      chdir(folder) < 0)
    fuzz_fail("no folder to work in");
  unsetenv("NO_COLOR");
  unsetenv("COLUMNS");
  unsetenv("RETICLE_OPTIONS");
  setenv("XDG_CACHE_HOME", folder, 1);
  if (fuzz.app.count)
    fuzz_write("app", fuzz.app.data, fuzz.app.count);
  bool fine = supervise(&fuzz, folder);
  static const char *const files[] = {"a.prof", "b.prof", "app",    "a.txt",
                                      "out",    "first",  "second", "a.reticle"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    unlink(files[i]);
  rmdir(folder);
  return fine ? 0 : 1;
}
