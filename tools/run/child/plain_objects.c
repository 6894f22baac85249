// plain_objects.c - copies objects aside, renames them back, looks which have Reticle's parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // memmem
#include "tools/run/child/plain_objects.h"

#include "tools/profile/regular.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// Behind the names of what is kept: a build that links whatever *.o it finds doesn't find these.
#define SUFFIX ".kept"
/// Files that are named.
#define NAMES_MOST 3

enum kind { OTHER, OBJECT, PROGRAM };

static enum kind kind_of(const char *path) {
  static const char *const starts[] = {"!<arch>\n", "!<thin>\n", "BC\xc0\xde", "\xde\xc0\x17\x0b"};
  char start[EI_NIDENT + 4] = "";
  FILE *stream = regular_fopen(path);
  size_t got = stream ? fread(start, 1, sizeof start, stream) : 0;
  if (stream)
    fclose(stream);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (got == sizeof start && memcmp(start, starts[i], strlen(starts[i])) == 0)
      return OBJECT;
  if (got < sizeof start || memcmp(start, ELFMAG, SELFMAG) != 0)
    return OTHER;
  return start[EI_NIDENT] == ET_REL                                  ? OBJECT
         : start[EI_NIDENT] == ET_EXEC || start[EI_NIDENT] == ET_DYN ? PROGRAM
                                                                     : OTHER;
}

/// Our section, and the symbol that only our runtime defines: the one is in programs, stripped
/// ones, too, the other in whatever is to be linked, bitcode and archives of it, too.
static const char *const ours[] = {"reticle_objects", "__reticle_abi_v", "__reticle_tried", NULL};
/// The like of clang's counters of lines, which `reticle check` has compiled in.
static const char *const counters[] = {"__llvm_covmap", "__llvm_profile_", NULL};

/// Whether any of the names is in the file.
static bool has_any(const char *path, const char *const *names) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  bool is = false;
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_t count = (size_t)status.st_size;
    void *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes != MAP_FAILED) {
      for (size_t i = 0; names[i] && !is; i++)
        is = memmem(bytes, count, names[i], strlen(names[i])) != NULL;
      munmap(bytes, count);
    }
  }
  if (fd >= 0)
    close(fd);
  return is;
}

static bool is_instrumented(const char *path) { return has_any(path, ours); }

static bool is_since(const struct timespec *time, const struct timespec *since) {
  return time->tv_sec != since->tv_sec ? time->tv_sec > since->tv_sec
                                       : time->tv_nsec >= since->tv_nsec;
}

/// The next regular file, null behind the last.
static FTSENT *next_file(FTS *walk) {
  FTSENT *entry;
  while ((entry = fts_read(walk)) != NULL) {
    if (entry->fts_info == FTS_D &&
        (strcmp(entry->fts_name, ".git") == 0 || strcmp(entry->fts_name, ".hg") == 0 ||
         (entry->fts_level == 1 && strcmp(entry->fts_name, PLAIN_OBJECTS_FOLDER) == 0)))
      fts_set(walk, entry, FTS_SKIP);
    else if (entry->fts_info == FTS_F)
      return entry;
  }
  return NULL;
}

static FTS *open_walk(const char *folder) {
  char *const roots[] = {(char *)folder, NULL};
  return fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
}

/// Makes the folders above a path.
static bool make_folders(char *path) {
  for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool fine = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!fine)
      return false;
  }
  return true;
}

/// Copies bytes where the file system can't share them. Returns 0 or errno.
static int copy_bytes(int from, int to) {
  char buffer[65536];
  for (;;) {
    ssize_t got = read(from, buffer, sizeof buffer);
    if (got <= 0)
      return got ? errno : 0;
    for (ssize_t at = 0; at < got;) {
      ssize_t wrote = write(to, buffer + at, (size_t)(got - at));
      if (wrote < 0)
        return errno;
      at += wrote;
    }
  }
}

/// A copy with mode and times. Returns 0 or errno.
static int copy(const char *from, const char *to) {
  struct stat status;
  int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  int failed = in < 0 || fstat(in, &status) != 0 ? errno : 0;
  int out = failed ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (!failed && out < 0)
    failed = errno;
  if (!failed && ioctl(out, FICLONE, in) != 0)
    failed = copy_bytes(in, out);
  if (!failed) {
    const struct timespec times[] = {status.st_atim, status.st_mtim};
    if (fchmod(out, status.st_mode & 07777) != 0 || futimens(out, times) != 0)
      failed = errno;
  }
  if (out >= 0 && close(out) != 0 && !failed)
    failed = errno;
  if (in >= 0)
    close(in);
  return failed;
}

