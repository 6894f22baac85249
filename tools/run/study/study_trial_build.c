// study_trial_build.c - makes a change: a build with other flags or loops, or another environment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/binary/elf_file.h"
#include "tools/profile/regular.h"
#include "tools/run/study/study_trials_parts.h"
#include "tools/store/study/study_trials.h"
#include "tools/support/memory.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Calls `each` with every word of a text that has blanks between them.
static void for_words(const char *words, void (*each)(const char *word, void *context),
                      void *context) {
  while (*words) {
    size_t length = strcspn(words, " ");
    struct text word = {0};
    text_add_bytes(&word, words, length);
    each(text_get(&word), context);
    text_release(&word);
    words += length + (words[length] == ' ');
  }
}

/// As clang's driver takes changes of its arguments (llvm/lib/Driver); '#': it doesn't say so.
static void add_override(const char *flag, void *context) {
  struct text *out = context;
  text_format(out, strncmp(flag, "-O", 2) == 0 ? "%s%s" : "%s+%s", out->length ? " " : "",
              flag + (strncmp(flag, "-O", 2) == 0));
}

static void set_or_unset(const char *name, const char *value) {
  if ((value ? setenv(name, value, 1) : unsetenv(name)) != 0)
    memory_exhausted();
}

static void set_variable(const char *setting, void *context) {
  bool *is_set = context;
  size_t length = strcspn(setting, "=");
  struct text name = {0};
  text_add_bytes(&name, setting, length);
  set_or_unset(text_get(&name), *is_set ? setting + length + 1 : NULL);
  text_release(&name);
}

void trials_set_variables(const char *settings, bool are_set) {
  for_words(settings, set_variable, &are_set);
}

static void find_set(const char *setting, void *context) {
  const char **found = context;
  size_t length = strcspn(setting, "=");
  static char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, setting);
  if (getenv(name))
    *found = name;
}

static const char DONE[] = "done";

char *trials_made_read(const char *path, const char *loop, const char *form) {
  FILE *stream = regular_fopen_text(path);
  char line[512], *reason = NULL;
  size_t id = strlen(loop), name = strlen(form);
  while (stream && fgets(line, sizeof line, stream)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, loop, id) != 0 || strncmp(line + id + 1, form, name) != 0)
      continue;
    const char *what = line + id + 1 + name + 1;
    bool is_done = trials_is_made(what);
    if (reason && !is_done)
      continue;
    free(reason);
    reason = text_copy(what);
    if (is_done)
      break;
  }
  if (stream)
    fclose(stream);
  return reason;
}

bool trials_is_made(const char *made) { return strncmp(made, DONE, sizeof DONE - 1) == 0; }

static bool is_same_build(struct study *study, int64_t a, int64_t b) {
  struct statement *s = database_prepare(
      study->file.database, "SELECT 1 FROM programs p JOIN programs q ON q.path=p.path WHERE "
                            "p.build=?1 AND q.build=?2 AND p.deflated<>q.deflated");
  statement_count(s, 1, (uint64_t)a);
  statement_count(s, 2, (uint64_t)b);
  bool is_other = statement_step(s);
  statement_finish(s);
  return !is_other;
}

int trials_build_make(struct trials *t, const struct trial_build *what, struct text *made,
                      int64_t *build) {
  struct study *study = t->study;
  struct text overrides = {0};
  char *list = NULL;
  const struct study_role role = {.name = what->name,
                                  .features = what->features,
                                  .options = "",
                                  .placement = what->placement,
                                  .is_trial = true};
  for_words(what->flags, add_override, &overrides);
  bool fine = study_list_write(study, "forms", what->list, &list);
  const char *users = getenv("CCC_OVERRIDE_OPTIONS"); // theirs first
  char *own = users ? text_copy(users) : NULL;
  struct text both = {0};
  text_format(&both, "%s%s%s", own ? own : "#", own ? " " : "", text_get(&overrides));
  set_or_unset("CCC_OVERRIDE_OPTIONS", overrides.length ? text_get(&both) : own);
  set_or_unset("RETICLE_FORMS", list);
  text_format(made, "%s.made", list ? list : "");
  if (list)
    unlink(text_get(made));
  *build = 0;
  int status = fine ? study_build_make(study, &role) : PROBLEM_UNREADABLE;
  if (status == PROBLEM_NONE)
    *build = study_build_find(&study->file, role.name);
  set_or_unset("CCC_OVERRIDE_OPTIONS", own);
  set_or_unset("RETICLE_FORMS", NULL);
  free(own);
  text_release(&both);
  text_release(&overrides);
  free(list);
  return status > 128 ? status : PROBLEM_NONE;
}

