// Calls whose target the core has to guess, and functions that are no more than their call: who makes them stands first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: x86_64, plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cxx -O2 -g %s -o app
// RUN: RETICLE_OPTIONS=report=0:sample=1:probe_budget=50%:out=a.prof ./app && %reticle report --findings a.prof | grep -A8 '^FINDINGS' | %FileCheck %s
// CHECK: indirect-call L{{[0-9]+}} area {{.*}}calls.cpp:[[#@LINE+25]]: takes {{[5-9]|100}}
// CHECK-NEXT: an indirect call goes to 2 functions of a few instructions each:
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

struct shape {
  virtual ~shape() = default;
  virtual int sides() const = 0;
};
struct square : shape {
  int sides() const override;
};
struct triangle : shape {
  int sides() const override;
};
__attribute__((noinline)) int square::sides() const { return 4; }
__attribute__((noinline)) int triangle::sides() const { return 3; }

static long area(const std::vector<std::unique_ptr<shape>> &all) __attribute__((noinline));

static long area(const std::vector<std::unique_ptr<shape>> &all) {
  long sum = 0;
  for (const auto &one : all)
    sum += one->sides();
  return sum;
}

int main() {
  std::vector<std::unique_ptr<shape>> all;
  std::minstd_rand random;
  for (int i = 0; i < 20000; i++)
    if (random() & 64)
      all.push_back(std::make_unique<square>());
    else
      all.push_back(std::make_unique<triangle>());
  long sum = 0;
  for (int i = 0; i < 6000; i++)
    sum += area(all);
  std::printf("%ld\n", sum);
}
