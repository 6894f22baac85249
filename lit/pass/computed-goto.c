// An edge out of a loop of computed gotos gets a counter, and the compiler does not crash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64, plugin, runtime, tool
// RUN: for o in -O0 -O1 -O2; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=loop,field,block %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof || exit 1; done > %t.txt
// RUN: %FileCheck %s < %t.txt
// one, two, two, end: three updates, and a read.
// CHECK-COUNT-3: vm:[[#]] 32 acc @0 R 4 W 3
struct vm {
  long acc, count;
  int stop, unused, steps;
};
__attribute__((noinline)) long run(struct vm *v, const unsigned char *code) {
  static const void *const to[] = {&&one, &&two, &&end};
  goto *to[*code++];
one:
  v->acc++;
  goto *to[*code++];
two:
  v->count++;
  if (__builtin_expect(v->stop != 0, 0))
    goto end;
  v->acc ^= v->count;
  v->steps = 7;
  goto *to[*code++];
end:
  return v->acc;
}
int main(void) {
  static const unsigned char code[] = {0, 1, 1, 2};
  struct vm v = {1, 0, 0, 0, 0};
  __asm__ volatile("" : : "r"(&v) : "memory");
  return run(&v, code) != 1;
}
