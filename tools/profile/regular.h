// regular.h - opens files to be read that have an end: nothing waits, no device is touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A FIFO waits for a writer, /dev/zero never ends, and reading a device may do things. Files that
// the kernel makes up (/proc, /sys) say that they are regular and empty, and may wait or never end
// as well (/proc/kmsg, trace_pipe).
#ifndef RETICLE_TOOLS_PROFILE_REGULAR_H
#define RETICLE_TOOLS_PROFILE_REGULAR_H

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/// errno for what is no regular file; open itself never gives it.
#define REGULAR_ERRNO ESPIPE

static inline bool regular_is_made_up(int fd) {
  struct statfs system;
  return fstatfs(fd, &system) == 0 &&
         (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC ||
          system.f_type == DEBUGFS_MAGIC || system.f_type == TRACEFS_MAGIC);
}

/// Opens the file, if it is a regular one.
///
/// Returns the descriptor, or -1 with errno set; regular_problem has the text for it.
static inline int regular_open(const char *path) {
  struct stat status;
  if (stat(path, &status) < 0)
    return -1;
  if (!S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : REGULAR_ERRNO;
    return -1;
  }
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); // it may be another one by now
  if (fd < 0)
    return -1;
  int reason = fstat(fd, &status) < 0                               ? errno
               : !S_ISREG(status.st_mode) || regular_is_made_up(fd) ? REGULAR_ERRNO
                                                                    : 0;
  if (!reason)
    return fd;
  close(fd);
  errno = reason;
  return -1;
}

/// As regular_open, for stdio. Null with errno set.
static inline FILE *regular_fopen(const char *path) {
  int fd = regular_open(path);
  FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
  if (fd >= 0 && !stream)
    close(fd);
  return stream;
}

/// The longest text that is read. The largest source that a compiler takes in is a tenth of it
/// (tables that were generated), and a list of all blocks of a data set a third; a file with a hole
/// may have any length, all of it one line.
#define REGULAR_TEXT_BYTES ((off_t)256 << 20)

/// As regular_fopen, for a file that is read to its end. errno is EFBIG for a longer one.
static inline FILE *regular_fopen_text(const char *path) {
  struct stat status;
  FILE *stream = regular_fopen(path);
  if (!stream || (fstat(fileno(stream), &status) == 0 && status.st_size <= REGULAR_TEXT_BYTES))
    return stream;
  fclose(stream);
  errno = EFBIG;
  return NULL;
}

/// What errno means after regular_open, for a message: object, then what is wrong with it.
static inline const char *regular_problem(int error) {
  if (error == EISDIR)
    return "is a directory; name a file in it";
  if (error == REGULAR_ERRNO)
    return "is no regular file (a FIFO, a device, a socket, or made up by the kernel as in /proc); "
           "copy what it holds into a file (cat), and name that";
  if (error == EFBIG)
    return "has more than 256 MB, as no source and no list has: name the file that was meant";
  return strerror(error);
}

#endif
