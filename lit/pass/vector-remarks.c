// What the vectoriser says of a loop is in the loop's record: why it left it as it was, or that it took it; its own remarks,
// and the code, stay as they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64
// RUN: %clang -O2 -g -fplugin=%plugin -S -emit-llvm %s -o - | %python %S/Inputs/loop_flags.py | %FileCheck %s
// CHECK: add: 1
// CHECK-NEXT: bytes: {{[35]}}
// CHECK-NEXT: carried: 8
// CHECK-NEXT: fibonacci: 4
// CHECK-NEXT: find: {{[56]}}
// CHECK-NEXT: frees: {{15|5|6}}
// CHECK-NEXT: scatter: 12
// CHECK-NEXT: sines: 7
// CHECK-NEXT: sum: 2
// CHECK-NEXT: twice: 1 {{[35]}}
// RUN: %clang -O2 -g -fplugin=%plugin -S %s -o /dev/null -Rpass-analysis=loop-vectorize 2>&1 | grep -c 'loop not vectorized' > %t.with
// RUN: %clang -O2 -g -S %s -o /dev/null -Rpass-analysis=loop-vectorize 2>&1 | grep -c 'loop not vectorized' | diff - %t.with
// RUN: %clang -O2 -g -fplugin=%plugin -S %s -o /dev/null 2>%t.said && test ! -s %t.said
// At -O0, and where the loop gets no probes, nothing is known.
// RUN: %clang -O0 -g -fplugin=%plugin -S -emit-llvm %s -o - | %python %S/Inputs/loop_flags.py | %FileCheck --check-prefix=NONE %s
// NONE: add: 0
// NONE: sum: 0
double sin(double);

float sum(const float *a, long n) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  return s;
}

void add(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] += b[i];
}

struct picture {
  unsigned char *at;
  long n;
};
void bytes(struct picture *p) {
  for (long i = 0; i < p->n; i++)
    p->at[i] += 3;
}

int find(const char *s) {
  int i = 0;
  while (s[i] && s[i] != ',')
    i++;
  return i;
}

int carried(const int *a, long n) {
  int x = 1;
  for (long i = 0; i < n; i++)
    x = x * 3 ^ a[i];
  return x;
}

void fibonacci(int *a, long n) {
  for (long i = 2; i < n; i++)
    a[i] = a[i - 1] + a[i - 2];
}

void sines(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = sin(a[i]);
}

void release(void *);
void frees(void **all, long n) {
  for (long i = 0; i < n; i++)
    release(all[i]);
}

void scatter(int *to, const int *from, const unsigned *where, long n) {
  for (long i = 0; i < n; i++)
    to[where[i]] = from[i];
}

void twice(struct picture *p, int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] ^= b[i];
  for (long i = 0; i < p->n; i++)
    p->at[i] -= 3;
}
