; Where one block ends two loops, the inner sample is closed before the outer one; exits that an
; exception reaches are closed behind the landing pad.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %opt -load-pass-plugin=%pass_plugin -passes='default<O0>' -S %s | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @both
; CHECK: {{^}}found:
; CHECK: [2 x i32], ptr %{{.*}}, i32 0, i32 1
; CHECK: br i1
; CHECK: call void asm sideeffect {{.*}} @__reticle_loop_end,
; CHECK: @llvm.threadlocal.address.p0(ptr align 4 @__reticle_cells.both)
; CHECK: call void asm sideeffect {{.*}} @__reticle_loop_end,
; CHECK: ret void
define void @both(ptr %a) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %hit = load volatile i1, ptr %a
  br i1 %hit, label %found, label %more
more:
  %again = load volatile i1, ptr %a
  br i1 %again, label %inner, label %next
next:
  %go = load volatile i1, ptr %a
  br i1 %go, label %outer, label %done
found:
  ret void
done:
  ret void
}

; CHECK-LABEL: @thrown
; CHECK: landingpad
; CHECK-NEXT: cleanup
; CHECK: load volatile i32
; CHECK: call void asm sideeffect {{.*}} @__reticle_loop_end,
; CHECK: resume
declare void @may_throw()
declare i32 @__gxx_personality_v0(...)
define void @thrown(ptr %a) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop
loop:
  invoke void @may_throw() to label %next unwind label %pad
next:
  %go = load volatile i1, ptr %a
  br i1 %go, label %loop, label %exit
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
exit:
  ret void
}
