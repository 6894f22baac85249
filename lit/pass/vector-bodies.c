// The compiled bodies of vectorised innermost loops are the same with and without probes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64
// RUN: %clang -O2 -S %S/Inputs/vector_loops.c -o %t.plain.s
// RUN: %clang -O2 -g1 -fplugin=%plugin -S %S/Inputs/vector_loops.c -o %t.probed.s
// RUN: grep -q "fs:__reticle_cells" %t.probed.s
// RUN: %python %S/Inputs/loop_bodies.py %t.plain.s %t.probed.s 10
// RUN: %clang -O3 -mavx2 -S %S/Inputs/vector_loops.c -o %t.plain.s
// RUN: %clang -O3 -mavx2 -g1 -fplugin=%plugin -S %S/Inputs/vector_loops.c -o %t.probed.s
// RUN: %python %S/Inputs/loop_bodies.py %t.plain.s %t.probed.s 10
// RUN: %clang -O2 -fPIC -S %S/Inputs/vector_loops.c -o %t.plain.s
// RUN: %clang -O2 -fPIC -g1 -fplugin=%plugin -S %S/Inputs/vector_loops.c -o %t.probed.s
// RUN: %python %S/Inputs/loop_bodies.py %t.plain.s %t.probed.s 10
