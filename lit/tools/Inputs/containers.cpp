// containers.cpp - what C++ programs allocate by: containers, strings, smart pointers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <map>
#include <memory>
#include <string>
#include <vector>

struct order {
  long key[8];
};

[[gnu::noinline]] void grows(std::vector<order> &all) {
  for (long i = 0; i < 100; i++)
    all.push_back({{i}});
}
[[gnu::noinline]] void inserts(std::map<long, order> &all) {
  for (long i = 0; i < 100; i++)
    all[i].key[0] = i;
}
[[gnu::noinline]] std::shared_ptr<order> shares() { return std::make_shared<order>(); }
[[gnu::noinline]] order *news() { return new order[10](); }

int main() {
  std::vector<order> all;
  std::map<long, order> tree;
  grows(all);
  inserts(tree);
  std::shared_ptr<order> shared = shares();
  order *array = news();
  long sum = all[3].key[0] + tree[4].key[0] + shared->key[1] + array[2].key[2];
  delete[] array;
  return sum != 7;
}
