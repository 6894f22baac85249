// Fields are counted exactly where counters are spared: branches that meet again, ways out, loops left
// early, switches, and code left by longjmp or exit in between.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fPIC -pie"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && { %env_reticle %t.app; test $? -eq 3; } && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: %FileCheck %s < %t.txt && for p in MEET OUT EARLY SWITCH JUMP NEST CHAIN; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// CHECK-COUNT-5: exits:[[#]] 16 before @0 R 0 W 11
// MEET-COUNT-5: meet:[[#]] 16 head @0 R 0 W 1000
// OUT-COUNT-5: meet:[[#]] 16 odd @4 R 500 W 500
// EARLY-COUNT-5: meet:[[#]] 16 joined @12 R 0 W 1000
// SWITCH-COUNT-5: cases:[[#]] 16 one @4 R 0 W 250
// JUMP-COUNT-5: exits:[[#]] 16 jumped @8 R 0 W 5
// NEST-COUNT-5: nest:[[#]] 12 inner @4 R 0 W 333
// CHAIN-COUNT-5: chain:[[#]] 16 third @8 R 0 W 250
// One of the optimised runs in full:
// RUN: %reticle_cc -w -O2 -g -fplugin-arg-reticle-features=field %s -o %t.app && { %env_reticle %t.app; test $? -eq 3; } && %python %support/structs.py %reticle %t.prof | %FileCheck --check-prefix=ALL %s
// ALL: cases:[[#]] 16 every @0 R 0 W 1000
// ALL-NEXT: cases:[[#]] 16 one @4 R 0 W 250
// ALL-NEXT: cases:[[#]] 16 other @8 R 500 W 500
// ALL-NEXT: cases:[[#]] 16 last @12 R 0 W 1000
// ALL-NEXT: chain:[[#]] 16 first @0 R 0 W 1000
// ALL-NEXT: chain:[[#]] 16 second @4 R 0 W 500
// ALL-NEXT: chain:[[#]] 16 third @8 R 0 W 250
// ALL-NEXT: chain:[[#]] 16 slow @12 R 750 W 750
// ALL-NEXT: exits:[[#]] 16 before @0 R 0 W 11
// What stands behind a call that leaves, in one block with it, counts once too often.
// ALL-NEXT: exits:[[#]] 16 after @4 R 0 W 1{{[01]}}
// ALL-NEXT: exits:[[#]] 16 jumped @8 R 0 W 5
// ALL-NEXT: exits:[[#]] 16 landed @12 R 0 W {{[45]}}
// ALL-NEXT: meet:[[#]] 16 head @0 R 0 W 1000
// ALL-NEXT: meet:[[#]] 16 odd @4 R 500 W 500
// ALL-NEXT: meet:[[#]] 16 even @8 R 0 W 500
// ALL-NEXT: meet:[[#]] 16 joined @12 R 0 W 1000
// ALL-NEXT: nest:[[#]] 12 outer @0 R 0 W 37
// ALL-NEXT: nest:[[#]] 12 inner @4 R 0 W 333
// ALL-NEXT: nest:[[#]] 12 left @8 R 0 W 37
#include <setjmp.h>
#include <stdlib.h>

struct meet {
  volatile int head, odd, even, joined;
};
struct cases {
  volatile int every, one, other, last;
};
struct chain {
  volatile int first, second, third, slow;
};
struct nest {
  volatile int outer, inner, left;
};
struct exits {
  volatile int before, after, jumped, landed;
};

static jmp_buf back;
volatile int zero;

// Not inlined, and the compiler can't know that it comes back.
__attribute__((noinline)) static void maybe_leave(int how) {
  if (how == 1)
    longjmp(back, 1);
  if (how == 2)
    exit(3);
  zero = 0;
}

__attribute__((noinline)) void meet(struct meet *p, int n) {
  for (int i = 0; i < n; i++) {
    p->head = i;
    if (i & 1)
      p->odd += 3;
    else
      p->even = i;
    p->joined = i;
  }
}

__attribute__((noinline)) void cases(struct cases *p, int n) {
  for (int i = 0; i < n; i++) {
    p->every = i;
    switch (i & 3) {
    case 0:
      p->one = i;
      break;
    case 1:
    case 2:
      p->other -= 5;
      break;
    }
    p->last = i;
  }
}

// Ways out to one slow path, as interpreters have them.
__attribute__((noinline)) void chain(struct chain *p, int n) {
  for (int i = 0; i < n; i++) {
    p->first = i;
    if (i & 1)
      goto slow;
    p->second = i;
    if (i & 2)
      goto slow;
    p->third = i;
    continue;
  slow:
    p->slow += 7;
  }
}

// 37 rounds of 9 steps: each is left by a break.
__attribute__((noinline)) void nest(struct nest *p, int rounds) {
  for (int i = 0; i < rounds; i++) {
    p->outer = i;
    for (int k = zero;; k++) {
      p->inner = k;
      if (k == 8)
        break;
    }
    p->left = i;
  }
}

__attribute__((noinline)) void leave(struct exits *p, int how) {
  p->before = how;
  maybe_leave(how);
  p->after = how;
}

__attribute__((noinline)) void jump(struct exits *p, int how) {
  p->jumped = how;
  maybe_leave(how);
  p->landed = how;
}

int main(void) {
  static struct meet m;
  static struct cases c;
  static struct chain h;
  static struct nest n;
  static struct exits e;
  meet(&m, 1000);
  cases(&c, 1000);
  chain(&h, 1000);
  nest(&n, 37);
  for (int i = 0; i < 10; i++)
    leave(&e, 0);
  for (volatile int i = 0; i < 5; i++)
    if (!setjmp(back))
      jump(&e, i == 2);
  leave(&e, 2);
  return 0;
}
