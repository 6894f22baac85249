// file_new.c - writes beside the place under a name of its own, then renames.
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

/// Number of the descriptor that the name stands for, as in /dev/stdout or /dev/fd/3; -1: none.
static int descriptor_of(const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (int i = 0; i < 3; i++)
    if (strcmp(path, names[i]) == 0)
      return i;
  for (int i = 0; i < 2; i++) {
    const char *digits = path + strlen(folders[i]);
    if (strncmp(path, folders[i], strlen(folders[i])) == 0 && *digits &&
        strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 10)
      return atoi(digits);
  }
  return -1;
}

static mode_t mode_of_new(void) {
  mode_t mask = umask(0);
  umask(mask);
  return NEW_MODE & ~mask;
}

static int open_stream(int fd, FILE **out) {
  *out = fd < 0 ? NULL : fdopen(fd, "w");
  int failed = *out ? 0 : errno;
  if (failed && fd >= 0)
    close(fd);
  return failed;
}

/// What isn't regular. A pipe that nobody reads is an error (ENXIO), and does not wait for who may
/// never come.
static int open_as_it_is(const char *path, FILE **out) {
  struct stat status;
  int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) &&
      status.st_uid != geteuid()) {
    close(fd);
    return EPERM;
  }
  if (fd >= 0)
    fcntl(fd, F_SETFL, 0);
  return open_stream(fd, out);
}

static int open_beside(const char *path, mode_t mode, struct file_new *out) {
  size_t room = strlen(path) + sizeof ".XXXXXX";
  out->path = strdup(path);
  out->temporary = malloc(room);
  if (!out->path || !out->temporary)
    return ENOMEM;
  snprintf(out->temporary, room, "%s.XXXXXX", path);
  int fd = mkostemp(out->temporary, O_CLOEXEC);
  int failed = open_stream(fd, &out->stream);
  if (failed && fd >= 0)
    unlink(out->temporary);
  out->mode = mode;
  return failed;
}

static void release(struct file_new *file) {
  free(file->path);
  free(file->temporary);
  *file = (struct file_new){0};
}

/// What is by the name, behind this user's and root's links. Returns 0 or errno; ENOENT: nothing.
static int look(const char *path, char **followed, struct stat *status) {
  if (lstat(path, status) != 0)
    return errno;
  if (!S_ISLNK(status->st_mode))
    return 0;
  if (status->st_uid && status->st_uid != geteuid())
    return ELOOP;
  *followed = realpath(path, NULL);
  return *followed && stat(*followed, status) == 0 ? 0 : ENOENT;
}

int file_new_open(const char *path, struct file_new *out) {
  struct stat status;
  char *followed = NULL;
  int descriptor = descriptor_of(path);
  *out = (struct file_new){0};
  if (descriptor >= 0) // not opened anew, as that would start again at the first byte
    return open_stream(fcntl(descriptor, F_DUPFD_CLOEXEC, 3), &out->stream);
  int failed = look(path, &followed, &status);
  const char *name = followed ? followed : path;
  if (failed == ENOENT)
    failed = open_beside(name, mode_of_new(), out);
  else if (!failed && S_ISDIR(status.st_mode))
    failed = EISDIR;
  else if (!failed && !S_ISREG(status.st_mode))
    failed = open_as_it_is(name, &out->stream);
  else if (!failed)
    failed =
        status.st_uid == geteuid() ? open_beside(name, status.st_mode & ALL_MODES, out) : EPERM;
  free(followed);
  if (failed)
    release(out);
  return failed;
}

int file_new_close(struct file_new *file, int failed) {
  if (ferror(file->stream) && !failed)
    failed = EIO;
  if (file->temporary && !failed &&
      (fflush(file->stream) != 0 || fchmod(fileno(file->stream), file->mode) != 0))
    failed = errno;
  if (fclose(file->stream) != 0 && !failed)
    failed = errno;
  if (file->temporary && !failed && rename(file->temporary, file->path) != 0)
    failed = errno;
  if (file->temporary && failed)
    unlink(file->temporary);
  release(file);
  return failed;
}

const char *file_new_reason(int failed) {
  return failed == ELOOP   ? "a symbolic link of another user's: name another file"
         : failed == EPERM ? "another user's, or it has other names (hard links): name another file"
         : failed == ENXIO ? "nobody reads that pipe, or it is a socket: name a file"
                           : strerror(failed);
}

static bool is_for_writing_only(const char *path) {
  struct stat status;
  return descriptor_of(path) >= 0 ||
         (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

FILE *file_open_in_place(const char *path, bool empty) {
  struct stat status;
  struct file_new file;
  if (is_for_writing_only(path)) {
    errno = file_new_open(path, &file);
    return file.stream;
  }
  bool is_link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
  if (is_link && status.st_uid && status.st_uid != geteuid()) {
    errno = ELOOP;
    return NULL;
  }
  const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  int fd = open(path, is_link ? flags : flags | O_NOFOLLOW, NEW_MODE);
  if (fd < 0)
    return NULL;
  FILE *stream = NULL;
  errno = EPERM; // it may be another one by now
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      status.st_nlink == 1 && (!empty || ftruncate(fd, 0) == 0))
    stream = fdopen(fd, "r+");
  int failed = errno;
  if (!stream)
    close(fd);
  errno = failed;
  return stream;
}
