// Reads and writes apart (shadow=detail): each word is looked at with the thread's number, whatever is done to it, in the
// next iteration again; a read doesn't do for a write; small global variables are described. Nothing of it without the option.
// REQUIRES: plugin, x86_64
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=detail %s -o - | %FileCheck %s
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow %s -o %t.ll
// RUN: %clang -O2 -g -S -emit-llvm -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=marks %s -o %t.0.ll && diff %t.ll %t.0.ll
// RUN: %FileCheck --check-prefix=PLAIN --implicit-check-not=apart --implicit-check-not=shadow_thread %s < %t.ll
// RUN: %not %clang -O2 -S -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=detail,bursts %s -o /dev/null 2>&1 | %FileCheck --check-prefix=MISTAKE %s
// RUN: %not %clang -O2 -S -fplugin=%plugin -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=detail,always %s -o /dev/null 2>&1 | %FileCheck --check-prefix=BOTH %s
// MISTAKE: shadow=detail marks all the time; leave out bursts
// BOTH: shadow=detail has to look at each mark first; leave out always
// PLAIN: define {{.*}}i32 @stores(
struct pair {
  int first, second, third;
  long fourth;
};

// CHECK: @__reticle_shadow_thread_v{{[0-9]+}} = linkonce_odr hidden thread_local(localexec) global i64 0
// The unit's flags; the variable's record.
// CHECK: @__reticle_shadow = {{.*}}, i32 0, i32 0, i32 1, i32 0, i32 0 }
// CHECK: @__reticle_global = {{.*}} ptr @small
int small;

// Words 4 and 5 are written: bytes 4, and the thread's bits, 56.
// CHECK-LABEL: define {{.*}}i32 @stores(
// CHECK: %[[MINE:.*]] = load volatile i16, ptr
// CHECK: %[[MARKS:.*]] = load i16, ptr
// CHECK: %[[XOR:.*]] = xor i16 %[[MARKS]], %[[MINE]]
// CHECK: %[[CARE:.*]] = and i16 %[[XOR]], 15420
// CHECK: icmp ne i16 %[[CARE]], 1028
// CHECK: br i1 {{.*}}!prof
// Nor where several threads have written them: bits 64, and no thread's.
// CHECK: %[[SETTLED:.*]] = and i16 %[[MARKS]], 31868
// CHECK: icmp ne i16 %[[SETTLED]], 17476
// CHECK: call void @__reticle_shadow_apart(ptr {{.*}}, i64 1028, ptr
// CHECK: ret i32
int stores(struct pair *p) {
  p->fourth = 1;
  return 0;
}

// Word 0 read and written, word 2 read: 5, 0, 1.
// CHECK-LABEL: define {{.*}}i32 @both(
// CHECK: call void @__reticle_shadow_apart(ptr {{.*}}, i64 65541, ptr
// CHECK-NOT: __reticle_shadow_apart
// CHECK: ret i32
int both(struct pair *p) { return __atomic_fetch_add(&p->first, 1, __ATOMIC_RELAXED) + p->third; }

// Behind a call that may not come back: what was read may still have to be marked as written.
void other(void);
// CHECK-LABEL: define {{.*}}i32 @later(
// CHECK: call void @__reticle_shadow_apart(ptr {{.*}}, i64 1, ptr
// CHECK: call void @other
// CHECK: call void @__reticle_shadow_apart(ptr {{.*}}, i64 4, ptr
// CHECK: ret i32
int later(struct pair *p) {
  int first = p->first;
  other();
  p->first = first + 1;
  return first + p->first;
}

// In a small loop, not in front of it.
// CHECK-LABEL: define {{.*}}void @wait(
// CHECK: br label
// CHECK: preds = %
// CHECK: icmp ne i8
// CHECK: call void @__reticle_shadow_apart
// CHECK: load volatile i32
void wait(volatile int *flag) {
  while (!*flag)
    ;
}

// CHECK-LABEL: define {{.*}}void @copies(
// CHECK: call void @__reticle_shadow_range_apart(ptr %{{.+}}, i64 {{.+}}, i32 1)
// CHECK: call void @__reticle_shadow_range_apart(ptr %{{.+}}, i64 {{.+}}, i32 4)
void copies(char *to, const char *from, unsigned long n) { __builtin_memcpy(to, from, n); }
