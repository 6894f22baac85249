// A program may declare what Reticle's wrappers lead to, and define malloc as an alias.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64, plugin, runtime
// RUN: %reticle_cc -w -O1 -fplugin-arg-reticle-features=loop,shadow -DDECLARED %s -o %t.app && %env_reticle %t.app
// RUN: %clang -w -O1 -g -fplugin=%plugin -fplugin-arg-reticle-features=loop,shadow -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s < %t.ll
// RUN: %reticle_cc -w -O1 -fplugin-arg-reticle-features=loop,shadow %s -o %t.alias && %env_reticle %t.alias
// CHECK-NOT: @malloc.1
// CHECK-NOT: @__reticle_of_malloc
// CHECK: @malloc = {{.*}}alias
// CHECK-NOT: @__reticle_of_malloc
// CHECK-NOT: @malloc.1
#include <stddef.h>
#ifdef DECLARED
extern void *__libc_malloc(size_t);
int main(void) {
  int *numbers = __libc_malloc(40);
  for (int i = 0; i < 10; i++)
    numbers[i] = i;
  return numbers[9] - 9;
}
#else
static char heap[1 << 20];
static size_t used;
void *mine(size_t bytes) {
  void *block = heap + used;
  used += (bytes + 15) & ~(size_t)15;
  return block;
}
void mine_free(void *block) {}
void *malloc(size_t) __attribute__((alias("mine")));
void free(void *) __attribute__((alias("mine_free")));
int main(void) {
  char *block = malloc(10);
  free(block);
  return !(block >= heap && block < heap + sizeof heap);
}
#endif
