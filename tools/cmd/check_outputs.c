// check_outputs.c - one file for each form; the summary of a GitHub step is appended to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/check_outputs.h"

#include "tools/export/check_forms.h"
#include "tools/profile/file_new.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef bool writer(const struct check_result *result, const char *here, FILE *stream);

static bool write_file(const char *path, writer *write, const struct check_result *result,
                       const char *here) {
  struct file_new file;
  if (!path)
    return true;
  int failed = file_new_open(path, &file);
  if (!failed) {
    errno = 0;
    bool written = write(result, here, file.stream);
    failed = file_new_close(&file, written ? 0 : errno ? errno : EIO);
  }
  if (failed)
    message_error("check: %s: %s", path, file_new_reason(failed));
  return !failed;
}

/// Other steps have written to it before.
static bool add_summary(const struct check_result *result, const char *here) {
  const char *path = getenv("GITHUB_STEP_SUMMARY");
  if (!path || !*path)
    return true;
  FILE *stream = file_open_in_place(path, false);
  bool fine = stream && fseek(stream, 0, SEEK_END) == 0;
  fine = fine && check_markdown_write(result, here, stream);
  if (stream && fclose(stream) != 0)
    fine = false;
  if (!fine)
    message_error("check: GITHUB_STEP_SUMMARY: %s: %s", path, strerror(errno));
  return fine;
}

bool check_outputs_write(const struct check_outputs *outputs, const struct check_result *result) {
  char *here = getcwd(NULL, 0);
  const char *folder = here ? here : "";
  bool fine = true;
  if (outputs->github) {
    fine = check_github_write(result, folder, stdout);
    fine = add_summary(result, folder) && fine;
  }
  fine = write_file(outputs->sarif, check_sarif_write, result, folder) && fine;
  fine = write_file(outputs->junit, check_junit_write, result, folder) && fine;
  fine = write_file(outputs->quality, check_quality_write, result, folder) && fine;
  free(here);
  return fine;
}