/// The attempt's build at those places. 0 in *build where the command failed. As study_measure.
int trials_build_at(struct trials *t, struct attempt *a, unsigned placement, int64_t *build) {
  struct text name = {0}, made = {0};
  text_format(&name, "trial %" PRId64 ".%u", a->id, placement);
  const struct trial_build what = {.name = text_get(&name),
                                   .features = "none",
                                   .flags = text_get(&a->flags),
                                   .list = text_get(&a->list),
                                   .placement = placement};
  int status = trials_build_make(t, &what, &made, build);
  if (*build && a->form && trial_form_is_of_loop(a->form) && !placement) {
    char *reason = trials_made_read(text_get(&made), a->loop, a->form->content);
    if (!reason)
      trials_end(t, a, "the optimiser made other code of that loop before prefetches are put in");
    else if (!trials_is_made(reason))
      trials_end(t, a, a->refusal = text_copy(reason));
    else if (reason[sizeof DONE - 1])
      study_trial_made(&t->study->file, a->id, reason + sizeof DONE);
    free(reason);
  }
  text_release(&made);
  text_release(&name);
  return status;
}

/// Whether the compiler refused another way to make that form; then it refuses this one.
static bool is_refused(struct trials *t, struct attempt *a) {
  for (struct attempt *other = t->items + FIRST_CHANGE; other < a; other++)
    if (other->refusal && other->form->id == a->form->id && strcmp(other->loop, a->loop) == 0) {
      trials_end(t, a, other->refusal);
      return true;
    }
  return false;
}

/// Makes its first build.
static int build(struct trials *t, struct attempt *a, int64_t plain) {
  if (trials_left_s(t) < t->build_s + 2 * CHANGE_SCREEN_PAIRS * t->plain_s) {
    trials_end(t, a, "no time was left: a longer --time, or a smaller input");
    return PROBLEM_NONE;
  }
  if (a->form && is_refused(t, a))
    return PROBLEM_NONE;
  int status = trials_build_at(t, a, 0, &a->builds[0]);
  if (status == PROBLEM_NONE && !a->builds[0])
    trials_end(t, a, "it could not be compiled so");
  else if (status == PROBLEM_NONE && !a->is_over && is_same_build(t->study, plain, a->builds[0]))
    trials_end(t, a, "the compiler makes the same program of it");
  return status;
}

/// Whether the dynamic linker finds the library, in the folders that it usually looks into.
static bool has_library(const char *name) {
  static const char *const folders[] = {"/usr/local/lib", "/usr/lib/*", "/usr/lib", "/usr/lib64"};
  bool has = false;
  for (size_t i = 0; i < sizeof folders / sizeof *folders && !has; i++) {
    struct text pattern = {0};
    glob_t found = {0};
    text_format(&pattern, "%s/%s", folders[i], name);
    has = glob(text_get(&pattern), 0, NULL, &found) == 0;
    globfree(&found);
    text_release(&pattern);
  }
  return has;
}

/// Whether the environment can be changed so.
static void check_environment(struct trials *t, struct attempt *a, bool is_static) {
  const char *taken = NULL;
  struct text reason = {0};
  for_words(text_get(&a->environment), find_set, &taken);
  const char *library = strstr(text_get(&a->environment), "LD_PRELOAD=");
  if (taken)
    text_printf(&reason, "%s is set already", taken);
  else if (library && is_static)
    text_add(&reason, "the program is static: link it with that library");
  else if (library && !has_library(library + strlen("LD_PRELOAD=")))
    text_printf(&reason, "%s isn't installed", library + strlen("LD_PRELOAD="));
  if (reason.length)
    trials_end(t, a, text_get(&reason));
  text_release(&reason);
}

/// Whether it has no dynamic linker, which preloads libraries.
static bool is_static(const char *program) {
  struct elf_file *file;
  if (elf_file_open(program, &file) != ELF_FILE_OK)
    return false;
  enum elf_file_kind kind = elf_file_kind(file);
  elf_file_close(file);
  return kind == ELF_FILE_STATIC || kind == ELF_FILE_STATIC_PIE;
}

int trials_prepare(struct trials *t, struct attempt *a, int64_t plain) {
  a->builds[0] = plain;
  if (a->rounds && !t->study->settings->allows_rounding)
    trials_end(t, a, "results would be rounded otherwise: --allow-numerics tries it");
  else if (a->is_built)
    return build(t, a, plain);
  else
    check_environment(t, a, is_static(t->study->settings->argv[0]));
  return PROBLEM_NONE;
}
