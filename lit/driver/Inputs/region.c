/* region.c - regions in C and C++, or the same without them (PLAIN)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifdef PLAIN
#define RETICLE_REGION_BEGIN(name) ((void)0)
#define RETICLE_REGION_END ((void)0)
#define RETICLE_REGION(name) ((void)0)
#else
#include <reticle.h>
#endif

int work(int);
int f(int n);
int g(int n);

int f(int n) {
  int r;
  RETICLE_REGION_BEGIN("f");
  r = work(n);
  if (r > 3) {
    RETICLE_REGION_END;
    return r;
  }
  r += work(2);
  RETICLE_REGION_END;
  return r;
}

int g(int n) {
#ifdef __cplusplus
  RETICLE_REGION("whole");
#ifndef PLAIN
  reticle::region part("part");
#endif
#endif
  return work(n) + 1;
}
