// Marks in the IR: stores mark without a look, loads look first and share one look, nothing on the stack.
// REQUIRES: plugin, x86_64
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow %s -o - | %FileCheck %s
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=always %s -o - | %FileCheck --check-prefix=ALWAYS %s
// RUN: %not %clang -O2 -S -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow_stores=sometimes %s -o /dev/null 2>&1 | %FileCheck --check-prefix=MISTAKE %s
// RUN: %clang -O2 -g -S -emit-llvm -fsanitize=address -fplugin=%plugin -fplugin-arg-reticle-features=shadow %s -o - 2>&1 | %FileCheck --check-prefix=ASAN %s
// MISTAKE: shadow_stores: unknown value 'sometimes'; use -fplugin-arg-reticle-shadow=marks, always, detail or bursts
// ASAN: the feature shadow doesn't go with this sanitizer
// ASAN-NOT: __reticle_shadow_mask
struct pair {
  int first, second, third;
  long fourth;
};

// CHECK-LABEL: define {{.*}}i32 @stores(
// CHECK: %[[MASK:.*]] = load i64, ptr @__reticle_shadow_mask_v{{[0-9]+}}
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

// A word that is read near one that is written is marked like that.
// CHECK-LABEL: define {{.*}}i32 @near(
// CHECK-NOT: icmp
// CHECK: store i8 1, ptr
// CHECK: store i8 1, ptr
// CHECK-NOT: icmp
// CHECK: ret i32
int near(struct pair *p) {
  p->first = 1;
  return p->third;
}

// A look does for what comes behind it, a call or not, but not for the next iteration.
void other(void);
// CHECK-LABEL: define {{.*}}i32 @behind(
// CHECK: load i8, ptr
// CHECK: icmp ne i8
// CHECK: call void @other
// CHECK-NOT: icmp
// CHECK: ret i32
int behind(struct pair *p) {
  int first = p->first;
  other();
  return first + p->first;
}
// CHECK-LABEL: define {{.*}}void @iterations(
// CHECK: call void @other
// CHECK-NOT: ret void
// CHECK: icmp ne i8
// CHECK: br i1
// CHECK: ret void
void iterations(volatile struct pair *p) {
  for (;;) {
    other();
    if (p->first)
      return;
  }
}
// In a small loop's front, where the address doesn't change.
// CHECK-LABEL: define {{.*}}void @small(
// CHECK: icmp ne i8
// CHECK: br i1 {{.*}}!prof
// CHECK: load volatile i32, ptr %0
// CHECK-NOT: !prof
// CHECK: ret void
void small(volatile int *flag) {
  while (!*flag)
    ;
}

// A byte's word is known where the pointer is: one look for words 0 and 2.
struct tagged {
  int number;
  char tag, other, flags[4];
};
// CHECK-LABEL: define {{.*}}i32 @bytes(
// CHECK: and i32 {{.*}}, 16711935
// CHECK: icmp ne i32 {{.*}}, 65537
// CHECK-NOT: icmp
// CHECK: ret i32
int bytes(struct tagged *t) { return t->number + t->flags[3]; }

// Nobody asks for what is touched of a small variable.
static int counter;
// CHECK-LABEL: define {{.*}}i32 @count(
// CHECK-NOT: __reticle_shadow_mask
// CHECK: ret i32
int count(void) { return counter++; }

// CHECK-LABEL: define {{.*}}void @copies(
// CHECK: call void @__reticle_shadow_range(ptr %{{.+}}, i64
// CHECK: call void @__reticle_shadow_range(ptr %{{.+}}, i64
void copies(char *to, const char *from, unsigned long n) { __builtin_memcpy(to, from, n); }

void free(void *);
void uses_heap(void *p) { free(p); }

// CHECK: define weak ptr @malloc(i64 {{.*}}) {{.*}}{
// CHECK-NEXT: musttail call ptr @__reticle_heap_malloc(i64
