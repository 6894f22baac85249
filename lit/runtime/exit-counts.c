// Trip counts of loops with data-dependent exits are exact: up, down, by any step, at each of several exits.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-trip_counts=1 -O2 -g -I%src %s %rt_scripted -o %t/O2 && %env_reticle:period=1:nested_after_us=0 %t/O2
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-trip_counts=1 -O1 -g -I%src %s %rt_scripted -o %t/O1 && %env_reticle:period=1:nested_after_us=0 %t/O1
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-trip_counts=1 -O3 -fPIC -g -I%src %s %rt_scripted -o %t/O3 && %env_reticle:period=1:nested_after_us=0 %t/O3
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
// RUN: %clang -fplugin=%plugin -fplugin-arg-reticle-trip_counts=1 -O2 -g -I%src -x c++ %s -x none %rt_scripted -o %t/cxx && %env_reticle:period=1:nested_after_us=0 %t/cxx
// RUN: %python %support/loops.py --raw %reticle %t.prof | %FileCheck %s
#include "runtime/probe/clock/scripted.h"
#include <setjmp.h>
#include <signal.h>

#define LOOP __attribute__((noinline, used)) static

// CHECK: up{{[^ ]*}} executions 5 {{.*}} work 1..41
// CHECK-NEXT: raw 0/11/1 0/21/1 0/31/1 0/41/1 0/1/1
LOOP long up(const int *a, int x) {
  long i = 0;
  while (a[i] != x)
    i++;
  return i;
}

struct record {
  int key, value[5];
};
// The step of a pointer is the size of what it points to.
// CHECK: pointer{{[^ ]*}} executions 4 {{.*}} work 11..41
// CHECK-NEXT: raw 0/11/1 0/21/1 0/31/1 0/41/1
LOOP const struct record *pointer(const struct record *r, int key) {
  for (; r->key != key; r++) {
  }
  return r;
}

// CHECK: down{{[^ ]*}} executions 4 {{.*}} work 59..89
// CHECK-NEXT: raw 0/89/1 0/79/1 0/69/1 0/59/1
LOOP int down(const int *a, int n, int x) {
  int i = n;
  for (; i >= 0; i -= 1)
    if (a[i] == x)
      break;
  return i;
}

// By three; left by one of its tests, or by the other, or at the end: 100 / 3 + 1 iterations.
// CHECK: three{{[^ ]*}} executions 12 {{.*}} work 4..34
// CHECK-NEXT: raw 0/4/1 0/4/1 0/34/1 0/7/1 0/7/1 0/34/1 0/11/1 0/11/1 0/34/1 0/14/1 0/14/1 0/34/1
LOOP int three(const int *a, int n, int x, int y) {
  for (int i = 0; i < n; i += 3) {
    if (a[i] == x)
      return 1;
    if (a[i + 1] == y)
      return i;
  }
  return 3;
}

// A list has nothing that counts.
// CHECK: list{{[^ ]*}} executions 4 {{.*}} work unknown
struct node {
  struct node *next;
  int value;
};
LOOP int list(const struct node *n) {
  int sum = 0;
  for (; n; n = n->next)
    sum += n->value;
  return sum;
}

// A variable of 8 bits may go around.
// CHECK: narrow{{[^ ]*}} executions 4 {{.*}} work unknown
LOOP int narrow(const int *a, unsigned char i, int x) {
  while (a[i] != x)
    i++;
  return i;
}

static jmp_buf out;
static void leave(int signal) {
  (void)signal;
  siglongjmp(out, 1);
}
// The third of four executions is left inside: nothing is known of that one.
// CHECK: left{{[^ ]*}} executions 4 samples 3 {{.*}} abandoned 1 {{.*}} work 11..31
// CHECK-NEXT: raw 0/11/1 0/21/1 0/31/2
LOOP long left(const int *const *a, int x) {
  long i = 0;
  while (*a[i] != x)
    i++;
  return i;
}

int main(void) {
  static int a[300];
  static const int *at[300];
  static struct record records[100];
  static struct node nodes[50];
  volatile long sum = 0;
  for (int i = 0; i < 300; i++)
    a[i] = i;
  for (int i = 0; i < 100; i++) {
    at[i] = &a[i];
    records[i].key = i;
  }
  for (int i = 0; i < 49; i++)
    nodes[i].next = &nodes[i + 1];
  for (int i = 10; i < 50; i += 10) {
    sum += up(a, i);
    sum += pointer(records, i)->key;
    sum += down(a, 98, i);
    sum += three(a, 100, i / 3 * 3, -1);
    sum += three(a, 100, -1, i / 3 * 3 + 1);
    sum += three(a, 100, -1, -1);
    sum += list(nodes + i);
    sum += narrow(a, (unsigned char)i, 5);
  }
  sum += left(at, 10);
  sum += left(at, 20);
  signal(SIGSEGV, leave);
  if (!sigsetjmp(out, 1))
    sum += left(at, -1); // ends at a null pointer
  sum += left(at, 30);
  sum += up(a, 0);
  return 0;
}
