// libc's str* and mem* functions mark exactly the bytes that they look at: at all 64 phases, a text with its end, up
// to the first difference, up to what was found.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in "-O0 -w" -O1 -O2 "-O2 -fno-builtin" "-O3 -march=native" "-O2 -fplugin-arg-reticle-shadow=detail"; do %reticle_cc $o -g -fplugin-arg-reticle-features=shadow %s -o %t || exit 1; %env_reticle:shadow_hz=1 %t || exit 1; done | %FileCheck %s
// CHECK-COUNT-6: all bytes right
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define UNMARKED __attribute__((noinline, no_instrument_function))
#define KEEP __attribute__((noinline))
enum { WORDS = 1024 };
static char *area; // not an object of the heap, so that marks stay
static int wrong;

UNMARKED static unsigned char *mark(int word) {
  return (unsigned char *)(((uintptr_t)area >> 2) + word + 0x7fff8000);
}
UNMARKED static void clear(void) {
  for (volatile int i = 0; i < WORDS; i++)
    *mark(i) = 0;
}
/// Two ranges of bytes in the area.
UNMARKED static void expect(const char *what, int phase, int at, int bytes, int other, int more) {
  for (volatile int i = 0; i < WORDS; i++) {
    int is = (4 * i + 3 >= at && 4 * i < at + bytes) || (4 * i + 3 >= other && 4 * i < other + more);
    if ((*mark(i) != 0) != is) {
      printf("%s, phase %d: word %d is %d\n", what, phase, i, *mark(i));
      wrong = 1;
      break;
    }
  }
  clear();
}
UNMARKED static void put(int at, const char *text) {
  volatile char *to = area + at;
  for (; (*to = *text); to++, text++)
    ;
}

static volatile size_t sink;
static char *volatile place;
KEEP static void length(const char *s) { sink = strlen(s); }
KEEP static void length_limited(const char *s, size_t n) { sink = strnlen(s, n); }
KEEP static void copy(char *d, const char *s) { place = strcpy(d, s); }
KEEP static void copy_end(char *d, const char *s) { place = stpcpy(d, s); }
KEEP static void copy_limited(char *d, const char *s, size_t n) { place = strncpy(d, s, n); }
KEEP static void append(char *d, const char *s) { place = strcat(d, s); }
KEEP static void append_limited(char *d, const char *s, size_t n) { place = strncat(d, s, n); }
KEEP static void compare(const char *a, const char *b) { sink = strcmp(a, b); }
KEEP static void compare_limited(const char *a, const char *b, size_t n) { sink = strncmp(a, b, n); }
KEEP static void compare_memory(const char *a, const char *b, size_t n) { sink = memcmp(a, b, n); }
KEEP static void is_equal(const char *a, const char *b, size_t n) { sink = memcmp(a, b, n) == 0; }
KEEP static void find(const char *s, int c) { place = strchr(s, c); }
KEEP static void find_last(const char *s, int c) { place = strrchr(s, c); }
KEEP static void find_memory(const char *s, int c, size_t n) { place = memchr(s, c, n); }
KEEP static void set(char *d, size_t n) { memset(d, 0, n); }
KEEP static void move(char *d, const char *s, size_t n) { memmove(d, s, n); }

static void all(int phase) {
  int a = 256 + phase, b = 1024 + 3 * phase;
  static const char text[] = "the first twenty-nine of them"; // 29 characters
  put(a, text);
  clear();
  length(area + a), expect("strlen", phase, a, 30, 0, 0);
  length_limited(area + a, 100), expect("strnlen", phase, a, 30, 0, 0);
  length_limited(area + a, 7), expect("strnlen 7", phase, a, 7, 0, 0);
  copy(area + b, area + a), expect("strcpy", phase, a, 30, b, 30);
  copy_end(area + b, area + a), expect("stpcpy", phase, a, 30, b, 30);
  copy_limited(area + b, area + a, 11), expect("strncpy 11", phase, a, 11, b, 11);
  copy_limited(area + b, area + a, 70), expect("strncpy 70", phase, a, 30, b, 70);
  append(area + b, area + a), expect("strcat", phase, a, 30, b, 59);
  append_limited(area + b, area + a, 5), expect("strncat", phase, a, 5, b, 64);
  put(b, text), clear();
  compare(area + a, area + b), expect("strcmp equal", phase, a, 30, b, 30);
  compare_memory(area + a, area + b, 17), expect("memcmp equal", phase, a, 17, b, 17);
  put(b + 19, "x"), clear();
  compare(area + a, area + b), expect("strcmp", phase, a, 20, b, 20);
  compare_limited(area + a, area + b, 12), expect("strncmp 12", phase, a, 12, b, 12);
  compare_limited(area + a, area + b, 99), expect("strncmp 99", phase, a, 20, b, 20);
  compare_memory(area + a, area + b, 28), expect("memcmp", phase, a, 20, b, 20);
  is_equal(area + a, area + b, 28), expect("bcmp", phase, a, 20, b, 20);
  find(area + a, 'w'), expect("strchr", phase, a, 12, 0, 0);
  find(area + a, '#'), expect("strchr in vain", phase, a, 30, 0, 0);
  find(area + a, 0), expect("strchr end", phase, a, 30, 0, 0);
  find_last(area + a, 't'), expect("strrchr", phase, a, 30, 0, 0);
  find_memory(area + a, 'w', 500), expect("memchr", phase, a, 12, 0, 0);
  find_memory(area + a, '#', 500), expect("memchr in vain", phase, a, 500, 0, 0);
  set(area + b, 0), expect("memset 0", phase, 0, 0, 0, 0);
  set(area + b, 101), expect("memset", phase, b, 101, 0, 0);
  move(area + a + 10, area + a, 33), expect("memmove", phase, a, 43, 0, 0);
}

int main(void) {
  area = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  clear();
  for (int phase = 0; phase < 64; phase++)
    all(phase);
  puts(wrong ? "wrong" : "all bytes right");
  return wrong;
}
