// Marks in the IR: stores mark without a look, loads look first and share one look, nothing on the stack.
// REQUIRES: plugin, x86_64
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow %s -o - | %FileCheck %s
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow_stores=always %s -o - | %FileCheck --check-prefix=ALWAYS %s
// RUN: %not %clang -O2 -S -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow_stores=sometimes %s -o /dev/null 2>&1 | %FileCheck --check-prefix=MISTAKE %s
// RUN: %clang -O2 -g -S -emit-llvm -fsanitize=address -fplugin=%plugin -fplugin-arg-reticle-features=shadow %s -o - 2>&1 | %FileCheck --check-prefix=ASAN %s
// MISTAKE: shadow_stores: 'sometimes' is neither always nor checked
// ASAN: the feature shadow doesn't go with this sanitizer
// ASAN-NOT: __reticle_shadow_mask
struct pair {
  int first, second, third;
  long fourth;
};

// CHECK-LABEL: define {{.*}}i32 @stores(
// CHECK: %[[MASK:.*]] = load i64, ptr @__reticle_shadow_mask_v3
// CHECK: and i64 {{.*}}%[[MASK]]
// CHECK-NOT: br
// CHECK: store i16 257, ptr
// CHECK-NOT: br
// CHECK: ret i32
int stores(struct pair *p) {
  p->fourth = 1;
  return 0;
}

// One look for three loads of words 0, 2, 4 and 5, and none for the second load of a word.
// CHECK-LABEL: define {{.*}}i64 @loads(
// CHECK: %[[MARKS:.*]] = load i64, ptr {{.*}}, align 1
// CHECK: and i64 %[[MARKS]], 281470698455295
// CHECK: icmp ne i64 {{.*}}, 1103806660609
// CHECK: br i1 {{.*}}!prof
// CHECK-NOT: icmp
// CHECK: ret i64
// ALWAYS-LABEL: define {{.*}}i64 @loads(
// ALWAYS-NOT: icmp
// ALWAYS: ret i64
long loads(struct pair *p) { return p->first + p->third + p->fourth; }

// CHECK-LABEL: define {{.*}}i32 @local(
// CHECK-NOT: __reticle_shadow_mask
// CHECK: ret i32
int local(int n) {
  volatile int on_stack[4] = {n};
  return on_stack[n & 3];
}

// CHECK-LABEL: define {{.*}}void @copies(
// CHECK: call void @__reticle_shadow_range(ptr %{{.+}}, i64
// CHECK: call void @__reticle_shadow_range(ptr %{{.+}}, i64
void copies(char *to, const char *from, unsigned long n) { __builtin_memcpy(to, from, n); }

// CHECK: define weak ptr @malloc(i64 {{.*}}) {{.*}}{
// CHECK-NEXT: musttail call ptr @__reticle_heap_malloc(i64
