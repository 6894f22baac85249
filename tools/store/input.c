// input.c - finds, reads and merges profiles; notes how their processes ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/input.h"

#include "tools/analysis/run/overview.h"
#include "tools/profile/merge/interval.h"
#include "tools/store/profile_gather.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *ending_name(enum ending ending) {
  switch (ending) {
  case ENDING_EXIT:
    return "exit";
  case ENDING_EPOCH:
    return "epoch";
  case ENDING__EXIT:
    return "_exit";
  case ENDING_ABORT:
    return "abort";
  case ENDING_EXEC:
    return "exec";
  case ENDING_RUNNING:
    return "running";
  case ENDING_KILLED:
    return "killed";
  case ENDING_UNKNOWN:
    return "unknown";
  }
  return "unknown";
}

/// True if the process of the profile still lives; a process with the same id that runs another
/// program is not it.
static bool is_alive(const struct profile_env *env) {
  char link[64], executable[4096];
  snprintf(link, sizeof(link), "/proc/%llu/exe", (unsigned long long)env->pid);
  ssize_t length = readlink(link, executable, sizeof(executable) - 1);
  if (length < 0)
    return env->pid <= INT32_MAX && kill((pid_t)env->pid, 0) == 0;
  executable[length] = 0;
  return strcmp(executable, env->executable) == 0;
}

static enum ending find_ending(const struct profile *profile) {
  switch (profile->health.ended_by) {
  case RETICLE_ENDED_EXIT:
    return ENDING_EXIT;
  case RETICLE_ENDED_EPOCH:
    return ENDING_EPOCH;
  case RETICLE_ENDED__EXIT:
    return ENDING__EXIT;
  case RETICLE_ENDED_ABORT:
    return ENDING_ABORT;
  case RETICLE_ENDED_EXEC:
    return ENDING_EXEC;
  default:
    break;
  }
  char host[256] = "";
  gethostname(host, sizeof(host) - 1);
  if (profile->health.ended_by != RETICLE_ENDED_RUNNING || strcmp(host, profile->env.host) != 0)
    return ENDING_UNKNOWN;
  return is_alive(&profile->env) ? ENDING_RUNNING : ENDING_KILLED;
}

static void note_ending(enum ending ending, const struct profile *profile, const char *path,
                        struct notes *notes) {
  struct quantity elapsed_ns = overview_of(profile).elapsed_ns;
  struct units after = {"an unknown time"};
  if (elapsed_ns.status == QUANTITY_OK)
    after = units_duration(elapsed_ns.value);
  struct units age = units_age(profile->health.checkpoint_time_s, (uint64_t)time(NULL));
  const char *code = ending_name(ending);
  if (ending == ENDING_RUNNING)
    notes_add(notes, code,
              "%s: process %llu still runs: data up to its last checkpoint, %s after the start (%s "
              "ago); ask again for more",
              path, (unsigned long long)profile->env.pid, after.data, age.data);
  else if (ending == ENDING_KILLED)
    notes_add(notes, code,
              "%s: process %llu was killed or crashed: data up to its last checkpoint, %s after "
              "the start (%s ago); what came after is lost",
              path, (unsigned long long)profile->env.pid, after.data, age.data);
  else if (ending == ENDING_UNKNOWN)
    notes_add(notes, "end_unknown",
              "%s: data up to a checkpoint, %s after the start (%s ago); whether the process still "
              "runs is known only on its machine, %s",
              path, after.data, age.data, profile->env.host);
}

/// The newest profile of the current directory. Returns false after saying that there is none.
static bool choose_newest(struct input *out, struct problems *problems) {
  glob_t found = {0};
  time_t newest = 0;
  long newest_ns = 0;
  const char *best = NULL;
  if (glob("reticle.*.prof", 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++) {
      struct stat status;
      if (stat(found.gl_pathv[i], &status) != 0)
        continue;
      out->candidates++;
      if (best && (status.st_mtim.tv_sec < newest ||
                   (status.st_mtim.tv_sec == newest && status.st_mtim.tv_nsec <= newest_ns)))
        continue;
      best = found.gl_pathv[i];
      newest = status.st_mtim.tv_sec;
      newest_ns = status.st_mtim.tv_nsec;
    }
  }
  if (best) {
    out->paths = memory_zeroed(1, sizeof(*out->paths));
    out->paths[out->count++] = text_copy(best);
  } else {
    problem_error(problems,
                  "no reticle.*.prof in this directory: run a program built with reticle-clang "
                  "here, or name the file");
  }
  globfree(&found);
  return best != NULL;
}

bool input_newest_exists(void) {
  glob_t found = {0};
  bool exists = glob("reticle.*.prof", 0, NULL, &found) == 0;
  globfree(&found);
  return exists;
}

/// Whom to tell how each process ended.
struct endings {
  struct input *out;
  struct notes *notes;
  size_t seen;
};

