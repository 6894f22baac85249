// unit_shadow_apart.c - marks of several threads, and what a cache line of them says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/globals.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/mapped.h"
#include "runtime/heap/shared_line.h"
#include "runtime/probe/shadow.h"
#include "test/unit.h"

#include <pthread.h>
#include <string.h>

enum { R = 1, EARLIER = 2, W = 4, FIRST = 1 << 3, SECOND = 2 << 3, OTHERS = 1 << 6, HEAD = 0x80 };

// Whose words they are: all are objects of the heap.
uint32_t rrt_globals_find(uintptr_t address, uintptr_t *begin, uintptr_t *end) {
  (void)address, (void)begin, (void)end;
  return 0;
}
uint32_t rrt_mapped_find(uintptr_t address, uintptr_t *begin, uintptr_t *end) {
  (void)address, (void)begin, (void)end;
  return 0;
}
uint32_t rrt_heap_object(uintptr_t address, uintptr_t *begin) {
  *begin = address - 64;
  return 9;
}
void rrt_heap_owner_begin(void) {}

static uint8_t marks[16] __attribute__((aligned(16)));

static uint64_t numbers[2]; // the modules' words of the two threads

static void touch(unsigned who, unsigned word, uint64_t kinds) {
  __reticle_shadow_apart(marks + word, kinds, &numbers[who]);
}

// The second thread does what is asked for, one thing at a time, so that it keeps its number.
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  unsigned word;
  uint64_t kinds;
  int asked, ended;
} other = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *run_other(void *unused) {
  (void)unused;
  pthread_mutex_lock(&other.mutex);
  while (!other.ended) {
    if (other.asked)
      touch(1, other.word, other.kinds);
    other.asked = 0;
    pthread_cond_broadcast(&other.changed);
    pthread_cond_wait(&other.changed, &other.mutex);
  }
  pthread_mutex_unlock(&other.mutex);
  return NULL;
}

static void touch_other(unsigned word, uint64_t kinds) {
  pthread_mutex_lock(&other.mutex);
  other.word = word;
  other.kinds = kinds;
  other.asked = 1;
  pthread_cond_broadcast(&other.changed);
  while (other.asked)
    pthread_cond_wait(&other.changed, &other.mutex);
  pthread_mutex_unlock(&other.mutex);
}

static void clear(void) { memset(marks, 0, sizeof marks); }

static void test_one_thread(void) {
  clear();
  touch(0, 0, R | W << 8 | (uint64_t)(R | W) << 24);
  CHECK_EQUAL(numbers[0], UINT64_C(0x0808080808080808));
  CHECK_EQUAL(marks[0], R | FIRST);
  CHECK_EQUAL(marks[1], W | FIRST);
  CHECK_EQUAL(marks[2], 0);
  CHECK_EQUAL(marks[3], R | W | FIRST);
  touch(0, 0, W);
  CHECK_EQUAL(marks[0], R | W | FIRST);
  // Old marks begin anew, and say that they are old; headers stay.
  marks[4] = EARLIER;
  marks[5] = HEAD | 5;
  marks[6] = R; // of code that doesn't tell
  touch(0, 4, R | W << 8 | W << 16);
  CHECK_EQUAL(marks[4], EARLIER | R | FIRST);
  CHECK_EQUAL(marks[5], HEAD | 5);
  CHECK_EQUAL(marks[6], R | W | FIRST);
}

static void test_two_threads(void) {
  clear();
  touch(0, 0, R | R << 8 | W << 16 | W << 24);
  touch_other(0, R | W << 8 | R << 16 | W << 24);
  CHECK_EQUAL(numbers[1], UINT64_C(0x1010101010101010));
  CHECK_EQUAL(marks[0], R | FIRST | OTHERS);      // read by both
  CHECK_EQUAL(marks[1], R | W | SECOND | OTHERS); // the writer's number
  CHECK_EQUAL(marks[2], R | W | FIRST | OTHERS);  // the writer's, too
  CHECK_EQUAL(marks[3], W | OTHERS);              // several writers
  touch(0, 0, R | R << 8 | R << 16 | R << 24);
  CHECK_EQUAL(marks[1], R | W | SECOND | OTHERS);
  CHECK_EQUAL(marks[3], R | W | OTHERS);
}

