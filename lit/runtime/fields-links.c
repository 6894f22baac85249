// Counts of fields are exact however the program is linked: LTO, thin LTO, sanitizers, a library that is
// linked to or opened and closed, and opened once more.
// REQUIRES: plugin, runtime, tool, lld, asan
// RUN: mkdir -p %t
// RUN: for o in "" "-flto -fuse-ld=lld" "-flto=thin -fuse-ld=lld" "-fsanitize=address" "-fsanitize=undefined" "-ffunction-sections -fdata-sections -Wl,--gc-sections"; do %reticle_cc -O2 -g $o -fplugin-arg-reticle-features=field -DLIBRARY -c %s -o %t/part.o && %reticle_cc -O2 -g $o -fplugin-arg-reticle-features=field %s %t/part.o -o %t/app && %env_reticle %t/app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: %FileCheck %s < %t.txt && %FileCheck --check-prefix=OWN %s < %t.txt
// CHECK-COUNT-6: common:[[#]] 16 part @8 R 0 W 500
// OWN-COUNT-6: common:[[#]] 16 own @0 R 0 W 300
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=field -DLIBRARY -shared -fPIC %s -o %t/libpart.so
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=field -DOPEN %s -o %t/opens -ldl && %env_reticle %t/opens %t/libpart.so && %python %support/structs.py %reticle %t.prof | %FileCheck --check-prefix=OPENED %s
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=field %s %t/libpart.so -Wl,-rpath,%t -o %t/app && %env_reticle %t/app && %python %support/structs.py %reticle %t.prof | %FileCheck --check-prefix=LINKED %s
// Modules without loops are known too, each once, also one that was opened again.
// RUN: %reticle dump %t.prof > %t.dump && test $(grep -c '^.objects' %t.dump) = 2
// RUN: %env_reticle %t/opens %t/libpart.so && %reticle dump %t.prof > %t.dump && test $(grep -c '^.objects' %t.dump) = 2
// Opened twice, with a thread of its own each time.
// OPENED: common:[[#]] 16 own @0 R 0 W 300
// OPENED-NEXT: common:[[#]] 16 part @8 R 0 W 2000
// LINKED: common:[[#]] 16 own @0 R 0 W 300
// LINKED-NEXT: common:[[#]] 16 part @8 R 0 W 500
#ifdef OPEN
#include <dlfcn.h>
#include <pthread.h>
#endif
#include <stdlib.h>

struct common {
  volatile long own, part;
};

#ifdef LIBRARY
void part(struct common *c, int n) {
  for (int i = 0; i < n; i++)
    c->part = i;
}
#else
static struct common shared;
#ifdef OPEN
static void *run(void *function) {
  ((void (*)(struct common *, int))function)(&shared, 500);
  return NULL;
}
static void part(struct common *c, int n, const char *path) {
  for (int turn = 0; turn < 2; turn++) {
    pthread_t thread;
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
      exit(1);
    void *function = dlsym(library, "part");
    ((void (*)(struct common *, int))function)(c, n);
    pthread_create(&thread, NULL, run, function);
    pthread_join(thread, NULL);
    dlclose(library);
  }
}
#else
void part(struct common *c, int n);
#endif

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  for (int i = 0; i < 300; i++)
    shared.own = i;
#ifdef OPEN
  part(&shared, 500, argv[1]);
#else
  part(&shared, 500);
#endif
  return 0;
}
#endif
