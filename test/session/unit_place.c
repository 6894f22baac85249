// unit_place.c - processes that come to one place at the same time, step by step
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/place.h"

#include "runtime/session/owner.h"
#include "runtime/session/place_say.h"
#include "runtime/support/maps.h"
#include "runtime/sys/folder.h"
#include "test/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A profile is the number of its process here; those below 100 have ended.
enum { ENDED = 7, FIRST = 101, SECOND = 102 };

int rrt_owner_read(int folder, const char *name, struct rrt_owner *out) {
  char text[16] = "";
  int fd = openat(folder, name, O_RDONLY);
  CHECK(fd < 0 || read(fd, text, sizeof text - 1) > 0);
  if (fd < 0)
    return -ENOENT;
  close(fd);
  memset(out, 0, sizeof *out);
  out->pid = strtoul(text, NULL, 10);
  out->checkpoints = 2;
  return 0;
}
int rrt_owner_is_self(const struct rrt_owner *owner) { return 0 * !owner; }
int rrt_owner_is_alive(const struct rrt_owner *owner) { return owner->pid >= FIRST; }
int rrt_maps_in_executable(void) { return 1; }
void rrt_path_append_pid(char path[RRT_PATH_BYTES]) { strcat(path, ".own"); }
void rrt_path_make_new(char path[RRT_PATH_BYTES]) {
  if (access(path, F_OK) == 0)
    strcat(path, "-2");
}
void rrt_place_say_foreign(const char *path, const char *what, const char *beside) {
  fprintf(stderr, "%s %s %s\n", path, what, beside);
  CHECK(0);
}
void rrt_place_say_shared(const char *path, uint64_t pid, const char *beside) {
  (void)path, (void)pid, (void)beside;
}
void rrt_place_say_kept(const char *path, uint64_t pid, const char *kept) {
  (void)path, (void)pid, (void)kept;
}

static void put(char path[RRT_PATH_BYTES], unsigned pid) {
  struct rrt_place place;
  struct reticle_file_env env = {.pid = pid};
  char text[16];
  snprintf(text, sizeof text, "%u", pid);
  CHECK_EQUAL(rrt_place_open(&place, path, 0), 0);
  CHECK_EQUAL(write(place.fd, text, strlen(text)), (long)strlen(text));
  CHECK_EQUAL(rrt_place_put(&place, path, &env), 0);
}

static char work_folder[] = "/tmp/reticle-place-XXXXXX";

// The second process stops at its exchange of names; the first one goes one checkpoint on at `go`.
static int go[2], done[2], is_second;

static void let_first_go(void) {
  char byte = 0;
  CHECK_EQUAL(write(go[1], &byte, 1), 1);
  CHECK_EQUAL(read(done[0], &byte, 1), 1);
}

int __real_rrt_sys_exchange_at(int folder, const char *one, const char *other);
int __wrap_rrt_sys_exchange_at(int folder, const char *one, const char *other);
int __wrap_rrt_sys_exchange_at(int folder, const char *one, const char *other) {
  if (is_second)
    let_first_go();
  int r = __real_rrt_sys_exchange_at(folder, one, other);
  if (is_second) {
    is_second = 0;
    let_first_go();
  }
  return r;
}

static void be_first(const char *name) {
  char path[RRT_PATH_BYTES], byte;
  snprintf(path, sizeof path, "%s", name);
  rrt_place_start(0);
  while (read(go[0], &byte, 1) == 1) {
    put(path, FIRST);
    CHECK_EQUAL(write(done[1], &byte, 1), 1);
  }
}

static unsigned count(unsigned pid) {
  char command[64], text[16] = "";
  snprintf(command, sizeof command, "grep -lx %u out* | wc -l", pid);
  FILE *pipe = popen(command, "r");
  CHECK(pipe && fgets(text, sizeof text, pipe));
  pclose(pipe);
  return (unsigned)strtoul(text, NULL, 10);
}

// Both have seen what a process that has ended has left. Each process keeps one profile.
static void test_both(void) {
  char path[RRT_PATH_BYTES] = "out";
  FILE *left = fopen("out", "w");
  CHECK(left && fprintf(left, "%u\n", ENDED) > 0 && fclose(left) == 0);
  CHECK(pipe(go) == 0 && pipe(done) == 0);
  pid_t child = fork();
  if (!child) {
    close(go[1]);
    be_first(path);
    _exit(unit_failures != 0);
  }
  rrt_place_start(0);
  is_second = 1;
  put(path, SECOND);
  is_second = 0;
  let_first_go();
  put(path, SECOND);
  close(go[1]);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK_EQUAL(count(ENDED), 1);
  CHECK_EQUAL(count(FIRST), 1);
  CHECK_EQUAL(count(SECOND), 1);
  CHECK(system("rm -f out*") == 0 && rmdir(work_folder) == 0); // nothing else is left
}

int main(void) {
  if (!mkdtemp(work_folder) || chdir(work_folder))
    return 1;
  RUN(test_both);
  return unit_status();
}
