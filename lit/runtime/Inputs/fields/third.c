// third.c - has no structs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int third(int n);
int third(int n) { return n + 1; }
