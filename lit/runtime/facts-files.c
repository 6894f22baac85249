// The file that a thread keeps open lies above the program's, is its own in a child, goes with the thread and at exec;
// a program that closes it goes on, and what it waited isn't measured then.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app -lpthread
// RUN: cd %t && env RETICLE_OPTIONS=report=0:chain=0:period=1:out=app.prof ./app | %FileCheck %s
// RUN: cd %t && env RETICLE_OPTIONS=report=0:chain=0:period=1:out=closed.prof ./app close | %FileCheck --check-prefix=CLOSED %s
// RUN: %reticle report --json %t/closed.prof | %FileCheck --check-prefix=JSON %s
// RUN: cd %t && (ulimit -n 64; env RETICLE_OPTIONS=report=0:chain=0:period=1:out=few.prof ./app few) | %FileCheck --check-prefix=FEW %s
// CHECK: next 3, high 1
// CHECK: with a thread 2
// CHECK: without it 1
// CHECK: child's own 1
// CHECK: after exec 0
// CLOSED: goes on
// JSON: "reason": "the program closed the runtime's files"
// FEW: next 3, high 0
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void work(void) {
  for (int i = 0; i < 300000; i++)
    sink = sink * 3 + (unsigned)i;
}

__attribute__((noinline)) void work_and_wait(int times) {
  for (int i = 0; i < times; i++)
    usleep(1000);
}

static int is_high(const char *name) { return atoi(name) >= 512; }

static int count_high(void) {
  DIR *folder = opendir("/proc/self/fd");
  int count = 0;
  for (struct dirent *e; (e = readdir(folder));)
    count += is_high(e->d_name);
  closedir(folder);
  return count;
}

static void *count_in_thread(void *unused) {
  work();
  work();
  printf("with a thread %d\n", count_high());
  return unused;
}

// Whether the child's file is of its own thread: the parent's would say what that one waited.
static void in_child(void) {
  char name[64], target[256] = "";
  DIR *folder = opendir("/proc/self/fd");
  int own = 0;
  for (struct dirent *e; (e = readdir(folder));) {
    if (!is_high(e->d_name))
      continue;
    snprintf(name, sizeof name, "/proc/self/fd/%s", e->d_name);
    ssize_t n = readlink(name, target, sizeof target - 1);
    target[n > 0 ? n : 0] = 0;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "/proc/%d/task/%d/schedstat", getpid(), getpid());
    own += !strcmp(target, wanted);
  }
  printf("child's own %d\n", own);
  fflush(stdout);
  _exit(0);
}

int main(int count, char **arguments) {
  pthread_t thread;
  work();
  work();
  if (count > 1 && !strcmp(arguments[1], "close")) {
    for (int fd = 3; fd < 2048; fd++)
      close(fd);
    for (int i = 0; i < 4; i++) // an execution that waits each: of one that doesn't, no file is read
      work_and_wait(count + 2);
    puts("goes on");
    return 0;
  }
  int next = open("/dev/null", O_RDONLY);
  printf("next %d, high %d\n", next, count_high());
  if (count > 1)
    return 0;
  fflush(stdout);
  pthread_create(&thread, 0, count_in_thread, 0);
  pthread_join(thread, 0);
  printf("without it %d\n", count_high());
  fflush(stdout);
  if (!fork()) {
    work();
    work();
    in_child();
  }
  wait(0);
  const char *inherited = "n=0; for f in /proc/self/fd/*; do [ ${f##*/} -ge 512 ] && n=1; done; echo after exec $n";
  return system(inherited) != 0;
}
