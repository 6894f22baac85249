// header.h - a struct of two units. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct pair {
  char c;
  long l;
  int i;
};
long other(struct pair *p);
