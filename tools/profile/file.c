// file.c - reads and writes whole files; the entry points that take a path.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/file.h"

#include "tools/profile/decode.h"
#include "tools/profile/file_new.h"
#include "tools/profile/profile.h"
#include "tools/profile/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int too_large(const char *path, uint64_t bytes, struct profile_error *error) {
  return profile_fail(
      error, RETICLE_E_LIMIT,
      "%s: has %llu bytes, and %llu are read at most: is it the file that was meant?", path,
      (unsigned long long)bytes, (unsigned long long)FILE_BYTES_MOST);
}

/// Reads to the end. A file may grow or shrink meanwhile, so its size is only a first guess.
static int read_all(int fd, const char *path, struct bytes *bytes, struct profile_error *error) {
  struct stat status;
  // One more byte, so that the end is seen without asking for more room.
  bool is_known = fstat(fd, &status) == 0 && status.st_size > 0 && status.st_size < 1 << 20;
  size_t piece = is_known ? (size_t)status.st_size + 1 : (size_t)1 << 20;
  for (;;) {
    size_t before = bytes->count;
    if (before > FILE_BYTES_MOST)
      return too_large(path, before, error);
    unsigned char *room = bytes_extend(bytes, piece);
    if (!room)
      return profile_fail(error, RETICLE_E_MEMORY, "%s: no memory after %zu bytes", path, before);
    ssize_t got = read(fd, room, piece);
    bytes->count = before + (got > 0 ? (size_t)got : 0);
    if (got == 0)
      return 0;
    if (got < 0 && errno != EINTR)
      return profile_fail(error, RETICLE_E_READ, "%s: cannot be read at byte %zu: %s", path, before,
                          strerror(errno));
  }
}

/// Opens a file that isn't too large. Returns 0 or an enum reticle_error.
static int open_file(const char *path, int *fd, uint64_t *size, struct profile_error *error) {
  struct stat status;
  *fd = regular_open(path);
  if (*fd < 0 || fstat(*fd, &status) != 0) {
    bool is_other = errno == EISDIR || errno == REGULAR_ERRNO;
    return profile_fail(error, RETICLE_E_OPEN, "%s: %s%s", path,
                        is_other ? "" : "cannot be opened: ", regular_problem(errno));
  }
  *size = (uint64_t)status.st_size;
  return 0;
}

/// Reads the rest of it, closes it.
static int finish(int result, int fd, const char *path, uint64_t size, struct bytes *out,
                  struct profile_error *error) {
  struct bytes bytes = {0};
  if (result == 0 && size > FILE_BYTES_MOST)
    result = too_large(path, size, error);
  if (result == 0)
    result = read_all(fd, path, &bytes, error);
  if (fd >= 0)
    close(fd);
  if (result)
    bytes_release(&bytes);
  else
    *out = bytes;
  return result;
}

int file_read(const char *path, struct bytes *out, struct profile_error *error) {
  int fd;
  uint64_t size = 0;
  int result = open_file(path, &fd, &size, error);
  return finish(result, fd, path, size, out, error);
}

int file_write(const char *path, const void *data, size_t count, struct profile_error *error) {
  struct file_new file;
  int reason = file_new_open(path, &file);
  if (!reason) {
    errno = 0;
    bool written = fwrite(data, 1, count, file.stream) == count && fflush(file.stream) == 0;
    reason = file_new_close(&file, written ? 0 : errno ? errno : EIO);
  }
  if (reason == ENOMEM)
    return profile_fail(error, RETICLE_E_MEMORY, "%s: no memory", path);
  if (reason)
    return profile_fail(error, RETICLE_E_WRITE, "%s: cannot be written: %s", path,
                        file_new_reason(reason));
  return 0;
}

int profile_read(const char *path, struct profile *out, struct profile_error *error) {
  struct bytes bytes = {0};
  struct reticle_file_header header;
  int fd;
  uint64_t size = 0;
  int result = open_file(path, &fd, &size, error);
  // What it is and how long it must be is known before the rest is read.
  ssize_t got = result == 0 ? pread(fd, &header, sizeof header, 0) : 0;
  if (got == (ssize_t)sizeof header || (got >= 0 && (uint64_t)got == size))
    result = result ? result : profile_decode_start(&header, size, path, error);
  result = finish(result, fd, path, size, &bytes, error);
  if (result == 0)
    result = profile_decode(bytes.data, bytes.count, path, out, error);
  bytes_release(&bytes);
  return result;
}

bool profile_has_chunk(const char *path, const char *chunk) {
  struct reticle_file_header header;
  struct reticle_file_chunk entry;
  bool found = false;
  int fd = regular_open(path);
  if (fd >= 0 && pread(fd, &header, sizeof header, 0) == sizeof header &&
      memcmp(header.magic, RETICLE_FILE_MAGIC, sizeof header.magic) == 0 &&
      header.chunk_bytes >= sizeof entry && header.table_offset <= INT64_MAX / 2)
    for (uint32_t i = 0; !found && i < header.chunk_count; i++) {
      off_t at = (off_t)(header.table_offset + (uint64_t)i * header.chunk_bytes);
      if (pread(fd, &entry, sizeof entry, at) != sizeof entry)
        break;
      found = strncmp(entry.name, chunk, sizeof entry.name) == 0;
    }
  if (fd >= 0)
    close(fd);
  return found;
}

int profile_write(const struct profile *profile, const char *path, struct profile_error *error) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  int result = profile_encode(profile, path, &bytes, &count, error);
  if (result == 0)
    result = file_write(path, bytes, count, error);
  free(bytes);
  return result;
}
