// A program without Reticle opens and closes an instrumented library many times: memory, addresses, descriptors and files stay as many.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -O2 -DHOST %s -o host -lpthread
// RUN: %reticle_cc -O2 -g -fPIC -shared %s -fplugin-arg-reticle-features=loop -o loops.so
// RUN: %reticle_cc -O2 -g -fPIC -shared %s -fplugin-arg-reticle-features=loop,shadow -o shadow.so
//
// Nothing is said, and what is left is the same after 20 times and after 100. Profiles of earlier times go as those of children do:
// by keep_bytes, but never the last 24.
// RUN: for library in loops shadow; do \
// RUN:   env RETICLE_OPTIONS=report=0:keep_bytes=64K:out=$library.%%p.prof sh %support/quietly.sh ./host ./$library.so 100 || exit 1; \
// RUN:   ls $library.*.prof | grep -c . | grep -x 24 || exit 1; \
// RUN:   %python %support/loops.py %reticle $library.*.prof | %FileCheck %s || exit 1; \
// RUN: done
// CHECK: add:{{[0-9]+}} executions 24
// CHECK: files 24
//
// A name without the process's number: the newest is there, the others beside it.
// RUN: env RETICLE_OPTIONS=report=0:keep_bytes=64K:out=one.prof sh %support/quietly.sh ./host ./loops.so 30
// RUN: ls one.prof* | grep -c . | grep -x 24
// All of them are within 12 MB.
// RUN: env RETICLE_OPTIONS=report=0:out=all.%%p.prof ./host ./loops.so 30 && ls all.*.prof | grep -c . | grep -x 30
//
// At the end of the process a thread is still in its code.
// RUN: env RETICLE_OPTIONS=report=0:out=end.prof ./host ./shadow.so 0
// RUN: %python %support/loops.py %reticle end.prof | %FileCheck --check-prefix=END %s
// END: add:{{[0-9]+}} executions
#if defined(HOST)
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int (*add)(int);

static void *use(void *unused) {
  for (;;)
    if (add(100) < 0)
      return unused;
}

static void *open_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library) {
    puts(dlerror());
    exit(2);
  }
  add = (int (*)(int))dlsym(library, "add");
  return library;
}

static long status(const char *key) {
  char line[256];
  long kb = -1;
  FILE *file = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0)
      kb = atol(line + strlen(key));
  fclose(file);
  return kb;
}

static int descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder))
    count++;
  closedir(folder);
  return count;
}

// Once and for all times: a table of libc's, or of the loader's.
enum { FIRST = 20, MORE_KB = 256 };

int main(int count, char **arguments) {
  int times = atoi(arguments[count - 1]), opened = 0;
  long size = 0, resident = 0;
  for (int i = 0; i < times; i++) {
    void *library = open_library(arguments[1]);
    add(10);
    dlclose(library);
    if (i == FIRST) {
      opened = descriptors();
      size = status("VmSize:");
      resident = status("VmRSS:");
    }
  }
  if (times > FIRST && (descriptors() != opened || status("VmSize:") != size || status("VmRSS:") > resident + MORE_KB)) {
    fprintf(stderr, "kB: %ld, then %ld; resident %ld, then %ld; descriptors %d, then %d\n", size, status("VmSize:"), resident,
            status("VmRSS:"), opened, descriptors());
    return 1;
  }
  if (!times) {
    pthread_t other;
    open_library(arguments[1]);
    pthread_create(&other, 0, use, 0);
    usleep(20000);
  }
  return 0;
}
#else

int values[1000];

__attribute__((noinline)) int add(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += values[i] = i ^ n;
  return sum & 0x7fffffff;
}

#endif
