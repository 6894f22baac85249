// Copies and clearings of structs count for all fields they cover, in a class of their own.
// REQUIRES: plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 "-O2 -fno-strict-aliasing"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in ASSIGN CALL CLEAR ARRAY INNER PIECES PLAIN LENGTH; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// RUN: %reticle show big %t.prof | %FileCheck --check-prefix=CARD %s
// From and to count each: 7 assignments through pointers, 5 calls of memcpy, 3 of memset.
// ASSIGN-COUNT-5: big:[[#]] 80 first @0 R 0 W 0 C 29
// CALL-COUNT-5: big:[[#]] 80 rest @24 R 0 W 0 C 27
// CLEAR-COUNT-5: big:[[#]] 80 in @8 R 0 W 0 C 27
// ARRAY-COUNT-5: item:[[#]] 16 key @0 R 0 W 0 C 48
// INNER-COUNT-5: inner:[[#]] 16 x @0 R 0 W 0 C 27
// A run-time length counts for as many structs as it covers (4 times 8), a part of one as what it covers.
// LENGTH-COUNT-5: many:[[#]] 24 a @0 R 0 W 0 C 32
// Taken apart by the optimiser it is still the copy.
// PIECES-COUNT-5: point:[[#]] 24 z @16 R 0 W 0 C 18
// PLAIN-COUNT-5: point:[[#]] 24 w @20 R 0 W 0 C 18
// CARD: copies
// CARD: first{{ .*}} 29
#include <string.h>

struct inner {
  long x, y;
};
struct big {
  long first;
  struct inner in;
  long rest[7];
};
struct item {
  long key, value;
};
struct many {
  long a, b, c;
};

struct point {
  double x, y;
  int z, w;
};

static struct point points[9];
static struct big stock[4];
static struct item items[16];
static struct many several[8];
volatile int size = 8;

__attribute__((noinline)) void assign(struct big *to, const struct big *from) { *to = *from; }
__attribute__((noinline)) void call(struct big *to, const struct big *from) {
  memcpy(to, from, sizeof *to);
}
__attribute__((noinline)) void clear(struct big *to) { memset(to, 0, sizeof *to); }
// LLVM 22 would leave out all calls but the last.
__attribute__((noinline)) void clear_array(struct item *to) {
  memset(to, 0, 16 * sizeof *to);
  __asm__ volatile("" : : "r"(to) : "memory");
}
__attribute__((noinline)) void clear_many(struct many *to, int n) {
  memset(to, 0, n * sizeof *to);
}
__attribute__((noinline)) void clear_head(struct big *to) { memset(&to->first, 0, sizeof(long)); }

__attribute__((noinline)) void swap(struct point *a, struct point *b) {
  struct point old = *a;
  *a = *b;
  *b = old;
}

int main(void) {
  for (int i = 0; i < 3; i++)
    swap(&points[i], &points[size]);
  for (int i = 0; i < 7; i++)
    assign(&stock[i & 3], &stock[3 - (i & 3)]);
  for (int i = 0; i < 5; i++)
    call(&stock[i & 3], &stock[3 - (i & 3)]);
  for (int i = 0; i < 3; i++)
    clear(&stock[i]);
  for (int i = 0; i < 2; i++)
    clear_head(&stock[i]);
  for (int i = 0; i < 3; i++)
    clear_array(items + (size - 8));
  for (int i = 0; i < 4; i++)
    clear_many(several, size);
  return 0;
}
