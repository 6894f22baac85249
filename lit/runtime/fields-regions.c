// Fields are counted exactly where a block's counter is spared by those far behind it: over ways without accesses, inner
// loops, ways that are seldom taken and come back or don't, returns, longjmp, and loops with two entries.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fPIC -pie"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in FAR EARLY LEFT SWITCH TWISTED AROUND NESTED; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// FAR-COUNT-5: far:[[#]] 24 head @0 R 0 W 1000
// FAR: far:[[#]] 24 tail @8 R 0 W 1000
// FAR-NEXT: far:[[#]] 24 cold @16 R 10 W 10
// EARLY-COUNT-5: early:[[#]] 24 first @0 R 0 W 901
// EARLY: early:[[#]] 24 second @8 R 0 W 900
// EARLY-NEXT: early:[[#]] 24 third @16 R 0 W 450
// LEFT-COUNT-5: left:[[#]] 24 before @0 R 0 W 70
// LEFT: left:[[#]] 24 after @8 R 0 W 63
// LEFT-NEXT: left:[[#]] 24 caught @16 R 7 W 7
// SWITCH-COUNT-5: cases:[[#]] 32 every @0 R 0 W 1000
// SWITCH: cases:[[#]] 32 some @8 R 0 W 250
// SWITCH-NEXT: cases:[[#]] 32 seldom @16 R 4 W 4
// SWITCH-NEXT: cases:[[#]] 32 last @24 R 0 W 996
// TWISTED-COUNT-5: twisted:[[#]] 16 top @0 R 0 W 200
// TWISTED: twisted:[[#]] 16 middle @8 R 0 W 201
// AROUND-COUNT-5: around:[[#]] 16 step @0 R 1000 W 1000
// AROUND: around:[[#]] 16 slow @8 R 0 W 19
// NESTED-COUNT-5: nested:[[#]] 24 outer @0 R 0 W 40
// NESTED: nested:[[#]] 24 inner @8 R 0 W 400
// NESTED-NEXT: nested:[[#]] 24 behind @16 R 0 W 39
#include <setjmp.h>

#define SELDOM(x) __builtin_expect(!!(x), 0)

struct far {
  volatile long head, tail, cold;
};
struct early {
  volatile long first, second, third;
};
struct left {
  volatile long before, after, caught;
};
struct cases {
  volatile long every, some, seldom, last;
};
struct twisted {
  volatile long top, middle;
};
struct around {
  volatile long step, slow;
};
struct nested {
  volatile long outer, inner, behind;
};

static jmp_buf back;
volatile int sink;

// Not inlined, and the compiler can't know that it comes back.
__attribute__((noinline)) static void call(int leave) {
  if (leave)
    longjmp(back, 1);
  sink++;
}

__attribute__((noinline)) void far(struct far *p, int n) {
  for (int i = 0; i < n; i++) {
    p->head = i;
    if (SELDOM(i % 100 == 7)) {
      call(0);
      p->cold++;
    } else {
      sink ^= i & 1 ? i : -i;
    }
    for (int k = 0; k < (i & 3); k++)
      sink += k;
    if (SELDOM(i == n + 1))
      return;
    p->tail = i;
  }
}

__attribute__((noinline)) void early(struct early *p, int n) {
  for (int i = 0; i < n; i++) {
    p->first = i;
    if (SELDOM(i == 900))
      return;
    if (i & 2)
      sink++;
    p->second = i;
    if (i & 1)
      p->third = i;
  }
}

__attribute__((noinline)) void left(struct left *p, int n) {
  for (int i = 0; i < n; i++) {
    p->before = i;
    if (SELDOM(i == 9))
      call(1);
    if (i & 2)
      sink++;
    p->after = i;
  }
}

__attribute__((noinline)) void cases(struct cases *p, int n) {
  for (int i = 0; i < n; i++) {
    p->every = i;
    switch (i & 3) {
    case 0:
      p->some = i;
      break;
    case 1:
      sink++;
    case 2:
      sink--;
      break;
    }
    if (SELDOM(i % 250 == 3)) {
      p->seldom++;
      continue;
    }
    sink += 2;
    p->last = i;
  }
}

// A loop that is entered in two places.
__attribute__((noinline)) void twisted(struct twisted *p, int n) {
  int i = 0;
  if (n & 1)
    goto middle;
top:
  p->top = i;
  if (i & 4)
    sink++;
middle:
  p->middle = i;
  if (++i < n)
    goto top;
}

// Back to itself by several ways.
__attribute__((noinline)) void around(struct around *p, int n) {
  int i = 0;
next:
  p->step++;
  if (++i == n)
    return;
  if (SELDOM(i % 50 == 0)) {
    p->slow = i;
    call(0);
    goto next;
  }
  if (i & 1)
    goto next;
  sink++;
  goto next;
}

__attribute__((noinline)) void nested(struct nested *p, int n) {
  for (int i = 0; i < n; i++) {
    p->outer = i;
    for (int k = 0; k < 10; k++) {
      if (SELDOM(i == n + k))
        return;
      p->inner = k;
    }
    if (SELDOM(i == 20))
      continue;
    p->behind = i;
  }
}

int main(void) {
  static struct far f;
  static struct early e;
  static struct left l;
  static struct cases c;
  static struct twisted t;
  static struct around a;
  static struct nested n;
  far(&f, 1000);
  early(&e, 1000);
  for (volatile int times = 0; times < 7; times++) {
    if (setjmp(back) == 0)
      left(&l, 100);
    else
      l.caught++;
  }
  cases(&c, 1000);
  twisted(&t, 100);
  twisted(&t, 101);
  around(&a, 1000);
  nested(&n, 40);
  return 0;
}