/// Returns 0 or errno. Another file system may be mounted below the folder.
static int move(const char *from, const char *to) {
  if (rename(from, to) == 0)
    return 0;
  if (errno != EXDEV || unlink(to) != 0)
    return errno;
  return copy(from, to);
}

/// Removes the folder and what is in it.
static void forget(void) {
  FTS *walk = open_walk(PLAIN_OBJECTS_FOLDER);
  FTSENT *entry;
  while (walk && (entry = fts_read(walk)) != NULL) {
    if (entry->fts_info == FTS_DP)
      rmdir(entry->fts_path);
    else if (entry->fts_info != FTS_D)
      unlink(entry->fts_path);
  }
  if (walk)
    fts_close(walk);
}

static bool is_wanted(const struct plain_objects *wish, const FTSENT *entry) {
  if (!is_since(&entry->fts_statp->st_mtim, &wish->since))
    return false;
  enum kind kind = kind_of(entry->fts_path);
  return (kind == OBJECT || (kind == PROGRAM && wish->has_programs)) &&
         (wish->has_instrumented || !is_instrumented(entry->fts_path));
}

bool plain_objects_keep(struct plain_objects *wish, struct problems *problems) {
  struct text kept = {0};
  FTS *walk = open_walk(".");
  FTSENT *entry;
  int failed = walk ? 0 : errno;
  while (!failed && (entry = next_file(walk)) != NULL) {
    if (!is_wanted(wish, entry))
      continue;
    text_clear(&kept);
    text_add(&kept, PLAIN_OBJECTS_FOLDER "/");
    text_add(&kept, entry->fts_path + sizeof "./" - 1);
    text_add(&kept, SUFFIX);
    failed = make_folders(kept.data) ? copy(entry->fts_path, text_get(&kept)) : errno;
    if (failed)
      problem_error(problems,
                    "%s: %s: it can't be kept in %s: %s: make room, or build in a folder that may "
                    "be changed",
                    wish->command, entry->fts_path, PLAIN_OBJECTS_FOLDER, strerror(failed));
  }
  if (walk)
    fts_close(walk);
  if (failed)
    forget();
  text_release(&kept);
  clock_gettime(CLOCK_REALTIME_COARSE, &wish->builds);
  return !failed;
}

bool plain_objects_put_back(const char *command, struct problems *problems) {
  struct stat status;
  if (lstat(PLAIN_OBJECTS_FOLDER, &status) != 0)
    return true;
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
    problem_error(problems, "%s: %s is no folder of this user's: move it away", command,
                  PLAIN_OBJECTS_FOLDER);
    return false;
  }
  FTS *walk = open_walk(PLAIN_OBJECTS_FOLDER);
  FTSENT *entry;
  struct text name = {0};
  bool fine = walk != NULL;
  while (walk && (entry = fts_read(walk)) != NULL) {
    if (entry->fts_info != FTS_F)
      continue;
    text_clear(&name);
    text_add_bytes(&name, entry->fts_path + sizeof PLAIN_OBJECTS_FOLDER,
                   entry->fts_pathlen - sizeof PLAIN_OBJECTS_FOLDER - (sizeof SUFFIX - 1));
    const char *place = text_get(&name);
    bool is_ours = has_any(place, ours) || has_any(place, counters);
    int failed = is_ours ? move(entry->fts_path, place) : 0;
    if (!failed)
      continue;
    problem_error(problems,
                  "%s: %s has parts of Reticle, and %s can't become it: %s: move that there",
                  command, place, entry->fts_path, strerror(failed));
    fine = false;
  }
  if (walk)
    fts_close(walk);
  text_release(&name);
  if (fine)
    forget();
  return fine;
}

void plain_objects_check(const struct plain_objects *kept, const char *remedy,
                         struct problems *problems) {
  struct text names = {0};
  size_t count = 0;
  FTS *walk = open_walk(".");
  FTSENT *entry;
  while (walk && (entry = next_file(walk)) != NULL) {
    if (!is_since(&entry->fts_statp->st_mtim, &kept->builds) || kind_of(entry->fts_path) == OTHER ||
        !is_instrumented(entry->fts_path))
      continue;
    if (count++ < NAMES_MOST) {
      text_add(&names, count > 1 ? ", " : "");
      text_add_name(&names, entry->fts_path + sizeof "./" - 1);
    }
  }
  if (walk)
    fts_close(walk);
  if (count)
    problem_warning(problems,
                    "%s: %zu file%s of instrumented builds %s left here (%s%s), as no plain build "
                    "wrote %s: remove %s %s",
                    kept->command, count, count == 1 ? "" : "s", count == 1 ? "is" : "are",
                    text_get(&names), count > NAMES_MOST ? ", ..." : "", count == 1 ? "it" : "them",
                    count == 1 ? "it" : "them", remedy);
  text_release(&names);
}
