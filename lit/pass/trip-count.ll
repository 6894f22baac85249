; The trip count is computed in the cold block alone, only where that is short and safe; else read behind the loop.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt -load-pass-plugin=%pass_plugin -passes='default<O2>' -S %s | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Every third element up to n: the count takes a division, which stays out of the hot path.
; CHECK-LABEL: @strided
; CHECK-NOT: udiv
; CHECK: br i1
; CHECK: udiv
; CHECK: call void asm sideeffect {{.*}}testb $$0, {{.*}}, i64 %{{[^,]*}}, ptr {{.*}}@__reticle_loop_begin,
define void @strided(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  store volatile i64 %i, ptr %p
  %next = add nuw nsw i64 %i, 3
  %go = icmp ult i64 %next, %n
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

; The exit depends on data, and the program reads the variable of before the last step: reading it behind the loop isn't
; free, so the work is unknown. (lit/runtime/exit-counts.c has what trip_counts=1 reads.)
; CHECK-LABEL: @chased
; CHECK: call void asm sideeffect {{.*}}testb $$0, {{.*}}, i64 -1, ptr {{.*}}@__reticle_loop_begin,
; CHECK: call void asm sideeffect {{.*}}testb $$0, {{.*}}, i64 -1, ptr {{.*}}@__reticle_loop_end,
define i64 @chased(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 7, %entry ], [ %next, %loop ]
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  %q = load ptr, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq ptr %q, null
  br i1 %end, label %exit, label %loop
exit:
  ret i64 %i
}

; Begin gets the start of the variable that the program itself compares and reads behind the loop, end its last value,
; as they are. With bit 30 of the number.
; CHECK-LABEL: @searched
; CHECK: call void asm sideeffect {{.*}}testb $$0, {{.*}}, ptr {{[a-z ]*}}%a, ptr {{.*}}@__reticle_loop_begin,
; CHECK: call void asm sideeffect {{.*}}testb $${{128|192}}, {{.*}}, ptr {{[a-z ]*}}%p{{.*}}, ptr {{.*}}@__reticle_loop_end,
define ptr @searched(ptr %a, ptr %b, ptr %limit) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %b, %entry ], [ %q.next, %rest ]
  %p = phi ptr [ %a, %entry ], [ %p.next, %rest ]
  %x = load volatile i32, ptr %p
  %zero = icmp eq i32 %x, 0
  %last = icmp eq ptr %p, %limit
  %end = or i1 %zero, %last
  br i1 %end, label %exit, label %rest
rest:
  store volatile i32 %x, ptr %q
  %q.next = getelementptr i8, ptr %q, i64 24
  %p.next = getelementptr i8, ptr %p, i64 4
  br label %loop
exit:
  ret ptr %p
}

; Nothing counts: unknown, which is all ones.
; CHECK-LABEL: @list
; CHECK: call void asm sideeffect {{.*}}testb $$0, {{.*}}, i64 -1, ptr {{.*}}@__reticle_loop_begin,
; CHECK: call void asm sideeffect {{.*}}testb $$0, {{.*}}, i64 -1, ptr {{.*}}@__reticle_loop_end,
define void @list(ptr %a) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  %q = load volatile ptr, ptr %p
  %end = icmp eq ptr %q, null
  br i1 %end, label %exit, label %loop
exit:
  ret void
}

; The stack pointer moves: the frame's address is given.
; CHECK-LABEL: @grows
; CHECK: %[[FRAME:.*]] = {{.*}}call ptr @llvm.frameaddress.p0(i32 0)
; CHECK: call void asm sideeffect {{.*}}@__reticle_loop_begin, {{.*}}, ptr %[[FRAME]])
declare void @use(ptr)
define void @grows(i64 %n) {
entry:
  %vla = alloca i8, i64 %n
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @use(ptr %vla)
  %next = add i64 %i, 1
  %go = icmp slt i64 %next, %n
  br i1 %go, label %loop, label %exit
exit:
  ret void
}
