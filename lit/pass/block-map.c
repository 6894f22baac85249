// Objects get the BB address map, unless switched off; code stays the same, and assembly is without it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/a.c && cd %t
// RUN: %clang -O2 -g -fplugin=%plugin -c a.c -o with.o
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-block_map=1 -c a.c -o said.o && cmp with.o said.o
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-block_map=0 -c a.c -o without.o
// RUN: %llvm_bin/llvm-readelf -S with.o | grep llvm_bb_addr_map
// RUN: %llvm_bin/llvm-readelf -S without.o | %not grep llvm_bb_addr_map
//
// Every byte that is loaded, and every relocation, is the same.
// RUN: for o in with without; do mkdir $o && %llvm_bin/llvm-objcopy --strip-debug --remove-section=.llvm_bb_addr_map --remove-section=.rela.llvm_bb_addr_map $o.o $o/a.o && (cd $o && %llvm_bin/llvm-objdump -s -d -r a.o > ../$o.txt); done
// RUN: grep -q 'Disassembly of section .text' with.txt && cmp with.txt without.txt
//
// Assembly may go to an assembler that doesn't know the section's type.
// RUN: %clang -O2 -g -fplugin=%plugin -S a.c -o - | %not grep llvm_bb_addr_map
// RUN: %clang -O2 -g -fplugin=%plugin -save-temps=obj -c a.c -o saved.o
//
// Where clang itself was asked for the map, switching ours off changes nothing.
// RUN: %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-block_map=0 -fbasic-block-address-map -c a.c -o own.o
// RUN: %llvm_bin/llvm-readelf -S own.o | grep llvm_bb_addr_map
//
// RUN: %not %clang -O2 -g -fplugin=%plugin -fplugin-arg-reticle-block_map=no -c a.c -o x.o 2>&1 | %FileCheck %s
// CHECK: error: reticle: block_map: 'no' is neither 0 nor 1
//
// REQUIRES: plugin, x86_64
int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] ^ (s << 1);
  return s;
}
