// Types of C++ allocations: new, arrays, templates by their instance, containers, static_cast.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in -O1 -O2; do %reticle_cxx -g -fplugin-arg-reticle-features=shadow $o %s -o %t || exit 1; %env_reticle %t || exit 1; %python %support/sites.py --types %reticle %t.prof -- one many first second list cast; done | sort | %FileCheck %s
// CHECK-COUNT-2: cast type app::order[] {{$}}
// CHECK-COUNT-2: first type box<int> {{$}}
// CHECK-COUNT-2: list type std::_List_node<app::order> {{$}}
// CHECK-COUNT-2: many type app::order[] {{$}}
// CHECK-COUNT-2: one type app::order {{$}}
// CHECK-COUNT-2: second type box<double> {{$}}
#include <list>
#include <new>
namespace app {
struct order {
  int id = 1;
  char note[140];
  long last = 2;
};
} // namespace app
template <typename T> struct box {
  T value[8];
};
template <typename T> __attribute__((noinline)) box<T> *make() {
  auto *b = new box<T>();
  __asm__ volatile("" : "+r"(b)::"memory");
  return b;
}
#define KEEP __attribute__((noinline)) static
KEEP app::order *one() {
  auto *o = new app::order;
  __asm__ volatile("" : "+r"(o)::"memory");
  return o;
}
KEEP app::order *many(int n) {
  auto *o = new app::order[n];
  __asm__ volatile("" : "+r"(o)::"memory");
  return o;
}
KEEP void first() {
  delete make<int>();
  __asm__ volatile("");
}
KEEP void second() {
  delete make<double>();
  __asm__ volatile("");
}
KEEP void list() {
  std::list<app::order> all(3);
  __asm__ volatile("" ::"r"(&all) : "memory");
}
KEEP void cast(int n) {
  auto *o = static_cast<app::order *>(::operator new(n * sizeof(app::order)));
  __asm__ volatile("" : "+r"(o)::"memory");
  ::operator delete(o);
}
int main(int argc, char **) {
  delete one();
  delete[] many(argc + 2);
  first();
  second();
  list();
  cast(argc + 2);
  return 0;
}
