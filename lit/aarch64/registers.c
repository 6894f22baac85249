// A cold call keeps every register, a thread's first one too, which calls libc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, aarch64-runtime, aarch64-libc, qemu-aarch64
// RUN: mkdir -p %t
// RUN: %aarch64_cc -O2 -g -I%src %s -o %t/app
// RUN: %env_reticle %run_aarch64 %t/app | %FileCheck %s
// RUN: %aarch64_cc -O2 -g -I%src -march=armv8-a+sve %s -o %t/sve
// RUN: for cpu in max,sve-max-vq=1 max,sve-max-vq=2 max,sve-max-vq=16; do %env_reticle %run_aarch64 -cpu $cpu %t/sve; done | %FileCheck --check-prefix=SVE %s
// CHECK: 2 threads, 4 calls, 0 registers differ
// SVE-COUNT-3: 2 threads, 4 calls, 0 registers differ
#include "include/reticle/abi.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void rrt_gate(int32_t *cell, const struct reticle_loop_desc *loops);

enum { VECTOR_BYTES = 256 }; // the longest there can be

struct registers {
  uint64_t x[32];
  unsigned char v[32][VECTOR_BYTES] __attribute__((aligned(16)));
  unsigned char p[16][VECTOR_BYTES / 8];
};

/// Loads all registers, those of the arguments aside, calls rrt_gate, and stores them.
void call_with(int32_t *cell, const struct reticle_loop_desc *loops, const struct registers *before,
               struct registers *after);

#define EACH "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28"
#if defined(__ARM_FEATURE_SVE)
#define VECTORS(way, base)                                                                         \
  "  add x8, " base ", #256\n"                                                                     \
  "  .irp n, " EACH ",29,30,31\n  " way " z\\n, [x8]\n  add x8, x8, #256\n  .endr\n"               \
  "  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"                                              \
  "  " way " p\\n, [x8]\n  add x8, x8, #32\n  .endr\n"
#else
#define VECTORS(way, base)                                                                         \
  "  add x8, " base ", #256\n"                                                                     \
  "  .irp n, " EACH ",29,30,31\n  " way " q\\n, [x8]\n  add x8, x8, #256\n  .endr\n"
#endif

__asm__(".text\n"
        ".globl call_with\n"
        ".type call_with, %function\n"
        "call_with:\n"
        "  stp x29, x30, [sp, #-192]!\n"
        "  stp x19, x20, [sp, #16]\n"
        "  stp x21, x22, [sp, #32]\n"
        "  stp x23, x24, [sp, #48]\n"
        "  stp x25, x26, [sp, #64]\n"
        "  stp x27, x28, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  str x3, [sp, #160]\n" VECTORS("ldr", "x2") //
        "  .irp n, 4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28\n"
        "  ldr x\\n, [x2, #8 * \\n]\n"
        "  .endr\n"
        "  bl rrt_gate\n"
        "  str x9, [sp, #168]\n"
        "  ldr x9, [sp, #160]\n"
        "  .irp n, 0,1,2,3,4,5,6,7,8,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28\n"
        "  str x\\n, [x9, #8 * \\n]\n"
        "  .endr\n"
        "  ldr x10, [sp, #168]\n"
        "  str x10, [x9, #72]\n" VECTORS("str", "x9") //
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  ldp x19, x20, [sp, #16]\n"
        "  ldp x21, x22, [sp, #32]\n"
        "  ldp x23, x24, [sp, #48]\n"
        "  ldp x25, x26, [sp, #64]\n"
        "  ldp x27, x28, [sp, #80]\n"
        "  ldp x29, x30, [sp], #192\n"
        "  ret\n"
        ".size call_with, . - call_with\n");

static int differences, calls;

static size_t vector_bytes(void) {
  size_t bytes = 16;
#if defined(__ARM_FEATURE_SVE)
  __asm__("rdvl %0, #1" : "=r"(bytes));
#endif
  return bytes;
}

// Without probes of its own: the thread's first cold call is ours.
__attribute__((no_instrument_function)) static void *call_twice(void *unused) {
  static const struct reticle_loop_desc loop = {.id = 1};
  static struct registers before, after;
  for (int round = 0; round < 2; round++) {
    int32_t cell = -1;
    unsigned char *bytes = (unsigned char *)&before;
    for (size_t i = 0; i < sizeof before; i++)
      bytes[i] = (unsigned char)(i * 37 + i / 256 + 11);
    before.x[0] = (uint64_t)&cell;
    before.x[1] = (uint64_t)&loop;
    before.x[2] = (uint64_t)&before;
    before.x[3] = (uint64_t)&after;
    memset(&after, 0, sizeof after);
    call_with(&cell, &loop, &before, &after);
    calls += cell == 0; // the runtime has been there
    for (int i = 0; i < 29; i++)
      differences += before.x[i] != after.x[i];
    for (int i = 0; i < 32; i++)
      differences += memcmp(before.v[i], after.v[i], vector_bytes()) != 0;
#if defined(__ARM_FEATURE_SVE)
    for (int i = 0; i < 16; i++)
      differences += memcmp(before.p[i], after.p[i], vector_bytes() / 8) != 0;
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 2; i++) {
    pthread_create(&thread, 0, call_twice, 0);
    pthread_join(thread, 0);
  }
  printf("2 threads, %d calls, %d registers differ\n", calls, differences);
  return 0;
}
