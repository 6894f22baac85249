// mlockall does and answers what it does in the plain program: nothing of ours is locked, nor counted against the limit.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -O2 %s -o plain -lpthread
// RUN: %reticle_cc -O2 %s -fplugin-arg-reticle-features=loop -o loops -lpthread
// RUN: %reticle_cc -O2 %s -fplugin-arg-reticle-features=loop,shadow -o shadow -lpthread
//
// MCL_CURRENT, MCL_FUTURE and both, also with MCL_ONFAULT, and what the kernel refuses; with all privileges there are, and with 8 MB,
// 64 KB and nothing to lock. Shadow memory with memory would be 32 TB, which ends the run.
// RUN: for how in 1 2 3 5 7 0 4 8 "1 8192" "2 8192" "3 8192" "7 8192" "1 64" "3 64" "1 0" "2 0" "3 0"; do \
// RUN:   ./plain $how > plain.out; \
// RUN:   for app in loops shadow; do \
// RUN:     %python %support/bounded.py 500 env RETICLE_OPTIONS=report=0:out=$app%%p.prof ./$app $how > $app.out; \
// RUN:     diff plain.out $app.out || { echo "$app $how"; exit 1; }; \
// RUN:   done; \
// RUN: done
// What is measured behind it is there, of the other thread too.
// RUN: %env_reticle ./shadow 3 > /dev/null && %python %support/loops.py %reticle %t.prof | %FileCheck %s
// CHECK: work:{{[0-9]+}} executions 600
//
// A library with marks that comes when all that is mapped is locked.
// RUN: %reticle_cc -O2 -fPIC -shared -DLIBRARY %s -fplugin-arg-reticle-features=loop,shadow -o library.so
// RUN: %clang -O2 -DHOST %s -o host
// RUN: %python %support/bounded.py 500 env RETICLE_OPTIONS=report=0:out=host.prof ./host ./library.so | %FileCheck --check-prefix=HOST %s
// HOST: locked: 0, sum 6
#include <dlfcn.h>
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(LIBRARY)

int values[4];
__attribute__((noinline)) int add(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += values[i] = i;
  return sum;
}

#elif defined(HOST)

int main(int count, char **arguments) {
  int result = mlockall(MCL_FUTURE);
  void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : 0;
  int (*add)(int) = library ? (int (*)(int))dlsym(library, "add") : 0;
  printf("locked: %d, sum %d\n", result, add ? add(4) : -1);
  return 0;
}

#else

enum { PAGES = 16, PAGE = 4096 };

static volatile int values[4096];

__attribute__((noinline)) static int work(void) {
  int sum = 0;
  for (int k = 0; k < 200; k++)
    for (int i = 0; i < 4096; i++)
      sum += values[i];
  return sum;
}

static void *run(void *unused) {
  return work() ? unused : 0;
}

static char *pages(void) {
  return mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void tell_pages(const char *what, char *memory) {
  unsigned char has_memory[PAGES];
  int count = 0;
  if (memory == MAP_FAILED) {
    printf("%s: refused\n", what);
    return;
  }
  mincore(memory, PAGES * PAGE, has_memory);
  for (int i = 0; i < PAGES; i++)
    count += has_memory[i] & 1;
  printf("%s: %d pages have memory\n", what, count);
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

static void drop_right(void) {
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2] = {{0}};
  syscall(SYS_capget, &head, data);
  data[0].effective &= ~(1u << CAP_IPC_LOCK);
  syscall(SYS_capset, &head, data);
}

int main(int count, char **arguments) {
  int flags = atoi(arguments[1]);
  pthread_attr_t small;
  pthread_t other;
  if (count > 2) {
    struct rlimit limit = {(rlim_t)atol(arguments[2]) << 10, (rlim_t)atol(arguments[2]) << 10};
    setrlimit(RLIMIT_MEMLOCK, &limit);
    drop_right();
  }
  char *before = pages();
  work();
  errno = 0;
  int result = mlockall(flags);
  printf("mlockall: %d, %s\n", result, strerror(errno));
  tell_pages("before", before);
  tell_pages("behind", pages());
  printf("locked: %s\n", status("VmLck:") ? "yes" : "no");
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 << 10);
  if (pthread_create(&other, &small, run, 0) == 0)
    pthread_join(other, 0);
  work();
  printf("munlockall: %d\n", munlockall());
  printf("locked: %s\n", status("VmLck:") ? "yes" : "no");
  tell_pages("at last", pages());
  if (status("VmRSS:") > 200 << 10)
    puts("more than 200 MB of memory");
  return 0;
}
#endif
