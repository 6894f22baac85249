// bad.cpp - C++ structs whose source can't be changed, for layout-patch-mistakes.test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

struct Base {
  long base = 0;
};
struct Derived : Base {
  long first = 0;
  char gap[120] = "";
  long second = 0;
};
struct Virtual {
  virtual ~Virtual() = default;
  long first = 0;
  char gap[120] = "";
  long second = 0;
};
template <class T> struct Template {
  T first = 0;
  char gap[120] = "";
  T second = 0;
};
struct Reads {
  long first = 1;
  char gap[120] = "";
  long second = first + 1;
};
class Hidden {
public:
  long first = 0;
  char gap[120] = "";
  long get() const { return second; }

private:
  long more = 0;
  long second = 0;
};

template <class T> __attribute__((noinline)) static long scan(const std::vector<T> &all) {
  long sum = 0;
  for (const T &one : all)
    if constexpr (__is_class(T) && __is_same(T, Hidden))
      sum += one.first + one.get();
    else
      sum += one.first + one.second;
  return sum;
}
template <class T> static long run() { return scan(std::vector<T>(2000)); }

int main() {
  return (int)(run<Derived>() + run<Virtual>() + run<Template<long>>() + run<Reads>() +
               run<Hidden>()) != 6000;
}
