// whatif.cpp - classes that layout files change; lines count. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdio>
struct base { int b = 7; virtual ~base() {} };
struct derived : base { char c = 1; long l; int i; derived() : l(2), i(3) {} long sum() const { return c + l + i; }
  static size_t own() { static char x[sizeof(derived)]; return sizeof x; } };
template <class T> struct vec { char c; T t; int n; };
struct plain { int a; long b; char c; };
#ifdef POSITION
plain position = {1, 2, 3};
#endif
#ifdef BINDING
long binding(plain x) { auto [p, q, r] = x; return p + q + r; }
#endif
#ifdef COMPARED
struct compared { int a; long b; char c; bool operator==(const compared &) const = default; };
#endif
template <class S, class M> long at(S &s, M &m) { return (char *)&m - (char *)&s; }
int main() {
  derived d;
  vec<long> v{};
  vec<int> w{};
  printf("derived %ld %ld %ld %ld of %zu sum %ld\n", at(d, d.b), at(d, d.c), at(d, d.l), at(d, d.i), derived::own(), d.sum());
  printf("vec<long> %ld %ld %ld\nvec<int> %ld %ld %ld\n", at(v, v.c), at(v, v.t), at(v, v.n), at(w, w.c), at(w, w.t), at(w, w.n));
  printf("plain %zu %zu %zu\n", offsetof(plain, a), offsetof(plain, b), offsetof(plain, c));
}
