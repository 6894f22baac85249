// Exactly the touched words are marked: memset and memcpy at all 64 phases, strides, struct copies, atomics.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in -O0 -O1 -O2 "-O3 -march=native" "-O2 -fPIC -pie" "-O2 -fno-pie -no-pie" "-O2 -fplugin-arg-reticle-shadow=always" "-O0 -fplugin-arg-reticle-shadow=detail" "-O3 -march=native -fplugin-arg-reticle-shadow=detail"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=shadow %s -o %t -latomic || %reticle_cc -w $o -g -fplugin-arg-reticle-features=shadow %s -o %t || exit 1; %env_reticle:shadow_hz=1 %t || exit 1; done | %FileCheck %s
// CHECK-COUNT-9: all words right
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define UNMARKED __attribute__((noinline, no_instrument_function))
enum { WORDS = 1024 };
static char *area; // not an object of the heap, so that marks stay

// docs/decisions/0017: one byte for each word.
UNMARKED static unsigned char *mark(int word) {
  return (unsigned char *)(((uintptr_t)area >> 2) + word + 0x7fff8000);
}
UNMARKED static void clear(void) {
  for (volatile int i = 0; i < WORDS; i++)
    *mark(i) = 0;
}
UNMARKED static int differs(const char *what, int phase, int (*is_touched)(int word, int phase)) {
  for (int i = 0; i < WORDS; i++)
    if ((*mark(i) != 0) != is_touched(i, phase)) {
      printf("%s, phase %d: word %d is %d\n", what, phase, i, *mark(i));
      return 1;
    }
  return 0;
}

UNMARKED static int in_range(int word, int start, int bytes) {
  return 4 * word + 3 >= start && 4 * word < start + bytes;
}
UNMARKED static int is_set(int word, int phase) { return in_range(word, 256 + phase, 100); }
UNMARKED static int is_copied(int word, int phase) {
  return in_range(word, 256 + phase, 77) || in_range(word, 2048, 77);
}
UNMARKED static int is_third(int word, int phase) { return word >= phase && (word - phase) % 3 == 0; }
UNMARKED static int is_struct(int word, int phase) {
  return word >= 16 && word < 16 + 20 || word >= 64 && word < 64 + 20;
}
UNMARKED static int is_mixed(int word, int phase) {
  return word == 5 || word == 8 || word == 9 || word == 12 || word == 20 || word == 21;
}

struct big {
  int word[20];
};

__attribute__((noinline)) static void set(char *to, int bytes) { memset(to, 1, bytes); }
__attribute__((noinline)) static void copy(char *to, const char *from, int bytes) {
  memcpy(to, from, bytes);
}
__attribute__((noinline)) static void stride(volatile int *from, int n) {
  for (int i = 0; i < n; i += 3)
    from[i]++;
}
__attribute__((noinline)) static void assign(struct big *to, const struct big *from) { *to = *from; }
__attribute__((noinline)) static void mixed(int *p, double *d) {
  __atomic_fetch_add(&p[5], 1, __ATOMIC_SEQ_CST);
  *d = 1; // words 8 and 9
  ((volatile char *)&p[12])[3] = 1;
  *(volatile long *)&p[20];
}

int main(void) {
  int wrong = 0;
  area = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int phase = 0; phase < 64; phase++) {
    clear();
    set(area + 256 + phase, 100);
    wrong |= differs("memset", phase, is_set);
    clear();
    copy(area + 256 + phase, area + 2048, 77);
    wrong |= differs("memcpy", phase, is_copied);
    clear();
    stride((int *)area + phase, WORDS - phase);
    wrong |= differs("stride", phase, is_third);
  }
  clear();
  assign((struct big *)(area + 64), (struct big *)(area + 256));
  wrong |= differs("assignment", 0, is_struct);
  clear();
  mixed((int *)area, (double *)(area + 32));
  wrong |= differs("mixed", 0, is_mixed);
  puts(wrong ? "wrong" : "all words right");
  return wrong;
}
