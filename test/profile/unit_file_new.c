// unit_file_new.c - files that the tools write: private until whole, never over another's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/profile/file_new.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static char folder[] = "/tmp/reticle-unit-XXXXXX";

static const char *in_folder(const char *name) {
  static char paths[4][128];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void write_text(const char *path, const char *text) {
  FILE *stream = unit_need(fopen(path, "w"));
  fputs(text, stream);
  fclose(stream);
}

static void check_content(const char *path, const char *text) {
  char found[64] = "";
  FILE *stream = fopen(path, "r");
  CHECK(stream != NULL);
  if (!stream)
    return;
  CHECK(!*text || fgets(found, sizeof found, stream) != NULL);
  fclose(stream);
  CHECK_TEXT(found, text);
}

static int mode_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (int)(status.st_mode & 07777) : -1;
}

/// Writes "new", and returns what opening or closing did.
static int replace(const char *path) {
  struct file_new file;
  int failed = file_new_open(path, &file);
  return failed ? failed : file_new_close(&file, fputs("new", file.stream) < 0 ? EIO : 0);
}

static void test_mode(void) {
  const char *path = in_folder("mode");
  struct file_new file;
  umask(0);
  CHECK_EQUAL(file_new_open(path, &file), 0);
  CHECK_EQUAL(mode_of(file.temporary), 0600);
  fputs("new", file.stream);
  fflush(file.stream);
  CHECK_EQUAL(mode_of(file.temporary), 0600);
  CHECK_EQUAL(file_new_close(&file, 0), 0);
  CHECK_EQUAL(mode_of(path), 0666);
  CHECK_EQUAL(chmod(path, 0640), 0);
  CHECK_EQUAL(replace(path), 0);
  CHECK_EQUAL(mode_of(path), 0640);
  umask(022);
}

static void test_others(void) {
  const char *path = in_folder("theirs"), *link = in_folder("their-link"),
             *pipe = in_folder("their-pipe");
  if (geteuid() != 0)
    return;
  write_text(path, "old");
  CHECK_EQUAL(chown(path, NOBODY, NOBODY), 0);
  CHECK_EQUAL(replace(path), EPERM);
  check_content(path, "old");
  write_text(in_folder("ours"), "old");
  CHECK_EQUAL(symlink(in_folder("ours"), link), 0);
  CHECK_EQUAL(lchown(link, NOBODY, NOBODY), 0);
  CHECK_EQUAL(replace(link), ELOOP);
  check_content(in_folder("ours"), "old");
  CHECK_EQUAL(mkfifo(pipe, 0666), 0);
  int reader = open(pipe, O_RDONLY | O_NONBLOCK);
  CHECK_EQUAL(chown(pipe, NOBODY, NOBODY), 0);
  CHECK_EQUAL(replace(pipe), EPERM);
  close(reader);
}

/// Below /dev there are folders like any other: a link there is one, and what is longer gets cut.
static void test_memory_folder(void) {
  char shared[] = "/dev/shm/reticle-unit-XXXXXX", path[64];
  if (!mkdtemp(shared))
    return;
  snprintf(path, sizeof path, "%s/file", shared);
  write_text(path, "something longer");
  CHECK_EQUAL(replace(path), 0);
  check_content(path, "new");
  write_text(in_folder("precious"), "old");
  unlink(path);
  CHECK_EQUAL(symlink(in_folder("precious"), path), 0);
  if (geteuid() != NOBODY && lchown(path, NOBODY, NOBODY) == 0) {
    CHECK_EQUAL(replace(path), ELOOP);
    check_content(in_folder("precious"), "old");
  }
  unlink(path);
  rmdir(shared);
}

static void test_pipe(void) {
  const char *path = in_folder("pipe");
  char found[8] = "";
  CHECK_EQUAL(mkfifo(path, 0600), 0);
  CHECK_EQUAL(replace(path), ENXIO);
  CHECK(!file_open_in_place(path, true));
  CHECK_EQUAL(errno, ENXIO);
  int reader = open(path, O_RDONLY | O_NONBLOCK);
  CHECK_EQUAL(replace(path), 0);
  CHECK_EQUAL(read(reader, found, sizeof found - 1), 3);
  CHECK_TEXT(found, "new");
  close(reader);
}

/// What a shell has redirected goes on where it is.
static void test_descriptor(void) {
  const char *path = in_folder("redirected");
  char name[32];
  write_text(path, "head ");
  int fd = open(path, O_WRONLY | O_APPEND);
  snprintf(name, sizeof name, "/dev/fd/%d", fd);
  CHECK_EQUAL(replace(name), 0);
  check_content(path, "head new");
  close(fd);
  CHECK_EQUAL(replace(name), EBADF);
}

static void test_in_place(void) {
  const char *path = in_folder("rows"), *other = in_folder("other");
  FILE *stream = file_open_in_place(path, true);
  CHECK(stream != NULL);
  if (stream)
    fclose(stream);
  CHECK_EQUAL(link(path, other), 0);
  CHECK(!file_open_in_place(path, true));
  CHECK_EQUAL(errno, EPERM);
  stream = file_open_in_place("/dev/null", true);
  CHECK(stream != NULL);
  if (stream)
    fclose(stream);
}

int main(void) {
  char command[128];
  if (!mkdtemp(folder))
    return 77;
  RUN(test_mode);
  RUN(test_others);
  RUN(test_memory_folder);
  RUN(test_pipe);
  RUN(test_descriptor);
  RUN(test_in_place);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) ? 1 : unit_status();
}
