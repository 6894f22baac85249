// two.c - the other unit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "header.h"
long other(struct pair *p) { return 100 * p->c + 10 * p->l + p->i; }
