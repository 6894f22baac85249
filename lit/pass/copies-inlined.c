// A copy whose length inlining tells becomes a load and a store: the compiler does not crash, and it stays the copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64, plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2 -O3 -Os; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: for p in KEY LINK PART WIDE; do %FileCheck --check-prefix=$p %s < %t.txt || exit 1; done
// To and from count each: 3 copies of one, 2 clearings; 4 copies of two, 5 clearings of two.
// KEY-COUNT-5: key:[[#]] 8 value @0 R 0 W 0 C 8
// LINK-COUNT-5: link:[[#]] 4 to @0 R 0 W 0 C 26
// A part of a struct, where the length isn't in the source: as what one call with it counts.
// PART-COUNT-5: part:[[#]] 24 a @0 R 0 W 0 C 12
// Two in one block are two, though each is in pieces (-O0 goes through the stack, and has more).
// WIDE-COUNT-4: wide:[[#]] 48 a @0 R 0 W 0 C 28
#include <string.h>

struct key {
  long value;
};
struct link {
  int to;
};
struct part {
  long a, b, c;
};
struct wide {
  long a, b, c, d, e, f;
};

struct key keys[2];
struct link links[4];
struct part parts[2];
struct wide wides[4];

static inline void copy_keys(struct key *to, const struct key *from, size_t bytes) {
  memcpy(to, from, bytes);
}
static inline void clear_keys(struct key *to, size_t bytes) { memset(to, 0, bytes); }
static inline void copy_links(struct link *to, const struct link *from, size_t bytes) {
  memmove(to, from, bytes);
}
static inline void clear_links(struct link *to, size_t bytes) { memset(to, 0, bytes); }
static inline void copy_part(struct part *to, const struct part *from, size_t bytes) {
  memcpy(to, from, bytes);
}

static inline void copy_wide(struct wide *to, const struct wide *from) {
  struct wide once = *from;
  once.c += once.f;
  *to = once;
}

__attribute__((noinline)) void one_key(void) { copy_keys(&keys[0], &keys[1], 8); }
// LLVM 22 would leave out all calls of the clearings but the last.
__attribute__((noinline)) void no_key(void) {
  clear_keys(&keys[0], 8);
  __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) void two_links(void) { copy_links(&links[0], &links[2], 8); }
__attribute__((noinline)) void no_links(void) {
  clear_links(&links[0], 8);
  __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) void head(void) { copy_part(&parts[0], &parts[1], 8); }
__attribute__((noinline)) void two_wide(void) {
  copy_wide(&wides[0], &wides[1]);
  copy_wide(&wides[2], &wides[3]);
}

int main(void) {
  for (int i = 0; i < 3; i++)
    one_key();
  for (int i = 0; i < 2; i++)
    no_key();
  for (int i = 0; i < 4; i++)
    two_links();
  for (int i = 0; i < 5; i++)
    no_links();
  for (int i = 0; i < 6; i++)
    head();
  for (int i = 0; i < 7; i++)
    two_wide();
  return 0;
}
