// Loops that call functions: those of the program are copied, too; others are left out where the calls are always made, and
// else only where one is. What the program prints and how it ends is as without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && echo 'src:*bound-calls.c' > list
// RUN: %clang -O2 %s %S/Inputs/bound_elsewhere.c -o plain; ./plain > want; test $? = 3
// RUN: for level in -O1 '-O3 -march=x86-64-v3'; do \
// RUN:   %reticle_cc $level -g -fplugin-arg-reticle-verify=1 -fplugin-arg-reticle-bound=list %s %S/Inputs/bound_elsewhere.c -o app && rm -f a.prof* && \
// RUN:   RETICLE_OPTIONS=report=0:out=a.prof ./app > got; test $? = 3 && cmp want got && \
// RUN:   %reticle dump a.prof | %python %S/Inputs/bounds.py > told && %FileCheck %s < told && \
// RUN:   %reticle report --json a.prof | %python -c "import json, sys; loops = json.load(sys.stdin)['loops']; assert {l['line'] for l in loops} == {l['line'] for l in loops if 'bound' in l or l['file'] != '%s'}, loops" || exit 1; done
// The other file without copies.
// RUN: cd %t && %clang -O2 -c %S/Inputs/bound_elsewhere.c -o elsewhere.o && %reticle_cc -O2 -g -fplugin-arg-reticle-bound=list %s elsewhere.o -o app && rm -f a.prof* && RETICLE_OPTIONS=report=0:out=a.prof ./app > got; test $? = 3 && cmp want got && %reticle dump a.prof | %python %S/Inputs/bounds.py | grep -x 'across calls'
// A loop whose iterations are timed has one id in both.
// CHECK:      hash_all done 1 2 3 4 5 6
// CHECK:      deep done 1 2 3 4 5 6
// CHECK-NEXT: seldom done 1 2 3 4 5 6
// CHECK-NEXT: now_and_then calls
// CHECK-NEXT: always calls
// CHECK-NEXT: through done 1 2 3 4 5 6
// CHECK-NEXT: copies done 1 2 3 4 5 6
// CHECK-NEXT: marked done 1 2 3 4 5 6
// CHECK-NEXT: within done 1 2 3 4 5 6
// CHECK-NEXT: sixes done 1 2 3 4 5 6
// CHECK:      across done 1 2 3 4 5 6
// CHECK-NEXT: part done 1 2 3 4 5 6
// CHECK:      begin done 1 2 3 4 5 6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline))
enum { N = 1 << 12 };
static unsigned data[N];
struct tree { struct tree *left, *right; unsigned key; };

// clang-format off
APART static unsigned mix(const unsigned *p, unsigned h) { return p[h % N] & 1 ? h * 31 + *p : h ^ *p; }
APART static unsigned blend(const unsigned *p, unsigned h) { return h + (*p >> 3); }
APART static unsigned hash_all(const unsigned *p) { unsigned h = 1; for (int i = 0; i < N; i++) h = mix(p + i % 64, h); return h; }
APART static unsigned sum(const struct tree *t) { return t ? t->key + sum(t->left) + sum(t->right) : 0; }
APART static unsigned deep(struct tree *const *t) { unsigned s = 0; for (int i = 0; i < 64; i++) s += sum(t[i]); return s; }
APART static unsigned seldom(const unsigned *p) { unsigned s = 0; for (int i = 0; i < N; i++) { if (p[i] > 1u << 30) s += (unsigned)rand(); s ^= p[i]; } return s; }
APART static unsigned now_and_then(const unsigned *p) { unsigned s = 0; for (int i = 0; i < N; i++) { if (p[i] % 64 == 1) s += (unsigned)abs(rand() & 1) * 0; s ^= p[i]; } return s; }
APART static unsigned always(const unsigned *p) { unsigned s = 0; for (int i = 0; i < N; i++) s += (unsigned)(rand() & 0) + p[i]; return s; }
APART static unsigned through(unsigned (*f)(const unsigned *, unsigned), const unsigned *p) { unsigned s = 0; for (int i = 0; i < N; i++) s = f(p + i % 64, s); return s; }
APART static unsigned copies(unsigned *p, const unsigned *q) { for (int i = 1; i < 512; i++) memcpy(p, q, q[i] % 4096); return p[3]; }
APART static unsigned marked(const unsigned *p, int n) { unsigned s = 0; for (int i = 0; i < n; i++) s += p[i] * p[s % N]; return s; }
APART static unsigned within(const unsigned *p) { unsigned s = 0; for (int i = 0; i < 64; i++) s ^= marked(p, N - i); return s; }
struct six { long v[6]; };
APART static struct six six(const unsigned *p) { struct six s = {{p[0], p[1], p[2], p[3], p[4], p[5]}}; return s; }
APART static unsigned sixes(const unsigned *p) { unsigned s = 0; for (int i = 0; i < N - 8; i++) s += (unsigned)six(p + i).v[i & 3]; return s; }
APART static unsigned only_through(const unsigned *p, unsigned n) { unsigned s = 1; for (unsigned i = 0; i < (n & 63) + 64; i++) s += p[s % 64]; return s; }
unsigned elsewhere(const unsigned *p, unsigned h);
APART static unsigned across(const unsigned *p) { unsigned s = 1; for (int i = 0; i < N; i++) s += elsewhere(p + i % 64, s); return s; }
APART static unsigned part(const unsigned *p) { // what it can't do in a child comes later
  unsigned s = 0;
  for (int i = 0; i < N; i++) { for (int k = 0; k < 256; k++) s = s * 31 + p[k]; if (i == N / 2) s += (unsigned)getppid() * 0; }
  return s;
}
APART static unsigned begin(const unsigned *p) { // and a call of code that has no copies
  unsigned s = 0;
  for (int i = 0; i < N; i++) { for (int k = 0; k < 256; k++) s = s * 31 + p[k]; if (i > N / 2) s += (unsigned)rand() & 0; }
  return s;
}
// clang-format on

static struct tree *grow(unsigned depth) {
  if (!depth)
    return NULL;
  struct tree *t = malloc(sizeof *t);
  *t = (struct tree){grow(depth - 1), grow(depth - 2 + (depth & 1)), depth};
  return t;
}

int main(void) {
  static unsigned to[N];
  struct tree *trees[64];
  unsigned total = 0;
  __asm__ volatile("" : : "r"(data) : "memory");
  for (unsigned i = 0; i < N; i++)
    data[i] = i * 2654435761u >> 3;
  for (int i = 0; i < 64; i++)
    trees[i] = grow(6);
  unsigned (*volatile functions[])(const unsigned *, unsigned) = {mix, blend, only_through};
  for (int i = 0; i < 100; i++) {
    __asm__ volatile("" : : "r"(data), "r"(to) : "memory");
    total += hash_all(data) + deep(trees) + seldom(data) + now_and_then(data) + always(data);
    total += through(functions[i % 3], data) + copies(to, data) + marked(data, N) + within(data) + across(data) + sixes(data);
    total += i % 32 ? 0 : part(data) + begin(data);
  }
  printf("%u\n", total);
  return 3;
}
