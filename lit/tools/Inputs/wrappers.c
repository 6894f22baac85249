// wrappers.c - functions that end in a call that gives memory, of each kind
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

#define OWN __attribute__((noinline))

void *elsewhere(size_t bytes);
extern void *(*hook)(size_t);

struct node {
  long key;
  struct node *next;
};

OWN static void *of_malloc(size_t bytes) { return malloc(bytes); }
OWN static void *of_calloc(size_t bytes) { return calloc(1, bytes); }
OWN static void *of_realloc(void *old, size_t bytes) { return realloc(old, bytes); }
OWN static int of_memalign(void **out, size_t bytes) { return posix_memalign(out, 64, bytes); }
OWN static void *of_wrapper(size_t bytes) { return of_malloc(bytes + 8); }
OWN static void *of_either(size_t bytes, int clear) {
  return clear ? of_calloc(bytes) : of_malloc(bytes);
}
OWN static struct node *of_elsewhere(void) { return elsewhere(sizeof(struct node)); }
OWN static void *of_hook(size_t bytes) { return hook(bytes); }
/// What is there already is no memory that is given.
static char table[1000];
OWN static void *found(int at) { return &table[at % 1000]; }
OWN void *finds(int at) { return found(at + 1); }

int main(int count, char **arguments) {
  (void)arguments;
  void *volatile all[8] = {of_malloc(100), of_calloc(200), of_realloc(NULL, 300), of_wrapper(500),
                           of_elsewhere(), of_hook(700),   of_either(800, count)};
  void *aligned = NULL;
  int failed = of_memalign(&aligned, 400);
  for (int i = 0; i < 7; i++)
    *(volatile char *)all[i] = 1;
  *(volatile char *)finds(count) = 1;
  return failed;
}
