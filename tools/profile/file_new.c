// file_new.c - see file_new.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // mkostemp
#include "tools/profile/file_new.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALL_MODES = 0777, NEW_MODE = 0666 };

/// What the kernel makes up, other names of what this process has open among it.
static bool is_made_up(const char *path) {
  return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static mode_t mode_of_new(void) {
  mode_t mask = umask(0);
  umask(mask);
  return NEW_MODE & ~mask;
}

static int open_as_it_is(const char *path, struct file_new *out) {
  int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  out->stream = fd < 0 ? NULL : fdopen(fd, "w");
  int failed = out->stream ? 0 : errno;
  if (failed && fd >= 0)
    close(fd);
  return failed;
}

static int open_beside(const char *path, mode_t mode, struct file_new *out) {
  size_t room = strlen(path) + sizeof ".XXXXXX";
  out->path = strdup(path);
  out->temporary = malloc(room);
  if (!out->path || !out->temporary)
    return ENOMEM;
  snprintf(out->temporary, room, "%s.XXXXXX", path);
  int fd = mkostemp(out->temporary, O_CLOEXEC);
  if (fd < 0)
    return errno;
  if (fchmod(fd, mode) == 0)
    out->stream = fdopen(fd, "w");
  int failed = out->stream ? 0 : errno;
  if (failed) {
    close(fd);
    unlink(out->temporary);
  }
  return failed;
}

static void release(struct file_new *file) {
  free(file->path);
  free(file->temporary);
  *file = (struct file_new){0};
}

int file_new_open(const char *path, struct file_new *out) {
  struct stat status, target;
  char *followed = NULL;
  bool is_there = lstat(path, &status) == 0;
  *out = (struct file_new){0};
  if (is_made_up(path) && is_there)
    return open_as_it_is(path, out);
  if (is_there && S_ISLNK(status.st_mode)) {
    if (status.st_uid && status.st_uid != geteuid())
      return ELOOP;
    followed = realpath(path, NULL);
    is_there = followed && stat(followed, &target) == 0;
    if (is_there)
      status = target;
  }
  const char *name = followed ? followed : path;
  int failed = is_there && S_ISDIR(status.st_mode) ? EISDIR
               : is_there && !S_ISREG(status.st_mode)
                   ? open_as_it_is(name, out)
                   : open_beside(name, is_there ? status.st_mode & ALL_MODES : mode_of_new(), out);
  free(followed);
  if (failed)
    release(out);
  return failed;
}

int file_new_close(struct file_new *file, int failed) {
  if (ferror(file->stream) && !failed)
    failed = EIO;
  if (fclose(file->stream) != 0 && !failed)
    failed = errno;
  if (file->temporary && !failed && rename(file->temporary, file->path) != 0)
    failed = errno;
  if (file->temporary && failed)
    unlink(file->temporary);
  release(file);
  return failed;
}

FILE *file_open_in_place(const char *path, bool empty) {
  struct stat status;
  bool is_link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
  if (is_link && status.st_uid && status.st_uid != geteuid()) {
    errno = ELOOP;
    return NULL;
  }
  int fd =
      open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | (is_link ? 0 : O_NOFOLLOW), NEW_MODE);
  if (fd < 0)
    return NULL;
  bool fine = fstat(fd, &status) == 0;
  if (fine && S_ISREG(status.st_mode)) {
    fine = status.st_uid == geteuid() && status.st_nlink == 1;
    errno = fine ? 0 : EPERM;
    fine = fine && (!empty || ftruncate(fd, 0) == 0);
  }
  FILE *stream = fine ? fdopen(fd, "r+") : NULL;
  int failed = errno;
  if (!stream)
    close(fd);
  errno = failed;
  return stream;
}
