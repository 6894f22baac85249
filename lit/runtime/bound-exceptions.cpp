// Loops whose calls may throw: executions without an exception are run again; one with an exception ends as it does without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && echo 'src:*bound-exceptions.cpp' > list
// RUN: %clangxx -O2 %s -o plain && ./plain > want
// RUN: for level in -O1 -O2; do \
// RUN:   %reticle_cxx $level -g -fplugin-arg-reticle-verify=1 -fplugin-arg-reticle-bound=list %s -o app && rm -f a.prof* && \
// RUN:   RETICLE_OPTIONS=report=0:out=a.prof ./app > got && cmp want got && %reticle dump a.prof | %python %S/Inputs/bounds.py | sed 's/^_Z[0-9]*//' | %FileCheck %s || exit 1; done
// CHECK:      throwing{{.*}} done 1 2 3 4 5 6
// CHECK-NEXT: texts{{.*}} {{calls|faults}}
// CHECK-NEXT: catching{{.*}} shape
#include <cstdio>
#include <string>
#include <vector>

#define APART __attribute__((noinline))
static unsigned ended, limit = 1u << 31;
struct guard {
  ~guard() { ended++; }
};

APART static unsigned step(unsigned x) {
  if (x > limit)
    throw x;
  return x * 3 + (x >> 7);
}

APART static unsigned throwing(const std::vector<unsigned> &p) {
  unsigned sum = 0;
  for (size_t i = 0; i < p.size(); i++) {
    guard g;
    sum += step(p[i] + (sum & 1));
  }
  return sum;
}

APART static size_t texts(const std::vector<unsigned> &p) {
  size_t sum = 0;
  for (unsigned x : p) {
    std::string text = "a text that is too long for the string itself, " + std::to_string(x);
    sum += text.find('9');
  }
  return sum;
}

APART static unsigned catching(const std::vector<unsigned> &p) {
  unsigned sum = 0;
  for (unsigned x : p)
    try {
      sum += step(x);
    } catch (unsigned y) {
      sum ^= y;
    }
  return sum;
}

int main() {
  std::vector<unsigned> p(4096);
  for (unsigned i = 0; i < p.size(); i++)
    p[i] = i * 7;
  unsigned sum = 0;
  for (int i = 0; i < 100; i++)
    sum += throwing(p) + catching(p) + unsigned(texts(p));
  limit = 9000;
  try {
    sum += throwing(p);
  } catch (unsigned x) {
    sum += x;
  }
  std::printf("%u %u %u\n", sum, catching(p), ended);
}
