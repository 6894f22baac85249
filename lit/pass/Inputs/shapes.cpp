// shapes.cpp - control flow that is hard for probes; prints one line of results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#define NI __attribute__((noinline))
#if defined(__aarch64__)
#define JUMP_IF_NEGATIVE "tbnz %w0, #31, %l[neg]"
#define JUMP_IF_50 "cmp %w0, #50\n\tb.eq %l[out]"
#else
#define JUMP_IF_NEGATIVE "test %0,%0; js %l[neg]"
#define JUMP_IF_50 "cmp $50,%0; je %l[out]"
#endif
struct G {
  int x;
  ~G() { x = 0; }
};
NI int mayThrow(int i) {
  if (i == 77)
    throw std::runtime_error("x");
  return i;
}
NI int exc(int n) {
  int s = 0;
  try {
    for (int i = 0; i < n; i++) {
      G g{i};
      s += mayThrow(i);
    }
  } catch (std::exception &e) {
    s = -s;
  }
  return s;
}
NI int exc2(int n) {
  int s = 0;
  for (int k = 0; k < 3; k++) {
    try {
      for (int i = 0; i < n; i++) {
        s += mayThrow(i);
      }
    } catch (std::exception &e) {
      s++;
    }
  }
  return s;
}
NI int thru(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += mayThrow(i);
  return s;
}
template <class T> NI T tsum(const std::vector<T> &v) {
  T s{};
  for (auto &x : v)
    s += x;
  return s;
}
NI int exits(const char *p) {
  for (;; p++) {
    switch (*p) {
    case 0:
      return 0;
    case 'x':
      return 1;
    case 'y':
      goto out;
    case 'z':
      abort();
    default:
      continue;
    }
  }
out:
  return 5;
}
NI int irr(int n) {
  int i = 0, s = 0;
  if (n & 1)
    goto mid;
  for (; i < n;) {
    s += i;
  mid:
    i++;
    s ^= n;
  }
  return s;
}
static jmp_buf jb;
NI void lj(int n) {
  for (int i = 0; i < n; i++)
    if (i == 50)
      longjmp(jb, 1);
}
NI int sj() {
  volatile int r = 0;
  for (volatile int k = 0; k < 4; k = k + 1) {
    if (!setjmp(jb))
      lj(100);
    else
      r = r + 1;
  }
  return r;
}
NI int vla(int n) {
  int s = 0;
  for (int i = 1; i < n; i++) {
    int a[i];
    for (int j = 0; j < i; j++)
      a[j] = j * i;
    for (int j = 0; j < i; j++)
      s += a[(j * 7) % i];
  }
  return s;
}
NI int nest(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      if ((i * j) % 1000 == 999)
        return s;
      for (int k = 0; k < j; k += 3)
        s += k ^ i;
    }
  return s;
}
NI int cg(const unsigned char *p) {
  static void *T[] = {&&a, &&b, &&c, &&d};
  int acc = 0;
  goto *T[*p++];
a:
  acc++;
  goto *T[*p++];
b:
  acc *= 3;
  goto *T[*p++];
c:
  for (int i = 0; i < acc; i++)
    acc ^= i & 3;
  goto *T[*p++];
d:
  return acc;
}
NI int cg2(const unsigned char *p, int n) {
  static void *T[] = {&&a, &&b, &&c, &&d};
  int acc = 0;
  for (int i = 0; i < n; i++) {
    goto *T[p[i] & 3];
  a:
    acc++;
    continue;
  b:
    acc *= 3;
    continue;
  c:
    acc ^= 5;
    continue;
  d:
    break;
  }
  return acc;
}
NI int asmgoto(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    asm goto(JUMP_IF_NEGATIVE ::"r"(i - 5) : "cc" : neg);
    s++;
    continue;
  neg:
    s += 100;
  }
  return s;
}
NI int asmgoto2(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    asm goto(JUMP_IF_50 ::"r"(i) : "cc" : out);
    s++;
  }
out:
  return s;
}
NI long lam(std::vector<int> &v) {
  long t = 0;
  std::for_each(v.begin(), v.end(), [&](int x) { t += x * x; });
  std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
  return t;
}
NI int mt(int n);
NI int mt2(int n) {
  int s = 0;
  for (int i = 0; i < n * 10; i++) {
    s += mayThrow(i & 7);
  }
  if (s < 0)
    return 0;
  [[clang::musttail]] return mt(s);
}
NI int mt(int n) { return n + 1; }
NI int rec(int n) {
  int s = 1;
  for (int i = 0; i < 3 + n % 2 * 5; i++) {
    if (n > 0)
      s += rec(n - 1 - i);
    asm volatile("");
  }
  return s;
}
NI double fpl(const double *a, int n, double x) {
  double t = x;
  for (int k = 0; k < 4 + n % 3; k++) {
    for (int i = 0; i < n; i++)
      t += a[i] * x;
    x *= 1.5 + t;
  }
  return t + x;
}
int main() {
  std::vector<int> v;
  for (int i = 0; i < 100; i++)
    v.push_back((i * 37) % 101);
  std::vector<double> d(v.begin(), v.end());
  unsigned char code[] = {0, 0, 1, 2, 1, 2, 0, 3};
  unsigned char code2[64];
  for (int i = 0; i < 64; i++)
    code2[i] = i == 60 ? 3 : i % 3;
  std::map<std::string, int> m;
  for (int i = 0; i < 50; i++)
    m[std::to_string(i)] = i;
  long ms = 0;
  for (auto &kv : m)
    ms += kv.second;
  int th = 0;
  try {
    thru(100);
  } catch (...) {
    th = 1;
  }
  printf("%d %d %d %d %d %g %d %d %d %d %d %d %d %d %d %d %ld %d %ld %d %g\n", exc(50), exc(100),
         exc2(100), th, tsum(v), tsum(d), exits("aaaa"), exits("aaxaa"), exits("aaya"), irr(10),
         irr(11), sj(), vla(30), nest(60), cg(code), cg2(code2, 64), lam(v),
         asmgoto(10) + asmgoto2(100), ms, mt2(9) + rec(7), fpl(d.data(), 100, 1.01));
  return 0;
}
