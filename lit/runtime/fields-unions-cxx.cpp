// Fields of unions in C++: members and constructors of a union, references, a template, a lambda.
// REQUIRES: plugin, runtime, tool
// RUN: %reticle_cxx -w -O0 -g -fplugin-arg-reticle-features=field %s -o %t.app && %env_reticle %t.app && %python %support/structs.py %reticle %t.prof | %FileCheck %s
// CHECK: one<long>:[[#]] 8 t/bytes @0 R 10 W 10
// CHECK: plain:[[#]] 8 number/real @0 R 30 W 20
union plain {
  long number;
  double real;
  plain() : number(3) {}
  long get() const { return number; }
  void set(double x) { real = x; }
};
template <class T> union one {
  T t;
  char bytes[8];
};

int main() {
  plain *all = new plain[10];
  one<long> *ones = new one<long>[10]();
  double s = 0;
  for (int i = 0; i < 10; i++) {
    all[i].set(i);
    ones[i].t += i;
    plain &r = all[i];
    auto real = [&r] { return r.real; };
    s += all[i].get() + r.number + real();
  }
  return s == 12345;
}
