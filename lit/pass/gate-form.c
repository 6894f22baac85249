// The hot part of a probe is one read-modify-write and one jump, one compare and one jump.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64
// RUN: %clang -O2 -g -fPIE -fplugin=%plugin -S %s -o - | grep -vE "^\s*[.#]|^.Ltmp" | %FileCheck %s --check-prefixes=CHECK,EXE
// RUN: %clang -O2 -g -fno-pie -fno-pic -fplugin=%plugin -S %s -o - | grep -vE "^\s*[.#]|^.Ltmp" | %FileCheck %s --check-prefixes=CHECK,EXE
// RUN: %clang -O2 -g -fPIC -fplugin=%plugin -S %s -o - | grep -vE "^\s*[.#]|^.Ltmp" | %FileCheck %s --check-prefixes=CHECK,LIB

// CHECK-LABEL: sum:
// EXE:      decl %fs:__reticle_cells.sum@TPOFF
// EXE-NEXT: js
// LIB:      movq __reticle_cells@GOTTPOFF(%rip), [[SLOT:%[a-z0-9]+]]
// LIB:      decl (%{{[a-z0-9]+}},%{{[a-z0-9]+}})
// LIB-NEXT: js
// EXE:      cmpl $0, %fs:__reticle_cells.sum@TPOFF
// EXE-NEXT: js
// LIB:      cmpl $0, (%{{[a-z0-9]+}},%{{[a-z0-9]+}})
// LIB-NEXT: js

// No probe spills: every register is the callee's to keep.
// CHECK-NOT: 16-byte Spill
double sum(const double *a, long n, double start) {
  for (long i = 0; i < n; i++)
    start += a[i];
  return start;
}

// A function that calls nothing needs no more of a frame with probes than without, and no register:
// the cold call is not a call to the compiler.
// CHECK-LABEL: count:
// CHECK-NOT: push
// CHECK: js
// CHECK-NOT: push
// CHECK: retq
long count(const char *s) {
  long n = 0;
  while (s[n] & 2)
    n++;
  return n;
}
