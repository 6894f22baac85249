// On AArch64 a probe carries nothing through the loop, needs no frame and changes no register.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin
// RUN: %clang --target=aarch64-linux-gnu -O2 -g -fPIE -momit-leaf-frame-pointer -fplugin=%plugin -S %s -o - | grep -vE "^\s*([.#]|//)|^.Ltmp" | %FileCheck %s --check-prefixes=CHECK,EXE
// RUN: %clang --target=aarch64-linux-gnu -O2 -g -fPIC -momit-leaf-frame-pointer -fplugin=%plugin -S %s -o - | grep -vE "^\s*([.#]|//)|^.Ltmp" | %FileCheck %s --check-prefixes=CHECK,LIB
// Where there is no code for the processor there are no probes.
// RUN: %clang --target=aarch64_be-linux-gnu -O2 -g -fplugin=%plugin -S %s -o - | %FileCheck %s --check-prefix=NONE
// NONE-NOT: __reticle

// CHECK-LABEL: count:
// CHECK-NOT: sp
// EXE:      mrs [[CELL:x[0-9]+]], TPIDR_EL0
// EXE-NEXT: add [[CELL]], [[CELL]], :tprel_hi12:__reticle_cells.count
// EXE-NEXT: add [[CELL]], [[CELL]], :tprel_lo12_nc:__reticle_cells.count
// LIB:      :gottprel_lo12:__reticle_cells
// CHECK:    ldr [[N:w[0-9]+]], [
// CHECK-NEXT: subs [[N]], [[N]], #1
// CHECK-NEXT: str [[N]], [
// CHECK-NEXT: b.mi
// The loop, then the exit's own address of the cell.
// CHECK:    ldrb
// CHECK-NOT: sp
// EXE:      mrs {{x[0-9]+}}, TPIDR_EL0
// LIB:      :gottprel_lo12:__reticle_cells
// CHECK:    ldr [[OPEN:w[0-9]+]], [
// CHECK-NEXT: tbnz [[OPEN]], #31
// CHECK-NOT: sp
// CHECK:    ret
// Cold: what the call or a veneer of the linker changes is saved before an operand is looked at.
// CHECK:      sub sp, sp, #80
// CHECK-NEXT: stp x16, x17, [sp, #48]
// CHECK-NEXT: str x30, [sp, #64]
// EXE:        bl __reticle_loop_{{begin|end}}
// LIB:        blr x17
// CHECK-NEXT: ldr x30, [sp, #64]
// CHECK-NEXT: ldp x16, x17, [sp, #48]
// CHECK-NEXT: add sp, sp, #80
long count(const char *s) {
  long n = 0;
  while (s[n] & 2)
    n++;
  return n;
}
