// unit_parts.c - parts of memory into a file, names of files, and pipes that are full
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/folder.h"
#include "runtime/sys/sys.h"
#include "test/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/reticle-parts-XXXXXX";
static char one[64], other[64];

static int create_empty(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CHECK(fd >= 0);
  return fd;
}

static void create(const char *path, const char *text) {
  int fd = create_empty(path);
  CHECK_EQUAL(rrt_sys_write_within(fd, text, strlen(text), 0), 0);
  rrt_sys_close(fd);
}

static int holds(const char *path, const char *text) {
  char got[64];
  rrt_sys_read_file(path, got, sizeof got);
  return strcmp(got, text) == 0;
}

static void test_parts(void) {
  create(one, "0123456789abcdef");
  int fd = create_empty(one);
  struct rrt_sys_part parts[] = {{NULL, 0}, {"ab", 2}, {NULL, 0}, {"cde", 3}, {"", 0}};
  CHECK_EQUAL(rrt_sys_write_parts_at(fd, parts, 5, 0), 0);
  struct rrt_sys_part more[] = {{"X", 1}, {"YZ", 2}};
  CHECK_EQUAL(rrt_sys_write_parts_at(fd, more, 2, 4), 0);
  CHECK_EQUAL(rrt_sys_write_parts_at(fd, more, 0, 0), 0);
  rrt_sys_close(fd);
  CHECK(holds(one, "abcdXYZ"));
}

// A write that the file's limit cuts short goes on behind what was written, and then fails.
static void test_short(void) {
  struct rlimit before, limit;
  getrlimit(RLIMIT_FSIZE, &before);
  limit = before;
  limit.rlim_cur = 4;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  int fd = create_empty(one);
  struct rrt_sys_part parts[] = {{"ab", 2}, {"cde", 3}, {"f", 1}};
  CHECK_EQUAL(rrt_sys_write_parts_at(fd, parts, 3, 0), -EFBIG);
  rrt_sys_close(fd);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(holds(one, "abcd"));
}

static void test_exchange(void) {
  int at = rrt_sys_open_folder(folder);
  CHECK(at >= 0);
  create(one, "first");
  create(other, "second");
  int r = rrt_sys_exchange_at(at, "one", "other");
  if (r != -EINVAL) { // a file system that can't
    CHECK_EQUAL(r, 0);
    CHECK(holds(one, "second"));
    CHECK(holds(other, "first"));
  }
  CHECK_EQUAL(rrt_sys_rename_new_at(at, "one", "other"), -EEXIST);
  rrt_sys_unlink_at(at, "other");
  CHECK(rrt_sys_exchange_at(at, "one", "other") < 0);
  CHECK(rrt_sys_access(one, 0) == 0);
  CHECK_EQUAL(rrt_sys_rename_new_at(at, "one", "other"), 0);
  rrt_sys_unlink_at(at, "other");
  rrt_sys_close(at);
}

// A file without a name gets one where nothing is, and is seen as what it is.
static void test_unnamed(void) {
  struct rrt_sys_facts before, after;
  int at = rrt_sys_open_folder(folder), fd = rrt_sys_create_unnamed(at);
  if (fd >= 0) {
    CHECK_EQUAL(rrt_sys_write_within(fd, "text", 4, 0), 0);
    CHECK_EQUAL(rrt_sys_facts_of(fd, &before), 0);
    CHECK_EQUAL(rrt_sys_facts_at(at, "one", &after), -ENOENT);
    CHECK_EQUAL(rrt_sys_name_file(fd, at, "one"), 0);
    CHECK_EQUAL(rrt_sys_name_file(fd, at, "one"), -EEXIST);
    CHECK_EQUAL(rrt_sys_facts_at(at, "one", &after), 0);
    CHECK(before.inode == after.inode && before.time_ns == after.time_ns);
    CHECK_EQUAL((long)after.links, 1);
    CHECK_EQUAL((long)after.kind, RRT_SYS_FILE);
    CHECK(holds(one, "text"));
    rrt_sys_close(fd);
    rrt_sys_unlink_at(at, "one");
  }
  CHECK_EQUAL(symlink("target", one), 0);
  CHECK_EQUAL(rrt_sys_create_at(at, "one"), -EEXIST);
  CHECK_EQUAL(rrt_sys_open_read_at(at, "one"), -ELOOP);
  CHECK_EQUAL(rrt_sys_facts_at(at, "one", &after), 0);
  CHECK_EQUAL((long)after.kind, RRT_SYS_LINK);
  rrt_sys_unlink_at(at, "one");
  rrt_sys_close(at);
}

// A pipe that is full, with a writer that blocks: no call waits.
static void test_full_pipe(void) {
  char block[4096] = {0};
  int ends[2], written = 0;
  CHECK_EQUAL(pipe(ends), 0);
  while (rrt_sys_write_within(ends[1], block, sizeof block, 0) == 0)
    written++;
  CHECK(written > 1);
  CHECK_EQUAL(rrt_sys_write_within(ends[1], "x", 1, 10000000), -ETIMEDOUT);
  close(ends[0]);
  CHECK(rrt_sys_write_within(ends[1], "x", 1, 0) < 0); // and no SIGPIPE
  close(ends[1]);
  CHECK(rrt_sys_write_within(ends[1], "x", 1, 0) < 0);
}

// Where a file of a cache is expected there may be a pipe, whose writer never comes.
static void test_pipe_to_read(void) {
  char got[8];
  CHECK_EQUAL(mkfifo(one, 0600), 0);
  alarm(60);
  CHECK_EQUAL(rrt_sys_read_file(one, got, sizeof got), 0);
  alarm(0);
  CHECK_TEXT(got, "");
  CHECK_EQUAL(unlink(one), 0);
}

static void test_folder(void) { CHECK_EQUAL(rmdir(folder), 0); }

int main(void) {
  if (!mkdtemp(folder))
    return 1;
  snprintf(one, sizeof one, "%s/one", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  RUN(test_parts);
  RUN(test_short);
  RUN(test_exchange);
  RUN(test_unnamed);
  RUN(test_full_pipe);
  RUN(test_pipe_to_read);
  RUN(test_folder);
  return unit_status();
}
