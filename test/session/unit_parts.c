// unit_parts.c - parts of memory into a file, one behind the other, and two names exchanged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/sys.h"
#include "test/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = "/tmp/reticle-parts-XXXXXX";
static char one[64], other[64];

static void create(const char *path, const char *text) {
  int fd = rrt_sys_create(path);
  CHECK(fd >= 0);
  CHECK_EQUAL(rrt_sys_write(fd, text, strlen(text)), (long)strlen(text));
  rrt_sys_close(fd);
}

static int holds(const char *path, const char *text) {
  char got[64];
  rrt_sys_read_file(path, got, sizeof got);
  return strcmp(got, text) == 0;
}

static void test_parts(void) {
  create(one, "0123456789abcdef");
  int fd = rrt_sys_create(one);
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
  int fd = rrt_sys_create(one);
  struct rrt_sys_part parts[] = {{"ab", 2}, {"cde", 3}, {"f", 1}};
  CHECK_EQUAL(rrt_sys_write_parts_at(fd, parts, 3, 0), -EFBIG);
  rrt_sys_close(fd);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(holds(one, "abcd"));
}

static void test_exchange(void) {
  create(one, "first");
  create(other, "second");
  int r = rrt_sys_exchange(one, other);
  if (r != -EINVAL) { // a file system that can't
    CHECK_EQUAL(r, 0);
    CHECK(holds(one, "second"));
    CHECK(holds(other, "first"));
  }
  rrt_sys_unlink(other);
  CHECK(rrt_sys_exchange(one, other) < 0);
  CHECK(rrt_sys_access(one, 0) == 0);
}

static void test_folder(void) {
  rrt_sys_unlink(one);
  CHECK_EQUAL(rmdir(folder), 0); // the other is gone
}

int main(void) {
  if (!mkdtemp(folder))
    return 1;
  snprintf(one, sizeof one, "%s/one", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  RUN(test_parts);
  RUN(test_short);
  RUN(test_exchange);
  RUN(test_folder);
  return unit_status();
}
