// The descriptors say where a loop is, what it is, and how many were left out and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-tool=/x/reticle -fplugin-arg-reticle-trip_counts=1 -S -emit-llvm %s -o - | %FileCheck %s
static long dot(const long *a, const long *b, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
long outer(const long *a, int n) {
  long s = 0;
  for (int k = 0; k < n; k++)
    s += dot(a, a + k, k);
  return s;
}
int find(const char *p, char c) {
  int i = 0;
  while (p[i] != c)
    i++;
  return i;
}
int none(int x) { return x + 1; }

// CHECK-DAG: [[OUTER:@__reticle_str.[0-9A-F]+]] = private unnamed_addr constant [6 x i8] c"outer\00"
// CHECK-DAG: [[DOT:@__reticle_str.[0-9A-F]+]] = private unnamed_addr constant [4 x i8] c"dot\00"
// CHECK-DAG: [[FIND:@__reticle_str.[0-9A-F]+]] = private unnamed_addr constant [5 x i8] c"find\00"
// CHECK-DAG: [[TOOL:@__reticle_str.[0-9A-F]+]] = private unnamed_addr constant [11 x i8] c"/x/reticle\00"
// An outer loop is of class C (3); the inlined inner one of class F (1), with trip count, innermost, and its flags name the
// outer one in their upper half.
// CHECK-DAG: @__reticle_loops.outer = internal {{.*}}[2 x {{.*}} i64 sub (i64 ptrtoint (ptr [[OUTER]] to i64), i64 ptrtoint (ptr getelementptr inbounds ({{.*}} to i64)), i64 sub (i64 ptrtoint (ptr [[OUTER]] to i64), {{.*}}, i64 sub (i64 ptrtoint (ptr @__reticle_str.{{[0-9A-F]+}} to i64), {{.*}}, i32 12, i32 3, i32 1, i32 3, i32 0, i32 1, i32 0, i32 0 }{{.*}} (ptr [[OUTER]] to i64), {{.*}} (ptr [[DOT]] to i64), {{.*}} (ptr @__reticle_str.{{[0-9A-F]+}} to i64), {{.*}}, i32 6, i32 3, i32 2, i32 1, i32 0, i32 {{-?[0-9][0-9][0-9][0-9][0-9]+}}, i32 0, i32 0 }
// A search is of class P (2): its trip count is read behind it, from a variable that grows by 1 and has 64 bits.
// Behind the flags of the search, from bit 7 on: the vectoriser can't tell how often it iterates (5).
// CHECK-DAG: @__reticle_loops.find = internal {{.*}} (ptr [[FIND]] to i64), {{.*}} (ptr [[FIND]] to i64), {{.*}} i32 18, i32 3, i32 1, i32 2, i32 0, i32 659, i32 1, i32 64 }
// CHECK-DAG: @__reticle_unit.outer = internal {{.*}} { i64 0, ptr @__reticle_loops.outer, i32 2, i32 {{[01]}}, i64 sub (i64 ptrtoint (ptr @__reticle_object to i64), i64 ptrtoint (ptr getelementptr inbounds ({ i64, ptr, i32, i32, i64 }, ptr @__reticle_unit.outer, i32 0, i32 4) to i64)) }, section "reticle_units"
// 3 functions (dot is gone), 2 of them with probes; 3 loops, all with probes; -O2.
// CHECK-DAG: @__reticle_object = internal {{.*}} ptr [[TOOL]], i32 3, i32 2, i32 3, i32 3, i32 0, i32 0, i32 0, i32 2, ptr null }, section "reticle_objects"
// CHECK-DAG: @llvm.used = appending global [1 x ptr] [ptr @__reticle_object]
// CHECK-DAG: @llvm.global_ctors = appending global {{.*}} i32 1, ptr @__reticle_start_v{{[0-9]+}}, ptr @__reticle_start_v{{[0-9]+}} }
// CHECK-DAG: declare {{.*}}void @__reticle_loop_begin()
