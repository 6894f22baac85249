; Each loop without probes is counted under its reason, and a remark names it.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt -load-pass-plugin=%pass_plugin -passes='default<O0>' -pass-remarks-missed=reticle -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck %s --check-prefix=IR < %t.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: loop of forever is not probed: it has no end
; CHECK: loop of three is not probed: all of its work is under the floor of any timer
; CHECK: loop of tiny is not probed: all of its work is under the floor of any timer
; CHECK: loop of jumps is not probed: it is entered by an indirect jump
; CHECK: loop of bare is not probed: a naked function has no frame for a call
; CHECK: loop of resolver is not probed: an ifunc resolver runs before thread-local variables exist
; CHECK: loop of asked is not probed: attribute disable_sanitizer_instrumentation

; 8 functions, 1 with probes; 8 loops, 1 with probes, 2 short, 1 ignored, 4 unsupported.
; IR: @__reticle_object = {{.*}} i32 8, i32 1, i32 8, i32 1, i32 2, i32 1, i32 4, i32 0, ptr null }

@ifn = ifunc void (), ptr @resolver
declare void @work()

define void @forever() {
entry:
  br label %loop
loop:
  call void @work()
  br label %loop
}

define void @three() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @work()
  %next = add i32 %i, 1
  %go = icmp ult i32 %next, 3
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

define void @tiny(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %a, i64 %i
  store i8 0, ptr %p
  %next = add i64 %i, 1
  %go = icmp ult i64 %next, 6
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

define void @jumps(ptr %to) {
entry:
  indirectbr ptr %to, [label %loop, label %exit]
loop:
  call void @work()
  %again = load volatile ptr, ptr %to
  indirectbr ptr %again, [label %loop, label %exit]
exit:
  ret void
}

define void @bare() naked {
entry:
  br label %loop
loop:
  %go = load volatile i1, ptr null
  br i1 %go, label %loop, label %exit
exit:
  unreachable
}

define ptr @resolver() {
entry:
  br label %loop
loop:
  call void @work()
  %go = load volatile i1, ptr null
  br i1 %go, label %loop, label %exit
exit:
  ret ptr null
}

define void @asked(ptr %a) disable_sanitizer_instrumentation {
entry:
  br label %loop
loop:
  %go = load volatile i1, ptr %a
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

; optnone doesn't keep probes out.
; IR-LABEL: define void @slow
; IR: call void asm sideeffect {{.*}} @__reticle_loop_begin,
define void @slow(ptr %a) noinline optnone {
entry:
  br label %loop
loop:
  %go = load volatile i1, ptr %a
  br i1 %go, label %loop, label %exit
exit:
  ret void
}
