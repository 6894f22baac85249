// The program stays what it was: descriptors (below 512: facts-files.c has the one above), errno, single-threadedness, output,
// status.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: %env_reticle:checkpoint_ms=50 %t/app > %t/with; test $? = 3
// RUN: RETICLE=off %reticle_cc -O2 -g %s -o %t/plain
// RUN: %t/plain > %t/without; test $? = 3
// RUN: diff %t/with %t/without
// RUN: %FileCheck %s < %t/with
// CHECK: next descriptor 3, after close 0
// CHECK: errno 77
// CHECK: single-threaded 1
// CHECK: descriptors 3
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/single_threaded.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(void) {
  int next = dup(1), steady = 1;
  close(next);
  errno = 77;
  for (int i = 0; i < 3000; i++) // for some checkpoints
    spin(200000);
  int kept = errno;
  for (int i = 0; i < 2000; i++) { // nobody may take the lowest descriptor in between
    close(0);
    spin(100);
    steady &= open("/dev/null", O_RDONLY) == 0;
  }
  printf("next descriptor %d, after close %d\n", next, !steady);
  printf("errno %d\n", kept);
  printf("single-threaded %d\n", (int)__libc_single_threaded);
  int count = -1; // the folder's own
  DIR *folder = opendir("/proc/self/fd");
  for (struct dirent *e; (e = readdir(folder));)
    count += e->d_name[0] != '.' && atoi(e->d_name) < 512;
  printf("descriptors %d\n", count);
  return 3;
}
