// profile_list.c - lists folders, and looks which rank a file is of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/profile_list.h"

#include "tools/profile/profile.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add(struct profile_list *list, char *path) {
  // Room for a power of two each time.
  if (!(list->count & (list->count - 1)))
    list->paths =
        memory_resized(list->paths, list->count ? 2 * list->count : 1, sizeof *list->paths);
  list->paths[list->count++] = path;
}

static bool is_profile(int folder, const char *name) {
  char magic[sizeof RETICLE_FILE_MAGIC - 1];
  struct stat status;
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
            read(file, magic, sizeof magic) == (ssize_t)sizeof magic &&
            memcmp(magic, RETICLE_FILE_MAGIC, sizeof magic) == 0;
  if (file >= 0)
    close(file);
  return is;
}

static int by_name(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool add_folder(const char *command, const char *path, struct profile_list *list,
                       struct problems *problems) {
  DIR *folder = opendir(path);
  if (!folder) {
    problem_error(problems, "%s: %s: %s", command, path, strerror(errno));
    return false;
  }
  size_t before = list->count;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (!is_profile(dirfd(folder), entry->d_name))
      continue;
    struct text name = {0};
    text_format(&name, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", entry->d_name);
    add(list, name.data);
  }
  closedir(folder);
  if (list->count == before) {
    problem_error(problems, "%s: %s: no profile in this folder", command, path);
    return false;
  }
  qsort(list->paths + before, list->count - before, sizeof *list->paths, by_name);
  return true;
}

bool profile_list_make(const char *command, char *const *operands, size_t count,
                       struct profile_list *out, struct problems *problems) {
  *out = (struct profile_list){0};
  bool fine = true;
  for (size_t i = 0; i < count; i++) {
    struct stat status;
    if (*operands[i] && stat(operands[i], &status) == 0 && S_ISDIR(status.st_mode))
      fine &= add_folder(command, operands[i], out, problems);
    else
      add(out, text_copy(operands[i]));
  }
  return fine;
}

void profile_list_release(struct profile_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->paths[i]);
  free(list->paths);
  *list = (struct profile_list){0};
}

/// Which ranks were met, for the message.
struct met {
  uint32_t low, high;
  size_t count, merged;
};

static bool is_of(const struct profile *profile, uint32_t rank, struct met *met) {
  bool is = false;
  met->merged += profile->process_count > 1;
  for (size_t i = 0; i < profile->rank_count && profile->process_count <= 1; i++) {
    uint32_t found = profile->ranks[i].rank;
    met->low = !met->count || found < met->low ? found : met->low;
    met->high = !met->count || found > met->high ? found : met->high;
    met->count++;
    is |= found == rank;
  }
  return is;
}

static void say_none(const char *command, uint32_t rank, const struct met *met,
                     struct problems *problems) {
  if (met->count)
    problem_error(problems, "%s: no profile is of rank %u: there are ranks %u to %u", command, rank,
                  met->low, met->high);
  else if (met->merged)
    problem_error(problems,
                  "%s: --rank %u: the processes of a merged profile can't be told apart: name the "
                  "files that it was made of",
                  command, rank);
  else
    problem_error(problems,
                  "%s: --rank %u: no profile is of a rank: was it started by mpirun or srun, with "
                  "this version's runtime?",
                  command, rank);
}

bool profile_list_choose_rank(const char *command, uint32_t rank, struct profile_list *list,
                              struct problems *problems) {
  struct met met = {0};
  size_t kept = 0, count = list->count;
  bool fine = true;
  for (size_t i = 0; i < count; i++) {
    struct profile profile;
    struct profile_error error;
    bool is_read = profile_read(list->paths[i], &profile, &error) == 0;
    if (!is_read)
      problem_error(problems, "%s", error.text);
    fine &= is_read;
    if (is_read && is_of(&profile, rank, &met))
      list->paths[kept++] = list->paths[i];
    else
      free(list->paths[i]);
    if (is_read)
      profile_release(&profile);
  }
  list->count = kept;
  if (fine && !kept)
    say_none(command, rank, &met, problems);
  return fine && kept;
}