static void see_ending(void *context, const struct profile *profile, const char *path) {
  struct endings *endings = context;
  struct input *out = endings->out;
  enum ending ending = find_ending(profile);
  // A closed epoch says nothing, so anything else counts.
  if (!endings->seen++ || out->ending == ENDING_EPOCH ||
      (ending > out->ending && ending != ENDING_EPOCH))
    out->ending = ending;
  note_ending(ending, profile, path, endings->notes);
}

static int read_and_merge(struct input *out, struct notes *notes, struct problems *problems) {
  struct endings endings = {.out = out, .notes = notes};
  size_t repeated = 0;
  // A single profile is merged too: its copies of a loop become one.
  int status = profile_gather(out->paths, out->count, false, see_ending, &endings, &repeated,
                              &out->profile, problems);
  if (repeated && status == PROBLEM_NONE)
    notes_add(notes, "repeated", "%zu of the %zu files repeat a run of the others: counted once",
              repeated, out->count);
  return status;
}

/// A study holds profiles of several builds; others beside it would be of other programs.
static int read_study(struct input *out, struct problems *problems) {
  if (out->count > 1) {
    problem_error(problems, "%s: a study stands alone: name it without other files", out->paths[0]);
    return PROBLEM_UNREADABLE;
  }
  out->study = study_input_open(out->paths[0], problems);
  struct profile *profile = out->study ? study_input_profile(out->study) : NULL;
  if (!profile)
    return PROBLEM_UNREADABLE;
  out->profile = *profile; // borrowed
  out->ending = find_ending(profile);
  return PROBLEM_NONE;
}

static bool has_study(const struct input *input) {
  for (size_t i = 0; i < input->count; i++)
    if (study_input_is(input->paths[i]))
      return true;
  return false;
}

int input_read(char *const *paths, size_t count, struct input *out, struct notes *notes,
               struct problems *problems) {
  *out = (struct input){0};
  if (!count && !choose_newest(out, problems))
    return PROBLEM_UNREADABLE;
  if (count) {
    out->paths = memory_zeroed(count, sizeof(*out->paths));
    for (; out->count < count; out->count++)
      out->paths[out->count] = text_copy(paths[out->count]);
  }
  int status = has_study(out) ? read_study(out, problems) : read_and_merge(out, notes, problems);
  for (size_t i = 0; status == PROBLEM_NONE && i < out->profile.warning_count; i++)
    notes_add(notes, out->profile.warnings[i].code, "%s", out->profile.warnings[i].text);
  return status;
}

int input_read_interval(const char *earlier, const char *path, struct input *out,
                        struct notes *notes, struct problems *problems) {
  struct input before = {0};
  struct notes unused = {0}, later = {0};
  struct profile_error error;
  int status = input_read((char *const *)&path, 1, out, &later, problems);
  if (status == PROBLEM_NONE)
    status = input_read((char *const *)&earlier, 1, &before, &unused, problems);
  struct quantity all_ns = overview_of(&out->profile).elapsed_ns;
  int failed =
      status == PROBLEM_NONE ? profile_interval(&before.profile, &out->profile, &error) : 0;
  if (failed == RETICLE_E_MEMORY)
    memory_exhausted();
  if (failed) {
    problem_error(problems, "%s: %s", path, error.text);
    status = PROBLEM_UNREADABLE;
  }
  if (status == PROBLEM_NONE && all_ns.status == QUANTITY_OK)
    notes_add(notes, "interval", "%s: what process %llu did in %s, up to %s after its start", path,
              (unsigned long long)out->profile.env.pid,
              units_duration(overview_of(&out->profile).elapsed_ns.value).data,
              units_duration(all_ns.value).data);
  for (size_t i = 0; i < later.count; i++)
    if (strcmp(later.items[i].code, ending_name(ENDING_RUNNING)) != 0)
      notes_add(notes, later.items[i].code, "%s", later.items[i].text);
  input_release(&before);
  notes_release(&unused);
  notes_release(&later);
  return status;
}

const char *input_program(void *of, const char *path, const char *build_id) {
  struct input *input = of;
  return input->study ? study_input_program(input->study, path, build_id) : NULL;
}

void input_release(struct input *input) {
  for (size_t i = 0; i < input->count; i++)
    free(input->paths[i]);
  free(input->paths);
  if (input->study)
    study_input_close(input->study);
  else
    profile_release(&input->profile);
  *input = (struct input){0};
}

/// The path as seen from the current directory, where it lies below it: the runtime names files in
/// full.
static const char *shorten(const char *path) {
  char here[4096];
  size_t length = getcwd(here, sizeof(here)) ? strlen(here) : 0;
  bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
  return below ? path + length + 1 : path;
}

void input_add_operands(const struct input *input, struct text *out) {
  for (size_t i = 0; i < input->count; i++) {
    text_add(out, " ");
    text_add_quoted(out, shorten(input->paths[i]));
  }
  if (input->counts) {
    text_add(out, " --counts ");
    text_add_quoted(out, shorten(input->counts));
  }
}
