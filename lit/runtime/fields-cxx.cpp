// C++: bases, templates, an anonymous namespace, containers.
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cxx -O2 -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof | %FileCheck %s
// CHECK-DAG: (anonymous namespace)::hidden:[[#]] 8 b @4 R 0 W 3
// CHECK-DAG: ns::base:[[#]] 4 x @0 R 0 W 10
// CHECK-DAG: ns::derived:[[#]] 8 y @4 R 0 W 20
// CHECK-DAG: box<int>:[[#]] 8 second @4 R 0 W 30
// CHECK-DAG: box<float>:[[#]] 8 second @4 R 0 W 40
// CHECK-DAG: item:[[#]] 8 key @0 R 50 W
#include <vector>

namespace {
struct hidden {
  volatile int a, b;
};
} // namespace
namespace ns {
struct base {
  volatile int x;
};
struct derived : base {
  volatile int y;
};
} // namespace ns
template <typename T> struct box {
  volatile T first, second;
};
struct item {
  int key, value;
};

template <typename T> __attribute__((noinline)) void put(box<T> *b, int n) {
  for (int i = 0; i < n; i++)
    b->second = static_cast<T>(i);
}
__attribute__((noinline)) int look(const std::vector<item> &items) {
  int s = 0;
  for (const item &i : items)
    s += i.key;
  return s;
}

int main() {
  static hidden h;
  static ns::derived d;
  static box<int> i;
  static box<float> f;
  for (int n = 0; n < 3; n++)
    h.b = n;
  for (int n = 0; n < 10; n++)
    d.x = n;
  for (int n = 0; n < 20; n++)
    d.y = n;
  put(&i, 30);
  put(&f, 40);
  std::vector<item> items(50);
  return look(items);
}
