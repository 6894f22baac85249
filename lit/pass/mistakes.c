// A wrong option is a compile error that names the fix.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-ignorlist=x -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=KEY
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-features=loop,topdown -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LATER
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-features=lop -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FEATURE
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.none -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FILE
// RUN: echo "fun" > %t.bad
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-ignorelist=%t.bad -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LINE
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-remarks=yes -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=REMARKS
// RUN: %not %clang -O2 -g -fplugin=%plugin '-fplugin-arg-reticle-loops=a[' -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=GLOB
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-loops -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=VALUE
// RUN: rm -f %t.fifo && mkfifo %t.fifo
// RUN: for o in ignorelist=%t.fifo layout=%t.fifo ignorelist=/dev/zero layout=/dev/zero; do timeout 60 %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-$o -c %s -o %t.o; echo status $?; done 2>&1 | %FileCheck %s --check-prefix=IRREGULAR
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-ignorelist=/dev/null -c %s -o %t.o
// IRREGULAR-COUNT-4: error: reticle: {{layout|ignorelist}}: {{.*}} is no regular file (a FIFO, a device or a socket); copy what it holds into a file (cat), and name that
// IRREGULAR-NOT: status {{[^1]}}
// KEY: error: reticle: unknown key 'ignorlist' in -fplugin-arg-reticle-ignorlist; did you mean 'ignorelist'?
// LATER: error: reticle: features: 'topdown' needs nothing at compile time: leave it out, and type reticle topdown -- ./PROGRAM
// FEATURE: error: reticle: features: unknown feature 'lop'; use features=loop
// FILE: error: reticle: ignorelist: can't open file {{.*}}No such file
// LINE: error: reticle: ignorelist: {{.*}}malformed line 1: 'fun'{{.*}}each line is 'src:GLOB', 'fun:GLOB' or 'loop:ID'
// REMARKS: error: reticle: remarks: 'yes' is neither 0 nor 1
// GLOB: error: reticle: loops: 'a[' is no glob
// VALUE: error: reticle: loops: a value is missing; write -fplugin-arg-reticle-loops=VALUE
int main(void) { return 0; }
