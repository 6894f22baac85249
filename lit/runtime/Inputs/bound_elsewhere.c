// bound_elsewhere.c - a function that a loop in another file calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static unsigned inner(const unsigned *p, unsigned h) { return *p & 1 ? h * 31 : h ^ *p; }

unsigned elsewhere(const unsigned *p, unsigned h);
unsigned elsewhere(const unsigned *p, unsigned h) {
  for (unsigned i = 0; i < (h & 7); i++)
    h = inner(p + i, h);
  return h;
}
