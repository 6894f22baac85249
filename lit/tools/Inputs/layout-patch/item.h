// item.h - a struct whose source has one of everything, for layout-patch.test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ITEM_H
#define ITEM_H

#define HEADER unsigned kind; unsigned owner

typedef struct item { /* what is scanned */
  HEADER;
  long key; /* what it is looked up by */
  char name[56]; // of the item,
                 // as it was read
  unsigned flag_a : 3, flag_b : 5; // bits
  unsigned flag_c : 4;
#ifdef WITH_DEBUG
  int debug_line;
#endif
#ifdef WITH_NOTE
  char note[40]; // in front of the position
#endif
  struct { int x, y; };

  // Either of both.
  union {
    int number;
    float real;
  };
  int count, total, *link; // three at once
  /* The rest is rarely used. */
  char cold[64]; int (*hook)(struct item *, int); double weight __attribute__((aligned(8)));
} item_t;

#endif
