// table.c - a function that jumps through a table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int next(int);
int choose(int x) {
  switch (x) {
  case 0:
    return next(3) + 1;
  case 1:
    return next(5) * 7;
  case 2:
    return next(8) - 2;
  case 3:
    return next(1) ^ 9;
  case 4:
    return next(2) | 4;
  }
  return 0;
}
