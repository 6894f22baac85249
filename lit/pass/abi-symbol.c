// A forgotten runtime is a link error whose symbol says what to do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %not %clang -O2 -g -fplugin=%plugin %s -o %t 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 -g -fplugin=%plugin -fuse-ld=lld %s -o %t 2>&1 | %FileCheck %s
// CHECK: __reticle_abi_v7__link_with_reticle_clang_or_libreticle_rt
// No loop here: the symbol is asked for by every object.
int main(void) { return 0; }
