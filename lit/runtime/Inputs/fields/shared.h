// shared.h - a struct of two object files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct a {
  volatile int x, y;
};
void second(struct a *p);
