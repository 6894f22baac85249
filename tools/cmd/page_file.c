// page_file.c - writes a page as a new file that takes the old one's place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/page_file.h"

#include "tools/profile/file_new.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <stdio.h>

bool page_file_write(const char *command, const char *path, const struct text *page) {
  struct file_new file;
  int failed = file_new_open(path, &file);
  if (!failed) {
    errno = 0;
    size_t written = fwrite(text_get(page), 1, page->length, file.stream);
    failed = file_new_close(&file, written == page->length ? 0 : errno ? errno : EIO);
  }
  if (failed)
    message_error("%s: %s: %s", command, path, file_new_reason(failed));
  else
    message_note("%s: the page is in %s", command, path);
  return !failed;
}
