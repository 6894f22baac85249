// bad.h - structs whose source can't be changed, for layout-patch-mistakes.test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define BODY                                                                                       \
  {                                                                                                \
    long first;                                                                                    \
    char gap[120];                                                                                 \
    long second;                                                                                   \
  }
#define FIRST long first
#define GAP char gap[120]
struct whole BODY;
struct side {
  FIRST;
  GAP;
  long second;
};
struct differs {
  long first;
#ifdef WIDE
  char gap[184];
#else
  char gap[120];
#endif
  long second;
};
struct included {
  long first;
#include "bad_fields.h"
  long second;
};
struct needs {
  long first;
  char gap[120];
  enum { TWO = 2 } kind;
  long second[TWO];
};
struct __attribute__((packed)) squeezed {
  long first;
  char gap[120];
  long second;
};
struct ended {
  long first;
  char gap[120];
  long second;
  long rest[];
};
struct sized {
  long first;
  char gap[120];
  long second;
  long rest[1]; // as many as there are
};
struct line {
  long first, second;
};
struct opaque;
