// Bursts in the IR: a plain copy of the code, and the question which one runs at the entry, at each iteration and where
// an indirect jump goes to; marks in the other one alone; what must not be there twice stays single.
// REQUIRES: plugin, x86_64
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=bursts %s -o %t.ll
// RUN: %FileCheck %s < %t.ll && %opt -passes=verify -disable-output %t.ll
// RUN: for o in -O0 -O1 -O3 -Os; do %clang $o -g -c -fplugin=%plugin -fplugin-arg-reticle-features=loop,field,block,shadow -fplugin-arg-reticle-shadow=bursts %s -o %t.o || exit 1; done
// RUN: %clang -O2 -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow %s -o - | %FileCheck --check-prefix=SINGLE %s
// RUN: %not %clang -O2 -S -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=often %s -o /dev/null 2>&1 | %FileCheck --check-prefix=VALUE %s
// RUN: %not %clang -O2 -S -fplugin=%plugin -fplugin-arg-reticle-shadow=bursts %s -o /dev/null 2>&1 | %FileCheck --check-prefix=FEATURE %s
// SINGLE-NOT: load volatile i8, ptr @__reticle_shadow_mask
// VALUE: shadow: unknown 'often'; use shadow=marks, always, detail, bursts, or always,bursts
// FEATURE: shadow=bursts: bursts are of the feature shadow; add it: -fplugin-arg-reticle-features=loop,shadow
#include <setjmp.h>

// No marks in the plain copy, and none of the questions' answers is kept.
// CHECK-LABEL: define {{.*}}i32 @load(
// CHECK: %[[IS:.*]] = load volatile i8, ptr @__reticle_shadow_mask
// CHECK: %[[ON:.*]] = icmp ne i8 %[[IS]], 0
// CHECK: br i1 %[[ON]], label %[[MARKED:.*]], label %[[PLAIN:[^,]*]], !dbg {{.*}}!prof
// CHECK: [[PLAIN]]:
// CHECK-NOT: @__reticle_shadow_mask
// CHECK: ret i32
// CHECK: [[MARKED]]:
// CHECK: load i64, ptr @__reticle_shadow_mask
// CHECK-NOT: !invariant.load
// CHECK: ret i32
// CHECK: }
int load(int *p) { return *p; }

// Questions: entry, plain head, marked head.
// CHECK-LABEL: define {{.*}}i64 @walk(
// CHECK-COUNT-3: load volatile i8, ptr @__reticle_shadow_mask
// CHECK-NOT: load volatile i8
// CHECK: }
struct node {
  struct node *next;
  long value;
};
long walk(struct node *n) {
  long sum = 0;
  for (; n; n = n->next)
    sum += n->value;
  return sum;
}

// Each iteration of the outer loop crosses the switch point of the inner one: it has no question of its own.
// CHECK-LABEL: define {{.*}}@nested(
// CHECK-COUNT-3: load volatile i8, ptr @__reticle_shadow_mask
// CHECK-NOT: load volatile i8
// CHECK: }
void nested(struct node **list, long n) {
#pragma clang loop unroll(disable)
  do {
    struct node *one = *list++;
    do
      one->value++;
    while ((one = one->next));
  } while (--n);
}

// Nothing to mark: nothing to ask.
// CHECK-LABEL: define {{.*}}@nothing(
// CHECK-NOT: volatile
// CHECK: }
int nothing(int a) {
  while (a % 7)
    a = a * 5 + 1;
  return a;
}

// CHECK-LABEL: define {{.*}}@label(
// CHECK-NOT: load volatile i8, ptr @__reticle_shadow_mask
// CHECK: load i64, ptr @__reticle_shadow_mask
// CHECK: }
int label(int *p) {
  __asm__ volatile("only_once: nop");
  return *p;
}

// Numbers may be there many times.
// CHECK-LABEL: define {{.*}}@numbered(
// CHECK: load volatile i8, ptr @__reticle_shadow_mask
// CHECK: }
int numbered(int *p) {
  __asm__ volatile("1: nop; jmp 2f; 2:");
  return *p;
}

// CHECK-LABEL: define {{.*}}@twice(
// CHECK-NOT: load volatile i8, ptr @__reticle_shadow_mask
// CHECK: }
jmp_buf place;
int twice(int *p) { return setjmp(place) ? *p : 0; }

// Both copies jump to plain blocks, which ask.
// CHECK-LABEL: define {{.*}}@interpret(
// CHECK: indirectbr ptr
// CHECK: indirectbr ptr
// CHECK: }
long interpret(const unsigned char *code, long *slots) {
  static const void *const table[] = {&&add, &&store, &&loop, &&end};
  long sum = 0;
  goto *table[*code];
add:
  sum += slots[code[1]];
  code += 2;
  goto *table[*code];
store:
  slots[code[1]] = sum;
  code += 2;
  goto *table[*code];
loop:
  if (sum < 1000)
    code -= code[1];
  else
    code += 2;
  goto *table[*code];
end:
  return sum;
}