static void test_ranges(void) {
  static uint32_t text[64];
  clear();
  // 0x7fff8000 + address / 4 is far from here: without shadow memory nothing may be marked.
  rrt_shadow.on = 0;
  __reticle_shadow_range_apart(text, sizeof text, W);
  touch(0, 0, W);
  rrt_shadow.on = 1;
  CHECK_EQUAL(marks[0], 0);
  CHECK_EQUAL(rrt_shadow_text_bytes("four", 99), 5);
  CHECK_EQUAL(rrt_shadow_text_bytes("four", 3), 3);
  CHECK_EQUAL(rrt_shadow_compared_bytes("abc", "abd", 99, RETICLE_COMPARE_TEXT), 3);
  CHECK_EQUAL(rrt_shadow_compared_bytes("abc", "abc", 2, 0), 2);
}

static enum rrt_line_how look(struct rrt_line_look *out) {
  struct rrt_line_look none;
  enum rrt_line_how how = rrt_line_look(marks, out ? out : &none);
  // What is passed over without a look is of no interest.
  CHECK(how == RRT_LINE_OWN || rrt_line_may_be_shared(marks));
  return how;
}

static void test_lines(void) {
  struct rrt_line_look seen;
  clear();
  CHECK_EQUAL(look(NULL), RRT_LINE_OWN);
  touch(0, 0, W | R << 8);
  CHECK_EQUAL(look(NULL), RRT_LINE_OWN); // one thread
  touch_other(4, R);
  CHECK_EQUAL(look(&seen), RRT_LINE_APART); // the other only reads, beside it
  CHECK_EQUAL(seen.touched, 0x13);
  CHECK_EQUAL(seen.written, 1);
  CHECK_EQUAL(seen.read, 0x12);
  CHECK_EQUAL(seen.threads[0], 1 | 1 << 8 | UINT64_C(2) << 32);
  touch_other(5, W);
  CHECK_EQUAL(look(NULL), RRT_LINE_APART);
  touch_other(0, R); // now it reads what is written
  CHECK_EQUAL(look(&seen), RRT_LINE_MIXED);
  CHECK_EQUAL(seen.shared, 1);

  clear(); // read by both, and nothing else
  touch(0, 0, R | R << 8);
  touch_other(0, R | R << 8);
  CHECK_EQUAL(look(NULL), RRT_LINE_OWN);
  touch(0, 7, W); // and one writes beside it
  CHECK_EQUAL(look(NULL), RRT_LINE_APART);

  clear(); // one word, both write
  touch(0, 3, R | W);
  touch_other(3, R | W);
  CHECK_EQUAL(look(NULL), RRT_LINE_COMMON);
  touch(0, 4, W); // all words in common, but who writes them differs: head and tail
  touch_other(4, R);
  touch_other(5, W);
  touch(0, 5, R);
  CHECK_EQUAL(look(NULL), RRT_LINE_MIXED);

  clear(); // headers are nobody's
  touch(0, 0, W);
  marks[8] = marks[9] = UINT8_MAX;
  CHECK_EQUAL(look(NULL), RRT_LINE_OWN);

  clear(); // nor are words that were touched long ago
  touch(0, 0, W);
  marks[1] = EARLIER;
  CHECK_EQUAL(look(&seen), RRT_LINE_OWN);
  CHECK_EQUAL(seen.earlier, 2);
}

static void test_objects(void) {
  struct rrt_line_object object;
  struct rrt_line_look seen = {.touched = 1 << 2 | 1 << 5, .written = 1 << 5};
  clear();
  CHECK_EQUAL(rrt_line_find(marks, &seen, &object), 1);
  CHECK_EQUAL(object.site, 9);
  CHECK_EQUAL(object.own, 0xffff);
  CHECK_EQUAL(object.offset_bytes, 64 - 4 * 5); // of word 0
  CHECK_EQUAL(object.neighbour, 0);
  marks[6] = marks[7] = HEAD;
  seen.touched |= 1 << 9;
  CHECK_EQUAL(rrt_line_find(marks, &seen, &object), 1);
  CHECK_EQUAL(object.own, 0x3f);
  CHECK_EQUAL(object.first, 0);
  CHECK_EQUAL(object.neighbour, 9); // another object of the site
}

int main(void) {
  pthread_t thread;
  rrt_shadow.on = 1;
  pthread_mutex_lock(&other.mutex);
  pthread_create(&thread, NULL, run_other, NULL);
  pthread_mutex_unlock(&other.mutex);
  RUN(test_one_thread);
  RUN(test_two_threads);
  RUN(test_ranges);
  RUN(test_lines);
  RUN(test_objects);
  pthread_mutex_lock(&other.mutex);
  other.ended = 1;
  pthread_cond_broadcast(&other.changed);
  pthread_mutex_unlock(&other.mutex);
  pthread_join(thread, NULL);
  return unit_status();
}
