// block_input.c - takes the standard input into a file, so that its length has a bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_input.h"

#include "tools/profile/regular.h"

#include <errno.h>
#include <string.h>

FILE *block_input_open(const char *path) {
  if (strcmp(path, "-") != 0)
    return regular_fopen_text(path);
  FILE *copy = tmpfile();
  char part[4096];
  off_t bytes = 0;
  int reason = copy ? 0 : errno;
  for (size_t got; !reason && (got = fread(part, 1, sizeof part, stdin)) > 0;) {
    bytes += (off_t)got;
    reason = bytes > REGULAR_TEXT_BYTES ? EFBIG : fwrite(part, 1, got, copy) != got ? errno : 0;
  }
  if (!reason && ferror(stdin))
    reason = errno;
  if (!reason && fseek(copy, 0, SEEK_SET) != 0)
    reason = errno;
  if (!reason)
    return copy;
  if (copy)
    fclose(copy);
  errno = reason;
  return NULL;
}
