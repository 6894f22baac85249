// Planted waste: sites with useful shares of 6, 25, 50 and 100 % and one never touched, among 20 that waste
// nothing, come in the right order with shares within 2 points, at the default rate.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t
// RUN: %env_reticle %t && %python %support/sites.py %reticle %t.prof -- site6 site25 site50 site100 never clean | %FileCheck %s
// RUN: %python %support/sites.py %reticle %t.prof -- never | %FileCheck --check-prefix=NEVER %s
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=TABLE %s
// RUN: %reticle show A1 %t.prof | %FileCheck --check-prefix=CARD %s
// CHECK: heap site6 objects 2000 live 1000 touched 2000 {{.*}} useful {{[4-8]}}.{{[0-9]}} ever 6.2 words 0 64 128 192{{$}}
// CHECK-NEXT: heap site25 objects 2000 live 1000 touched 2000 {{.*}} useful 2{{[3-6]}}.{{[0-9]}} ever 25.0
// CHECK-NEXT: heap site50 objects 2000 live 1000 touched 2000 {{.*}} useful {{48|49|50|51}}.{{[0-9]}} ever 50.0
// CHECK-COUNT-20: heap clean objects 100 live 0 touched 100 {{.*}} useful {{98|99|100}}.{{[0-9]}} ever 100.0
// NEVER: heap never objects 2000 live 1000 touched 0 {{.*}} useful none ever none words
// CHECK: marked True sites some reason None
// TABLE: HEAP AND GLOBALS by wasted bytes
// TABLE-NEXT: A1 make shadow.c:[[#]] < site6
// TABLE-NEXT: A2 make shadow.c:[[#]] < site25
// TABLE-NEXT: A3 make shadow.c:[[#]] < site50
// CARD: HEAP A1 make
// CARD: 2000, 2000 of them touched, 1000 alive at the end
// CARD: useful of fetched  {{[4-8]}}
// CARD: 0 #...............
// CARD-NEXT: 64 #...............
#include <stdlib.h>
#include <string.h>

enum { N = 2000, ROUNDS = 200, LINES = 4 };
struct object {
  volatile int word[16 * LINES];
};

// Barriers keep calls from becoming jumps.
#define SITE(name, call)                                                                           \
  __attribute__((noinline)) static struct object *name(void) {                                     \
    struct object *made = call;                                                                    \
    __asm__ volatile("" ::: "memory");                                                             \
    return made;                                                                                   \
  }
SITE(make, aligned_alloc(64, sizeof(struct object)))
SITE(site6, make())
SITE(site25, make())
SITE(site50, make())
SITE(site100, make())
SITE(never, make())

static struct object *objects[5][N];

static void touch(struct object *o, int words) {
  for (int line = 0; line < LINES; line++)
    for (int i = 0; i < words; i++)
      o->word[16 * line + i]++;
}

__attribute__((noinline)) static void clean(int number) {
#define CLEAN(n)                                                                                   \
  case n: {                                                                                        \
    __asm__ volatile("# %0" ::"i"(n)); /* or all cases become one */                               \
    struct object *o = aligned_alloc(64, sizeof *o);                                               \
    touch(o, 16);                                                                                  \
    free(o);                                                                                       \
    __asm__ volatile("# %0" ::"i"(n));                                                             \
    break;                                                                                         \
  }
  switch (number) {
    CLEAN(0) CLEAN(1) CLEAN(2) CLEAN(3) CLEAN(4) CLEAN(5) CLEAN(6) CLEAN(7) CLEAN(8) CLEAN(9)
    CLEAN(10) CLEAN(11) CLEAN(12) CLEAN(13) CLEAN(14) CLEAN(15) CLEAN(16) CLEAN(17) CLEAN(18) CLEAN(19)
  }
}

int main(void) {
  for (int i = 0; i < N; i++) {
    objects[0][i] = site6();
    objects[1][i] = site25();
    objects[2][i] = site50();
    objects[3][i] = site100();
    objects[4][i] = never();
  }
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < N; i++) {
      touch(objects[0][i], 1);
      touch(objects[1][i], 4);
      touch(objects[2][i], 8);
      touch(objects[3][i], 16);
    }
  for (int i = 0; i < 2000; i++)
    clean(i % 20);
  for (int i = 0; i < N; i += 2)
    for (int k = 0; k < 5; k++)
      free(objects[k][i]);
  return 0;
}
