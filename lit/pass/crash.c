// A crash in one of the plug-in's steps names Reticle, the step, the function, and ways to go on without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64
// RUN: for f in loop field shadow block; do %not %clang -O2 -g -fno-crash-diagnostics -fplugin=%plugin -fplugin-arg-reticle-features=loop,field,shadow,block -fplugin-arg-reticle-crash=$f:middle -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=ANY,$f || exit 1; done
// ANY: Stack dump:
// ANY: Reticle {{[0-9.]+}}, feature '
// loop-SAME: loop': placing probes, in function 'middle'
// field-SAME: field': marking accesses, in function 'middle'
// shadow-SAME: shadow': marking accesses, in function 'middle'
// block-SAME: block': planning counters, in function 'middle'
// ANY-NEXT: This is a defect of Reticle
// loop-SAME: the function (__attribute__((no_instrument_function)), or a line 'fun:middle' in a file for -fplugin-arg-reticle-ignorelist=FILE)
// shadow-SAME: the function (__attribute__((no_instrument_function)), or a line 'fun:middle' in a file for -fplugin-arg-reticle-ignorelist=FILE)
// block-SAME: the function (__attribute__((no_instrument_function)), or a line 'fun:middle' in a file for -fplugin-arg-reticle-ignorelist=FILE)
// loop-SAME: the feature (-fplugin-arg-reticle-features=field,block,shadow)
// field-SAME: the feature (-fplugin-arg-reticle-features=loop,block,shadow)
// shadow-SAME: the feature (-fplugin-arg-reticle-features=loop,field,block)
// block-SAME: the feature (-fplugin-arg-reticle-features=loop,field,shadow)
// ANY-SAME: RETICLE=off
// What it says helps.
// RUN: echo 'fun:middle' > %t.list
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.list -c %s -o %t.o
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-features=loop,field,block -fplugin-arg-reticle-crash=shadow:middle -c %s -o %t.o
// With opt, which loads the passes alone, too.
// RUN: %clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %not --crash %opt -load-pass-plugin=%pass_plugin -reticle=crash=loop:middle -passes='default<O2>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=OPT
// OPT: Reticle {{[0-9.]+}}, feature 'loop': placing probes, in function 'middle'
struct pair {
  long a, b;
};
long first(const struct pair *p) { return p->a; }
long middle(const struct pair *p, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i].b ^ i;
  return sum;
}
